# Two checkpoints can't have one file.
# error: E0102 5:6 there is a `save` as "same" already

save 1.0 as "same"
save 2.0 as "same"
