/** {@code bin/duramen} for operators: the operations of the MXBeans as commands, over JMX. */
package io.duramen.cli;
