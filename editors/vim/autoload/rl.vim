" The commands of a buffer with a program.
function! s:Program() abort
  return get(g:, 'rl_program', 'rlc')
endfunction

" Runs the program in a terminal.
function! rl#Run(arguments) abort
  update
  let command = s:Program() . ' run ' . shellescape(expand('%:p')) . ' ' . a:arguments
  if has('nvim')
    botright split | execute 'terminal ' . escape(command, '%#!')
  elseif has('terminal')
    execute 'botright terminal ++shell ' . escape(command, '%#!')
  else
    execute '!' . escape(command, '%#!')
  endif
endfunction

" Shows which loops the program became, in a window beside it.
function! rl#Explain() abort
  update
  let file = expand('%:p')
  let lines = systemlist(s:Program() . ' explain schedule ' . shellescape(file))
  botright vnew
  setlocal buftype=nofile bufhidden=wipe noswapfile
  call setline(1, lines)
  setlocal nomodifiable
endfunction

" Lays the program out with `rlc fmt`; one with errors stays as it is.
function! rl#Format() abort
  let lines = systemlist(s:Program() . ' fmt -', getline(1, '$'))
  if v:shell_error
    echohl ErrorMsg | echomsg get(lines, 0, 'rlc fmt failed') | echohl None
  elseif lines !=# getline(1, '$')
    let view = winsaveview()
    silent keepjumps call setline(1, lines)
    silent! execute 'keepjumps ' . (len(lines) + 1) . ',$delete _'
    call winrestview(view)
  endif
endfunction
