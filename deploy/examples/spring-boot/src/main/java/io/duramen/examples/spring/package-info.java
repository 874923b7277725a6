/** A Spring Boot application to start from. */
package io.duramen.examples.spring;
