#include <typeinfo>

#include "compiler/syntax/literals.h"
#include "compiler/syntax/print.h"
#include "compiler/syntax/tree_builder.h"

namespace rlc::syntax {

using diagnostics::Diagnostic;
using diagnostics::Kind;
using P = RlParser;

namespace {

ExprPtr make(Span span, Expr::Node node) {
  return std::make_unique<const Expr>(Expr{span, std::move(node)});
}

// The operand at the left end of an expression that goes on to the right of it; null for the
// others.
P::ExprContext* leftOf(P::ExprContext* context) {
  const std::type_info& type = typeid(*context);
  const bool goes_on = type == typeid(P::BinaryContext) || type == typeid(P::CallContext) ||
                       type == typeid(P::SubscriptContext) || type == typeid(P::MemberContext) ||
                       type == typeid(P::ComparisonContext);
  return goes_on ? static_cast<P::ExprContext*>(context->children[0]) : nullptr;
}

BinaryOp operatorOf(size_t type) {
  switch (type) {
    case P::CARET:
      return BinaryOp::Power;
    case P::STAR:
      return BinaryOp::Multiply;
    case P::SLASH:
      return BinaryOp::Divide;
    case P::FLOOR_DIV:
      return BinaryOp::FloorDivide;
    case P::PERCENT:
      return BinaryOp::Modulo;
    case P::AT:
      return BinaryOp::MatMul;
    case P::PLUS:
      return BinaryOp::Add;
    case P::MINUS:
      return BinaryOp::Subtract;
    case P::EQ:
      return BinaryOp::Equal;
    case P::NE:
      return BinaryOp::NotEqual;
    case P::LT:
      return BinaryOp::Less;
    case P::LE:
      return BinaryOp::LessEqual;
    case P::GT:
      return BinaryOp::Greater;
    case P::GE:
      return BinaryOp::GreaterEqual;
    case P::AND:
      return BinaryOp::And;
    default:
      return BinaryOp::Or;
  }
}

}  // namespace

P::ExprContext* TreeBuilder::stripped(P::ExprContext* context) {
  while (typeid(*context) == typeid(P::TupleContext) && context->children.size() == 3) {
    context = static_cast<P::TupleContext*>(context)->expr(0);
  }
  return context;
}

ExprPtr TreeBuilder::wholeExpr(P::ExprContext* context) {
  try {
    depth_ = 0;
    return expr(context);
  } catch (const TooLong&) {
    return nullptr;
  }
}

// `a + b + c ...` leans to the left without end, so that side is walked in a loop.
ExprPtr TreeBuilder::expr(P::ExprContext* context) {
  std::vector<P::ExprContext*> spine{stripped(context)};
  while (P::ExprContext* left = leftOf(spine.back())) spine.push_back(stripped(left));
  const int top = depth_;
  if (top + static_cast<int>(spine.size()) > kMaxTreeDepth) {
    error(Diagnostic(
              Kind::ExpressionLimit, span(context),
              "this expression chains more than " + std::to_string(kMaxTreeDepth) + " operators")
              .hint("give parts of it names, or use a reduction: `sum(e for k in 0..n)`"));
    throw TooLong{};
  }
  depth_ = top + static_cast<int>(spine.size());
  ExprPtr result = leaf(spine.back());
  for (size_t k = spine.size() - 1; k-- > 0;) {
    depth_ = top + static_cast<int>(k) + 1;
    result = extend(spine[k], std::move(result));
  }
  depth_ = top;
  return result;
}

ExprPtr TreeBuilder::leaf(P::ExprContext* context) {
  const std::type_info& type = typeid(*context);
  const Span at = span(context);
  const auto all = [this](const std::vector<P::ExprContext*>& contexts) {
    std::vector<ExprPtr> result;
    result.reserve(contexts.size());
    for (P::ExprContext* element : contexts) result.push_back(expr(element));
    return result;
  };
  if (type == typeid(P::NameContext))
    return make(at, NameExpr{static_cast<P::NameContext*>(context)->IDENT()->getText()});
  if (type == typeid(P::LiteralContext)) return literal(token(context->children[0]));
  if (type == typeid(P::UnaryContext)) {
    const ParserToken& op = token(context->children[0]);
    const UnaryOp which = op.token().type == P::NOT ? UnaryOp::Not : UnaryOp::Negate;
    return make(at,
                UnaryExpr{which, span(op), expr(static_cast<P::UnaryContext*>(context)->expr())});
  }
  if (type == typeid(P::ConditionalContext)) {
    auto* conditional = static_cast<P::ConditionalContext*>(context);
    auto condition = expr(conditional->expr(0)), then_value = expr(conditional->expr(1)),
         else_value = expr(conditional->expr(2));
    return make(at, IfExpr{std::move(condition), std::move(then_value), std::move(else_value)});
  }
  if (type == typeid(P::TupleContext)) {
    auto* tuple = static_cast<P::TupleContext*>(context);
    auto elements = all(tuple->expr());
    if (elements.size() == 1) return std::move(elements.front());  // `(a,)`
    return make(at, TupleExpr{std::move(elements)});
  }
  if (type == typeid(P::ListContext))
    return make(at, ListExpr{all(static_cast<P::ListContext*>(context)->expr())});
  RecordExpr record;
  for (P::FieldInitContext* field : static_cast<P::RecordLiteralContext*>(context)->fieldInit()) {
    record.fields.push_back({name(field->IDENT()), expr(field->expr())});
  }
  checkTwice(record.fields, "the field", [](const FieldInit& field) { return &field.name; });
  return make(at, std::move(record));
}

ExprPtr TreeBuilder::extend(P::ExprContext* context, ExprPtr left) {
  const std::type_info& type = typeid(*context);
  if (type == typeid(P::MemberContext)) {
    return make(span(context), MemberExpr{std::move(left),
                                          name(static_cast<P::MemberContext*>(context)->IDENT())});
  }
  if (type == typeid(P::CallContext))
    return call(static_cast<P::CallContext*>(context), std::move(left));
  if (type == typeid(P::SubscriptContext)) {
    auto* subscript = static_cast<P::SubscriptContext*>(context);
    const Span brackets{file_, span(token(subscript->LBRACKET())).begin, span(context).end};
    return make(span(context), SubscriptExpr{std::move(left), entries(subscript, false), brackets});
  }
  if (type == typeid(P::ComparisonContext)) {
    auto* comparison = static_cast<P::ComparisonContext*>(context);
    if (typeid(*comparison->expr(0)) == typeid(P::ComparisonContext)) {
      error(Diagnostic(Kind::ChainedComparison, span(token(context->children[1])),
                       "comparisons do not chain")
                .note("to the left is `" + print(*left) + "`, a bool")
                .hint("say both: `a < b and b < c`"));
    }
    return binary(context, comparison->expr(1), std::move(left));
  }
  return binary(context, static_cast<P::BinaryContext*>(context)->expr(1), std::move(left));
}

ExprPtr TreeBuilder::binary(P::ExprContext* context, P::ExprContext* right, ExprPtr left) {
  const ParserToken& op = token(context->children[1]);
  return make(span(context),
              BinaryExpr{operatorOf(op.token().type), span(op), std::move(left), expr(right)});
}

ExprPtr TreeBuilder::call(P::CallContext* context, ExprPtr callee) {
  CallExpr result{std::move(callee), {}, std::nullopt};
  if (P::ArgumentsContext* arguments = context->arguments()) {
    for (P::ArgumentContext* argument : arguments->argument()) {
      std::optional<Name> keyword;
      if (argument->IDENT() != nullptr) keyword = name(argument->IDENT());
      result.arguments.push_back({std::move(keyword), expr(argument->expr())});
    }
    if (arguments->comprehension() != nullptr) comprehension(arguments->comprehension(), result);
  }
  checkTwice(result.arguments, "the argument",
             [](const Argument& argument) { return argument.name ? &*argument.name : nullptr; });
  return make(span(context), std::move(result));
}

void TreeBuilder::comprehension(P::ComprehensionContext* context, CallExpr& call) {
  Comprehension result{span(context), {}, nullptr};
  size_t unnamed = 0;
  for (const Argument& argument : call.arguments) unnamed += argument.name ? 0 : 1;
  if (unnamed != 1 || call.arguments.front().name) {
    error(Diagnostic(Kind::MisplacedReduction, result.span,
                     "a reduction has one expression before `for`, and it comes first")
              .hint("for several values, reduce a tuple's parts one by one"));
  }
  for (P::BinderContext* binder : context->binder()) {
    std::optional<Range> bounds;
    if (binder->range() != nullptr) bounds = range(binder->range());
    result.binders.push_back({name(binder->IDENT()), std::move(bounds)});
  }
  checkTwice(result.binders, "the range variable",
             [](const Binder& binder) { return &binder.name; });
  if (context->expr() != nullptr) result.filter = expr(context->expr());
  for (P::NamedArgumentContext* argument : context->namedArgument()) {
    call.arguments.push_back({name(argument->IDENT()), expr(argument->expr())});
  }
  call.comprehension = std::move(result);
}

ExprPtr TreeBuilder::literal(const ParserToken& token) {
  const std::string_view text = token.view();
  switch (token.token().type) {
    case P::TRUE:
      return make(span(token), BoolLiteral{true});
    case P::FALSE:
      return make(span(token), BoolLiteral{false});
    case P::STRING:
      return make(span(token), StringLiteral{stringOf(token)});
    case P::FLOAT: {
      const auto value = floatValue(text);
      if (!value)
        error(Diagnostic(Kind::BadNumber, span(token), "no f64 is as large as this number"));
      return make(span(token), value.value_or(FloatLiteral{}));
    }
    default: {
      const auto value = integerValue(text);
      if (!value) {
        error(Diagnostic(Kind::BadNumber, span(token),
                         "this integer is too large: the largest is 9223372036854775807")
                  .hint("as a float it is `" + std::string(text) + ".0`"));
      }
      return make(span(token), IntLiteral{value.value_or(0)});
    }
  }
}

std::vector<Entry> TreeBuilder::entries(P::SubscriptContext* context, bool left_side) {
  std::vector<Entry> result;
  for (P::EntryContext* child : context->entry()) result.push_back(entry(child, left_side));
  if (result.empty()) {
    error(Diagnostic(Kind::MisplacedEntry, span(context), "there is nothing between the brackets")
              .hint("`..` stands for all indices"));
  }
  return result;
}

Entry TreeBuilder::entry(P::EntryContext* context, bool left_side) {
  Entry result;
  result.span = span(context);
  if (context->IDENT() != nullptr) result.name = name(context->IDENT());
  P::BoundsContext* bounds = context->bounds();
  const bool has_range = bounds->RANGE() != nullptr || bounds->RANGE_TO() != nullptr;
  if (!has_range && context->IN() == nullptr) {
    result.value = expr(bounds->expr(0));
    return result;
  }
  if (bounds->expr().empty() && bounds->RANGE() != nullptr && !result.name) {
    result.kind = Entry::Kind::Rest;
    return result;
  }
  result.kind = context->IN() != nullptr ? Entry::Kind::In : Entry::Kind::Slice;
  result.range = range(bounds, bounds->expr(), bounds->RANGE_TO() != nullptr);
  if (result.kind == Entry::Kind::In && !left_side) {
    error(Diagnostic(Kind::MisplacedEntry, result.span,
                     "`" + result.name->text +
                         " in ...` gives a range on the left of an equation; this is read")
              .hint("a slice is `" + result.name->text + ": lo..hi`"));
  }
  return result;
}

Range TreeBuilder::range(P::RangeContext* context) {
  return range(context, context->expr(), context->RANGE_TO() != nullptr);
}

Range TreeBuilder::range(antlr4::ParserRuleContext* context,
                         const std::vector<P::ExprContext*>& bounds, bool inclusive) {
  Range result{span(context), nullptr, nullptr, inclusive};
  const bool has_lo = context->children[0]->children.size() > 0;
  for (size_t i = 0; i < bounds.size(); ++i)
    (i == 0 && has_lo ? result.lo : result.hi) = expr(bounds[i]);
  if (bounds.size() < 2) {
    const char* missing = result.lo   ? "its upper bound"
                          : result.hi ? "its lower bound"
                                      : "its bounds";
    error(Diagnostic(Kind::OpenRange, result.span, std::string("a range without ") + missing)
              .hint("a range is `lo..hi`, without `hi`, or `lo..=hi`; `end(t)` is the point after "
                    "the last of `t`"));
    result.open = true;
    if (!result.lo) result.lo = make(result.span, IntLiteral{0});
    if (!result.hi) result.hi = make(result.span, IntLiteral{0});
  }
  return result;
}

}  // namespace rlc::syntax
