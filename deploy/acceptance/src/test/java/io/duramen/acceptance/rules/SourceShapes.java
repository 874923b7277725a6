package io.duramen.acceptance.rules;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.SynchronizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** What the compiler's parser says of the sources, without compiling them. */
final class SourceShapes {
    /**
     * A method or constructor with a body or without.
     *
     * @param lines from its first modifier or annotation to its last brace
     */
    record Method(String name, int lines, int parameters, boolean isTest, boolean isConstructorOfRecord) {}

    /**
     * One file.
     *
     * @param names what is declared in it: classes, methods, fields, parameters, variables
     * @param locks synchronized blocks and methods
     * @param isForOthers whether what it is named after is abstract or an interface
     */
    record Shape(
            Path file,
            int lines,
            int imports,
            List<Method> methods,
            List<String> names,
            int locks,
            boolean isForOthers) {}

    private SourceShapes() {}

    static List<Shape> of(List<Path> files) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager sources = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, sources, diagnostic -> {}, null, null, sources.getJavaFileObjectsFromPaths(files));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            List<Shape> shapes = new ArrayList<>();
            for (CompilationUnitTree unit : task.parse()) {
                shapes.add(shapeOf(unit, positions));
            }
            return shapes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Shape shapeOf(CompilationUnitTree unit, SourcePositions positions) {
        Scanner scanner = new Scanner(unit, positions);
        scanner.scan(unit, null);
        Path file = Path.of(unit.getSourceFile().toUri());
        int lines = (int) Repository.textOf(file).lines().count();
        return new Shape(
                file,
                lines,
                unit.getImports().size(),
                scanner.methods,
                scanner.names,
                scanner.locks,
                unit.getTypeDecls().stream().anyMatch(SourceShapes::isForOthers));
    }

    private static boolean isForOthers(Tree type) {
        return type.getKind() == Tree.Kind.INTERFACE
                || type instanceof ClassTree shape
                        && shape.getModifiers().getFlags().contains(Modifier.ABSTRACT);
    }

    private static final class Scanner extends TreeScanner<Void, String> {
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final List<Method> methods = new ArrayList<>();
        private final List<String> names = new ArrayList<>();
        private int locks;
        private boolean inRecord;

        Scanner(CompilationUnitTree unit, SourcePositions positions) {
            this.unit = unit;
            this.positions = positions;
        }

        @Override
        public Void visitClass(ClassTree tree, String around) {
            boolean outer = inRecord;
            inRecord = tree.getKind() == Tree.Kind.RECORD;
            names.add(tree.getSimpleName().toString());
            super.visitClass(tree, tree.getSimpleName().toString());
            inRecord = outer;
            return null;
        }

        @Override
        public Void visitMethod(MethodTree tree, String around) {
            boolean constructor = tree.getName().contentEquals("<init>");
            String name = constructor ? around : tree.getName().toString();
            names.add(name);
            if (tree.getModifiers().getFlags().contains(Modifier.SYNCHRONIZED)) {
                locks++;
            }
            methods.add(new Method(
                    around + "." + name,
                    linesOf(tree),
                    tree.getParameters().size(),
                    tree.getModifiers().getAnnotations().stream().anyMatch(Scanner::marksATest),
                    constructor && inRecord));
            return super.visitMethod(tree, around);
        }

        @Override
        public Void visitVariable(VariableTree tree, String around) {
            names.add(tree.getName().toString());
            return super.visitVariable(tree, around);
        }

        @Override
        public Void visitSynchronized(SynchronizedTree tree, String around) {
            locks++;
            return super.visitSynchronized(tree, around);
        }

        private int linesOf(Tree tree) {
            long start = positions.getStartPosition(unit, tree);
            long end = positions.getEndPosition(unit, tree);
            if (start < 0 || end < 0) {
                return 0; // made by the compiler
            }
            LineMap lines = unit.getLineMap();
            return (int) (lines.getLineNumber(end) - lines.getLineNumber(start) + 1);
        }

        private static boolean marksATest(AnnotationTree annotation) {
            String name = annotation.getAnnotationType().toString();
            return name.equals("Test") || name.equals("Property") || name.equals("ParameterizedTest");
        }
    }
}
