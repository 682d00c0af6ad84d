# SYNTAX TEST "source.rl" "words that are names"

loss = index + each
# <---- variable.other.definition.rl
#      ^^^^^ variable.other.rl
#              ^^^^ variable.other.rl
print = save
# <----- variable.other.definition.rl
#       ^^^^ variable.other.rl
x = policy.state
#          ^^^^^ variable.other.member.rl
forty = notice + iffy + r.in_use
# <----- variable.other.definition.rl
#       ^^^^^^ variable.other.rl
#                ^^^^ variable.other.rl
#                         ^^^^^^ variable.other.member.rl
