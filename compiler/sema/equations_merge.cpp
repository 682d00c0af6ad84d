// Tensors as merges: the points that each equation defines, and the reads that define them.
#include <algorithm>

#include "compiler/sema/elaborator.h"
#include "compiler/types/lists.h"

namespace rlc::sema {

void Elaborator::defineTensor(TensorDef& tensor) {
  std::vector<Var> dims = tensor.dims();
  tensor.domain = Set::empty(context_, dims);
  for (Target& target : tensor.targets) {
    EquationDef& equation = *target.equation;
    target.domain = Set::empty(context_, dims);
    if (equation.broken) {
      tensor.failed = true;
      continue;
    }
    Inverse back = inverse(tensor, target);
    for (Var var : back.undetermined) {
      bool free = target.bare() ||
                  std::none_of(equation.touched.begin(), equation.touched.end(),
                               [&](Var index) { return ownVar(*equation.system, index) == var; });
      if (free && equation.defines.size() > 1) continue;  // another of the tuple's tensors has it
      report(Diagnostic(Kind::MissingIndex, target.pattern->span,
                        "`" + graph_.dim(var).name + "` is missing on the left"));
      tensor.failed = equation.broken = true;
    }
    if (equation.broken) continue;
    bool same = back.condition.kind() == Condition::Kind::True && equation.space->dims == dims;
    for (size_t i = 0; i < tensor.positions.size() && same; ++i)
      same = target.at[i] == IndexExpr(tensor.positions[i].var);
    if (same) {
      target.domain = equation.space->domain;
    } else {
      std::vector<Var> kept;
      std::vector<IndexExpr> at;
      for (Var var : equation.space->dims) {
        auto it = back.of.find(var);
        bool hidden = contains(tensor.hidden, var);
        bool own = contains(equation.own, var);
        if (own ? it == back.of.end() : !hidden) continue;
        kept.push_back(var);
        at.push_back(own ? it->second : IndexExpr(var));
      }
      Set all = Set::of(context_, dims, back.condition);
      target.domain = equation.space->over(kept).preimage(all, at);
    }
    tensor.domain = tensor.domain.unite(target.domain);
  }
  if (tensor.targets.size() > 1) tensor.domain = tensor.domain.coalesce();
  checkOverlaps(tensor);
}

void Elaborator::checkOverlaps(TensorDef& tensor) {
  Set before;
  for (size_t i = 0; i < tensor.targets.size(); ++i) {
    if (tensor.targets[i].equation->broken) continue;
    for (size_t k = 0; k < i; ++k) {
      if (tensor.targets[k].equation->broken) continue;
      Set both = tensor.targets[i].domain.intersect(tensor.targets[k].domain);
      auto point = both.lexmin();
      if (!point) continue;
      std::vector<Var> dims = tensor.dims();
      std::vector<std::pair<std::string, int64_t>> witness;
      std::string at;
      for (size_t d = tensor.hidden.size(); d < dims.size(); ++d) {
        at += (at.empty() ? "" : ", ") + std::to_string((*point)[d]);
        if (!graph_.dim(dims[d]).name.empty())
          witness.emplace_back(graph_.dim(dims[d]).name, (*point)[d]);
      }
      std::string what = "`" + tensor.name + (at.empty() ? "`" : "[" + at + "]`");
      report(Diagnostic(Kind::DoubleDefinition, tensor.targets[i].pattern->span,
                        what + " is defined twice")
                 .note(tensor.targets[k].pattern->span, "it is defined here, too")
                 .at(std::move(witness))
                 .hint("restrict one of the equations by a range on the left, `x[t in lo..hi]`, or "
                       "by `where`"));
      tensor.failed = true;
      return;
    }
  }
}

void Elaborator::createMerges(TensorDef& tensor) {
  std::vector<Var> dims = tensor.dims();
  if (!tensor.signature || tensor.signature->isUnknown() || anyUnknown(tensor.signature)) {
    bool broken = tensor.failed || tensor.signature == nullptr;
    for (const Target& target : tensor.targets) broken |= target.equation->broken;
    tensor.failed = true;
    if (!broken) uninferred_.push_back(&tensor);
    tensor.signature = poison();
    return;
  }
  tensor.signature = mapLeaves(tensor.signature, [&](const Tensor& t, const std::string& path) {
    Node node;
    node.name = path.empty() ? tensor.path : tensor.path + "." + path;
    node.span = tensor.span;
    node.dims = dims;
    node.domain = tensor.domain;
    node.type = t.type;
    node.shape = t.shape;
    node.op = pdg::Merge{};
    NodeId id = graph_.add(std::move(node));
    owners_[id] = &tensor;
    tensor.leaves.push_back(id);
    Tensor leaf = t;
    leaf.view = identity(id, dims, t.type, t.shape).view;
    return make(std::move(leaf));
  });
}

void Elaborator::finishMerges(TensorDef& tensor) {
  for (const Target& target : tensor.targets)
    if (target.equation->broken || target.views.size() != tensor.leaves.size()) return;
  for (size_t leaf = 0; leaf < tensor.leaves.size(); ++leaf) {
    Node& node = graph_.node(tensor.leaves[leaf]);
    pdg::Merge merge;
    std::vector<View> views;
    for (const Target& target : tensor.targets) {
      merge.pieces.push_back({target.domain, Condition::always()});
      views.push_back(target.views[leaf]);
    }
    node.op = std::move(merge);
    attach(node, views);
  }
}

namespace {

// Whether two extents are the same at all points; true where that can't be told.
bool sameAt(const Set& points, const IndexExpr& a, const IndexExpr& b) {
  const IndexExpr difference = a - b;
  if (const auto constant = difference.asConstant()) return *constant == 0;
  std::vector<Var> vars;
  difference.collectVariables(vars);
  if (difference.hasValue() ||
      std::any_of(vars.begin(), vars.end(), [&](Var var) { return !contains(points.vars(), var); }))
    return true;
  const auto least = points.minimum(difference), most = points.maximum(difference);
  return !least || !most || (*least == 0 && *most == 0);
}

}  // namespace

void Elaborator::connect(TensorDef& tensor, Target& target, const ValueRef& value,
                         const Place& place) {
  if (value->isPoison() || anyPoison(value) || tensor.signature->isPoison()) {
    tensor.failed = true;
    return;
  }
  if (value->isUnknown()) return;
  ValueRef fitted = conform(value, tensor.signature, tensor.name, place, target.pattern->span);
  if (fitted->isPoison() || anyPoison(fitted)) return;
  Inverse back = inverse(tensor, target);
  std::vector<const Tensor*> wanted;
  forEachTensor(tensor.signature,
                [&](const Tensor& t, const std::string&) { wanted.push_back(&t); });
  std::vector<View> views;
  forEachTensor(fitted, [&](const Tensor& t, const std::string&) {
    const Tensor& want = *wanted[views.size()];
    for (size_t axis = 0; axis < t.shape.size() && !tensor.failed; ++axis)
      if (!sameAt(target.domain, t.shape[axis].substitute(back.of), want.shape[axis])) {
        tensor.failed = true;
        fail(Kind::ShapeMismatch, target.pattern->span,
             "`" + tensor.name + "` is " + show(make(want)) + " in another equation, and " +
                 show(make(t)) + " here, where the lengths differ");
      }
    views.push_back(t.view.substitute(back.of));
  });
  target.views = std::move(views);
}

// The value with the types and shapes of the signature: literals adapt, scalars broadcast; anything
// else is an error.
ValueRef Elaborator::conform(const ValueRef& value, const ValueRef& signature,
                             const std::string& name, const Place& place, Span span) {
  auto mismatch = [&] {
    return fail(Kind::TypeMismatch, span,
                "`" + name + "` is " + show(signature) + " in another equation, and " +
                    show(value) + " here");
  };
  if (value->isPoison()) return value;
  if (const Tensor* want = signature->as<Tensor>()) {
    auto have = toTensor(value, place, span);
    if (!have) return poison();
    if ((want->type == DType::Bool) != (have->type == DType::Bool)) return mismatch();
    if (have->shape.size() != want->shape.size()) return mismatch();
    std::vector<IndexExpr> shape = want->shape;
    // The signature is over positions, the value over the equation's own variables: the extents of
    // the value rule.
    for (size_t i = 0; i < have->shape.size(); ++i) {
      IndexExpr& extent = shape[shape.size() - have->shape.size() + i];
      if (extent.asConstant() && have->shape[i].asConstant() &&
          *extent.asConstant() != *have->shape[i].asConstant())
        return mismatch();
      extent = have->shape[i];
    }
    Tensor fitted = stored(cast(*have, want->type, place), place);
    return make(stored(expand(fitted, shape, place), place));
  }
  if (const Record* want = signature->as<Record>()) {
    const Record* have = value->as<Record>();
    if (!have || have->fields.size() != want->fields.size()) return mismatch();
    Record result{want->type, {}};
    for (const auto& [field, type] : want->fields) {
      const ValueRef* part = have->field(field);
      if (!part) return mismatch();
      result.fields.emplace_back(field, conform(*part, type, name + "." + field, place, span));
    }
    return make(std::move(result));
  }
  if (const Tuple* want = signature->as<Tuple>()) {
    const Tuple* have = value->as<Tuple>();
    if (!have || have->elements.size() != want->elements.size()) return mismatch();
    Tuple result{{}, want->list};
    for (size_t i = 0; i < want->elements.size(); ++i)
      result.elements.push_back(conform(have->elements[i], want->elements[i], name, place, span));
    return make(std::move(result));
  }
  if (const Instance* want = signature->as<Instance>()) {
    const Instance* have = value->as<Instance>();
    if (!have || have->of->item != want->of->item || have->fields.size() != want->fields.size())
      return mismatch();
    Instance result = *want;
    for (size_t i = 0; i < want->fields.size(); ++i)
      result.fields[i].second =
          conform(have->fields[i].second, want->fields[i].second, name, place, span);
    if (want->weights) {
      if (!have->weights) return mismatch();
      result.weights = conform(have->weights, want->weights, name, place, span);
    }
    return make(std::move(result));
  }
  return value;
}

}  // namespace rlc::sema
