# With --json a report line says report instead of print.
# args: --json
# expect: {"report": "half", "index": {"i": 0}, "value": 0.0}
# expect: {"report": "half", "index": {"i": 2}, "value": 1.0}

index i in 0..3
x = 0.5 * i
report "half" = x each 2 i
