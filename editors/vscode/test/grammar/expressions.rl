# SYNTAX TEST "source.rl" "expressions"

θ[0] ~ Actor.init()
# <- variable.other.definition.rl
#    ^ keyword.operator.definition.rl
#      ^^^^^ entity.name.type.rl
#            ^^^^ entity.name.function.method.rl
x' = if not x' == 1 then -2.5e-3 else G[t: 0..T][0, k]
# <-- variable.other.definition.rl
#    ^^ keyword.control.conditional.rl
#       ^^^ keyword.operator.word.rl
#           ^^ variable.other.rl
#              ^^ keyword.operator.comparison.rl
#                   ^^^^ keyword.control.conditional.rl
#                         ^^^^^^ constant.numeric.float.rl
#                                           ^^ keyword.operator.range.rl
s = sum(r[k] for k in 0..n if k % 2 == 0, axis = 0) where true
#   ^^^ support.function.builtin.rl
#                     ^ constant.numeric.integer.rl
#                      ^^ keyword.operator.range.rl
#                          ^^ keyword.control.conditional.rl
#                                         ^^^^ variable.parameter.rl
#                                                   ^^^^^ keyword.control.where.rl
#                                                         ^^^^ constant.language.boolean.rl
y = W @ x // 2 /* a comment
#     ^ keyword.operator.arithmetic.rl
#         ^^ keyword.operator.arithmetic.rl
#              ^^^^^^^^^^^^ comment.block.rl
 that goes on */ + f(x)
#                ^ keyword.operator.arithmetic.rl
#                  ^ entity.name.function.call.rl
(s[i, t+1], reward) = CartPole.step(s, a)
#^ variable.other.definition.rl
#  ^ variable.other.rl
#           ^^^^^^ variable.other.definition.rl
#                     ^^^^^^^^ entity.name.type.rl
