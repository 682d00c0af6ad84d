[
  (block)
  (fields)
  (parameters)
  (arguments)
  (list)
  (record)
  (tuple)
  (parenthesized_expression)
  (block_comment)
] @fold
