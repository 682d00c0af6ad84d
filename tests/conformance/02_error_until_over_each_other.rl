# Two ends that would each be known only after the other.
# error: E0303 5:23 `s` and `b` end on conditions that run over each other

index b in 0..2 until done
index s in 0..3 until done
done[b, s] = s >= 1
print end(s)
