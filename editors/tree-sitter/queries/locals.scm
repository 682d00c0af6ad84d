(source_file) @local.scope
(fn_item) @local.scope
(loss_item) @local.scope
(method_item) @local.scope
(module_item) @local.scope
(policy_item) @local.scope
(env_item) @local.scope
(arguments (comprehension)) @local.scope

(param_declaration name: (identifier) @local.definition.constant)
(index_item name: (identifier) @local.definition.var)
(record_item name: (identifier) @local.definition.type)
(fn_item name: (identifier) @local.definition.function)
(loss_item name: (identifier) @local.definition.function)
(method_item name: (identifier) @local.definition.method)
(module_item name: (identifier) @local.definition.type)
(policy_item name: (identifier) @local.definition.type)
(env_item name: (identifier) @local.definition.type)
(weight_item name: (identifier) @local.definition.field)
(field name: (identifier) @local.definition.field)
(parameter name: (identifier) @local.definition.parameter)
(binder name: (identifier) @local.definition.var)
(members (identifier) @local.definition.import)
(use_item alias: (identifier) @local.definition.import)

(equation left: (identifier) @local.definition.var)
(equation left: (subscript_expression base: (identifier) @local.definition.var))
(draw left: (identifier) @local.definition.var)
(draw left: (subscript_expression base: (identifier) @local.definition.var))
(equation left: (tuple (identifier) @local.definition.var))
(draw left: (tuple (identifier) @local.definition.var))

(identifier) @local.reference
