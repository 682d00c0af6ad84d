if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal comments=:##,:#,s1:/*,mb:*,ex:*/
setlocal commentstring=#\ %s
setlocal expandtab shiftwidth=2 softtabstop=2
setlocal formatoptions-=t formatoptions+=croql
setlocal iskeyword+='
setlocal suffixesadd=.rl
setlocal include=^\\s*use\\>
setlocal define=^\\s*\\(fn\\\|loss\\\|module\\\|policy\\\|env\\\|record\\\|param\\\|index\\)\\>
setlocal foldmethod=syntax
compiler rlc

command! -buffer -nargs=* -complete=file RlRun call rl#Run(<q-args>)
command! -buffer RlExplain call rl#Explain()
command! -buffer RlFormat call rl#Format()

let b:undo_ftplugin = 'setlocal comments< commentstring< expandtab< shiftwidth< softtabstop< formatoptions< iskeyword<'
      \ . ' suffixesadd< include< define< foldmethod< makeprg< errorformat<'
      \ . ' | delcommand -buffer RlRun | delcommand -buffer RlExplain | delcommand -buffer RlFormat'
