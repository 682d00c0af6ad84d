" Vim syntax file for rl, the language of rlc.
if exists('b:current_syntax')
  finish
endif

let s:cpo = &cpo
set cpo&vim

" Names may have letters of any script, subscripts and, at their end, primes.
syn iskeyword @,48-57,_,192-255,',^215,^247

syn keyword rlConditional if then else
syn keyword rlRepeat      for in
syn keyword rlStatement   where
syn keyword rlLogical     and or not
syn keyword rlBoolean     true false
syn keyword rlType        bool u8 i32 i64 bf16 f32 f64

syn match rlCall "\K\k*\ze\s*("
syn match rlConstructor "\<\u\k*\ze\s*("

syn keyword rlBuiltin contained sum mean prod max min argmax argmin any all var std logsumexp softmax log_softmax
syn keyword rlBuiltin contained cumsum sort argsort begin end grad detach reparam exp log sqrt tanh sin cos abs floor
syn keyword rlBuiltin contained ceil round sign clip minimum maximum concat stack reshape transpose one_hot dot norm
syn keyword rlBuiltin contained sigmoid relu erf isnan
syn match rlCallName "\.\@1<!\<\K\k*\ze\s*(" transparent contains=rlBuiltin,rlConstructor,rlType,rlCall

" What items define.
syn match rlDefinition "\%(^\|[;{]\)\@1<=\s*\zs\K\k*\ze\s*\%(\[[^\[\]]*\%(\[[^\[\]]*\][^\[\]]*\)*\]\s*\)\=\%(==\@!\|\~\)"
syn match rlMethod "\%(^\|[;{]\)\@1<=\s*\zs\K\k*\ze\s*(.*)\s*\%(->\|==\@!\|{\|over\>\)"
syn match rlMethod "\%(^\|[;{]\)\@1<=\s*\zs\K\k*\ze\s*{"

" Keywords at the beginning of an item, before what the item asks for.
syn match rlItem "\%(^\|[;{]\)\@1<=\s*\zs\%(param\|index\|weight\|action\)\>\ze\s\+\K"
syn match rlItem "\%(^\|[;{]\)\@1<=\s*\zs\%(use\)\>\ze\s\+[\".[:alpha:]_]"
syn match rlItem "\%(^\|[;{]\)\@1<=\s*\zs\%(state\)\>\ze\s*{"
syn match rlItem "\%(^\|[;{]\)\@1<=\s*\zs\%(fn\|loss\)\>\ze\s\+\K" nextgroup=rlFunctionName skipwhite
syn match rlItem "\%(^\|[;{]\)\@1<=\s*\zs\%(record\|module\|policy\|env\)\>\ze\s\+\K" nextgroup=rlTypeName skipwhite
syn match rlSink "\%(^\|[;{]\)\@1<=\s*\zs\%(print\)\>\%(\s*\%(==\@!\|\~\|\.\)\)\@!"
syn match rlSink "\%(^\|[;{]\)\@1<=\s*\zs\%(report\)\>\ze\s*\""
syn match rlSink "\%(^\|[;{]\)\@1<=\s*\zs\%(save\)\>\ze\s\+\K"
syn match rlFunctionName contained "\K\k*"
syn match rlTypeName contained "\K\k*"

" Keywords after an expression.
syn match rlWord "\%(\k\|[)\]}\"]\)\@1<=\s\+\zs\%(each\)\>\ze\s*\%((\|\d\|\K\)"
syn match rlWord "\%(\k\|[)\]}\"]\)\@1<=\s\+\zs\%(as\)\>\ze\s*\%(\"\|\K\)"
syn match rlWord "\%(\k\|[)\]}\"]\)\@1<=\s\+\zs\%(over\|until\)\>\ze\s*\%((\|\d\|\K\|-\)"

syn match rlNumber "\<\d[0-9_]*\>"
syn match rlFloat  "\<\d[0-9_]*\.\d[0-9_]*\%([eE][+-]\=\d[0-9_]*\)\=\>"
syn match rlFloat  "\<\d[0-9_]*[eE][+-]\=\d[0-9_]*\>"

syn match rlOperator "[-+*/%@^=~<>]\|!=\|\.\.=\="
syn match rlArrow "->"

syn match  rlEscape contained "\\\%(u{\x\+}\|.\)"
syn region rlString start=+"+ skip=+\\.+ end=+"+ oneline contains=rlEscape,@Spell

syn keyword rlTodo contained XXX NOTE
syn match  rlComment "#.*$" contains=rlTodo,@Spell
syn match  rlDocComment "##.*$" contains=rlTodo,@Spell
syn region rlComment start="/\*" end="\*/" contains=rlTodo,@Spell
syn sync ccomment rlComment

hi def link rlConditional  Conditional
hi def link rlRepeat       Repeat
hi def link rlStatement    Statement
hi def link rlLogical      Keyword
hi def link rlBoolean      Boolean
hi def link rlType         Type
hi def link rlDefinition   Identifier
hi def link rlMethod       Function
hi def link rlCall         Function
hi def link rlConstructor  Structure
hi def link rlBuiltin      Function
hi def link rlItem         Keyword
hi def link rlSink         Statement
hi def link rlFunctionName Function
hi def link rlTypeName     Structure
hi def link rlWord         Keyword
hi def link rlNumber       Number
hi def link rlFloat        Float
hi def link rlOperator     Operator
hi def link rlArrow        Operator
hi def link rlEscape       SpecialChar
hi def link rlString       String
hi def link rlTodo         Todo
hi def link rlComment      Comment
hi def link rlDocComment   SpecialComment

let b:current_syntax = 'rl'
let &cpo = s:cpo
unlet s:cpo
