/** The behaviours that frameworks and pools rely on, each seen through the framework itself. */
package io.duramen.frameworks;
