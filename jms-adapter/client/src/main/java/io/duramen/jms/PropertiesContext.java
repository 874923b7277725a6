package io.duramen.jms;

import io.duramen.jms.destination.DuramenQueue;
import io.duramen.jms.destination.DuramenTopic;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import javax.naming.Binding;
import javax.naming.CompositeName;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.NameAlreadyBoundException;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NameParser;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.OperationNotSupportedException;

/** Any thread, as its map. A flat context in memory, without contexts below it. */
final class PropertiesContext implements Context {
    private static final String DYNAMIC_QUEUES = "dynamicQueues/";
    private static final String DYNAMIC_TOPICS = "dynamicTopics/";
    private static final NameParser PARSER = CompositeName::new;

    private final Hashtable<Object, Object> environment = new Hashtable<>();
    private final Map<String, Object> bindings;

    PropertiesContext(Map<?, ?> environment, Map<String, Object> bindings) {
        this.environment.putAll(environment);
        this.bindings = bindings;
    }

    @Override
    public Object lookup(String name) throws NamingException {
        if (name.isEmpty()) {
            return this;
        }
        Object bound = bindings.get(name);
        if (bound != null) {
            return bound;
        }
        if (name.startsWith(DYNAMIC_QUEUES) && name.length() > DYNAMIC_QUEUES.length()) {
            return new DuramenQueue(name.substring(DYNAMIC_QUEUES.length()));
        }
        if (name.startsWith(DYNAMIC_TOPICS) && name.length() > DYNAMIC_TOPICS.length()) {
            return new DuramenTopic(name.substring(DYNAMIC_TOPICS.length()));
        }
        throw new NameNotFoundException(name + " is not among " + bindings.keySet());
    }

    @Override
    public void bind(String name, Object object) throws NamingException {
        if (bindings.putIfAbsent(name, object) != null) {
            throw new NameAlreadyBoundException(name);
        }
    }

    @Override
    public void rebind(String name, Object object) {
        bindings.put(name, object);
    }

    @Override
    public void unbind(String name) {
        bindings.remove(name);
    }

    @Override
    public void rename(String from, String to) throws NamingException {
        bind(to, lookup(from));
        unbind(from);
    }

    @Override
    public NamingEnumeration<NameClassPair> list(String name) throws NamingException {
        List<NameClassPair> pairs = new ArrayList<>();
        checkRoot(name)
                .forEach((each, object) ->
                        pairs.add(new NameClassPair(each, object.getClass().getName())));
        return new Listing<>(pairs.iterator());
    }

    @Override
    public NamingEnumeration<Binding> listBindings(String name) throws NamingException {
        List<Binding> pairs = new ArrayList<>();
        checkRoot(name).forEach((each, object) -> pairs.add(new Binding(each, object)));
        return new Listing<>(pairs.iterator());
    }

    private Map<String, Object> checkRoot(String name) throws NamingException {
        if (!name.isEmpty()) {
            throw new NameNotFoundException(name + " is no context");
        }
        return bindings;
    }

    @Override
    public Object lookupLink(String name) throws NamingException {
        return lookup(name);
    }

    @Override
    public NameParser getNameParser(String name) {
        return PARSER;
    }

    @Override
    public String composeName(String name, String prefix) throws NamingException {
        return new CompositeName(prefix).addAll(new CompositeName(name)).toString();
    }

    @Override
    public Name composeName(Name name, Name prefix) throws NamingException {
        return ((Name) prefix.clone()).addAll(name);
    }

    @Override
    public Context createSubcontext(String name) throws NamingException {
        throw new OperationNotSupportedException("there are no contexts below this one");
    }

    @Override
    public void destroySubcontext(String name) throws NamingException {
        throw new OperationNotSupportedException("there are no contexts below this one");
    }

    @Override
    public Object addToEnvironment(String key, Object value) {
        return environment.put(key, value);
    }

    @Override
    public Object removeFromEnvironment(String key) {
        return environment.remove(key);
    }

    @Override
    public Hashtable<?, ?> getEnvironment() {
        return new Hashtable<>(environment);
    }

    @Override
    public void close() {
        // Holds nothing that must be freed.
    }

    @Override
    public String getNameInNamespace() {
        return "";
    }

    // ---- the same by Name ------------------------------------------------------------------------------------------

    @Override
    public Object lookup(Name name) throws NamingException {
        return lookup(name.toString());
    }

    @Override
    public void bind(Name name, Object object) throws NamingException {
        bind(name.toString(), object);
    }

    @Override
    public void rebind(Name name, Object object) {
        rebind(name.toString(), object);
    }

    @Override
    public void unbind(Name name) {
        unbind(name.toString());
    }

    @Override
    public void rename(Name from, Name to) throws NamingException {
        rename(from.toString(), to.toString());
    }

    @Override
    public NamingEnumeration<NameClassPair> list(Name name) throws NamingException {
        return list(name.toString());
    }

    @Override
    public NamingEnumeration<Binding> listBindings(Name name) throws NamingException {
        return listBindings(name.toString());
    }

    @Override
    public Object lookupLink(Name name) throws NamingException {
        return lookupLink(name.toString());
    }

    @Override
    public NameParser getNameParser(Name name) {
        return getNameParser(name.toString());
    }

    @Override
    public Context createSubcontext(Name name) throws NamingException {
        return createSubcontext(name.toString());
    }

    @Override
    public void destroySubcontext(Name name) throws NamingException {
        destroySubcontext(name.toString());
    }

    /** One thread at a time. */
    private static final class Listing<T> implements NamingEnumeration<T> {
        private final Iterator<T> each;

        Listing(Iterator<T> each) {
            this.each = each;
        }

        @Override
        public T next() {
            return each.next();
        }

        @Override
        public boolean hasMore() {
            return each.hasNext();
        }

        @Override
        public boolean hasMoreElements() {
            return each.hasNext();
        }

        @Override
        public T nextElement() {
            return each.next();
        }

        @Override
        public void close() {
            // Holds nothing that must be freed.
        }
    }
}
