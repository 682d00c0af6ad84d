#include <algorithm>
#include <utility>

#include "compiler/syntax/literals.h"
#include "compiler/syntax/print.h"
#include "compiler/syntax/tree_builder.h"

namespace rlc::syntax {

using diagnostics::Diagnostic;
using diagnostics::Kind;
using P = RlParser;

namespace {

bool firstOnItsLine(std::string_view text, uint32_t begin) {
  const size_t before = text.substr(0, begin).find_last_not_of(" \t");
  return before == std::string_view::npos || text[before] == '\n' ||
         text.substr(0, before + 1) == "\xEF\xBB\xBF";
}

}  // namespace

const ParserToken& TreeBuilder::token(antlr4::tree::ParseTree* terminal) {
  return *static_cast<ParserToken*>(
      static_cast<antlr4::tree::TerminalNode*>(terminal)->getSymbol());
}

Span TreeBuilder::span(const antlr4::ParserRuleContext* context) const {
  const auto* start = static_cast<const ParserToken*>(context->start);
  const auto* stop = static_cast<const ParserToken*>(context->stop);
  const uint32_t begin = start->token().begin;
  return {file_, begin, stop == nullptr ? start->token().end : std::max(begin, stop->token().end)};
}

Name TreeBuilder::name(antlr4::tree::TerminalNode* node) const {
  const ParserToken& word = token(node);
  return {word.getText(), span(word)};
}

std::vector<Name> TreeBuilder::names(const std::vector<antlr4::tree::TerminalNode*>& nodes) const {
  std::vector<Name> result;
  for (antlr4::tree::TerminalNode* node : nodes) result.push_back(name(node));
  return result;
}

void TreeBuilder::error(Diagnostic diagnostic) {
  failed_ = true;
  if (!damaged_) sink_.report(std::move(diagnostic));
}

std::string TreeBuilder::stringOf(const ParserToken& token) {
  StringValue value = stringValue(token.view());
  if (value.bad_escape != std::string::npos) {
    const uint32_t at = token.token().begin + static_cast<uint32_t>(value.bad_escape);
    error(Diagnostic(Kind::BadEscape, Span{file_, at, at + 2}, "this escape means nothing")
              .hint("write `\\\\` for a backslash"));
  }
  return std::move(value.value);
}

std::string TreeBuilder::label(P::ExprContext* context) const {
  const Span at = span(context);
  return collapse(std::string_view(text_).substr(at.begin, at.end - at.begin));
}

// The `##` lines that stand right above `begin`.
std::string TreeBuilder::doc(uint32_t begin) const {
  auto after = std::upper_bound(
      scan_.comments.begin(), scan_.comments.end(), begin,
      [](uint32_t place, const Comment& comment) { return place < comment.span.begin; });
  std::vector<std::string_view> lines;
  for (uint32_t below = begin; after != scan_.comments.begin(); --after) {
    const Comment& comment = *(after - 1);
    if (comment.kind != Comment::Kind::Doc) break;
    const std::string_view between =
        std::string_view(text_).substr(comment.span.end, below - comment.span.end);
    const bool adjacent = between.find_first_not_of(" \t\r\n") == std::string_view::npos &&
                          std::count(between.begin(), between.end(), '\n') == 1;
    if (!adjacent || !firstOnItsLine(text_, comment.span.begin)) break;
    std::string_view line = std::string_view(text_).substr(
        comment.span.begin + 2, comment.span.end - comment.span.begin - 2);
    if (line.starts_with(' ')) line.remove_prefix(1);
    lines.push_back(line);
    below = comment.span.begin;
  }
  std::string result;
  for (size_t i = lines.size(); i-- > 0;) result += std::string(lines[i]) + (i > 0 ? "\n" : "");
  return result;
}

Item TreeBuilder::item(P::ItemContext* context, Place place) {
  Item result;
  result.span = span(context);
  const auto damage = std::lower_bound(scan_.damage.begin(), scan_.damage.end(), result.span.begin);
  const bool outer_damaged =
      std::exchange(damaged_, damage != scan_.damage.end() && *damage <= result.span.end);
  result.node = checkedNode(context, place, result);
  damaged_ = outer_damaged;
  return result;
}

Item::Node TreeBuilder::checkedNode(P::ItemContext* context, Place place, Item& result) {
  if (context->exception == nullptr && context->children.size() == 2) {
    result.span = span(static_cast<antlr4::ParserRuleContext*>(context->children[0]));
    depth_ = 0;
    try {
      result.doc = doc(result.span.begin);
      return placed(context, place);
    } catch (const TooLong&) {
    }
  }
  return brokenItem(context->start->getTokenIndex());
}

Block TreeBuilder::block(P::BlockContext* context, Place place) {
  Block result;
  for (P::ItemContext* child : context->item()) result.push_back(item(child, place));
  return result;
}

// Where expressions stand on lines of their own, and whether one must.
void TreeBuilder::checkResults(const Block& items, Span block, Place place, bool needs_result) {
  if (!options_.check_places || place == Place::Render) return;
  const bool may_end = place == Place::Function || place == Place::Policy;
  for (size_t i = 0; i < items.size(); ++i) {
    if (items[i].as<ExprItem>() == nullptr || (may_end && i + 1 == items.size())) continue;
    error(Diagnostic(Kind::MisplacedItem, items[i].span,
                     may_end ? "only the last line of a block can be its result"
                             : "this value goes nowhere")
              .hint("give it a name: `x = ...`"));
  }
  const bool broken = std::any_of(items.begin(), items.end(), [](const Item& item) {
    return item.as<BrokenItem>() != nullptr;
  });
  if (needs_result && !broken && (items.empty() || items.back().as<ExprItem>() == nullptr)) {
    error(Diagnostic(Kind::EmptyBlock, Span{block.file, block.end - 1, block.end},
                     "this block has no result")
              .hint("its last line is an expression, its value"));
  }
}

Item::Node TreeBuilder::equation(P::EquationContext* context, Place place) {
  if (context->expr().size() == 1) {
    if (place == Place::File && options_.check_places) {
      const std::string value = label(context->expr(0));
      error(Diagnostic(Kind::MisplacedItem, span(context), "this value goes nowhere")
                .hint(value.size() <= 40 ? "show it by `print " + value + "`, or give it a name"
                                         : "show it by `print`, or give it a name"));
    }
    return ExprItem{expr(context->expr(0))};
  }
  EquationItem result;
  result.left = pattern(context->expr(0));
  const ParserToken& op = token(context->children[1]);
  result.drawn = op.token().type == P::TILDE;
  result.op_span = span(op);
  result.value = expr(context->expr(1));
  if (context->expr().size() > 2) result.where = expr(context->expr(2));
  return result;
}

Pattern TreeBuilder::badPattern(P::ExprContext* context, std::string hint) {
  error(Diagnostic(Kind::BadLeftSide, span(context),
                   "this can't be defined: on the left stands a name, with or without subscripts, "
                   "or a tuple of these")
            .hint(std::move(hint)));
  Pattern result;
  result.span = span(context);
  return result;
}

Pattern TreeBuilder::pattern(P::ExprContext* context) {
  context = stripped(context);
  Pattern result;
  result.span = span(context);
  if (auto* single = dynamic_cast<P::NameContext*>(context)) {
    result.name = name(single->IDENT());
    return result;
  }
  if (auto* subscript = dynamic_cast<P::SubscriptContext*>(context)) {
    auto* base = dynamic_cast<P::NameContext*>(subscript->expr());
    if (base == nullptr) {
      const bool twice = dynamic_cast<P::SubscriptContext*>(subscript->expr()) != nullptr;
      return badPattern(context,
                        twice ? "an equation defines whole elements: build them on the right" : "");
    }
    result.name = name(base->IDENT());
    result.subscripted = true;
    result.subscripts = entries(subscript, true);
    return result;
  }
  if (auto* tuple = dynamic_cast<P::TupleContext*>(context)) {
    if (tuple->expr().empty()) return badPattern(context, "");
    result.tuple = true;
    for (P::ExprContext* element : tuple->expr()) result.elements.push_back(pattern(element));
    return result;
  }
  if (dynamic_cast<P::CallContext*>(context) != nullptr)
    return badPattern(context, "a function is defined by `fn`");
  if (dynamic_cast<P::ComparisonContext*>(context) != nullptr)
    return badPattern(context, "`==` compares; did you mean `=`?");
  return badPattern(context, "");
}

SinkItem TreeBuilder::sink(P::SinkItemContext* context) {
  SinkItem result;
  const auto values = context->expr();
  size_t first = 0;
  if (context->STRING() != nullptr) {
    result.kind = context->REPORT() != nullptr ? SinkItem::Kind::Report : SinkItem::Kind::Save;
    result.label = stringOf(token(context->STRING()));
    result.label_span = span(token(context->STRING()));
  } else if (auto* text = dynamic_cast<P::LiteralContext*>(values[0]);
             text != nullptr && text->STRING() != nullptr && values.size() > 1) {
    result.label = stringOf(token(text->STRING()));
    result.label_span = span(text);
    first = 1;
  }
  for (size_t i = first; i < values.size(); ++i) {
    result.values.push_back(expr(values[i]));
    result.texts.push_back(label(values[i]));
  }
  if (context->each() != nullptr) result.each = each(context->each());
  return result;
}

Each TreeBuilder::each(P::EachContext* context) {
  Each result{span(context), nullptr, name(context->IDENT().back())};
  if (context->expr() != nullptr) {
    result.every = expr(context->expr());
  } else if (context->INT() != nullptr) {
    result.every = literal(token(context->INT()));
  } else {
    const Name step = name(context->IDENT(0));
    result.every = std::make_unique<const Expr>(Expr{step.span, NameExpr{step.text}});
  }
  return result;
}

}  // namespace rlc::syntax
