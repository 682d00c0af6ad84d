#include "compiler/sema/names.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace rlc::sema {

using namespace syntax;

namespace {

using Names = std::set<std::string>;

using Visit = std::function<void(const Expr&)>;

void forEachPart(const Range& range, const Visit& visit) {
  if (range.lo) visit(*range.lo);
  if (range.hi) visit(*range.hi);
}

void forEachPart(const Entry& entry, const Visit& visit) {
  if (entry.value) visit(*entry.value);
  if (entry.range) forEachPart(*entry.range, visit);
}

// The expressions right below one.
void forEachPart(const Expr& expr, const Visit& visit) {
  std::visit(Overloaded{
                 [](const IntLiteral&) {},
                 [](const FloatLiteral&) {},
                 [](const BoolLiteral&) {},
                 [](const StringLiteral&) {},
                 [](const NameExpr&) {},
                 [&](const MemberExpr& e) { visit(*e.object); },
                 [&](const CallExpr& e) {
                   visit(*e.callee);
                   for (const syntax::Argument& argument : e.arguments) visit(*argument.value);
                   if (!e.comprehension) return;
                   for (const Binder& binder : e.comprehension->binders)
                     if (binder.range) forEachPart(*binder.range, visit);
                   if (e.comprehension->filter) visit(*e.comprehension->filter);
                 },
                 [&](const SubscriptExpr& e) {
                   visit(*e.base);
                   for (const Entry& entry : e.entries) forEachPart(entry, visit);
                 },
                 [&](const UnaryExpr& e) { visit(*e.operand); },
                 [&](const BinaryExpr& e) {
                   visit(*e.left);
                   visit(*e.right);
                 },
                 [&](const IfExpr& e) {
                   visit(*e.condition);
                   visit(*e.then_value);
                   visit(*e.else_value);
                 },
                 [&](const TupleExpr& e) {
                   for (const auto& element : e.elements) visit(*element);
                 },
                 [&](const ListExpr& e) {
                   for (const auto& element : e.elements) visit(*element);
                 },
                 [&](const RecordExpr& e) {
                   for (const FieldInit& field : e.fields) visit(*field.value);
                 },
             },
             expr.node);
}

void ofRange(const Range& range, Names& out) {
  forEachPart(range, [&](const Expr& part) { collectNames(part, out); });
}

void ofType(const TypeExpr& type, Names& out) {
  if (!type.path.empty()) out.insert(type.path.front().text);
  for (const auto& extent : type.extents) collectNames(*extent, out);
  for (const TypeExpr& element : type.elements) ofType(element, out);
  if (type.bounds) ofRange(*type.bounds, out);
}

void ofParameters(const std::vector<Parameter>& parameters, Names& out) {
  for (const Parameter& p : parameters) {
    if (p.type) ofType(*p.type, out);
    if (p.default_value) collectNames(*p.default_value, out);
  }
}

void ofPattern(const Pattern& pattern, Names& out) {
  for (const Entry& entry : pattern.subscripts) collectNames(entry, out);
  for (const Pattern& element : pattern.elements) ofPattern(element, out);
}

void nameOf(const Pattern& pattern, Names& out) {
  if (!pattern.tuple) out.insert(pattern.name.text);
  for (const Pattern& element : pattern.elements) nameOf(element, out);
}

// What the items define: a read of such a name means their own.
void definedBy(const Block& items, Names& out) {
  for (const Item& item : items) {
    if (const auto* e = item.as<EquationItem>()) nameOf(e->left, out);
    if (const auto* e = item.as<ParamItem>())
      for (const ParamDecl& p : e->params) out.insert(p.name.text);
    if (const auto* e = item.as<IndexItem>()) out.insert(e->name.text);
    if (const auto* e = item.as<FnItem>()) out.insert(e->name.text);
    if (const auto* e = item.as<ModuleItem>()) out.insert(e->name.text);
    if (const auto* e = item.as<WeightItem>()) out.insert(e->name.text);
    if (const auto* e = item.as<StateItem>())
      for (const Field& field : e->fields) out.insert(field.name.text);
    if (const auto* e = item.as<BlockItem>()) definedBy(e->items, out);
  }
}

// Those of `inner` that neither the parameters nor the items define.
void mergeFree(const Names& inner, const std::vector<Parameter>& parameters, const Block& items,
               Names& out) {
  Names own;
  for (const Parameter& p : parameters) own.insert(p.name.text);
  definedBy(items, own);
  std::set_difference(inner.begin(), inner.end(), own.begin(), own.end(),
                      std::inserter(out, out.end()));
}

}  // namespace

