package io.duramen.jms;

import io.duramen.jms.destination.DuramenDestination;
import io.duramen.protocol.frame.DestinationKind;
import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.RefAddr;
import javax.naming.Reference;
import javax.naming.spi.ObjectFactory;

/** Any thread: holds nothing. Makes factories and destinations from their JNDI references. */
public final class DuramenObjectFactory implements ObjectFactory {
    /** @return null where the reference is none of ours, as JNDI wants it */
    @Override
    public Object getObjectInstance(Object object, Name name, Context context, Hashtable<?, ?> environment) {
        if (!(object instanceof Reference reference)) {
            return null;
        }
        String url = content(reference, DuramenConnectionFactory.REFERENCE_URL);
        if (url != null) {
            boolean xa = DuramenXAConnectionFactory.class.getName().equals(reference.getClassName());
            return xa ? new DuramenXAConnectionFactory(url) : new DuramenConnectionFactory(url);
        }
        String kind = content(reference, DuramenDestination.REFERENCE_KIND);
        String destination = content(reference, DuramenDestination.REFERENCE_NAME);
        return kind == null || destination == null
                ? null
                : DuramenDestination.of(DestinationKind.valueOf(kind), destination);
    }

    private static String content(Reference reference, String type) {
        RefAddr address = reference.get(type);
        return address == null ? null : (String) address.getContent();
    }
}
