if exists('b:did_indent')
  finish
endif
let b:did_indent = 1

setlocal indentexpr=RlIndent(v:lnum)
setlocal indentkeys=0{,0},0),0],!^F,o,O,e
setlocal autoindent nosmartindent
let b:undo_indent = 'setlocal indentexpr< indentkeys< autoindent< smartindent<'

if exists('*RlIndent')
  finish
endif

" Without strings and comments.
function! s:Code(lnum) abort
  return substitute(substitute(getline(a:lnum), '"\%(\\.\|[^"\\]\)*"', '""', 'g'), '#.*$', '', '')
endfunction

" The last line before `lnum` that has code.
function! s:Previous(lnum) abort
  let lnum = prevnonblank(a:lnum - 1)
  while lnum > 0 && s:Code(lnum) =~# '^\s*$'
    let lnum = prevnonblank(lnum - 1)
  endwhile
  return lnum
endfunction

" Brackets that a line leaves open, less those that it closes of others.
function! s:Balance(code) abort
  return strlen(substitute(a:code, '[^[({]', '', 'g')) - strlen(substitute(a:code, '[^])}]', '', 'g'))
endfunction

let s:ends_open = '\%([-=~+*/%@^<>,:]\|->\|\<\%(then\|else\|and\|or\|not\|where\|in\|for\)\)\s*$'
let s:begins_open = '^\s*\%(\%(then\|else\|where\|and\|or\)\>\|[+*/%@^=~<>]\|!=\|->\|\.\.\@!\)'

" Whether a line goes on with the item of the line before.
function! s:Continues(lnum) abort
  let previous = s:Previous(a:lnum)
  if previous == 0 || s:Balance(s:Code(previous)) > 0
    return 0
  endif
  return s:Code(previous) =~# s:ends_open || s:Code(a:lnum) =~# s:begins_open
endfunction

function! RlIndent(lnum) abort
  let previous = s:Previous(a:lnum)
  if previous == 0
    return 0
  endif
  let code = s:Code(previous)
  let indent = indent(previous)
  let open = s:Balance(code)
  if code =~# '^\s*[])}]'
    let open += 1
  endif
  if open > 0
    let indent += shiftwidth()
  elseif open < 0
    " The line that closes what another opened: go on below that one's beginning.
    call cursor(previous, match(getline(previous), '[])}]\ze[^])}]*$') + 1)
    let partner = searchpair('[[({]', '', '[])}]', 'bnW')
    if partner > 0
      let indent = indent(partner)
    endif
  endif
  if s:Continues(a:lnum) && !s:Continues(previous) && open <= 0
    let indent += shiftwidth()
  elseif !s:Continues(a:lnum) && s:Continues(previous) && open <= 0
    let indent -= shiftwidth()
  endif
  if getline(a:lnum) =~# '^\s*[])}]'
    call cursor(a:lnum, 1)
    let partner = searchpair('[[({]', '', '[])}]', 'bnW')
    let indent = partner > 0 ? indent(partner) : indent - shiftwidth()
  endif
  return max([indent, 0])
endfunction
