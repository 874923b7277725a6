/** Duramen in a Spring Boot application: properties under {@code duramen.} become its connection factory. */
package io.duramen.spring;
