// Random draws: the graph's base draws, sampling of distributions (modules with a method `sample`),
// and gradients' requests.
#include <algorithm>
#include <utility>

#include "compiler/sema/elaborator.h"
#include "compiler/types/lists.h"

namespace rlc::sema {

Elaborator::DrawPath::DrawPath(Elaborator& elaborator, const std::string& name)
    : elaborator_(elaborator), saved_(elaborator.drawPath_) {
  elaborator_.drawPath_ = saved_.empty() ? name : saved_ + "." + name;
}
Elaborator::DrawPath::~DrawPath() { elaborator_.drawPath_ = saved_; }

// What is drawn together while it lives.
class Elaborator::SavedTogether {
 public:
  SavedTogether(Elaborator& elaborator, Together together)
      : elaborator_(elaborator), saved_(std::exchange(elaborator.together_, std::move(together))) {}
  ~SavedTogether() { elaborator_.together_ = std::move(saved_); }
  SavedTogether(const SavedTogether&) = delete;

 private:
  Elaborator& elaborator_;
  Together saved_;
};

Tensor Elaborator::draw(pdg::DrawKind kind, DType type, std::vector<IndexExpr> shape,
                        const std::vector<View>& inputs, const Place& place, Span span,
                        Var category, int64_t categories) {
  ++draws;
  const Space& space = *place.space;
  if (dry()) {
    std::vector<Var> dims = space.dims;
    for (const View& view : inputs) view.collectDims(dims);
    std::sort(dims.begin(), dims.end());
    dims.erase(std::unique(dims.begin(), dims.end()), dims.end());
    if (categories > 0) dims.erase(std::remove(dims.begin(), dims.end(), category), dims.end());
    return identity(kDryNode, dims, type, std::move(shape));
  }
  Node node;
  node.span = span;
  node.type = type;
  node.shape = shape;
  pdg::Draw op;
  op.kind = kind;
  const std::string path = drawPath_.empty() ? "draw" : drawPath_;
  const int again = drawCounts_[path]++;
  node.name = path + (again > 0 ? "#" + std::to_string(again) : "");
  op.stream = node.name;
  // A permutation numbers its elements itself. Draws of equations that are elaborated on the way
  // have other names.
  const bool own = path == together_.own || path.starts_with(together_.own + ".");
  if (together_.parts > 1 && own && kind != pdg::DrawKind::Permutation) {
    op.stream = together_.first + node.name.substr(together_.own.size());
    op.part = together_.part;
    op.parts = together_.parts;
  }
  op.category = category;
  op.categories = categories;
  std::vector<IndexExpr> at;
  std::vector<View> views = inputs;
  if (space.drawAt) {
    // Over the drawn tensor's positions, then whatever this place has in addition (range
    // variables).
    std::map<Var, IndexExpr> inverse = space.drawAt->inverse;
    node.dims = space.drawAt->dims;
    at = space.drawAt->at;
    for (Var var : space.dims) {
      if (inverse.count(var)) continue;
      if (!contains(node.dims, var)) {
        node.dims.push_back(var);
        at.push_back(IndexExpr(var));
      }
      inverse[var] = IndexExpr(var);
    }
    std::vector<IndexExpr> back;
    for (Var var : space.dims) back.push_back(inverse.at(var));
    Set all = Set::of(context_, node.dims, space.drawAt->condition);
    node.domain = space.domain.preimage(all, back);
    for (View& view : views) view = view.substitute(inverse);
    for (IndexExpr& extent : node.shape) extent = extent.substitute(inverse);
  } else {
    node.dims = space.dims;
    node.domain = space.domain;
    for (Var var : space.dims) at.push_back(IndexExpr(var));
  }
  node.op = std::move(op);
  attach(node, views);
  Tensor result = identity(addNode(std::move(node)), {}, type, shape);
  result.view.at = std::move(at);
  return result;
}

ValueRef Elaborator::sample(const ValueRef& distribution, const std::vector<IndexExpr>& shape,
                            bool reparameterized, const Place& place, Span span) {
  const char* method = reparameterized ? "rsample" : "sample";
  if (!hasMethod(distribution, method)) {
    if (reparameterized)
      return fail(
          Kind::NoReparameterization, span,
          show(distribution) + " has no reparameterization: gradients can't pass through its draws",
          "draw it plainly (`~` without `reparam`) and use `log_prob`, the score function");
    return fail(Kind::NotADistribution, span,
                "`~` takes a distribution, not " + show(distribution));
  }
  auto saved = targetShape_;
  targetShape_ = shape;
  calls_.push_back({span, {}, {}});
  ValueRef value = callMethod(distribution, method, {}, span, place);
  calls_.pop_back();
  targetShape_ = saved;
  if (reparameterized || value->isPoison() || value->isUnknown()) return value;
  return mapLeaves(value, [&](const Tensor& t, const std::string&) {
    return make(detach(t, place, span, pdg::Detach::Why::Draw));
  });
}

// `(x, v) ~ D`: each name gets a draw of its own. They are of one stream, whose elements alternate
// between them, so that where a block of random words has room for four, four names cost one.
ValueRef Elaborator::sampledTogether(const syntax::Pattern& names, const System& system,
                                     const ValueRef& distribution, const Place& place, Span span) {
  std::vector<std::string> paths;
  std::function<void(const syntax::Pattern&)> collect = [&](const syntax::Pattern& pattern) {
    if (!pattern.tuple)
      paths.push_back(system.stream(system.path.empty() ? pattern.name.text
                                                        : system.path + "." + pattern.name.text));
    for (const syntax::Pattern& element : pattern.elements) collect(element);
  };
  collect(names);
  size_t next = 0;
  std::function<ValueRef(const syntax::Pattern&)> each =
      [&](const syntax::Pattern& pattern) -> ValueRef {
    if (pattern.tuple) {
      Tuple tuple;
      for (const syntax::Pattern& element : pattern.elements)
        tuple.elements.push_back(each(element));
      return make(std::move(tuple));
    }
    const auto part = static_cast<int64_t>(next);
    drawPath_ = paths[next++];
    const SavedTogether saved(*this, {paths[0], drawPath_, part, std::ssize(paths)});
    return sample(distribution, {}, false, place, span);
  };
  return each(names);
}

// The right side of `~`: distributions are sampled, wherever they stand in records and tuples;
// values that were drawn pass.
ValueRef Elaborator::sampled(const ValueRef& value, const Place& place, Span span,
                             int64_t drawsBefore) {
  if (value->isPoison() || value->isUnknown()) return value;
  if (value->as<Instance>() && hasMethod(value, "sample"))
    return sample(value, {}, false, place, span);
  if (const Tuple* tuple = value->as<Tuple>()) {
    Tuple result{{}, tuple->list};
    for (size_t i = 0; i < tuple->elements.size(); ++i) {
      DrawPath path(*this, std::to_string(i));
      result.elements.push_back(sampled(tuple->elements[i], place, span, drawsBefore));
    }
    return make(std::move(result));
  }
  if (const Record* record = value->as<Record>()) {
    Record result{record->type, {}};
    for (const auto& [name, field] : record->fields) {
      DrawPath path(*this, name);
      result.fields.emplace_back(name, sampled(field, place, span, drawsBefore));
    }
    return make(std::move(result));
  }
  if (draws > drawsBefore || reparameterized_) return value;
  return fail(Kind::NotADistribution, span, "`~` takes a distribution, not " + show(value),
              "define a value by `=`");
}

namespace {

// Whether a position is not one for all elements.
bool isGathered(const IndexExpr& position) {
  std::vector<Var> vars;
  position.collectVariables(vars);
  return position.hasValue() || std::ranges::any_of(vars, &Var::isElement);
}

}  // namespace

ValueRef Elaborator::gradient(const ValueRef& loss, const ValueRef& wrt, const Place& place,
                              Span span) {
  const Tensor* scalar = loss->as<Tensor>();
  const bool isScalar = scalar && scalar->shape.empty();
  // What starts at `1` is an integer until the derivative that is added to it is known for a float.
  const bool guess = guessing_ && dry() && wrt->as<Tensor>();
  if (!isScalar || !(isFloat(scalar->type) || (guess && isInteger(scalar->type))))
    return fail(Kind::NotDifferentiable, span,
                "`grad` differentiates a float scalar, not " + show(loss),
                isScalar ? "only floats have a derivative: `1.0` is one, `1` is not"
                         : "reduce it: `grad(sum(x), θ)`");
  if (wrt->as<Function>() || wrt->as<Class>() || wrt->as<BuiltinRef>() || wrt->as<Text>())
    return fail(
        Kind::NotDifferentiable, span,
        "`grad` takes a tensor, a record, a tensor at a point or a float param, not " + show(wrt));
  View lossView = data(*scalar, place);
  return mapLeaves(wrt, [&](const Tensor& leaf, const std::string&) -> ValueRef {
    const DType type = guess && isInteger(leaf.type) ? DType::F32 : leaf.type;
    if (!isFloat(type)) {
      if (wrt->as<Tensor>())
        return fail(
            Kind::NotDifferentiable, span,
            "`grad` with respect to " + show(make(leaf)) + ": only floats have a derivative");
      return make(expand(cast(intLiteral(0), leaf.type, place), leaf.shape, place));
    }
    if (leaf.view.producer < 0) {
      if (wrt->as<Tensor>() && !dry() && leaf.number)
        return fail(Kind::NotDifferentiable, span,
                    "`grad` with respect to a constant, which the loss has been computed with",
                    "make it a parameter of the function, or an equation of the program, that the "
                    "loss reads");
      return make(floatLiteral(0));
    }
    if (dry()) {
      Tensor result = leaf;
      result.view = View{};
      std::vector<Var> dims;
      lossView.collectDims(dims);
      leaf.view.collectDims(dims);
      return make(identity(kDryNode, place.space->order(dims), type, leaf.shape));
    }
    const Node& producer = graph_.node(leaf.view.producer);
    View whole;
    whole.producer = leaf.view.producer;
    // Positions that are gathered, by data or one for each element of a slice, get dims of their
    // own: the derivative with respect to all that may be read there, of which the result is a
    // gather.
    std::vector<Var> gathered;
    for (size_t i = 0; i < leaf.view.at.size(); ++i) {
      whole.at.push_back(leaf.view.at[i]);
      if (!isGathered(leaf.view.at[i])) continue;
      const pdg::Dim of = graph_.dim(producer.dims[i]);
      gathered.push_back(freshDim(of.name, span, of.lo, of.hi, false));
      whole.at.back() = IndexExpr(gathered.back());
    }
    for (size_t i = 0; i < producer.shape.size(); ++i)
      whole.element.push_back(IndexExpr(Var::element(static_cast<int>(i))));
    std::vector<IndexExpr> shape = producer.shape;
    std::map<Var, IndexExpr> at;
    for (size_t i = 0; i < producer.dims.size(); ++i) at[producer.dims[i]] = whole.at[i];
    for (IndexExpr& extent : shape) extent = extent.substitute(at);
    Node node;
    node.span = span;
    std::vector<Var> varies;
    for (const View* view : {&std::as_const(lossView), &std::as_const(whole)})
      view->collectDims(varies);
    std::erase_if(varies, [&](Var var) { return contains(gathered, var); });
    node.dims = place.space->order(varies);
    node.domain = place.space->over(node.dims);
    if (!gathered.empty()) {
      node.dims.insert(node.dims.end(), gathered.begin(), gathered.end());
      node.domain = producer.domain.preimage(node.domain.extendTo(node.dims), whole.at);
    }
    node.type = producer.type;
    node.shape = shape;
    node.op = pdg::Grad{};
    std::vector<Var> dims = node.dims;
    attach(node, {lossView, whole});
    Tensor result = identity(addNode(std::move(node)), dims, leaf.type, shape);
    size_t next = dims.size() - gathered.size();
    for (const IndexExpr& position : leaf.view.at)
      if (isGathered(position)) result.view.at[next++] = position;
    result.view.gathers = leaf.view.gathers;
    if (leaf.shape != shape || leaf.view.element != result.view.element) {
      result.view.element = leaf.view.element;  // the derivative with respect to part of it
      result.shape = leaf.shape;
    }
    return make(std::move(result));
  });
}

}  // namespace rlc::sema
