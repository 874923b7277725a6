/**
 * Each message once, with nothing but the application's own database: what was processed is written down there in the
 * transaction that does the work. JDBC only.
 */
package io.duramen.jms.processed;
