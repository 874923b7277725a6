package io.duramen.acceptance.rules;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;

/** All production classes, imported once for all rules. */
final class Classes {
    static final JavaClasses ALL =
            new ClassFileImporter().importPaths(Repository.here().classFolders());

    private Classes() {}
}
