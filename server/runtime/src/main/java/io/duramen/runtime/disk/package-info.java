/** The one door to storage. */
package io.duramen.runtime.disk;
