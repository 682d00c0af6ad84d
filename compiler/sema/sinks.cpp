// print, report, save.
#include <algorithm>

#include "compiler/sema/elaborator.h"

namespace rlc::sema {

namespace {

bool readsWhole(const pdg::Graph& graph, const Tensor& t) {
  const pdg::Node& producer = graph.node(t.view.producer);
  if (producer.shape.size() != t.shape.size() || t.view.element.size() != t.shape.size())
    return false;
  std::map<Var, IndexExpr> point;
  for (size_t i = 0; i < producer.dims.size() && i < t.view.at.size(); ++i)
    point.emplace(producer.dims[i], t.view.at[i]);
  for (size_t axis = 0; axis < t.shape.size(); ++axis) {
    if (t.view.element[axis] != IndexExpr(Var::element(static_cast<int>(axis)))) return false;
    if (producer.shape[axis].substitute(point) != t.shape[axis]) return false;
  }
  return true;
}

}  // namespace

pdg::SinkValue Elaborator::sinkValue(const ValueRef& value, const Place& place, Span span,
                                     const std::vector<Var>& dims, bool& ok) {
  pdg::SinkValue result;
  if (const Tensor* tensor = value->as<Tensor>()) {
    Tensor t = stored(*tensor, place);
    // A sink's read takes whole tensors, without gathers of its own.
    if (!t.view.gathers.empty() || !readsWhole(graph_, t)) {
      DType type = t.type == DType::Bool ? DType::Bool : t.type;
      if (type == DType::Bool) {
        t = map(ScalarOp::Or, {t, boolLiteral(false)}, type, type, place, span);
      } else {
        Node node;
        node.span = span;
        std::vector<Var> also;
        for (const IndexExpr& e : t.shape) e.collectVariables(also);
        node.dims = dimsOf({t.view}, place, also);
        node.domain = place.space->over(node.dims);
        node.type = t.type;
        node.shape = t.shape;
        pdg::Merge merge;
        merge.pieces.push_back({node.domain, Condition::always()});
        node.op = std::move(merge);
        std::vector<Var> own = node.dims;
        attach(node, {t.view});
        t = identity(addNode(std::move(node)), own, t.type, t.shape);
      }
    }
    result.node = Read{t.view.producer, t.view.at, t.view.element};
    return result;
  }
  if (const Record* record = value->as<Record>()) {
    std::vector<std::pair<std::string, pdg::SinkValue>> fields;
    for (const auto& [name, field] : record->fields)
      fields.emplace_back(name, sinkValue(field, place, span, dims, ok));
    result.node = std::move(fields);
    return result;
  }
  if (const Tuple* tuple = value->as<Tuple>()) {
    std::vector<pdg::SinkValue> parts;
    bool tensors = tuple->list;
    for (const ValueRef& e : tuple->elements)
      tensors &= e->as<Tensor>() || (e->as<Tuple>() && e->as<Tuple>()->list);
    if (tensors && !tuple->elements.empty()) {
      auto tensor = toTensor(value, place, span);
      if (tensor) return sinkValue(make(*tensor), place, span, dims, ok);
      ok = false;
      return result;
    }
    for (const ValueRef& e : tuple->elements) parts.push_back(sinkValue(e, place, span, dims, ok));
    result.node = std::move(parts);
    return result;
  }
  if (const Instance* instance = value->as<Instance>()) {
    std::vector<std::pair<std::string, pdg::SinkValue>> fields;
    for (const auto& [name, field] : instance->fields)
      if (field->as<Tensor>() || field->as<Record>())
        fields.emplace_back(name, sinkValue(field, place, span, dims, ok));
    result.node = std::move(fields);
    return result;
  }
  ok = false;
  if (!value->isPoison())
    fail(Kind::TypeMismatch, span, show(value) + " can't be shown",
         "print a tensor, a record or a tuple");
  return result;
}

bool Elaborator::isNewFile(const pdg::Sink& save) {
  for (const pdg::Sink& other : graph_.sinks())
    if (other.kind == save.kind && other.label == save.label) {
      report(Diagnostic(Kind::DuplicateName, save.span,
                        "there is a `save` as \"" + save.label + "\" already")
                 .note(other.span, "here")
                 .hint("each needs a file of its own: `save x as \"...\"`"));
      return false;
    }
  return true;
}

void Elaborator::elaborateSink(const syntax::SinkItem& item, Span span,
                               const std::shared_ptr<Scope>& scope) {
  for (size_t i = 0; i < item.values.size(); ++i) {
    const Expr& expr = *item.values[i];
    std::set<Var> touched;
    ValueRef value;
    SpaceRef space;
    const auto* name = expr.as<syntax::NameExpr>();
    auto symbol = name ? scope->find(name->name) : nullptr;
    TensorDef* tensor = symbol && symbol->kind == Symbol::Kind::Tensor && !symbol->tensor->let
                            ? symbol->tensor
                            : nullptr;
    if (tensor) {
      if (tensor->failed || tensor->signature->isPoison()) {
        lost(tensor, "`" + tensor->name + "`");
        continue;
      }
      auto own = std::make_shared<Space>();
      own->dims = tensor->dims();
      own->domain = tensor->domain;
      std::vector<Slot> slots;
      for (const Position& p : tensor->positions) {
        if (p.named) own->index[p.index] = IndexExpr(p.var);
        slots.push_back({Slot::Kind::Fixed, IndexExpr(p.var), {}, {}, span});
      }
      space = own;
      value = readAt(tensor->positions, tensor->signature, tensor, tensor->name, slots, expr.span,
                     Place{scope, space});
    } else {
      auto wide = std::make_shared<Space>();
      wide->open = true;
      wide->touched = &touched;
      {
        DryRun quiet(*this);
        inferring_ = &expr;
        eval(expr, Place{scope, wide});
        inferring_ = nullptr;
      }
      space = declaredSpace(closeIndices(touched));
      drawPath_ = "print" + std::to_string(graph_.sinks().size());
      value = eval(expr, Place{scope, space});
      drawPath_.clear();
    }
    if (anyPoison(value)) {
      lost(&expr, "what is shown");
      continue;
    }
    pdg::Sink sink;
    sink.kind = item.kind == syntax::SinkItem::Kind::Print    ? pdg::Sink::Kind::Print
                : item.kind == syntax::SinkItem::Kind::Report ? pdg::Sink::Kind::Report
                                                              : pdg::Sink::Kind::Save;
    sink.label = item.label ? *item.label : i < item.texts.size() ? item.texts[i] : "";
    sink.span = expr.span;
    if (sink.kind == pdg::Sink::Kind::Save && !isNewFile(sink)) continue;
    sink.dims = space->dims;
    sink.domain = space->domain;
    Place place{scope, space};
    bool ok = true;
    sink.value = sinkValue(value, place, expr.span, space->dims, ok);
    if (!ok) {
      lost(&expr, "what is shown");
      continue;
    }
    std::optional<Tensor> where;
    for (const auto& [index, until] : untils_) {
      if (space->index.count(index) == 0) continue;
      Var var = *space->index.at(index).asVariable();
      bool past = false;  // a tensor defined by x[s+1] goes on to end(s) itself
      if (tensor)
        for (const Target& target : tensor->targets)
          for (const IndexExpr& at : target.at) past |= at == IndexExpr(var) + 1;
      ValueRef end = endOf(index, span, place);
      if (const Tensor* t = end->as<Tensor>()) {
        Tensor inside = binaryTensors(past ? syntax::BinaryOp::LessEqual : syntax::BinaryOp::Less,
                                      indexValue(IndexExpr(var)), *t, place, span);
        where = where ? binaryTensors(syntax::BinaryOp::And, *where, inside, place, span) : inside;
      }
    }
    if (where) {
      bool fine = true;
      sink.where = std::get<Read>(sinkValue(make(*where), place, span, space->dims, fine).node);
    }
    if (item.each && item.kind != syntax::SinkItem::Kind::Print) {
      std::shared_ptr<Symbol> index = scope->find(item.each->index.text);
      auto every = staticInt(eval(*item.each->every, place), item.each->every->span, "`each`");
      if (!index || index->kind != Symbol::Kind::Index || space->index.count(index->var) == 0) {
        fail(Kind::UnknownName, item.each->index.span,
             "`" + item.each->index.text + "` is not an index of this value");
        continue;
      }
      if (every && *every < 1)
        fail(Kind::BadArguments, item.each->every->span, "`each` takes a number of at least 1");
      sink.every = every.value_or(1);
      sink.everyDim = *space->index.at(index->var).asVariable();
    }
    graph_.sinks().push_back(std::move(sink));
  }
}

}  // namespace rlc::sema
