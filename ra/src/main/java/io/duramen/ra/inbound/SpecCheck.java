package io.duramen.ra.inbound;

import jakarta.resource.spi.InvalidPropertyException;
import java.beans.IntrospectionException;
import java.beans.PropertyDescriptor;
import java.util.ArrayList;
import java.util.List;

/** One thread. Gathers what is wrong with a spec, so that its author is told of all at once. */
final class SpecCheck {
    private final List<String> complaints = new ArrayList<>();
    private final List<PropertyDescriptor> wrong = new ArrayList<>();

    void that(String property, boolean right, String otherwise) {
        if (!right) {
            complaints.add(property + " " + otherwise);
            wrong.add(descriptor(property));
        }
    }

    void atLeast(String property, long value, long least) {
        that(property, value >= least, "is " + value + ", less than " + least);
    }

    void within(String property, long value, long least, long most) {
        atLeast(property, value, least);
        that(property, value <= most, "is " + value + ", more than " + most);
    }

    private static PropertyDescriptor descriptor(String property) {
        try {
            return new PropertyDescriptor(property, DuramenActivationSpec.class);
        } catch (IntrospectionException e) {
            throw new IllegalArgumentException("the spec has no property " + property, e);
        }
    }

    /** @throws InvalidPropertyException where something is wrong */
    void done() throws InvalidPropertyException {
        if (!complaints.isEmpty()) {
            InvalidPropertyException told = new InvalidPropertyException(String.join("; ", complaints));
            told.setInvalidPropertyDescriptors(wrong.toArray(PropertyDescriptor[]::new));
            throw told;
        }
    }
}
