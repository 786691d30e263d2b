// PTX, as ptxas 13 accepts it (PTX ISA 9.0, chapters 4, 5 and 11).
//
// Generic on purpose: an instruction is a name, modifiers and operands. Which exist, in which order
// and with which operands is the instruction table's business (src/isa), as ptxas itself takes
// modifiers in any order and no grammar with a rule per instruction has ever kept up.
//
// A text is a sequence of items; a function that ends in `{` is followed by statements, up to the
// `}` that closes it. The program asks for items and statements one by one (src/ptx/parser.cpp), so
// that there is never a tree of the whole; braces of blocks are statements.
//
// Every decision is LL(1), so that ANTLR writes plain switches and never has to predict: no
// warm-up, no difference between SLL and LL, and an error is found at the first token that cannot
// be right. To keep it so, expressions are flat lists (src/ptx applies the precedence), and a
// label, an instruction and a table share the prefix `ID`. tests/ptx checks that the generated
// parser holds no `adaptivePredict`. A rule costs an allocation per match: words and operators are
// spelt in place.
grammar Ptx;

item
    : VERSION FLOAT
    | TARGET ID (',' ID)*
    | ADDRESS_SIZE INT
    | FILE INT STRING (',' INT (',' INT)?)?
    | ALIAS ID ',' ID ';'
    | pragma
    | ( EXTERN | VISIBLE | WEAK | COMMON )? ( function | variable )
    ;

pragma    : PRAGMA STRING (',' STRING)* ';' ;
attribute : ATTRIBUTE '(' attributeItem (',' attributeItem)* ')' ;
attributeItem : DOTID ( '(' INT (',' INT)* ')' )? ;

function : ( ENTRY ID parameters? | FUNC attribute? parameters? ID parameters? )
           tuning* ( '{' | ';' ) ;
parameters : '(' ( parameter (',' parameter)* )? ')' ;
parameter  : ( PARAM | REG ) declarationWord* declarator? ;
tuning     : DOTID ( INT (',' INT)* )? | pragma | attribute ;

// Types, .v2, .align; `.ptr .global .align 8` of a parameter too.
declarationWord : ALIGN INT | attribute | DOTID | SPACE ;
variable    : ( ALIGN INT )? ( SPACE | REG | PARAM ) declarationWord*
              declarator (',' declarator)* ';' ;
declarator  : ID ( '<' ( INT | ID ) '>' )? ( '[' ( INT | ID )? ']' )* ( '=' initializer )? ;
initializer : '{' ( initializer (',' initializer)* )? '}' | expression ;

statement
    : ID ( ':' table? | instruction )
    | '@' '!'? ID ID instruction
    | LOC INT INT INT ( ',' ID ID ( '+' INT )? ',' ID INT INT INT )?
    | '{' | '}'
    | pragma
    | variable
    ;

table
    : ( BRANCHTARGETS | CALLTARGETS ) ID (',' ID)* ';'
    | CALLPROTOTYPE parameters? ID parameters? tuning* ';'
    ;

// What follows the opcode. The words that begin a declaration elsewhere: ld.param, ld.weak,
// fence.proxy.alias, st.global.
instruction
    : ( DOTID | SPACE | PARAM | REG | WEAK | ALIAS | COMMON )* ( operand (',' operand)* )? ';' ;

operand
    : '{' operand (',' operand)* '}'
    | '[' operand (',' operand)* ']' DOTID?
    | expression
    ;

// Also `d|p` of two destinations, `a+4` of an address, `(a, b)` of a call.
expression
    : unary ( ( '*' | '/' | '%' | '+' | '-' | '<<' | '>>' | '<' | '>' | '<=' | '>=' | '==' | '!='
              | '&' | '^' | '|' | '&&' | '||' ) unary )*
      ( '?' expression ':' expression )?
    ;
unary
    : ( '-' | '+' | '!' | '~' )*
      ( INT ( '(' expression ')' )?                              // 5, 0xFF00(symbol)
      | FLOAT | F32 | F64
      | ID ( DOTID | '[' expression ']' | '(' expression ')' )?  // %v.x, s[4], generic(s)
      | '(' ( DOTID ')' unary                                    // (.s64) x
            | ( operand (',' operand)* )? ')' )
      )
    ;

VERSION : '.version' ;
TARGET : '.target' ;
ADDRESS_SIZE : '.address_size' ;
FILE : '.file' ;
PRAGMA : '.pragma' ;
ALIAS : '.alias' ;
ENTRY : '.entry' ;
FUNC : '.func' ;
EXTERN : '.extern' ;
VISIBLE : '.visible' ;
WEAK : '.weak' ;
COMMON : '.common' ;
ATTRIBUTE : '.attribute' ;
ALIGN : '.align' ;
LOC : '.loc' ;
BRANCHTARGETS : '.branchtargets' ;
CALLTARGETS : '.calltargets' ;
CALLPROTOTYPE : '.callprototype' ;
REG : '.reg' ;
PARAM : '.param' ;
SPACE : '.global' | '.shared' | '.local' | '.const' | '.tex' ;
// DWARF, of no meaning here. Its contents hold no braces.
SECTION : '.section' [ \t\r\n]+ '.debug' ~[{}]* '{' ~[{}]* '}' -> skip ;

F32 : '0' [fF] HEX HEX HEX HEX HEX HEX HEX HEX ;
F64 : '0' [dD] HEX8 HEX8 ;
FLOAT : [0-9]+ '.' [0-9]* EXPONENT? | [0-9]+ EXPONENT ;
INT : ( '0' [xX] HEX+ | '0' [bB] [01]+ | [0-9]+ ) 'U'? ;
fragment HEX : [0-9a-fA-F] ;
fragment HEX8 : HEX HEX HEX HEX HEX HEX HEX HEX ;
fragment EXPONENT : [eE] [+-]? [0-9]+ ;

// `_` alone is the sink.
ID : [a-zA-Z] [a-zA-Z0-9_$]* | [_$%] [a-zA-Z0-9_$]+ | '_' ;
// A modifier may begin with a digit (.2d) and hold `::` (.L2::128B).
DOTID : '.' [a-zA-Z0-9_$]+ ( '::' [a-zA-Z0-9_$]+ )* ;
STRING : '"' ( ~["\\\n] | '\\' . )* '"' ;

DWARF : '@@' ~[\n]* -> skip ;
WS : [ \t\r\n\f]+ -> skip ;
LINE_COMMENT : '//' ~[\n]* -> skip ;
BLOCK_COMMENT : '/*' .*? '*/' -> skip ;
// So that the parser, which knows the context, reports it.
UNKNOWN : . ;
