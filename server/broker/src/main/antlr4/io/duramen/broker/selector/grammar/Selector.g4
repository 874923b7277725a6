/**
 * Message selectors of Jakarta Messaging 3.1, section 3.8. One token of look-ahead decides everywhere, so that parsing is
 * linear, and chains of operators are loops, so that only brackets nest. What the kinds of operands allow is asked
 * afterwards (io.duramen.broker.selector.Compilation).
 */
grammar Selector;

@lexer::header {
// Generated from Selector.g4.
}

selector : disjunction EOF ;

disjunction : conjunction ( OR conjunction )* ;

conjunction : negation ( AND negation )* ;

negation : NOT* predicate ;

predicate : sum ( comparison | between | in | like | nullity )? ;

comparison : operator=( EQUAL | NOT_EQUAL | LESS | LESS_OR_EQUAL | GREATER | GREATER_OR_EQUAL ) sum ;

between : NOT? BETWEEN low=sum AND high=sum ;

in : NOT? IN OPEN STRING ( COMMA STRING )* CLOSE ;

like : NOT? LIKE pattern=STRING ( ESCAPE escape=STRING )? ;

nullity : IS NOT? NULL ;

sum : product ( ( PLUS | MINUS ) product )* ;

product : signed ( ( TIMES | DIVIDED ) signed )* ;

signed : ( PLUS | MINUS )* primary ;

primary
    : OPEN disjunction CLOSE
    | IDENTIFIER
    | STRING
    | INTEGER
    | DECIMAL
    | TRUE
    | FALSE
    ;

// Words may be written in either case; everything else is as it stands.
AND options { caseInsensitive = true; } : 'AND' ;
BETWEEN options { caseInsensitive = true; } : 'BETWEEN' ;
ESCAPE options { caseInsensitive = true; } : 'ESCAPE' ;
FALSE options { caseInsensitive = true; } : 'FALSE' ;
IN options { caseInsensitive = true; } : 'IN' ;
IS options { caseInsensitive = true; } : 'IS' ;
LIKE options { caseInsensitive = true; } : 'LIKE' ;
NOT options { caseInsensitive = true; } : 'NOT' ;
NULL options { caseInsensitive = true; } : 'NULL' ;
OR options { caseInsensitive = true; } : 'OR' ;
TRUE options { caseInsensitive = true; } : 'TRUE' ;

EQUAL : '=' ;
NOT_EQUAL : '<>' ;
LESS_OR_EQUAL : '<=' ;
LESS : '<' ;
GREATER_OR_EQUAL : '>=' ;
GREATER : '>' ;
PLUS : '+' ;
MINUS : '-' ;
TIMES : '*' ;
DIVIDED : '/' ;
OPEN : '(' ;
CLOSE : ')' ;
COMMA : ',' ;

// A quote inside is written twice.
STRING : '\'' ( ~'\'' | '\'\'' )* '\'' ;

// As in Java: decimal, hexadecimal, binary, and octal behind a 0 (whose digits are checked when it is read).
INTEGER : ( DIGITS | '0' [xX] HEXADECIMALS | '0' [bB] BINARIES ) [lL]? ;

// As in Java, hexadecimal ones with a binary exponent too.
DECIMAL
    : DIGITS '.' DIGITS? EXPONENT? FLOAT_SUFFIX?
    | '.' DIGITS EXPONENT? FLOAT_SUFFIX?
    | DIGITS EXPONENT FLOAT_SUFFIX?
    | DIGITS FLOAT_SUFFIX
    | '0' [xX] ( HEXADECIMALS '.'? | HEXADECIMALS? '.' HEXADECIMALS ) [pP] [+-]? DIGITS FLOAT_SUFFIX?
    ;

IDENTIFIER : START PART* ;

WHITESPACE : [ \t\f\r\n]+ -> skip ;

fragment DIGITS : [0-9] ( [0-9_]* [0-9] )? ;
fragment HEXADECIMALS : [0-9a-fA-F] ( [0-9a-fA-F_]* [0-9a-fA-F] )? ;
fragment BINARIES : [01] ( [01_]* [01] )? ;
fragment EXPONENT : [eE] [+-]? DIGITS ;
fragment FLOAT_SUFFIX : [fFdD] ;

fragment START
    : [a-zA-Z$_]
    | ~[\u0000-\u007F] { Character.isJavaIdentifierStart(_input.LA(-1)) }?
    ;

fragment PART
    : [a-zA-Z0-9$_\u0000-\u0008\u000E-\u001B\u007F]
    | ~[\u0000-\u007F] { Character.isJavaIdentifierPart(_input.LA(-1)) }?
    ;
