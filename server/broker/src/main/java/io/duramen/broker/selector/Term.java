package io.duramen.broker.selector;

/** What has a value in a message. */
non-sealed interface Term extends Expression {
    /** What is known of its values without a message. */
    enum Kind {
        /** An identifier's: its messages decide. */
        ANY,
        STRING,
        NUMBER,
        BOOLEAN
    }

    Kind kind();

    void load(RecordFields fields, Value into);

    /** The value of a field of the message. */
    record Field(String name, int slot) implements Term {
        @Override
        public Kind kind() {
            return Kind.ANY;
        }

        @Override
        public void load(RecordFields fields, Value into) {
            fields.load(slot, into);
        }
    }

    record Constant(Kind kind, Value value) implements Term {
        @Override
        public void load(RecordFields fields, Value into) {
            into.set(value);
        }
    }

    /** A condition that is compared: unknown is no value. */
    record Truth(Condition condition) implements Term {
        @Override
        public Kind kind() {
            return Kind.BOOLEAN;
        }

        @Override
        public void load(RecordFields fields, Value into) {
            int truth = condition.test(fields);
            if (truth == Condition.UNKNOWN) {
                into.setNull();
            } else {
                into.setBoolean(truth == Condition.TRUE);
            }
        }
    }

    /** A value that is a condition itself; one that is no boolean makes it unknown. */
    static Condition isTrue(Term term) {
        Value value = new Value();
        return fields -> {
            term.load(fields, value);
            return value.isBoolean() ? Condition.of(value.booleanValue()) : Condition.UNKNOWN;
        };
    }
}
