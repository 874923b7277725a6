package io.duramen.acceptance.manager;

import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.Uid;
import com.arjuna.ats.arjuna.common.arjPropertyManager;
import com.arjuna.ats.arjuna.common.recoveryPropertyManager;
import com.arjuna.ats.arjuna.objectstore.StoreManager;
import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import com.arjuna.ats.arjuna.state.InputObjectState;
import com.arjuna.ats.internal.arjuna.common.UidHelper;
import com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule;
import com.arjuna.ats.internal.jta.resources.arjunacore.XAResourceRecord;
import com.arjuna.ats.internal.jta.resources.arjunacore.XAResourceRecordWrappingPlugin;
import com.arjuna.ats.internal.jta.transaction.arjunacore.AtomicAction;
import com.arjuna.ats.jta.common.JTAEnvironmentBean;
import com.arjuna.ats.jta.common.jtaPropertyManager;
import com.arjuna.ats.jta.recovery.XAResourceRecoveryHelper;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.util.List;
import javax.transaction.xa.XAResource;
import org.jboss.tm.XAResourceWrapper;

/**
 * The transaction manager of this process, as the manual says that it is to be set up, but for the intervals: recovery goes
 * round without a pause, so that what it does beside living transactions shows.
 */
final class Narayana {
    private static final String NAME = "ring";
    private static final int BETWEEN_PASSES_SECONDS = 1;
    private static final int ORPHAN_MILLIS = 500;

    private final RecoveryManager recovery;
    private final TransactionManager transactions;

    /**
     * @param log where it keeps its decisions
     * @param recoverable a resource of each resource manager
     */
    Narayana(Path log, List<NamedResource> recoverable) throws Exception {
        for (String store : new String[] {null, "communicationStore", "stateStore"}) {
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
                    .setObjectStoreDir(log.toString());
        }
        arjPropertyManager.getCoreEnvironmentBean().setNodeIdentifier(NAME);
        JTAEnvironmentBean settings = jtaPropertyManager.getJTAEnvironmentBean();
        settings.setXaRecoveryNodes(List.of(NAME));
        settings.setOrphanSafetyInterval(ORPHAN_MILLIS);
        settings.setXAResourceRecordWrappingPlugin(new NamesInLog());
        recoveryPropertyManager.getRecoveryEnvironmentBean().setRecoveryBackoffPeriod(BETWEEN_PASSES_SECONDS);
        recovery = RecoveryManager.manager(RecoveryManager.DIRECT_MANAGEMENT);
        recovery.initialize();
        XARecoveryModule.getRegisteredXARecoveryModule().addXAResourceRecoveryHelper(new Recoverable(recoverable));
        transactions = com.arjuna.ats.jta.TransactionManager.transactionManager();
    }

    TransactionManager transactions() {
        return transactions;
    }

    /** One round of recovery; returns when it is over. */
    void recover() {
        recovery.scan();
    }

    /** Whether the log holds no transaction. */
    boolean isLogEmpty() throws Exception {
        InputObjectState found = new InputObjectState();
        return !StoreManager.getRecoveryStore().allObjUids(new AtomicAction().type(), found)
                || UidHelper.unpackFrom(found).equals(Uid.nullUid());
    }

    private record Recoverable(List<NamedResource> resources) implements XAResourceRecoveryHelper {
        @Override
        public boolean initialise(String parameter) {
            return true;
        }

        @Override
        public XAResource[] getXAResources() {
            return resources.toArray(XAResource[]::new);
        }
    }

    /** Puts the names of resources into the log. */
    private static final class NamesInLog implements XAResourceRecordWrappingPlugin {
        @Override
        public void transcribeWrapperData(XAResourceRecord entry) {
            if (entry.value() instanceof XAResourceWrapper wrapper) {
                entry.setProductName(wrapper.getProductName());
                entry.setProductVersion(wrapper.getProductVersion());
                entry.setJndiName(wrapper.getJndiName());
            }
        }

        @Override
        public Integer getEISName(XAResource resource) {
            return 0;
        }

        @Override
        public String getEISName(Integer key) {
            return "";
        }
    }
}
