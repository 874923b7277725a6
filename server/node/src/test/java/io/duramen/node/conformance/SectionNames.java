package io.duramen.node.conformance;

import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGenerator;

/** Names a test after the sections that it cites. */
final class SectionNames extends DisplayNameGenerator.Standard {
    @Override
    public String generateDisplayNameForMethod(List<Class<?>> enclosing, Class<?> suite, Method method) {
        Section section = method.getAnnotation(Section.class);
        return section == null
                ? super.generateDisplayNameForMethod(enclosing, suite, method)
                : "§" + String.join(", ", section.value()) + " " + method.getName();
    }
}
