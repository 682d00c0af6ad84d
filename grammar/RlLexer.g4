// The words of the language. Between lexer and parser stands one small step,
// compiler/syntax/layout.cpp:
//   - a NEWLINE remains only where it ends an item; `;` becomes one, and one is put before the `}`
//     of a block;
//   - words in the list below are keywords at the place described there only, names elsewhere.
lexer grammar RlLexer;

tokens {
  // At the beginning of an item, before a name (or what else each asks for).
  USE, PARAM, INDEX, RECORD, FN, LOSS, MODULE, POLICY, ENV, WEIGHT, ACTION, PRINT, REPORT, SAVE,
  STATE,    // before `{`
  BLOCK,    // any name before `{`: reset { ... }
  METHOD,   // any name before `( ... )` that is followed by `=`, `->`, `{` or `over`
  // After an expression.
  EACH, AS, OVER, UNTIL
}

IF: 'if';
THEN: 'then';
ELSE: 'else';
FOR: 'for';
IN: 'in';
WHERE: 'where';
AND: 'and';
OR: 'or';
NOT: 'not';
TRUE: 'true';
FALSE: 'false';

LPAREN: '(';
RPAREN: ')';
LBRACKET: '[';
RBRACKET: ']';
LBRACE: '{';
RBRACE: '}';
COMMA: ',';
SEMI: ';';
COLON: ':';
RANGE_TO: '..=';
RANGE: '..';
DOT: '.';
ARROW: '->';
EQ: '==';
NE: '!=';
LE: '<=';
LT: '<';
GE: '>=';
GT: '>';
ASSIGN: '=';
TILDE: '~';
PLUS: '+';
MINUS: '-';
STAR: '*';
FLOOR_DIV: '//';
SLASH: '/';
PERCENT: '%';
AT: '@';
CARET: '^';

FLOAT: DIGITS ('.' DIGITS EXPONENT? | EXPONENT);
INT: DIGITS;
BAD_NUMBER: DIGITS ('.' DIGITS)? LETTER (LETTER | DIGIT)*;

// A prime marks the next state of an env: x'.
IDENT: LETTER (LETTER | DIGIT)* '\''*;

STRING: '"' ('\\' ~[\r\n] | ~["\\\r\n])* '"';
OPEN_STRING: '"' ('\\' ~[\r\n] | ~["\\\r\n])* '\\'?;

LINE_COMMENT: '#' ~[\r\n]*;
BLOCK_COMMENT: '/*' .*? '*/';
OPEN_COMMENT: '/*';

NEWLINE: '\r'? '\n';
SPACE: [ \t\r\f\u00A0\uFEFF]+ -> skip;
OTHER: .;

fragment DIGIT: [0-9\p{Nd}\p{Mn}\u2080-\u2089];
fragment DIGITS: [0-9] [0-9_]*;
fragment EXPONENT: [eE] [+-]? DIGITS;
fragment LETTER: [a-zA-Z_\p{L}\p{Nl}];
