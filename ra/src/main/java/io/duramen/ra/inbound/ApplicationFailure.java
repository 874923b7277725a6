package io.duramen.ra.inbound;

import java.lang.annotation.Annotation;

/**
 * Any thread: holds nothing. Tells what an application says by an exception from what a server does.
 *
 * <p>Jakarta Enterprise Beans 4.0 (9.3, message-driven beans): an application exception reaches the adapter as it was thrown,
 * and the transaction commits unless the bean or the exception's declaration will not have that. Whatever else a bean
 * throws reaches the adapter in an EJBException, a class of the server's, and the transaction is rolled back.
 */
final class ApplicationFailure {
    private static final String ANNOTATION = "jakarta.ejb.ApplicationException";
    private static final String SYSTEM_FAILURE = "jakarta.ejb.EJBException";

    private ApplicationFailure() {}

    /**
     * Whether it is an application exception: by its annotation, or as a class that comes with the bean, which a deployment
     * descriptor may have declared.
     *
     * @param bean class of the bean; null where the server does not say
     */
    static boolean isOne(Throwable thrown, Class<?> bean) {
        return isAnnotated(thrown.getClass()) || comesWith(bean, thrown.getClass());
    }

    private static boolean isAnnotated(Class<?> kind) {
        for (Class<?> each = kind; each != null; each = each.getSuperclass()) {
            for (Annotation annotation : each.getDeclaredAnnotations()) {
                if (annotation.annotationType().getName().equals(ANNOTATION)) {
                    return each == kind || isInherited(annotation);
                }
            }
        }
        return false;
    }

    private static boolean isInherited(Annotation annotation) {
        try {
            return (boolean) annotation.annotationType().getMethod("inherited").invoke(annotation);
        } catch (ReflectiveOperationException e) {
            return false; // an older one, which knows no inheritance
        }
    }

    private static boolean comesWith(Class<?> bean, Class<?> thrown) {
        if (bean == null || thrown.getClassLoader() != bean.getClassLoader()) {
            return false;
        }
        for (Class<?> each = thrown; each != null; each = each.getSuperclass()) {
            if (each.getName().equals(SYSTEM_FAILURE)) {
                return false;
            }
        }
        return true;
    }
}
