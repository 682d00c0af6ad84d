// The grammar of .rl files for editors; the language's own is grammar/RlParser.g4. Words that are keywords only at the
// beginning of an item, and the line breaks that end items, follow compiler/syntax/layout.cpp.

const PREC = {
  conditional: 1,
  or: 2,
  and: 3,
  not: 4,
  compare: 5,
  add: 6,
  multiply: 7,
  negate: 8,
  power: 9,
  postfix: 10,
};

// Names everywhere but before what their items ask for.
const ITEM_WORDS = ['use', 'param', 'index', 'record', 'fn', 'loss', 'module', 'policy', 'env', 'weight', 'print',
  'report', 'state'];
// Names also before `(`, `[` and `-`.
const WEAK_ITEM_WORDS = ['action', 'save'];

// Where both readings fit, ITEM_WORDS begin an item and WEAK_ITEM_WORDS are names.
const itemWordsAsNames = ($) => [
  ...ITEM_WORDS.map((word) => prec(-1, alias(word, $.identifier))),
  ...WEAK_ITEM_WORDS.map((word) => prec(PREC.postfix + 1, alias(word, $.identifier))),
];

const commaSep1 = (rule) => seq(rule, repeat(seq(',', rule)));
const list = (rule) => seq(commaSep1(rule), optional(','));

