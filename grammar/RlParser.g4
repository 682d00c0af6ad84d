// The syntax of the language, on the tokens that compiler/syntax/layout.cpp prepares (RlLexer.g4).
// What needs a friendlier message than "expected ..." is accepted here and checked by the builder
// of the tree.
parser grammar RlParser;

options { tokenVocab = RlLexer; }

file: item* EOF;
soleExpr: expr NEWLINE? EOF;

block: LBRACE item* RBRACE;

item
  : ( useItem
    | paramItem
    | indexItem
    | recordItem
    | stateItem
    | fnItem
    | lossItem
    | methodItem
    | moduleItem
    | weightItem
    | actionItem
    | blockItem
    | sinkItem
    | equation
    )
    NEWLINE
  ;

useItem: USE (STRING | dots path useMembers?) (AS IDENT)?;
dots: (DOT | RANGE)*;
path: IDENT (DOT IDENT)*;
useMembers: DOT LBRACE IDENT (COMMA IDENT)* COMMA? RBRACE;

paramItem: PARAM paramDecl (COMMA paramDecl)*;
paramDecl: IDENT (COLON type)? ASSIGN expr;

indexItem: INDEX IDENT IN range (UNTIL expr)?;

recordItem: RECORD IDENT fields;
stateItem: STATE fields;
fields: LBRACE (field (COMMA | NEWLINE))* RBRACE;
field: IDENT COLON type (ASSIGN expr)?;

fnItem: FN IDENT signature body;
lossItem: LOSS IDENT signature body;
methodItem: METHOD signature body;
moduleItem: (MODULE | POLICY | ENV) IDENT signature block;
signature: parameters? (OVER IDENT (COMMA IDENT)*)? (ARROW type)?;
parameters: LPAREN (parameter (COMMA parameter)* COMMA?)? RPAREN;
parameter: IDENT (COLON type)? (ASSIGN expr)?;
body: ASSIGN expr | block;

weightItem: WEIGHT IDENT COLON type (ASSIGN | TILDE) expr;
actionItem: ACTION expr;
blockItem: BLOCK block;

sinkItem
  : ( PRINT expr (COMMA expr)*
    | REPORT STRING ASSIGN expr
    | SAVE expr (COMMA expr)* AS STRING
    )
    each?
  ;
each: EACH (INT | IDENT | LPAREN expr RPAREN) IDENT;

// The left side is read as an expression and checked later. Without a right side: a block's result.
equation: expr ((ASSIGN | TILDE) expr (WHERE expr)?)?;

type
  : path (LBRACKET expr (COMMA expr)* COMMA? RBRACKET)? (IN range)?
  | LPAREN type (COMMA type)* COMMA? RPAREN
  ;

// No rule needs to look past an expression to know what it reads: that keeps parsing linear.
range: expr? (RANGE | RANGE_TO) expr?;

expr
  : expr DOT IDENT                                                  # member
  | expr LPAREN arguments? RPAREN                                   # call
  | expr LBRACKET (entry (COMMA entry)* COMMA?)? RBRACKET           # subscript
  | <assoc = right> expr CARET expr                                 # binary
  | MINUS expr                                                      # unary
  | expr (STAR | SLASH | FLOOR_DIV | PERCENT | AT) expr             # binary
  | expr (PLUS | MINUS) expr                                        # binary
  | expr (EQ | NE | LT | LE | GT | GE) expr                         # comparison
  | NOT expr                                                        # unary
  | expr AND expr                                                   # binary
  | expr OR expr                                                    # binary
  | IF expr THEN expr ELSE expr                                     # conditional
  | IDENT                                                           # name
  | (INT | FLOAT | TRUE | FALSE | STRING)                           # literal
  | LPAREN (expr (COMMA expr)* COMMA?)? RPAREN                      # tuple
  | LBRACKET (expr (COMMA expr)* COMMA?)? RBRACKET                  # list
  | LBRACE (fieldInit (COMMA fieldInit)* COMMA?)? RBRACE            # recordLiteral
  ;

arguments: argument (COMMA argument)* COMMA? comprehension?;
argument: (IDENT ASSIGN)? expr;
comprehension: FOR binder (COMMA binder)* (IF expr)? (COMMA namedArgument)* COMMA?;
binder: IDENT (IN range)?;
namedArgument: IDENT ASSIGN expr;
fieldInit: IDENT ASSIGN expr;

// `t in lo..hi` only on the left of an equation.
entry: (IDENT (COLON | IN))? bounds;
bounds
  : expr ((RANGE | RANGE_TO) expr?)?
  | (RANGE | RANGE_TO) expr?
  ;
