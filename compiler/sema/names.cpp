#include "compiler/sema/names.h"

#include <algorithm>
#include <iterator>

namespace rlc::sema {

using namespace syntax;

namespace {

using Names = std::set<std::string>;

void ofRange(const Range& range, Names& out) {
  if (range.lo) collectNames(*range.lo, out);
  if (range.hi) collectNames(*range.hi, out);
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
  if (entry.value) collectNames(*entry.value, out);
  if (entry.range) ofRange(*entry.range, out);
}

void collectNames(const Expr& expr, Names& out) {
  std::visit(Overloaded{
                 [](const IntLiteral&) {},
                 [](const FloatLiteral&) {},
                 [](const BoolLiteral&) {},
                 [](const StringLiteral&) {},
                 [&](const NameExpr& e) { out.insert(e.name); },
                 [&](const MemberExpr& e) { collectNames(*e.object, out); },
                 [&](const CallExpr& e) {
                   collectNames(*e.callee, out);
                   for (const syntax::Argument& argument : e.arguments)
                     collectNames(*argument.value, out);
                   if (!e.comprehension) return;
                   for (const Binder& binder : e.comprehension->binders)
                     if (binder.range) ofRange(*binder.range, out);
                   if (e.comprehension->filter) collectNames(*e.comprehension->filter, out);
                 },
                 [&](const SubscriptExpr& e) {
                   collectNames(*e.base, out);
                   for (const Entry& entry : e.entries) collectNames(entry, out);
                 },
                 [&](const UnaryExpr& e) { collectNames(*e.operand, out); },
                 [&](const BinaryExpr& e) {
                   collectNames(*e.left, out);
                   collectNames(*e.right, out);
                 },
                 [&](const IfExpr& e) {
                   collectNames(*e.condition, out);
                   collectNames(*e.then_value, out);
                   collectNames(*e.else_value, out);
                 },
                 [&](const TupleExpr& e) {
                   for (const auto& element : e.elements) collectNames(*element, out);
                 },
                 [&](const ListExpr& e) {
                   for (const auto& element : e.elements) collectNames(*element, out);
                 },
                 [&](const RecordExpr& e) {
                   for (const FieldInit& field : e.fields) collectNames(*field.value, out);
                 },
             },
             expr.node);
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

}  // namespace rlc::sema
