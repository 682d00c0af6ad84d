# A distribution without a reparameterization is an error.
# error: E???? 5:* Categorical

logits = [0.0, 1.0]
a ~ reparam(Categorical(logits = logits))
