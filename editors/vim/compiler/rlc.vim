" :make shows the errors of the program in the quickfix list.
if exists('current_compiler')
  finish
endif
let current_compiler = 'rlc'

CompilerSet makeprg=rlc\ check\ %:S
CompilerSet errorformat=%f:%l:%c:\ %trror[%m,%f:%l:%c:\ %tarning[%m,%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%f:%l:%c:\ %tote:\ %m,%-G%.%#
