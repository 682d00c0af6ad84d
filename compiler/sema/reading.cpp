// Reading a tensor at other points: subscripts turned into accesses, and the check that what is
// read is defined.
#include <algorithm>

#include "compiler/pdg/reads.h"
#include "compiler/sema/elaborator.h"
#include "compiler/syntax/print.h"
#include "compiler/types/lists.h"

namespace rlc::sema {

namespace {

// Variables that stand for the points read, while a relation is checked.
constexpr int32_t kReadVars = 1 << 28;
constexpr size_t kLongestCondition = 60;  // that a hint shows

std::string atText(const std::vector<std::pair<std::string, int64_t>>& point) {
  std::string text;
  for (const auto& [name, value] : point)
    text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(value);
  return text;
}

}  // namespace

ValueRef Elaborator::readTensor(TensorDef& tensor, Span span, const Place& place) {
  if (tensor.let) return letValue(tensor, span);
  noteRead(tensor);
  std::vector<Slot> slots(tensor.positions.size());
  return readAt(tensor.positions, tensor.signature, &tensor, tensor.name, slots, span, place);
}

ValueRef Elaborator::readAt(const std::vector<Position>& positions, const ValueRef& signature,
                            const TensorDef* checked, const std::string& name,
                            const std::vector<Slot>& given, Span span, const Place& place) {
  std::vector<Slot> slots = given;
  std::vector<Var> vars;
  bool failed = false;
  for (size_t i = 0; i < positions.size(); ++i) {
    vars.push_back(positions[i].var);
    if (slots[i].kind != Slot::Kind::Keep) continue;
    if (!positions[i].named) {
      fail(Kind::AmbiguousReading, span,
           "`" + name + "` has a position without a name: it is defined at constants there",
           "read it as `" + name + "[...]` with " +
               (positions.size() == 1 ? "the position" : "an entry for each position") +
               ", or define it at an index's points, too");
      failed = true;
      continue;
    }
    auto at = lookupIndex(positions[i].index, span, place);
    if (!at)
      failed = true;
    else
      slots[i] = Slot{Slot::Kind::Fixed, *at, {}, {}, span};
  }
  if (failed) return poison();
  if (!signature || signature->isUnknown()) return unknown();
  if (signature->isPoison()) return poison();
  if (checked && !dry() && !checked->failed) {
    // The read's own variables: those of the space, and the positions of its leading axes.
    Tensor probe;
    probe.view.producer = 0;
    for (Var var : checked->dims()) probe.view.at.push_back(IndexExpr(var));
    Tensor read = applySlots(probe, vars, slots, false, place);
    checkRead(*checked, checked->dims(), read.view.at, read.shape, span, place);
  }
  return mapLeaves(signature, [&](const Tensor& leaf, const std::string&) {
    return make(applySlots(leaf, vars, slots, false, place));
  });
}

// What the last of `gathers` holds, as a subscript. Its range goes along where it is known; on an
// element axis only where it lies within the axis, since nothing but the run looks at the rest.
static IndexExpr gathered(const std::vector<Read>& gathers, const Tensor& positions,
                          const IndexExpr* axis) {
  std::shared_ptr<const IndexExpr> lo, hi;
  auto range = positions.range;
  if (range && axis) {
    auto first = range->lo.asConstant(), beyond = (range->hi - *axis).asConstant();
    if (!first || *first < 0 || !beyond || *beyond > 0) range.reset();
  }
  if (range) {
    lo = std::make_shared<IndexExpr>(range->lo);
    hi = std::make_shared<IndexExpr>(range->hi);
  }
  return IndexExpr::value(static_cast<int>(gathers.size()) - 1, lo, hi);
}

namespace {

bool mentionsElement(const IndexExpr& e) {
  std::vector<Var> vars;
  e.collectVariables(vars);
  return std::any_of(vars.begin(), vars.end(), [](Var var) { return var.isElement(); });
}

}  // namespace

Tensor Elaborator::applySlots(const Tensor& original, const std::vector<Var>& vars,
                              const std::vector<Slot>& slots, bool elements, const Place& place) {
  std::map<Var, IndexExpr> replacement;
  std::vector<IndexExpr> shape;
  std::vector<Read> gathers;
  auto newAxis = [&](const IndexExpr& extent) {
    shape.push_back(extent);
    return IndexExpr(Var::element(static_cast<int>(shape.size()) - 1));
  };
  bool simple = !elements;
  std::vector<std::vector<IndexExpr>> gatherShapes;
  Span gatherSpan;
  for (const Slot& slot : slots) {
    if (slot.kind != Slot::Kind::Fixed) simple = false;
    if (slot.kind == Slot::Kind::Gather)
      gatherShapes.push_back(slot.tensor.shape), gatherSpan = slot.span;
  }
  if (simple) {
    for (size_t i = 0; i < slots.size(); ++i) replacement[vars[i]] = slots[i].at;
    return *substitute(make(original), replacement)->as<Tensor>();
  }
  Tensor tensor = original.view.producer >= 0 ? original : stored(original, place);
  std::optional<std::vector<IndexExpr>> gatherShape;
  if (!gatherShapes.empty()) gatherShape = broadcast(gatherShapes, place, gatherSpan);
  int gatherAxis = -1;
  for (size_t i = 0; i < slots.size(); ++i) {
    const Slot& slot = slots[i];
    switch (slot.kind) {
      case Slot::Kind::Keep:
        replacement[vars[i]] = newAxis(elements ? tensor.shape[i] : IndexExpr(1));
        break;
      case Slot::Kind::Fixed:
        replacement[vars[i]] = slot.at;
        break;
      case Slot::Kind::Slice:
        replacement[vars[i]] = slot.at + newAxis(slot.length);
        break;
      case Slot::Kind::Gather: {
        if (!gatherShape) return tensor;
        if (gatherAxis < 0) {
          gatherAxis = static_cast<int>(shape.size());
          for (const IndexExpr& extent : *gatherShape) newAxis(extent);
        }
        View view =
            broadcastTo(slot.tensor, data(slot.tensor, place), gatherShape->size(), *gatherShape);
        std::map<Var, IndexExpr> move;
        for (size_t k = 0; k < gatherShape->size(); ++k)
          move[Var::element(static_cast<int>(k))] =
              IndexExpr(Var::element(gatherAxis + static_cast<int>(k)));
        view = view.substitute(move);
        const int base = static_cast<int>(gathers.size());
        const auto behind = [&](int input) { return input + base; };
        for (const Read& read : view.gathers) gathers.push_back(pdg::renumbered(read, behind));
        gathers.push_back(pdg::renumbered({view.producer, view.at, view.element}, behind));
        replacement[vars[i]] =
            gathered(gathers, slot.tensor, elements ? &tensor.shape[i] : nullptr);
        break;
      }
    }
  }
  if (!elements)
    for (size_t k = 0; k < tensor.shape.size(); ++k) {
      const IndexExpr extent = tensor.shape[k].substitute(replacement);
      if (extent.hasValue() || mentionsElement(extent)) {
        fail(Kind::ShapeMismatch, slots.front().span,
             "several points of " + show(make(original)) + " have no length in common",
             "read one of them, or give all the same length");
        return tensor;
      }
      replacement[Var::element(static_cast<int>(k))] = newAxis(extent);
    }
  Tensor result;
  result.type = tensor.type;
  result.shape = std::move(shape);
  result.view = tensor.view.substitute(replacement, gathers);
  if (tensor.range) {
    auto open = [](const IndexExpr& e) { return e.hasValue(); };
    ValueRange range{tensor.range->lo.substitute(replacement),
                     tensor.range->hi.substitute(replacement)};
    if (!open(range.lo) && !open(range.hi)) result.range = range;
  }
  return result;
}

Tensor Elaborator::gatherLast(const Tensor& tensor, const Tensor& positions, const Place& place) {
  const int last = static_cast<int>(tensor.shape.size()) - 1;
  Tensor result;
  result.type = tensor.type;
  result.shape.assign(tensor.shape.begin(), tensor.shape.end() - 1);
  if (positions.index) {
    useStatically(positions);
    result.view = data(tensor, place).substitute({{Var::element(last), *positions.index}});
    return result;
  }
  View view = data(positions, place);
  std::vector<Read> gathers = view.gathers;
  gathers.push_back({view.producer, view.at, view.element});
  IndexExpr at = gathered(gathers, positions, &tensor.shape.back());
  result.view = data(tensor, place).substitute({{Var::element(last), at}}, gathers);
  return result;
}

// Of a read where there is no value, and where there is one. Its indices may be the tensor's own in
// another order, which an equation without subscripts does not show.
std::string Elaborator::missingHint(const TensorDef& tensor, const std::vector<Var>& dims,
                                    const std::vector<IndexExpr>& at, const Set& where,
                                    const Set& exists) const {
  std::vector<std::string> own, read;
  std::string ordered;
  for (size_t i = 0; i < dims.size(); ++i) {
    const auto shifted = at[i].asShifted();
    if (!shifted || shifted->offset != 0 || shifted->var.isElement()) break;
    read.push_back(graph_.dim(shifted->var).name);
    own.push_back(graph_.dim(dims[i]).name);
    if (i >= tensor.hidden.size()) ordered += (ordered.empty() ? "" : ", ") + own.back();
  }
  if (own.size() == dims.size() && own != read &&
      std::is_permutation(own.begin(), own.end(), read.begin()))
    return "the indices of `" + tensor.name + "` come in another order: `" + tensor.name + "[" +
           ordered + "]`";
  const std::string define = "define that point by another equation";
  if (exists.isEmpty()) return define + ", or read one that is defined";
  const bool named = std::all_of(where.vars().begin(), where.vars().end(),
                                 [&](Var var) { return !graph_.dim(var).name.empty(); });
  const auto condition = exists.coalesce().gist(where).toCondition();
  const std::string text = named && condition ? condition->toString(namer()) : "";
  const bool shown = !text.empty() && text.size() <= kLongestCondition;
  return define + ", or read it only where it exists" +
         (shown ? ": `if " + text + " then ... else ...`" : "");
}

void Elaborator::checkRead(const TensorDef& tensor, const std::vector<Var>& dims,
                           const std::vector<IndexExpr>& at, const std::vector<IndexExpr>& leading,
                           Span span, const Place& place) {
  if (emptied_) return;  // what such an index reads is no other mistake
  std::vector<Var> used, spaceVars;
  bool values = false;
  for (const IndexExpr& e : at) {
    e.collectVariables(used);
    values |= e.hasValue();
    if (pdg::hasUnboundedValue(e)) return;  // checked at run time
  }
  for (const IndexExpr& e : leading) e.collectVariables(used);
  for (Var var : used)
    if (!var.isElement() && !contains(spaceVars, var)) spaceVars.push_back(var);
  spaceVars = place.space->order(spaceVars);
  Set where = place.space->over(spaceVars);
  std::vector<Var> vars = spaceVars;
  if (!leading.empty()) {
    Condition inside = Condition::always();
    for (size_t k = 0; k < leading.size(); ++k) {
      Var element = Var::element(static_cast<int>(k));
      vars.push_back(element);
      inside = inside && Condition::within(IndexExpr(element), 0, leading[k]);
    }
    where = where.extendTo(vars).intersect(inside);
  }
  Set bad;
  if (!values) {
    bool identical =
        vars == dims && std::equal(at.begin(), at.end(), dims.begin(), dims.end(),
                                   [](const IndexExpr& e, Var var) { return e == IndexExpr(var); });
    if (identical) {
      if (where.isSubset(tensor.domain)) return;
      bad = where.subtract(tensor.domain);
    } else {
      bad = where.subtract(tensor.domain.preimage(where, at));
    }
  } else {
    std::vector<Var> outs;
    std::map<Var, Var> names;
    for (size_t i = 0; i < dims.size(); ++i) {
      outs.push_back(Var::dim(kReadVars + static_cast<int32_t>(i)));
      names[dims[i]] = outs.back();
    }
    Set relation = Set::access(where, at, outs);
    std::vector<Var> all = vars;
    all.insert(all.end(), outs.begin(), outs.end());
    bad = relation.subtract(tensor.domain.rename(names).extendTo(all)).projectOnto(vars);
  }
  auto point = bad.lexmin();
  if (!point) return;
  std::vector<std::pair<std::string, int64_t>> witness;
  for (size_t i = 0; i < spaceVars.size(); ++i) {
    const std::string& name = graph_.dim(spaceVars[i]).name;
    if (!name.empty()) witness.emplace_back(name, (*point)[i]);
  }
  const Set inSpace = place.space->over(spaceVars);
  std::string text = "`" + syntax::collapse(sources_.text(span)) + "`";
  std::string own = "`" + tensor.name + "`";
  std::string message = witness.empty() ? text + " is read, where " + own + " has no value"
                                        : text + " is read at " + atText(witness) + ", where " +
                                              own + " has no value";
  Diagnostic diagnostic(Kind::UndefinedRead, span, message);
  if (!values) {
    auto value = [&](Var var) {
      return (*point)[static_cast<size_t>(std::find(vars.begin(), vars.end(), var) - vars.begin())];
    };
    std::string read = tensor.name + "[";
    size_t hidden = tensor.hidden.size();
    for (size_t i = hidden; i < at.size(); ++i)
      read += (i > hidden ? ", " : "") + std::to_string(at[i].evaluate(value));
    if (at.size() > hidden) diagnostic.caret = "this is `" + read + "]`";
  }
  report(std::move(diagnostic)
             .note(tensor.span, own + (tensor.domain.isEmpty()
                                           ? " is defined nowhere"
                                           : " is defined on " + tensor.domain.toString(namer())))
             .at(std::move(witness))
             .hint(missingHint(tensor, dims, at, inSpace,
                               inSpace.subtract(bad.projectOnto(spaceVars)))));
}

void Elaborator::checkDerivedReads(const ValueRef& value, const std::string& name, Span span,
                                   const Place& place) {
  if (dry()) return;
  bool done = false;
  forEachTensor(value, [&](const Tensor& leaf, const std::string&) {
    if (done || leaf.view.producer < 0 || leaf.view.producer >= graph_.size()) return;
    auto owner = owners_.find(leaf.view.producer);
    if (owner != owners_.end() && owner->second->failed) return;
    const Node& node = graph_.node(leaf.view.producer);
    TensorDef stand;
    stand.name = name;
    stand.span = node.span.known() ? node.span : span;
    stand.domain = node.domain;
    size_t before = sink_.errorCount();
    std::vector<IndexExpr> leading;
    bool elements = false;
    for (const IndexExpr& e : leaf.view.at) {
      std::vector<Var> vars;
      e.collectVariables(vars);
      for (Var var : vars) elements |= var.isElement();
    }
    if (elements) leading = leaf.shape;
    checkRead(stand, node.dims, leaf.view.at, leading, span, place);
    done = sink_.errorCount() != before;
  });
}

Place Elaborator::whereNotEmpty(const Slot& slice, const Place& place) const {
  std::vector<Var> vars;
  slice.length.collectVariables(vars);
  if (dry() || vars.empty() || mentionsElement(slice.length)) return place;
  const Set& all = place.space->over(place.space->order(vars));
  return {place.scope, place.space->narrow(all.intersect(Condition::less(0, slice.length)))};
}

void Elaborator::checkElement(const IndexExpr& at, const IndexExpr& extent, const Slot& slot,
                              const Place& place) {
  if (dry() || emptied_) return;
  auto constant = at.asConstant(), size = extent.asConstant();
  std::vector<std::pair<std::string, int64_t>> witness;
  auto complain = [&](int64_t value, const std::string& where) {
    report(Diagnostic(Kind::ElementOutOfRange, slot.span,
                      "`" + syntax::collapse(sources_.text(slot.span)) + "`: element " +
                          std::to_string(value) + " does not exist" + where + ": the axis has " +
                          (size == 1 ? "one element, 0"
                                     : show(extent) + " elements, 0 to " +
                                           (size ? std::to_string(*size - 1) : show(extent - 1))))
               .at(witness)
               .hint("positions count from 0, and none counts from the end"));
  };
  if (constant && size) {
    if (*constant < 0 || *constant >= *size) complain(*constant, "");
    return;
  }
  std::vector<Var> vars;
  at.collectVariables(vars);
  extent.collectVariables(vars);
  for (Var var : vars)
    if (var.isElement()) return;
  if (at.hasValue() || extent.hasValue()) return;
  std::sort(vars.begin(), vars.end());
  vars.erase(std::unique(vars.begin(), vars.end()), vars.end());
  vars = place.space->order(vars);
  Set bad = place.space->over(vars).intersect(!Condition::within(at, 0, extent));
  auto point = bad.lexmin();
  if (!point) return;
  for (size_t i = 0; i < vars.size(); ++i)
    witness.emplace_back(graph_.dim(vars[i]).name, (*point)[i]);
  auto value = [&](Var var) {
    return (*point)[static_cast<size_t>(std::find(vars.begin(), vars.end(), var) - vars.begin())];
  };
  complain(at.evaluate(value), " at " + atText(witness));
}

}  // namespace rlc::sema
