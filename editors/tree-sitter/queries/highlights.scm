; Later patterns win over earlier ones for the same node.

(identifier) @variable

[(comment) (block_comment)] @comment
(doc_comment) @comment.documentation
(string) @string
(escape_sequence) @string.escape
(integer) @number
(float) @number.float
(boolean) @boolean

[
  "use" "param" "index" "record" "fn" "loss" "module" "policy" "env" "weight" "state" "action"
  "print" "report" "save" "each" "as" "over" "until" "where"
] @keyword
[ "if" "then" "else" ] @keyword.conditional
[ "for" "in" ] @keyword.repeat
[ "and" "or" "not" ] @keyword.operator

[
  "+" "-" "*" "/" "//" "%" "@" "^" "==" "!=" "<" "<=" ">" ">=" "=" "~" ".." "..=" "->"
] @operator
[ "(" ")" "[" "]" "{" "}" ] @punctuation.bracket
[ "," ";" ":" "." ] @punctuation.delimiter

(member_expression member: (identifier) @property)
(field name: (identifier) @property)
(field_value name: (identifier) @property)
(argument name: (identifier) @variable.parameter)
(parameter name: (identifier) @variable.parameter)
(param_declaration name: (identifier) @constant)
(weight_item name: (identifier) @variable.member)

(index_item name: (identifier) @label)
(binder name: (identifier) @label)
(entry index: (identifier) @label)
(each index: (identifier) @label)
(fn_item over: (identifier) @label)
(method_item over: (identifier) @label)

(path (identifier) @module)
(use_item path: (path (identifier) @type .))
(members (identifier) @type)
(use_item alias: (identifier) @type)

(type name: (path (identifier) @type))
((type name: (path (identifier) @type.builtin))
  (#any-of? @type.builtin "bool" "u8" "i32" "i64" "bf16" "f32" "f64" "int" "float"))
(record_item name: (identifier) @type)
(module_item name: (identifier) @type)
(policy_item name: (identifier) @type)
(env_item name: (identifier) @type)

(fn_item name: (identifier) @function)
(loss_item name: (identifier) @function)
(method_item name: (identifier) @function.method)
(block_item name: (identifier) @function.method)
(call_expression function: (identifier) @function.call)
(call_expression function: (member_expression member: (identifier) @function.method.call))
((call_expression function: (identifier) @type)
  (#match? @type "^[A-Z]"))
((call_expression function: (identifier) @type.builtin)
  (#any-of? @type.builtin "bool" "u8" "i32" "i64" "bf16" "f32" "f64"))
((call_expression function: (identifier) @function.builtin)
  (#any-of? @function.builtin
    "sum" "mean" "prod" "max" "min" "argmax" "argmin" "any" "all" "var" "std" "logsumexp"
    "softmax" "log_softmax" "cumsum" "sort" "argsort"
    "begin" "end" "grad" "detach" "reparam"
    "exp" "log" "sqrt" "tanh" "sin" "cos" "abs" "floor" "ceil" "round" "sign" "clip" "minimum" "maximum"
    "concat" "stack" "reshape" "transpose" "one_hot" "dot" "norm" "sigmoid" "relu" "erf" "isnan"))
