# A mask that holds nowhere leaves nothing to draw.
# error: E0211 3:45 legal
a ~ Categorical(logits = [0.0, 1.0], mask = [false, false])
print a
