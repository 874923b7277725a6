package io.duramen.ra;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** What the adapter's ra.xml tells a server. */
class DescriptorTest {
    private Document descriptor;

    @BeforeEach
    void parse() throws Exception {
        descriptor = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(Path.of("src/main/rar/META-INF/ra.xml").toFile());
    }

    private List<String> all(String element) {
        NodeList nodes = descriptor.getElementsByTagName(element);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            texts.add(nodes.item(i).getTextContent().strip());
        }
        return texts;
    }

    /** So that no server tries to; {@link ManagedConnectionTest} has what one is told that does. */
    @Test
    void shouldSayThatNobodyIsLoggedInAnew() {
        assertThat(all("reauthentication-support")).containsExactly("false");
    }

    @Test
    void shouldSayThatItTakesPartInDistributedTransactions() {
        assertThat(all("transaction-support")).containsExactly("XATransaction");
    }

    @Test
    void shouldNameClassesThatAreWhatItSays() throws Exception {
        for (String kind : List.of("connectionfactory", "connection", "adminobject")) {
            List<String> interfaces = all(kind + "-interface");
            List<String> classes = all(kind + (kind.equals("adminobject") ? "-class" : "-impl-class"));
            assertThat(classes).as(kind).isNotEmpty().hasSameSizeAs(interfaces);
            for (int i = 0; i < classes.size(); i++) {
                assertThat(Class.forName(interfaces.get(i))).isAssignableFrom(Class.forName(classes.get(i)));
            }
        }
        for (String kind : List.of("resourceadapter-class", "managedconnectionfactory-class", "activationspec-class")) {
            for (String name : all(kind)) {
                assertThat(Class.forName(name).getDeclaredConstructor().newInstance())
                        .isNotNull();
            }
        }
    }

    /** A server sets a property by its name and type. */
    @Test
    void shouldNamePropertiesThatTheClassesHave() throws Exception {
        NodeList properties = descriptor.getElementsByTagName("config-property-name");
        assertThat(properties.getLength()).isPositive();
        for (int i = 0; i < properties.getLength(); i++) {
            var property = (org.w3c.dom.Element) properties.item(i).getParentNode();
            var owner = (org.w3c.dom.Element) property.getParentNode();
            NodeList children = owner.getChildNodes();
            Class<?> bean = null;
            for (int j = 0; j < children.getLength(); j++) {
                String element = children.item(j).getNodeName();
                if (element.equals("resourceadapter-class")
                        || element.equals("managedconnectionfactory-class")
                        || element.equals("adminobject-class")) {
                    bean = Class.forName(children.item(j).getTextContent());
                }
            }
            assertThat(bean).isNotNull();
            Class<?> type = Class.forName(property.getElementsByTagName("config-property-type")
                    .item(0)
                    .getTextContent());
            String name = properties.item(i).getTextContent();
            assertThat(bean.getMethod("set" + name, type)).isNotNull();
            assertThat(bean.getMethod("get" + name).getReturnType()).isEqualTo(type);
        }
    }
}
