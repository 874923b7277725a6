/** Typed settings from one declaration; see {@link io.duramen.runtime.settings.Setting}. */
package io.duramen.runtime.settings;
