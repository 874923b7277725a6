/** Large bodies on their way, in parts: to the node ahead of their message, and from it as the application reads. */
package io.duramen.jms.body;
