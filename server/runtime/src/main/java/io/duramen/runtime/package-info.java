/** The doors through which the core reaches the world: clock, disk, agents, settings. */
package io.duramen.runtime;