void collectNames(const Entry& entry, Names& out) {
  forEachPart(entry, [&](const Expr& part) { collectNames(part, out); });
}

void collectNames(const Expr& expr, Names& out) {
  if (const auto* name = expr.as<NameExpr>()) out.insert(name->name);
  forEachPart(expr, [&](const Expr& part) { collectNames(part, out); });
}

void collectNames(const FnItem& fn, Names& out) {
  Names inner;
  if (fn.body.expr) collectNames(*fn.body.expr, inner);
  collectNames(fn.body.items, inner);
  mergeFree(inner, fn.parameters, fn.body.items, out);
}

void collectNames(const ModuleItem& module, Names& out) {
  Names inner;
  collectNames(module.members, inner);
  mergeFree(inner, module.parameters, module.members, out);
}

void collectNames(const Item& item, Names& out) {
  std::visit(Overloaded{
                 [](const UseItem&) {},
                 [&](const ParamItem& e) {
                   for (const ParamDecl& p : e.params)
                     if (p.value) collectNames(*p.value, out);
                 },
                 [&](const IndexItem& e) {
                   ofRange(e.range, out);
                   if (e.until) collectNames(*e.until, out);
                 },
                 [](const RecordItem&) {},
                 [&](const FnItem& e) {
                   ofParameters(e.parameters, out);
                   collectNames(e, out);
                 },
                 [&](const ModuleItem& e) {
                   ofParameters(e.parameters, out);
                   collectNames(e, out);
                 },
                 [&](const WeightItem& e) {
                   ofType(e.type, out);
                   if (e.value) collectNames(*e.value, out);
                 },
                 [](const StateItem&) {},
                 [&](const ActionItem& e) {
                   if (e.space) collectNames(*e.space, out);
                 },
                 [&](const BlockItem& e) { collectNames(e.items, out); },
                 [&](const EquationItem& e) {
                   ofPattern(e.left, out);
                   if (e.value) collectNames(*e.value, out);
                   if (e.where) collectNames(*e.where, out);
                 },
                 [&](const SinkItem& e) {
                   for (const auto& value : e.values) collectNames(*value, out);
                 },
                 [&](const ExprItem& e) {
                   if (e.value) collectNames(*e.value, out);
                 },
                 [](const BrokenItem&) {},
             },
             item.node);
}

void collectNames(const Block& items, Names& out) {
  for (const Item& item : items) collectNames(item, out);
}

namespace {

// Names in what the calls of `grad` differentiate by.
void collectTargets(const Expr& expr, Names& out) {
  if (const auto* call = expr.as<CallExpr>(); call && call->arguments.size() == 2)
    if (const auto* callee = call->callee->as<NameExpr>(); callee && callee->name == "grad")
      collectNames(*call->arguments[1].value, out);
  forEachPart(expr, [&](const Expr& part) { collectTargets(part, out); });
}

}  // namespace

Names differentiatedBy(const Block& items) {
  Names names;
  for (const Item& item : items) {
    if (const auto* e = item.as<EquationItem>(); e && e->value) collectTargets(*e->value, names);
    if (const auto* e = item.as<ExprItem>(); e && e->value) collectTargets(*e->value, names);
    if (const auto* e = item.as<SinkItem>())
      for (const auto& value : e->values) collectTargets(*value, names);
    if (const auto* e = item.as<FnItem>()) names.merge(differentiatedBy(*e));
  }
  // Through the equations that give them other names. What varies over an index is no constant.
  for (size_t known = 0; known != names.size();) {
    known = names.size();
    for (const Item& item : items)
      if (const auto* e = item.as<EquationItem>(); e && e->value && !e->left.subscripted) {
        Names defined;
        nameOf(e->left, defined);
        if (std::ranges::any_of(defined, [&](const auto& name) { return names.contains(name); }))
          collectNames(*e->value, names);
      }
  }
  return names;
}

Names differentiatedBy(const FnItem& fn) {
  Names names = differentiatedBy(fn.body.items);
  if (fn.body.expr) collectTargets(*fn.body.expr, names);
  return names;
}

}  // namespace rlc::sema
