# SYNTAX TEST "source.rl" "the beginnings of items"

use std.nn.Mlp as Net
# <--- keyword.other.import.rl
#   ^^^^^^^ entity.name.namespace.rl
#          ^^^ entity.name.type.rl
#              ^^ keyword.other.as.rl
## The discount of a step.
# <--------------- comment.line.documentation.rl
param gamma: f32 = 0.99, n = 1_000  # a comment
# <----- keyword.declaration.rl
#     ^^^^^ variable.other.constant.rl
#            ^^^ support.type.primitive.rl
#                  ^^^^ constant.numeric.float.rl
#                            ^^^^^ constant.numeric.integer.rl
#                                   ^^^^^^^^^^^ comment.line.number-sign.rl
index t in 0..=n until done
# <----- keyword.declaration.rl
#     ^ variable.other.index.rl
#       ^^ keyword.control.loop.rl
#           ^^^ keyword.operator.range.rl
#                ^^^^^ keyword.other.until.rl
fn gae(r: f32[n], λ = 0.9) over t, b -> E.State {
# <-- storage.type.function.rl keyword.declaration.rl
#  ^^^ entity.name.function.rl
#         ^^^ support.type.primitive.rl
#                          ^^^^ keyword.other.over.rl
#                               ^^^^ variable.other.index.rl
#                                       ^^^^^^^ entity.name.type.rl
  G = r; A[end(t)] = 0.0
# ^ variable.other.definition.rl
#        ^ variable.other.definition.rl
#          ^^^ support.function.builtin.rl
  A
}
module Dense(n: int) {
# <------ storage.type.rl keyword.declaration.rl
#      ^^^^^ entity.name.type.rl
  weight W: f32[n] ~ Orthogonal(1.0)
# ^^^^^^ keyword.declaration.rl
#        ^ variable.other.member.rl
#                  ^ keyword.operator.definition.rl
#                    ^^^^^^^^^^ entity.name.type.rl
  apply(x: f32[n]) -> f32 = sum(W * x)
# ^^^^^ entity.name.function.method.rl
#                  ^^ keyword.operator.arrow.rl
#                           ^^^ support.function.builtin.rl
}
env E {
  state { x: f32 }
# ^^^^^ keyword.declaration.rl
  action Discrete(2)
# ^^^^^^ keyword.declaration.rl
  reset { x = 0.0 }
# ^^^^^ entity.name.function.method.rl
}
print "a\n", x each 2 i
# <----- keyword.other.sink.rl
#      ^ string.quoted.double.rl
#       ^^ constant.character.escape.rl
#              ^^^^ keyword.other.each.rl
report "return" = mean(G for b)
# <------ keyword.other.sink.rl
#      ^^^^^^^^ string.quoted.double.rl
#                        ^^^ keyword.control.loop.rl
save θ as "policy"
# <---- keyword.other.sink.rl
