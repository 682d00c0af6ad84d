#include <algorithm>

#include "compiler/syntax/tree_builder.h"

namespace rlc::syntax {

using diagnostics::Diagnostic;
using diagnostics::Kind;
using P = RlParser;

namespace {

struct Misplaced {
  const char* what;
  const char* hint;
};

// Null: it may stand there.
const Misplaced* misplaced(P::ItemContext* context, Place place) {
  static constexpr Misplaced kWeight{"`weight` stands in a `module` or a `policy`", ""};
  static constexpr Misplaced kEnvPart{"this is a part of an `env`", ""};
  static constexpr Misplaced kUse{"`use` stands in the file itself, not in a block", ""};
  static constexpr Misplaced kSink{
      "`print`, `report` and `save` stand in the file itself, not in a block",
      "show the value where the function is called"};
  static constexpr Misplaced kMethod{"a method stands in a `module`, a `policy` or an `env`",
                                     "a function is `fn NAME(...) = expr`"};
  if (context->weightItem() != nullptr && place != Place::Module && place != Place::Policy)
    return &kWeight;
  const bool env_part = context->stateItem() != nullptr || context->actionItem() != nullptr ||
                        context->blockItem() != nullptr;
  if (env_part && place != Place::Env) return &kEnvPart;
  if (context->useItem() != nullptr && place != Place::File) return &kUse;
  if (context->sinkItem() != nullptr && place != Place::File) return &kSink;
  const bool has_methods = place == Place::Module || place == Place::Policy || place == Place::Env;
  if (context->methodItem() != nullptr && !has_methods) return &kMethod;
  return nullptr;
}

}  // namespace

Item::Node TreeBuilder::placed(P::ItemContext* context, Place place) {
  if (const Misplaced* wrong = misplaced(context, place);
      wrong != nullptr && options_.check_places) {
    const auto* first = static_cast<const ParserToken*>(context->start);
    error(Diagnostic(Kind::MisplacedItem, span(*first), wrong->what).hint(wrong->hint));
  }
  return node(context, place);
}

Item::Node TreeBuilder::node(P::ItemContext* context, Place place) {
  antlr4::tree::ParseTree* child = context->children[0];
  switch (static_cast<antlr4::ParserRuleContext*>(child)->getRuleIndex()) {
    case P::RuleUseItem:
      return use(context->useItem());
    case P::RuleParamItem:
      return params(context->paramItem());
    case P::RuleIndexItem:
      return index(context->indexItem());
    case P::RuleRecordItem:
      return RecordItem{name(context->recordItem()->IDENT()),
                        fields(context->recordItem()->fields())};
    case P::RuleStateItem:
      return StateItem{fields(context->stateItem()->fields())};
    case P::RuleFnItem: {
      auto* fn = context->fnItem();
      return function(FnItem::Kind::Fn, fn->IDENT(), fn->signature(), fn->body(), place);
    }
    case P::RuleLossItem: {
      auto* loss = context->lossItem();
      return function(FnItem::Kind::Loss, loss->IDENT(), loss->signature(), loss->body(), place);
    }
    case P::RuleMethodItem: {
      auto* method = context->methodItem();
      return function(FnItem::Kind::Method, method->METHOD(), method->signature(), method->body(),
                      place);
    }
    case P::RuleModuleItem:
      return module(context->moduleItem());
    case P::RuleWeightItem:
      return weight(context->weightItem());
    case P::RuleActionItem:
      return ActionItem{expr(context->actionItem()->expr())};
    case P::RuleBlockItem: {
      auto* named = context->blockItem();
      BlockItem result{name(named->BLOCK()), {}};
      const Place inside = result.name.text == "render" ? Place::Render : Place::Block;
      result.items = block(named->block(), inside);
      checkResults(result.items, span(named->block()), inside, false);
      return result;
    }
    case P::RuleSinkItem:
      return sink(context->sinkItem());
    default:
      return equation(context->equation(), place);
  }
}

UseItem TreeBuilder::use(P::UseItemContext* context) {
  UseItem result;
  if (context->STRING() != nullptr) result.file = stringOf(token(context->STRING()));
  if (P::DotsContext* dots = context->dots()) {
    result.leading_dots = static_cast<int>(dots->DOT().size() + 2 * dots->RANGE().size());
  }
  if (context->path() != nullptr) result.path = names(context->path()->IDENT());
  if (context->useMembers() != nullptr) {
    result.members = names(context->useMembers()->IDENT());
    checkTwice(result.members, "the name", [](const Name& name) { return &name; });
  }
  if (context->IDENT() != nullptr) result.alias = name(context->IDENT());
  if (result.alias && !result.members.empty()) {
    error(Diagnostic(Kind::UnexpectedToken, result.alias->span, "one name can't stand for several")
              .hint("write a `use` for each, with its own `as`"));
  }
  return result;
}

ParamItem TreeBuilder::params(P::ParamItemContext* context) {
  ParamItem result;
  for (P::ParamDeclContext* child : context->paramDecl()) {
    ParamDecl param{name(child->IDENT()), std::nullopt, nullptr, doc(span(child).begin)};
    // The words above `param` document the first, or the only one.
    if (result.params.empty()) param.doc = doc(span(context).begin);
    if (child->type() != nullptr) param.type = type(child->type());
    param.value = expr(child->expr());
    result.params.push_back(std::move(param));
  }
  checkTwice(result.params, "the param", [](const ParamDecl& param) { return &param.name; });
  return result;
}

IndexItem TreeBuilder::index(P::IndexItemContext* context) {
  IndexItem result{name(context->IDENT()), range(context->range()), nullptr};
  if (context->expr() != nullptr) result.until = expr(context->expr());
  return result;
}

std::vector<Field> TreeBuilder::fields(P::FieldsContext* context) {
  std::vector<Field> result;
  for (P::FieldContext* child : context->field()) {
    Field field{name(child->IDENT()), type(child->type()), nullptr, doc(span(child).begin)};
    if (child->expr() != nullptr) field.default_value = expr(child->expr());
    result.push_back(std::move(field));
  }
  checkTwice(result, "the field", [](const Field& field) { return &field.name; });
  return result;
}

std::vector<Parameter> TreeBuilder::parameters(P::SignatureContext* context) {
  std::vector<Parameter> result;
  if (context->parameters() == nullptr) return result;
  for (P::ParameterContext* child : context->parameters()->parameter()) {
    Parameter parameter{name(child->IDENT()), std::nullopt, nullptr};
    if (child->type() != nullptr) parameter.type = type(child->type());
    if (child->expr() != nullptr) parameter.default_value = expr(child->expr());
    result.push_back(std::move(parameter));
  }
  checkTwice(result, "the parameter", [](const Parameter& parameter) { return &parameter.name; });
  return result;
}

std::vector<Name> TreeBuilder::over(P::SignatureContext* context) {
  return names(context->IDENT());
}

std::optional<TypeExpr> TreeBuilder::resultType(P::SignatureContext* context) {
  if (context->type() == nullptr) return std::nullopt;
  return type(context->type());
}

FnItem TreeBuilder::function(FnItem::Kind kind, antlr4::tree::TerminalNode* called,
                             P::SignatureContext* signature, P::BodyContext* body_context,
                             Place place) {
  FnItem result;
  result.kind = kind;
  result.name = name(called);
  result.parameters = parameters(signature);
  result.over = over(signature);
  result.result = resultType(signature);
  // `step` of an env defines the primes; other functions have a value.
  result.body = body(body_context, kind != FnItem::Kind::Method || place != Place::Env);
  return result;
}

Body TreeBuilder::body(P::BodyContext* context, bool needs_result) {
  Body result;
  result.span = span(context);
  if (context->expr() != nullptr) {
    result.expr = expr(context->expr());
    return result;
  }
  result.items = block(context->block(), Place::Function);
  checkResults(result.items, result.span, Place::Function, needs_result);
  return result;
}

ModuleItem TreeBuilder::module(P::ModuleItemContext* context) {
  ModuleItem result;
  Place inside = Place::Module;
  if (context->POLICY() != nullptr) {
    result.kind = ModuleItem::Kind::Policy;
    inside = Place::Policy;
  }
  if (context->ENV() != nullptr) {
    result.kind = ModuleItem::Kind::Env;
    inside = Place::Env;
  }
  result.name = name(context->IDENT());
  result.parameters = parameters(context->signature());
  result.over = over(context->signature());
  result.result = resultType(context->signature());
  result.members = block(context->block(), inside);
  checkResults(result.members, span(context->block()), inside, false);
  return result;
}

WeightItem TreeBuilder::weight(P::WeightItemContext* context) {
  WeightItem result;
  result.name = name(context->IDENT());
  result.type = type(context->type());
  result.drawn = context->TILDE() != nullptr;
  result.value = expr(context->expr());
  return result;
}

TypeExpr TreeBuilder::type(P::TypeContext* context) {
  TypeExpr result;
  result.span = span(context);
  for (P::TypeContext* element : context->type()) result.elements.push_back(type(element));
  if (context->path() != nullptr) result.path = names(context->path()->IDENT());
  for (P::ExprContext* extent : context->expr()) result.extents.push_back(expr(extent));
  if (context->range() != nullptr) result.bounds = std::make_unique<Range>(range(context->range()));
  return result;
}

// The names that stand where an item declares them.
BrokenItem TreeBuilder::brokenItem(size_t first) const {
  BrokenItem result;
  int brackets = 0;
  for (size_t i = first;; ++i) {
    const auto& word = *static_cast<const ParserToken*>(tokens_.get(i));
    switch (word.token().type) {
      case P::LBRACKET:
        ++brackets;
        break;
      case P::RBRACKET:
        --brackets;
        break;
      case P::LPAREN:
        if (!result.names.empty()) return result;
        break;
      case P::ASSIGN:
      case P::TILDE:
      case P::NEWLINE:
      case P::LBRACE:
      case P::COLON:
      case P::IN:
      case antlr4::Token::EOF:
        return result;
      case P::IDENT:
      case P::BLOCK:
      case P::METHOD:
        if (brackets == 0) result.names.push_back({word.getText(), span(word)});
        break;
      default:
        break;
    }
  }
}

}  // namespace rlc::syntax
