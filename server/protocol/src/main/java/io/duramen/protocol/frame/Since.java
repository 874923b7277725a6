package io.duramen.protocol.frame;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The protocol version from which a component of a frame is on the wire. Components without it were there from version
 * 1. Later components stand behind earlier ones; towards an older peer they are left out, and read back as zero, false,
 * null or the empty list.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Since {
    int value();
}
