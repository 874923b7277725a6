package io.duramen.broker.selector;

/** A part of a compiled selector. Confined to its selector's thread, as all that implement it. */
sealed interface Expression permits Condition, Term {}
