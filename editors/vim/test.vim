" Run by editors/test.sh: vim -u NONE -N -es -S test.vim, from this folder. Writes what failed to $RL_TEST_OUT.
set nomore encoding=utf-8
let s:here = expand('<sfile>:p:h')
let &runtimepath = s:here . ',' . &runtimepath
" As newer Vims detect, whatever this one knows.
augroup filetypedetect
  autocmd BufNewFile,BufRead *.rl setfiletype ragel
augroup END
filetype plugin indent on
syntax on
let s:folder = tempname()
call mkdir(s:folder)
let v:errors = []

function! s:Open(name, lines) abort
  call writefile(a:lines, s:folder . '/' . a:name)
  execute 'edit! ' . fnameescape(s:folder . '/' . a:name)
endfunction

function! s:Group(line, text) abort
  let column = stridx(getline(a:line), a:text) + 1
  call assert_true(column > 0, a:text . ' is not in line ' . a:line)
  return synIDattr(synID(a:line, column, 1), 'name')
endfunction

call s:Open('ragel.rl', ['%%{', '  machine hello;', '}%%'])
call assert_equal('ragel', &filetype)
call s:Open('modeline.rl', ['%% # vim: ft=rl'])
set modeline
edit
call assert_equal('rl', &filetype)

let s:program = [
      \ '## The discount.',
      \ 'param gamma = 0.99  # a comment',
      \ 'index t in 0..10 until done',
      \ 'fn gae(r: f32, λ: f32) over t -> f32 {',
      \ '  A[t] = if t == 0 then 1.0',
      \ '    else sum(r[k] for k in 0..t) * λ',
      \ '  b = max(A,',
      \ '    r)',
      \ '  A',
      \ '}',
      \ 'env E {',
      \ '  step(a) {',
      \ '    x'' = x + index',
      \ '  }',
      \ '}',
      \ 'loss = loss + Normal(2, print)',
      \ 'print "a\n", x each 2 i',
      \ ]
call s:Open('program.rl', s:program)
call assert_equal('rl', &filetype)
call assert_equal('# %s', &commentstring)
for [s:line, s:text, s:group] in [
      \ [1, '## The', 'rlDocComment'], [2, 'param', 'rlItem'], [2, '0.99', 'rlFloat'], [2, '# a', 'rlComment'],
      \ [3, 'index', 'rlItem'], [3, '..', 'rlOperator'], [3, '10', 'rlNumber'], [3, 'until', 'rlWord'],
      \ [4, 'fn', 'rlItem'], [4, 'gae', 'rlFunctionName'], [4, 'f32', 'rlType'], [4, 'over', 'rlWord'],
      \ [5, 'A[', 'rlDefinition'], [5, 'if', 'rlConditional'], [6, 'sum', 'rlBuiltin'], [6, 'for', 'rlRepeat'],
      \ [11, 'env', 'rlItem'], [11, 'E', 'rlTypeName'], [12, 'step', 'rlMethod'], [13, "x'", 'rlDefinition'],
      \ [13, 'index', ''], [16, 'loss =', 'rlDefinition'], [16, 'loss +', ''], [16, 'Normal', 'rlConstructor'],
      \ [16, 'print', ''], [17, 'print', 'rlSink'], [17, '\n', 'rlEscape'], [17, 'each', 'rlWord'],
      \ ]
  call assert_equal(s:group, s:Group(s:line, s:text), 'line ' . s:line . ', ' . s:text)
endfor

" Indentation leaves a well-indented program as it is, and makes one from a flat one.
%left
normal! gg=G
call assert_equal(s:program, getline(1, '$'))

if !empty($RLC)
  let g:rl_program = $RLC
  %delete _
  call setline(1, ['x=1', '', '', '', 'print   x'])
  RlFormat
  call assert_equal(['x = 1', '', 'print x'], getline(1, '$'))
  call setline(1, 'x = = 1')
  RlFormat
  call assert_equal(['x = = 1', '', 'print x'], getline(1, '$'))
endif

call writefile(v:errors, $RL_TEST_OUT)
qall!