module.exports = grammar({
  name: 'rl',

  externals: ($) => [
    $._newline,       // ends an item
    $._bare_newline,  // ends an item that may yet turn out to be the head of a method: not where `{` follows
    $._error_sentinel,
  ],

  extras: ($) => [/[\s\u00A0\uFEFF]/, $.doc_comment, $.comment, $.block_comment],

  word: ($) => $.identifier,

  supertypes: ($) => [$.expression],

  inline: ($) => [$._end],

  conflicts: ($) => [
    [$.expression, $.method_item],
  ],

  rules: {
    source_file: ($) => repeat(choice($._item, ';')),

    block: ($) => seq('{', repeat(choice($._item, ';')), '}'),

    _end: ($) => choice($._newline, ';'),

    _item: ($) => choice(
      seq(
        choice(
          $.use_item, $.param_item, $.index_item, $.record_item, $.state_item, $.fn_item, $.loss_item, $.method_item,
          $.module_item, $.policy_item, $.env_item, $.weight_item, $.action_item, $.block_item, $.print_item,
          $.report_item, $.save_item, $.equation, $.draw,
        ),
        $._end,
      ),
      seq($.result, choice($._bare_newline, ';')),
    ),

    use_item: ($) => seq(
      'use',
      choice(
        field('file', $.string),
        seq(
          repeat(choice('.', '..')),
          field('path', alias($._use_path, $.path)),
        ),
      ),
      optional(seq('as', field('alias', $.identifier))),
    ),
    _use_path: ($) => seq(
      $.identifier,
      repeat(seq('.', $.identifier)),
      optional(seq('.', field('members', $.members))),
    ),
    members: ($) => seq('{', list($.identifier), '}'),
    path: ($) => seq($.identifier, repeat(seq('.', $.identifier))),

    param_item: ($) => seq('param', commaSep1($.param_declaration)),
    param_declaration: ($) => seq(
      field('name', $.identifier),
      optional(seq(':', field('type', $.type))),
      '=',
      field('value', $.expression),
    ),

    index_item: ($) => seq(
      'index',
      field('name', $.identifier),
      'in',
      field('range', $.range),
      optional(seq('until', field('until', $.expression))),
    ),

    record_item: ($) => seq('record', field('name', $.identifier), field('fields', $.fields)),
    state_item: ($) => seq('state', field('fields', $.fields)),
    fields: ($) => seq('{', repeat(seq($.field, choice(',', $._end))), '}'),
    field: ($) => seq(
      field('name', $.identifier),
      ':',
      field('type', $.type),
      optional(seq('=', field('default', $.expression))),
    ),

    fn_item: ($) => seq('fn', field('name', $.identifier), $._signature, $._body),
    loss_item: ($) => seq('loss', field('name', $.identifier), $._signature, $._body),
    method_item: ($) => prec.dynamic(1, seq(
      field('name', $.identifier),
      field('parameters', $.parameters),
      optional($._over),
      optional($._result_type),
      $._body,
    )),
    module_item: ($) => seq('module', field('name', $.identifier), optional($._signature), field('body', $.block)),
    policy_item: ($) => seq('policy', field('name', $.identifier), optional($._signature), field('body', $.block)),
    env_item: ($) => seq('env', field('name', $.identifier), optional($._signature), field('body', $.block)),

    _signature: ($) => choice(
      seq(field('parameters', $.parameters), optional($._over), optional($._result_type)),
      seq($._over, optional($._result_type)),
      $._result_type,
    ),
    _over: ($) => seq('over', commaSep1(field('over', $.identifier))),
    _result_type: ($) => seq('->', field('result', $.type)),
    _body: ($) => choice(seq('=', field('body', $.expression)), field('body', $.block)),
    parameters: ($) => seq('(', optional(list($.parameter)), ')'),
    parameter: ($) => seq(
      field('name', $.identifier),
      optional(seq(':', field('type', $.type))),
      optional(seq('=', field('default', $.expression))),
    ),

    weight_item: ($) => seq(
      'weight',
      field('name', $.identifier),
      ':',
      field('type', $.type),
      choice('=', '~'),
      field('value', $.expression),
    ),
    action_item: ($) => seq('action', field('space', $.expression)),
    block_item: ($) => seq(field('name', $._name), field('body', $.block)),

    print_item: ($) => seq('print', commaSep1($.expression), optional($.each)),
    report_item: ($) => seq('report', field('label', $.string), '=', field('value', $.expression), optional($.each)),
    save_item: ($) => seq('save', commaSep1($.expression), 'as', field('label', $.string), optional($.each)),
    each: ($) => seq(
      'each',
      field('every', choice($.integer, $.identifier, $.parenthesized_expression)),
      field('index', $.identifier),
    ),

    equation: ($) => seq(field('left', $.expression), '=', field('right', $.expression), optional($.where_clause)),
    draw: ($) => seq(field('left', $.expression), '~', field('right', $.expression), optional($.where_clause)),
    where_clause: ($) => seq('where', field('condition', $.expression)),
    result: ($) => $.expression,

    type: ($) => choice(
      seq(
        field('name', $.path),
        optional(seq('[', field('extents', list($.expression)), ']')),
        optional(seq('in', field('bounds', $.range))),
      ),
      seq('(', list($.type), ')'),
    ),

    range: ($) => seq(
      field('from', $.expression),
      field('operator', choice('..', '..=')),
      field('to', $.expression),
    ),

    expression: ($) => choice(
      $.identifier,
      ...itemWordsAsNames($),
      $.integer,
      $.float,
      $.boolean,
      $.string,
      $.member_expression,
      $.call_expression,
      $.subscript_expression,
      $.unary_expression,
      $.binary_expression,
      $.if_expression,
      $.parenthesized_expression,
      $.tuple,
      $.list,
      $.record,
    ),

    _name: ($) => choice(
      $.identifier,
      ...itemWordsAsNames($),
    ),

    member_expression: ($) => prec(PREC.postfix, seq(
      field('object', $.expression),
      '.',
      field('member', $.identifier),
    )),
    call_expression: ($) => prec(PREC.postfix, seq(
      field('function', $.expression),
      field('arguments', $.arguments),
    )),
    arguments: ($) => seq(
      '(',
      optional(seq(
        commaSep1($.argument),
        choice(optional(','), seq(optional(','), $.comprehension)),
      )),
      ')',
    ),
    argument: ($) => seq(
      optional(seq(field('name', $.identifier), '=')),
      field('value', $.expression),
    ),
    comprehension: ($) => seq(
      'for',
      commaSep1($.binder),
      optional(seq('if', field('filter', $.expression))),
      repeat(seq(',', alias($._named_argument, $.argument))),
      optional(','),
    ),
    binder: ($) => seq(field('name', $.identifier), optional(seq('in', field('range', $.range)))),
    _named_argument: ($) => seq(field('name', $.identifier), '=', field('value', $.expression)),

    subscript_expression: ($) => prec(PREC.postfix, seq(
      field('base', $.expression),
      '[',
      optional(list($.entry)),
      ']',
    )),
    // `i, j in 0..i` on the left of an equation are two entries: one bare, one with a range of its own.
    entry: ($) => seq(
      optional(seq(field('index', $.identifier), choice(':', 'in'))),
      choice(
        field('value', $.expression),
        field('range', alias($._open_range, $.range)),
      ),
    ),
    _open_range: ($) => choice(
      seq($.expression, choice('..', '..='), optional($.expression)),
      seq(choice('..', '..='), optional($.expression)),
    ),

    unary_expression: ($) => choice(
      prec(PREC.negate, seq(field('operator', '-'), field('operand', $.expression))),
      prec(PREC.not, seq(field('operator', 'not'), field('operand', $.expression))),
    ),

    binary_expression: ($) => choice(
      ...[
        [prec.right, PREC.power, ['^']],
        [prec.left, PREC.multiply, ['*', '/', '//', '%', '@']],
        [prec.left, PREC.add, ['+', '-']],
        [prec.left, PREC.compare, ['==', '!=', '<', '<=', '>', '>=']],
        [prec.left, PREC.and, ['and']],
        [prec.left, PREC.or, ['or']],
      ].map(([associate, level, operators]) => associate(level, seq(
        field('left', $.expression),
        field('operator', choice(...operators)),
        field('right', $.expression),
      ))),
    ),

    if_expression: ($) => prec.right(PREC.conditional, seq(
      'if', field('condition', $.expression),
      'then', field('then', $.expression),
      'else', field('else', $.expression),
    )),

    parenthesized_expression: ($) => seq('(', $.expression, ')'),
    tuple: ($) => choice(
      seq('(', ')'),
      seq('(', $.expression, ',', optional(list($.expression)), ')'),
    ),
    list: ($) => seq('[', optional(list($.expression)), ']'),
    record: ($) => seq('{', optional(list($.field_value)), '}'),
    field_value: ($) => seq(field('name', $.identifier), '=', field('value', $.expression)),

    boolean: (_) => choice('true', 'false'),
    integer: (_) => /[0-9][0-9_]*/,
    float: (_) => /[0-9][0-9_]*(\.[0-9][0-9_]*([eE][+-]?[0-9][0-9_]*)?|[eE][+-]?[0-9][0-9_]*)/,
    // A prime marks the next state of an env: x'.
    identifier: (_) => /[a-zA-Z_\p{L}\p{Nl}][a-zA-Z_\p{L}\p{Nl}0-9\p{Nd}\p{Mn}\u2080-\u2089]*'*/,

    string: ($) => seq(
      '"',
      repeat(choice(alias(token.immediate(prec(1, /[^"\\\r\n]+/)), $.string_content), $.escape_sequence)),
      token.immediate('"'),
    ),
    escape_sequence: (_) => token.immediate(/\\(u\{[0-9a-fA-F]+\}|[^\r\n])/),

    doc_comment: (_) => token(prec(1, /##[^\r\n]*/)),
    comment: (_) => token(/#[^\r\n]*/),
    block_comment: (_) => token(/\/\*[^*]*\*+([^/*][^*]*\*+)*\//),
  },
});
