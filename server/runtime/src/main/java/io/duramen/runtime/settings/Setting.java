package io.duramen.runtime.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a setting on a component of a settings record: default, bounds and documentation in one place. The key is
 * the prefix the record is bound with and the component's name in kebab case ({@code segmentSize} in {@code log} is
 * {@code log.segment-size}). Types: boolean, int, long, String, Path, enum, Duration ({@code 250ms}, {@code 2s},
 * {@code 5m}, {@code 1h}, {@code 7d}), {@link Bytes} ({@code 512}, {@code 64KiB}, {@code 1MiB}, {@code 2GiB}),
 * {@link Secret}, and List of String (comma-separated).
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {
    /** The default, as it would stand in a file. */
    String value();

    /** Smallest value allowed, as it would stand in a file; empty for none. */
    String min() default "";

    /** Largest value allowed, as it would stand in a file; empty for none. */
    String max() default "";

    /** One or two sentences for the reference. */
    String doc();
}
