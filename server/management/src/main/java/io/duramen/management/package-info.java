/**
 * What a node shows and does through JMX, as MXBeans: their interfaces, their names, and the rows that they give. Needs the
 * JDK alone. Values are open types, so that a console needs none of these classes. The rows are records with getters, by which
 * MXBeans map them on Java 17, too.
 *
 * <p>Attributes come from counters and cost nothing to read. Operations are bounded; they throw {@link
 * java.lang.IllegalArgumentException} where an argument is not allowed and {@link java.lang.IllegalStateException} where the
 * node refuses, cannot, or has not answered within {@code management.timeout}, with a message that says which.
 */
package io.duramen.management;
