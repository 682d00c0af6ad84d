// Reductions over range variables, and vectors over ranges.
#include <limits>

#include "compiler/sema/builtins.h"
#include "compiler/sema/elaborator.h"
#include "compiler/sema/names.h"
#include "compiler/types/lists.h"

namespace rlc::sema {

using pdg::ReduceKind;

bool isReduction(const std::string& name) {
  static const std::set<std::string> names = {
      "sum", "mean", "prod",      "max",     "min",    "argmax", "argmin",  "any", "all",
      "std", "var",  "logsumexp", "softmax", "cumsum", "sort",   "argsort", "list"};
  return names.count(name) > 0;
}

Elaborator::Binding Elaborator::bindRanges(const syntax::Comprehension& comprehension,
                                           const Place& place, bool withFilter) {
  Binding result{
      Place{childOf(place.scope, place.scope->path), place.space}, {}, {}, std::nullopt, {}, false};
  std::optional<Tensor> filter;
  auto also = [&](const Tensor& test) {
    filter = filter ? binaryTensors(syntax::BinaryOp::And, *filter, test, result.place,
                                    comprehension.span)
                    : test;
  };
  for (const syntax::Binder& binder : comprehension.binders) {
    auto existing = place.scope->find(binder.name.text);
    auto symbol = std::make_shared<Symbol>();
    symbol->kind = Symbol::Kind::Range;
    symbol->span = binder.name.span;
    IndexExpr lo, hi;
    std::optional<Tensor> end;
    Var declared{-1};
    if (!binder.range) {
      bool range = existing && existing->kind == Symbol::Kind::Range && !existing->range.range;
      if (range) {
        declared = existing->range.mentions[0];
      } else if (existing && existing->kind == Symbol::Kind::Index) {
        resolveIndex(*existing, binder.name.text, programScope_);
        declared = existing->var;
      } else {
        fail(Kind::UnknownName, binder.name.span,
             "`" + binder.name.text + "` is not a declared index",
             "give it a range: `for " + binder.name.text + " in lo..hi`");
        result.failed = true;
        continue;
      }
      const pdg::Dim& dim = graph_.dim(declared);
      std::vector<Var> vars;
      dim.lo.collectVariables(vars);
      dim.hi.collectVariables(vars);
      std::map<Var, IndexExpr> current;
      for (Var var : vars)
        if (auto at = lookupIndex(var, binder.name.span, result.place))
          current[var] = *at;
        else
          result.failed = true;
      lo = dim.lo.substitute(current);
      hi = dim.hi.substitute(current);
      symbol->range.mentions = {declared};
      if (untils_.count(declared)) {
        ValueRef last = endOf(declared, binder.name.span, result.place);
        if (const Tensor* t = last->as<Tensor>()) end = *t;
      }
    } else {
      if (existing && existing != builtins_->findHere(binder.name.text) &&
          (!prelude_ || existing != prelude_->findHere(binder.name.text))) {
        report(Diagnostic(Kind::DuplicateName, binder.name.span,
                          "the range variable `" + binder.name.text + "` reuses a name in scope")
                   .note(existing->span, "declared here")
                   .hint("choose another name"));
        result.failed = true;
      }
      ValueRef low = eval(*binder.range->lo, result.place),
               high = eval(*binder.range->hi, result.place);
      auto from = affine(low, binder.range->lo->span, "a range's bound");
      const Tensor* data = high->as<Tensor>();
      std::optional<IndexExpr> to;
      if (data && !data->index && data->shape.empty() && isInteger(data->type) && data->range) {
        to = data->range->hi - 1;  // it ends on a value: the rest is filtered out
        end = binder.range->inclusive ? binaryTensors(syntax::BinaryOp::Add, *data, intLiteral(1),
                                                      result.place, binder.range->span)
                                      : *data;
      } else {
        to = affine(high, binder.range->hi->span, "a range's bound");
      }
      if (!from || !to) {
        if (!low->isUnknown() && !high->isUnknown()) result.failed = true;
        result.open = true;
        from = from ? from : IndexExpr(0);
        to = to ? to : IndexExpr(0);
      }
      lo = *from;
      hi = *to + (binder.range->inclusive ? 1 : 0);
      std::set<std::string> names;
      collectNames(*binder.range->lo, names);
      collectNames(*binder.range->hi, names);
      for (const std::string& name : names) {
        auto mentioned = result.place.scope->find(name);
        if (!mentioned) continue;
        if (mentioned->kind == Symbol::Kind::Index)
          symbol->range.mentions.push_back(mentioned->var);
        if (mentioned->kind == Symbol::Kind::Range)
          symbol->range.mentions.insert(symbol->range.mentions.end(),
                                        mentioned->range.mentions.begin(),
                                        mentioned->range.mentions.end());
      }
      symbol->range.range = &*binder.range;
    }
    std::vector<Var> used;
    lo.collectVariables(used);
    hi.collectVariables(used);
    result.dependences.insert(used.begin(), used.end());
    Var var = freshDim(binder.name.text, binder.name.span, lo, hi, true);
    symbol->range.var = var;
    auto space = result.place.space->extend(var, lo, hi);
    if (declared.id >= 0) space->index[declared] = IndexExpr(var);
    result.place.space = space;
    result.place.scope->symbols[binder.name.text] = symbol;
    result.bound.push_back(var);
    result.bounds.emplace_back(lo, hi);
    if (end)
      also(binaryTensors(syntax::BinaryOp::Less, indexValue(IndexExpr(var)), *end, result.place,
                         binder.name.span));
  }
  if (comprehension.filter && withFilter && !result.failed) {
    ValueRef value = eval(*comprehension.filter, result.place);
    if (value->isPoison()) result.failed = true;
    if (!value->isPoison() && !value->isUnknown()) {
      auto test = oneBool(value, result.place, comprehension.filter->span, "a filter");
      bool failed = !test;
      std::optional<Set> where;
      if (test) where = pointsWhere(*test, result.place, comprehension.filter->span, failed);
      if (failed)
        result.failed = true;
      else if (where) {
        if (!dry()) {
          result.dependences.insert(where->vars().begin(), where->vars().end());
          result.place.space = result.place.space->narrow(*where);
        }
      } else if (test) {
        also(*test);
      }
    }
  }
  result.filter = filter;
  for (Var var : result.bound) result.dependences.erase(var);
  return result;
}

ValueRef Elaborator::callReduction(const std::string& name, const syntax::CallExpr& e, Span span,
                                   const Place& place) {
  const syntax::Comprehension& comprehension = *e.comprehension;
  const Expr& bodyExpr = *e.arguments[0].value;
  if (name == "list") return unroll(bodyExpr, comprehension, span, place);
  Binding binding = bindRanges(comprehension, place, true);
  ValueRef body = binding.failed ? poison() : eval(bodyExpr, binding.place);
  if (body->isPoison()) return poison();
  const bool ofBools = name == "any" || name == "all";
  if (body->isUnknown()) return ofBools && !waiting_ ? guessedBool() : unknown();
  static const std::set<std::string> leafByLeaf = {"sum", "mean", "prod", "var", "std"};
  if (!leafByLeaf.count(name) && !body->as<Tensor>() &&
      !(body->as<Tuple>() && body->as<Tuple>()->list))
    return fail(Kind::TypeMismatch, bodyExpr.span,
                "`" + name + "` takes tensors, not " + show(body), "take one of its fields");
  std::map<std::string, ValueRef> named;
  for (size_t i = 1; i < e.arguments.size(); ++i)
    if (e.arguments[i].name) named[e.arguments[i].name->text] = eval(*e.arguments[i].value, place);
  const Place& inner = binding.place;

  auto reduce = [&](ReduceKind kind, const Tensor& t, const std::optional<Tensor>& filter) {
    boundDependences_ = binding.dependences;
    return reducePoints(kind, t, binding.bound, inner, place, filter, span);
  };
  auto count = [&]() -> Tensor {
    if (!binding.filter && !comprehension.filter) {
      IndexExpr total = 1;
      bool simple = true;
      for (const auto& [lo, hi] : binding.bounds) {
        IndexExpr length = hi - lo;
        if (auto c = length.asConstant())
          total = total * *c;
        else if (binding.bounds.size() == 1)
          total = length;
        else
          simple = false;
      }
      if (simple) return indexValue(total);
    }
    return reduce(ReduceKind::Sum, cast(intLiteral(1), DType::I32, place), binding.filter);
  };
  auto mean = [&](const Tensor& t) {
    DType type = floatType(t);
    Tensor total = reduce(ReduceKind::Sum, cast(t, type, inner), binding.filter);
    Tensor n = count();
    // An empty mean is an error: so is the maximum of no ones.
    Tensor ones = cast(intLiteral(1), DType::I32, place);
    bool shown = n.constant() && *n.constant() > 0;
    if (!shown) {
      Tensor some = reduce(ReduceKind::Max, ones, binding.filter);
      n = binaryTensors(syntax::BinaryOp::Multiply, stored(n, place), some, place, span);
    }
    return binaryTensors(syntax::BinaryOp::Divide, total, cast(n, type, place), place, span);
  };
  auto vector = [&](const Tensor& t) -> std::optional<Tensor> {
    if (binding.bound.size() != 1 || binding.filter || comprehension.filter) {
      fail(Kind::BadArguments, comprehension.span,
           "`" + name + "` takes one range variable and no filter");
      return std::nullopt;
    }
    Slot slot{Slot::Kind::Slice,
              binding.bounds[0].first,
              binding.bounds[0].second - binding.bounds[0].first,
              {},
              span};
    return applySlots(stored(t, inner), {binding.bound[0]}, {slot}, false, place);
  };

  return lift(
      {body},
      [&](const std::vector<Tensor>& operands) -> ValueRef {
        const Tensor& t = operands[0];
        for (const IndexExpr& extent : t.shape)
          if (std::ranges::any_of(binding.bound, [&](Var var) { return extent.mentions(var); }))
            return fail(Kind::ShapeMismatch, bodyExpr.span,
                        "the points of " + show(body) + " have no length in common");
        if (name == "sum") return make(reduce(ReduceKind::Sum, t, binding.filter));
        if (name == "prod") return make(reduce(ReduceKind::Prod, t, binding.filter));
        if (name == "max") return make(reduce(ReduceKind::Max, t, binding.filter));
        if (name == "min") return make(reduce(ReduceKind::Min, t, binding.filter));
        if (ofBools) {
          if (t.type != DType::Bool)
            return fail(Kind::TypeMismatch, bodyExpr.span,
                        "`" + name + "` takes bools, not " + show(make(t)));
          return make(reduce(name == "any" ? ReduceKind::Any : ReduceKind::All, t, binding.filter));
        }
        if (name == "argmax" || name == "argmin") {
          if (binding.bound.size() != 1)
            return fail(Kind::BadArguments, comprehension.span,
                        "`" + name + "` takes one range variable");
          if (!t.shape.empty())
            return fail(Kind::TypeMismatch, bodyExpr.span,
                        "`" + name + "` of points compares scalars, not " + show(make(t)));
          Tensor result =
              reduce(name == "argmax" ? ReduceKind::ArgMax : ReduceKind::ArgMin, t, binding.filter);
          if (!binding.open)
            result.range = ValueRange{binding.bounds[0].first, binding.bounds[0].second};
          return make(result);
        }
        if (name == "mean") return make(mean(t));
        if (name == "var" || name == "std") {
          int64_t ddof = 0;
          if (named.count("ddof")) ddof = staticInt(named["ddof"], span, "`ddof`").value_or(0);
          Tensor x = cast(t, floatType(t), inner);
          Tensor difference = binaryTensors(syntax::BinaryOp::Subtract, x, mean(x), inner, span);
          Tensor square =
              binaryTensors(syntax::BinaryOp::Multiply, difference, difference, inner, span);
          Tensor result;
          if (ddof == 0) {
            result = mean(square);
          } else {
            Tensor n =
                binaryTensors(syntax::BinaryOp::Subtract, count(), intLiteral(ddof), place, span);
            result = binaryTensors(syntax::BinaryOp::Divide,
                                   reduce(ReduceKind::Sum, square, binding.filter), n, place, span);
          }
          return make(name == "std" ? mapUnary(ScalarOp::Sqrt, result, place, span) : result);
        }
        if (name == "logsumexp") return make(logSumExpPoints(t, binding, place, span));
        auto v = vector(t);
        if (!v) return poison();
        if (name == "softmax") return make(softmaxAxis(*this, *v, 0, place, span));
        if (name == "cumsum") return make(prefixSum(*v, 0, place, span));
        bool descending = named.count("descending") &&
                          staticBool(named["descending"], span, "`descending`").value_or(false);
        return make(sortAxis(*v, 0, name == "argsort", descending, place, span));
      },
      inner, span);
}

// log(sum(exp(x))), shifted by the largest finite x; -inf over nothing. The shift is a constant to
// gradients.
Tensor Elaborator::logSumExpPoints(const Tensor& t, Binding& binding, const Place& place,
                                   Span span) {
  const Place& inner = binding.place;
  DType type = floatType(t);
  Tensor minusInf = floatLiteral(-std::numeric_limits<double>::infinity());
  Tensor x = stored(cast(t, type, inner), inner);
  if (binding.filter) x = select(*binding.filter, x, minusInf, inner, span);
  boundDependences_ = binding.dependences;
  auto shifted = [&](const Place& here) {
    Tensor largest =
        detach(reducePoints(ReduceKind::Max, x, binding.bound, inner, here, std::nullopt, span),
               here, span);
    Tensor finite = map(ScalarOp::IsFinite, {largest}, type, DType::Bool, here, span);
    Tensor shift = select(finite, largest, floatLiteral(0), here, span);
    Tensor terms =
        map(ScalarOp::Exp, {binaryTensors(syntax::BinaryOp::Subtract, x, shift, inner, span)}, type,
            type, inner, span);
    boundDependences_ = binding.dependences;
    Tensor total =
        reducePoints(ReduceKind::Sum, terms, binding.bound, inner, here, std::nullopt, span);
    return binaryTensors(syntax::BinaryOp::Add, map(ScalarOp::Log, {total}, type, type, here, span),
                         shift, here, span);
  };
  if (dry()) return shifted(place);
  std::vector<Var> dims;
  for (Var var : inner.space->dims)
    if (!contains(binding.bound, var)) dims.push_back(var);
  Set some = inner.space->over(dims);
  Set none = place.space->over(dims).subtract(some);
  if (none.isEmpty()) return shifted(place);
  Place full{place.scope, place.space->narrow(some)};
  Tensor filled =
      some.isEmpty() ? expand(cast(minusInf, type, place), t.shape, place) : shifted(full);
  std::vector<Var> vars(binding.dependences.begin(), binding.dependences.end());
  if (some.isEmpty()) return filled;
  std::vector<Var> ordered = place.space->order(vars);
  Set where = some.projectOnto(ordered);
  return mergeByPoint(
      {{where, filled}, {place.space->over(ordered).subtract(where), cast(minusInf, type, place)}},
      ordered, place, span);
}

// list(e for k in lo..hi): a compile-time list; `k` is a constant in each element.
ValueRef Elaborator::unroll(const Expr& body, const syntax::Comprehension& comprehension, Span span,
                            const Place& place) {
  Tuple result{{}, true};
  bool failed = false;
  std::function<void(size_t, const Place&)> each = [&](size_t level, const Place& here) {
    if (failed) return;
    if (level == comprehension.binders.size()) {
      if (comprehension.filter) {
        auto keep = staticBool(eval(*comprehension.filter, here), comprehension.filter->span,
                               "the filter of a list");
        if (!keep) failed = true;
        if (!keep.value_or(false)) return;
      }
      if (static_cast<int64_t>(result.elements.size()) >= kMaxUnroll / 16) {
        fail(Kind::StaticLimit, span,
             "a list has at most " + std::to_string(kMaxUnroll / 16) + " elements");
        failed = true;
        return;
      }
      DrawPath path(*this, std::to_string(result.elements.size()));
      result.elements.push_back(eval(body, here));
      return;
    }
    const syntax::Binder& binder = comprehension.binders[level];
    if (!binder.range) {
      fail(Kind::BadArguments, binder.name.span,
           "a list's variable has a range: `for k in lo..hi`");
      failed = true;
      return;
    }
    auto lo = staticInt(eval(*binder.range->lo, here), binder.range->lo->span, "a list's bound");
    auto hi = staticInt(eval(*binder.range->hi, here), binder.range->hi->span, "a list's bound");
    if (!lo || !hi) {
      failed = true;
      return;
    }
    for (int64_t k = *lo; k < *hi + (binder.range->inclusive ? 1 : 0) && !failed; ++k) {
      Place next{childOf(here.scope, here.scope->path), here.space};
      next.scope->bind(binder.name.text, make(intLiteral(k)), binder.name.span);
      each(level + 1, next);
    }
  };
  each(0, place);
  return failed ? poison() : make(std::move(result));
}

}  // namespace rlc::sema
