" `.rl` is also the ending of Ragel's files, which Vim knows. This runs after Vim's own detection and takes the files
" that do not look like Ragel's; a modeline (`# vim: ft=rl`) decides in any case.
function! s:Detect() abort
  for line in getline(1, 500)
    if line =~# '^\s*%%' || line =~# '^\s*machine\s\+\h\w*\s*;'
      return
    endif
  endfor
  set filetype=rl
endfunction

autocmd BufNewFile,BufRead *.rl call s:Detect()
