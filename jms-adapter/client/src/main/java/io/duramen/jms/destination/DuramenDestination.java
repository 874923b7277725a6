package io.duramen.jms.destination;

import io.duramen.protocol.frame.DestinationKind;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import java.io.Serializable;
import java.util.Objects;
import javax.naming.NamingException;
import javax.naming.Reference;
import javax.naming.Referenceable;
import javax.naming.StringRefAddr;

/**
 * Any thread, once its name is set. A queue or topic of a Duramen node: two are equal when kind and name are. The name
 * may be set after construction (administered objects are beans), but not once the destination is in use.
 */
public abstract class DuramenDestination implements Destination, Referenceable, Serializable {
    private static final long serialVersionUID = 1L;

    /** Class that makes a destination from its {@link #getReference JNDI reference}. */
    public static final String OBJECT_FACTORY = "io.duramen.jms.DuramenObjectFactory";

    /** Address in a JNDI reference that holds the {@link DestinationKind}'s name. */
    public static final String REFERENCE_KIND = "kind";

    /** Address in a JNDI reference that holds the destination's name. */
    public static final String REFERENCE_NAME = "name";

    private String name;

    DuramenDestination(String name) {
        this.name = name;
    }

    /**
     * @return a destination of that kind; a temporary one cannot be deleted through it
     * @throws IllegalArgumentException for a null or empty name
     */
    public static DuramenDestination of(DestinationKind kind, String name) {
        return switch (kind) {
            case QUEUE -> new DuramenQueue(name);
            case TOPIC -> new DuramenTopic(name);
            case TEMPORARY_QUEUE -> new DuramenTemporaryQueue(name);
            case TEMPORARY_TOPIC -> new DuramenTemporaryTopic(name);
        };
    }

    /** @throws InvalidDestinationException for null, one of another provider, or one without a name */
    public static DuramenDestination ours(Destination destination) throws InvalidDestinationException {
        if (destination instanceof DuramenDestination ours && ours.getName() != null) {
            return ours;
        }
        throw new InvalidDestinationException(
                destination == null ? "the destination is null" : destination + " is not a destination of Duramen");
    }

    /** @throws InvalidDestinationException for a null or empty name */
    public static DuramenDestination named(DestinationKind kind, String name) throws InvalidDestinationException {
        if (name == null || name.isEmpty()) {
            throw new InvalidDestinationException("a destination needs a name");
        }
        return of(kind, name);
    }

    static String checked(String name) {
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("a destination needs a name");
        }
        return name;
    }

    public abstract DestinationKind kind();

    /** @return the name, null where the bean constructor was used and no name was set yet */
    public final String getName() {
        return name;
    }

    /** @throws IllegalArgumentException for a null or empty name */
    public final void setName(String name) {
        this.name = checked(name);
    }

    @Override
    public final Reference getReference() throws NamingException {
        Reference reference = new Reference(getClass().getName(), OBJECT_FACTORY, null);
        reference.add(new StringRefAddr(REFERENCE_KIND, kind().name()));
        reference.add(new StringRefAddr(REFERENCE_NAME, name));
        return reference;
    }

    @Override
    public final boolean equals(Object other) {
        return other instanceof DuramenDestination that && kind() == that.kind() && Objects.equals(name, that.name);
    }

    @Override
    public final int hashCode() {
        return Objects.hashCode(name) * 31 + kind().ordinal();
    }

    /** @return the name alone, which createQueue and createTopic take */
    @Override
    public final String toString() {
        return String.valueOf(name);
    }
}
