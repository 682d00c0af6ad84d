[
  (block)
  (fields)
  (parameters)
  (arguments)
  (list)
  (record)
  (tuple)
  (parenthesized_expression)
  (subscript_expression)
] @indent.begin

; A right side that goes on in the next line.
[
  (equation)
  (draw)
  (param_declaration)
  (weight_item)
  (fn_item body: (_))
  (method_item body: (_))
] @indent.begin

[ "}" ")" "]" ] @indent.branch @indent.end
[ (comment) (doc_comment) ] @indent.auto
(block_comment) @indent.ignore
