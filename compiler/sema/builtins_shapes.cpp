// Shapes: nearly all of these are other ways to access the same elements.
#include <algorithm>

#include "compiler/sema/builtins.h"

namespace rlc::sema {

namespace {

using Tensors = std::vector<Tensor>;

std::optional<std::vector<int64_t>> constantShape(Elaborator& e, const Tensor& t, Span span,
                                                  const std::string& what) {
  std::vector<int64_t> shape;
  for (const IndexExpr& extent : t.shape) {
    auto c = extent.asConstant();
    if (!c) {
      e.fail(Kind::NotStatic, span, what + " takes a tensor of constant shape");
      return std::nullopt;
    }
    shape.push_back(*c);
  }
  return shape;
}

// A tensor of another shape, whose element positions are expressions of the new ones.
Tensor viewed(Elaborator& e, const Tensor& t, std::vector<IndexExpr> shape,
              const std::map<Var, IndexExpr>& positions, const Place& place) {
  Tensor result;
  result.type = t.type;
  result.shape = std::move(shape);
  result.view = e.data(t, place).substitute(positions);
  result.range = t.range;
  return result;
}

ValueRef reshaped(Elaborator& e, const Tensor& t, std::vector<int64_t> shape, const Place& place,
                  Span span) {
  auto old = constantShape(e, t, span, "`reshape`");
  if (!old) return poison();
  int64_t total = 1, known = 1;
  for (int64_t extent : *old) total *= extent;
  int wild = -1;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == -1 && wild < 0)
      wild = static_cast<int>(i);
    else
      known *= shape[i];
  }
  if (wild >= 0 && known != 0)
    shape[static_cast<size_t>(wild)] = total / known, known *= shape[static_cast<size_t>(wild)];
  if (known != total || std::any_of(shape.begin(), shape.end(), [](int64_t s) { return s < 0; }))
    return e.fail(Kind::ShapeMismatch, span,
                  e.show(make(t)) + " has " + std::to_string(total) +
                      " elements; the new shape has " + std::to_string(known));
  IndexExpr linear = 0;
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    linear = linear + IndexExpr(Var::element(static_cast<int>(i))) * stride;
    stride *= shape[i];
  }
  std::map<Var, IndexExpr> positions;
  stride = 1;
  for (size_t i = old->size(); i-- > 0;) {
    int64_t extent = (*old)[i];
    IndexExpr at = IndexExpr::floorDiv(linear, stride);
    if (i > 0) at = IndexExpr::mod(at, std::max<int64_t>(extent, 1));
    positions[Var::element(static_cast<int>(i))] = extent == 1 ? IndexExpr(0) : at;
    stride *= std::max<int64_t>(extent, 1);
  }
  std::vector<IndexExpr> result(shape.begin(), shape.end());
  return make(viewed(e, t, std::move(result), positions, place));
}

ValueRef permuted(Elaborator& e, const Tensor& t, const std::vector<int64_t>& axes,
                  const Place& place) {
  std::vector<IndexExpr> shape;
  std::map<Var, IndexExpr> positions;
  for (size_t i = 0; i < axes.size(); ++i) {
    shape.push_back(t.shape[static_cast<size_t>(axes[i])]);
    positions[Var::element(static_cast<int>(axes[i]))] =
        IndexExpr(Var::element(static_cast<int>(i)));
  }
  return make(viewed(e, t, std::move(shape), positions, place));
}

using Apply = std::function<ValueRef(Elaborator&, const Tensor&, Given&, CallArgs&)>;

void unary(std::vector<Builtin>& table, const char* name, const char* signature, const char* doc,
           std::vector<std::string> names, size_t required, Apply apply) {
  std::string function = name;
  table.push_back({function, signature, doc, [=](Elaborator& e, CallArgs& call) {
                     Given g(e, call, function, names, required);
                     if (!g.ok()) return poison();
                     return e.lift(
                         {g[0]}, [&](const Tensors& t) { return apply(e, t[0], g, call); },
                         call.place, call.span);
                   }});
}

}  // namespace

void addShapes(std::vector<Builtin>& table) {
  table.push_back(
      {"reshape", "reshape(x, [d0, d1, ...])",
       "the same elements in another shape; -1: whatever remains",
       [](Elaborator& e, CallArgs& call) {
         if (call.args.empty())
           return e.fail(Kind::BadArguments, call.span, "the argument `x` of `reshape` is missing");
         std::vector<int64_t> shape;
         for (size_t i = 1; i < call.args.size(); ++i) {
           auto some = e.staticInts(call.args[i].value, call.args[i].span, "a shape");
           if (!some) return poison();
           shape.insert(shape.end(), some->begin(), some->end());
         }
         return e.lift(
             {call.args[0].value},
             [&](const Tensors& t) { return reshaped(e, t[0], shape, call.place, call.span); },
             call.place, call.span);
       }});
  for (const char* name : {"flatten", "ravel"})
    unary(table, name, "flatten(x)", "all elements along one axis", {"x"}, 1,
          [](Elaborator& e, const Tensor& t, Given&, CallArgs& call) {
            return reshaped(e, t, {-1}, call.place, call.span);
          });
  unary(table, "transpose", "transpose(x, axes)",
        "the axes in reverse order, or in the order given", {"x", "axes"}, 1,
        [](Elaborator& e, const Tensor& t, Given& g, CallArgs& call) -> ValueRef {
          std::vector<int64_t> axes;
          if (g.has(1)) {
            auto given = e.staticInts(g[1], call.span, "`axes`");
            if (!given) return poison();
            for (int64_t axis : *given) {
              int64_t at = e.axisOf(t, axis, call.span);
              if (at < 0) return poison();
              axes.push_back(at);
            }
            std::set<int64_t> distinct(axes.begin(), axes.end());
            if (axes.size() != t.shape.size() || distinct.size() != axes.size())
              return e.fail(Kind::BadArguments, call.span, "`axes` names each axis once");
          } else {
            for (size_t i = t.shape.size(); i-- > 0;) axes.push_back(static_cast<int64_t>(i));
          }
          return permuted(e, t, axes, call.place);
        });
  unary(table, "swapaxes", "swapaxes(x, a, b)", "two axes exchanged", {"x", "a", "b"}, 3,
        [](Elaborator& e, const Tensor& t, Given& g, CallArgs& call) -> ValueRef {
          auto a = g.integer(1, 0), b = g.integer(2, 0);
          if (!a || !b) return poison();
          int64_t first = e.axisOf(t, *a, call.span), second = e.axisOf(t, *b, call.span);
          if (first < 0 || second < 0) return poison();
          std::vector<int64_t> axes(t.shape.size());
          for (size_t i = 0; i < axes.size(); ++i) axes[i] = static_cast<int64_t>(i);
          std::swap(axes[static_cast<size_t>(first)], axes[static_cast<size_t>(second)]);
          return permuted(e, t, axes, call.place);
        });
  unary(table, "expand_dims", "expand_dims(x, axis)", "a new axis of extent 1", {"x", "axis"}, 2,
        [](Elaborator& e, const Tensor& t, Given& g, CallArgs& call) -> ValueRef {
          auto axis = g.integer(1, 0);
          if (!axis) return poison();
          int64_t rank = static_cast<int64_t>(t.shape.size()),
                  at = *axis < 0 ? *axis + rank + 1 : *axis;
          if (at < 0 || at > rank)
            return e.fail(Kind::ElementOutOfRange, call.span,
                          "axis " + std::to_string(*axis) + " does not exist");
          std::vector<IndexExpr> shape = t.shape;
          shape.insert(shape.begin() + at, IndexExpr(1));
          std::map<Var, IndexExpr> positions;
          for (int i = static_cast<int>(at); i < rank; ++i)
            positions[Var::element(i)] = IndexExpr(Var::element(i + 1));
          return make(viewed(e, t, std::move(shape), positions, call.place));
        });
  unary(table, "squeeze", "squeeze(x, axis)", "without axes of extent 1", {"x", "axis"}, 1,
        [](Elaborator& e, const Tensor& t, Given& g, CallArgs& call) -> ValueRef {
          auto axis = g.integer(1, 0);
          if (!axis) return poison();
          int64_t only = g.has(1) ? e.axisOf(t, *axis, call.span) : -1;
          if (g.has(1) && only < 0) return poison();
          std::vector<IndexExpr> shape;
          std::map<Var, IndexExpr> positions;
          for (int i = 0; i < static_cast<int>(t.shape.size()); ++i) {
            bool drop =
                t.shape[static_cast<size_t>(i)].asConstant() == 1 && (!g.has(1) || only == i);
            positions[Var::element(i)] =
                drop ? IndexExpr(0) : IndexExpr(Var::element(static_cast<int>(shape.size())));
            if (!drop) shape.push_back(t.shape[static_cast<size_t>(i)]);
          }
          return make(viewed(e, t, std::move(shape), positions, call.place));
        });
  unary(table, "broadcast_to", "broadcast_to(x, [d0, ...])", "repeated along axes of extent 1",
        {"x", "shape"}, 2,
        [](Elaborator& e, const Tensor& t, Given& g, CallArgs& call) -> ValueRef {
          auto shape = e.staticInts(g[1], call.span, "a shape");
          if (!shape) return poison();
          std::vector<IndexExpr> want(shape->begin(), shape->end());
          auto both = e.broadcast({t.shape, want}, call.place, call.span);
          if (!both) return poison();
          if (*both != want)
            return e.fail(Kind::ShapeMismatch, call.span,
                          e.show(make(t)) + " can't be broadcast to this shape");
          return make(e.expand(t, want, call.place));
        });
  unary(table, "flip", "flip(x, axis = -1)", "the elements in reverse order along an axis",
        {"x", "axis"}, 1, [](Elaborator& e, const Tensor& t, Given& g, CallArgs& call) -> ValueRef {
          auto axis = g.integer(1, -1);
          if (!axis) return poison();
          int64_t at = e.axisOf(t, *axis, call.span);
          if (at < 0) return poison();
          Var own = Var::element(static_cast<int>(at));
          return make(viewed(e, t, t.shape,
                             {{own, t.shape[static_cast<size_t>(at)] - 1 - IndexExpr(own)}},
                             call.place));
        });
  unary(table, "take", "take(x, i, axis = 0)", "the elements at the positions i along an axis",
        {"x", "i", "axis"}, 2,
        [](Elaborator& e, const Tensor& t, Given& g, CallArgs& call) -> ValueRef {
          auto axis = g.integer(2, 0);
          auto i = g.tensor(1);
          if (!axis || !i) return poison();
          int64_t at = e.axisOf(t, *axis, call.span);
          if (at < 0) return poison();
          std::vector<Slot> slots(t.shape.size());
          std::vector<Var> vars;
          for (size_t k = 0; k < t.shape.size(); ++k)
            vars.push_back(Var::element(static_cast<int>(k)));
          Slot slot{Slot::Kind::Gather, {}, {}, *i, call.span};
          if (i->index && i->shape.empty()) {
            slot.kind = Slot::Kind::Fixed;
            slot.at = *i->index;
            e.useStatically(*i);
            e.checkElement(slot.at, t.shape[static_cast<size_t>(at)], slot, call.place);
          } else if (!isInteger(i->type)) {
            return e.fail(Kind::TypeMismatch, call.span,
                          "positions are integers, not " + e.show(make(*i)));
          }
          slots[static_cast<size_t>(at)] = slot;
          return make(e.applySlots(t, vars, slots, true, call.place));
        });
  table.push_back({"take_last", "take_last(x: f32[..., n], i: i32[...])",
                   "x[..., i] at each position of the axes before the last",
                   [](Elaborator& e, CallArgs& call) -> ValueRef {
                     Given g(e, call, "take_last", {"x", "i"}, 2);
                     if (!g.ok()) return poison();
                     auto x = g.tensor(0), i = g.tensor(1);
                     if (!x || !i) return poison();
                     if (x->shape.empty() || isFloat(i->type))
                       return e.fail(Kind::TypeMismatch, call.span,
                                     "`take_last` takes a tensor and integer positions");
                     if (i->index && i->shape.empty()) {
                       Slot slot{Slot::Kind::Fixed, *i->index, {}, {}, {}};
                       slot.span = e.inProgram(call.span, {call.args[1].written, call.place.scope});
                       e.checkElement(slot.at, x->shape.back(), slot, call.place);
                     }
                     std::vector<IndexExpr> before(x->shape.begin(), x->shape.end() - 1);
                     auto shape = e.broadcast({before, i->shape}, call.place, call.span);
                     if (!shape) return poison();
                     std::vector<IndexExpr> whole = *shape;
                     whole.push_back(x->shape.back());
                     Tensor wide = e.expand(*x, whole, call.place);
                     Tensor positions = e.expand(e.stored(*i, call.place), *shape, call.place);
                     return make(e.gatherLast(wide, positions, call.place));
                   }});
  for (bool joins : {false, true}) {
    std::string function = joins ? "concat" : "stack";
    table.push_back(
        {function, function + "([a, b, ...], axis = -1)",
         joins ? "end to end along an axis" : "side by side along a new axis",
         [=](Elaborator& e, CallArgs& call) -> ValueRef {
           std::map<std::string, ValueRef> named;
           auto parts = partsOf(e, call, named);
           if (!parts) return poison();
           int64_t axis = -1;
           if (named.count("axis")) {
             auto given = e.staticInt(named["axis"], call.span, "`axis`");
             if (!given) return poison();
             axis = *given;
           }
           bool lists =
               joins && std::all_of(parts->begin(), parts->end(), [](const ValueRef& v) {
                 const Tuple* list = v->as<Tuple>();
                 return list && list->list &&
                        std::none_of(list->elements.begin(), list->elements.end(),
                                     [](const ValueRef& e) { return e->as<Tuple>() != nullptr; });
               });
           if (lists) {
             Tuple all{{}, true};
             for (const ValueRef& v : *parts)
               all.elements.insert(all.elements.end(), v->as<Tuple>()->elements.begin(),
                                   v->as<Tuple>()->elements.end());
             return make(std::move(all));
           }
           // Leaf by leaf; each part is a leaf of the same place.
           return e.lift(
               *parts,
               [&](const Tensors& t) -> ValueRef {
                 if (!joins) {
                   int64_t rank = static_cast<int64_t>(t[0].shape.size()),
                           at = axis < 0 ? axis + rank + 1 : axis;
                   if (at < 0 || at > rank)
                     return e.fail(Kind::ElementOutOfRange, call.span,
                                   "axis " + std::to_string(axis) + " does not exist");
                   return make(e.stack(t, static_cast<int>(at), call.place, call.span));
                 }
                 int64_t at = e.axisOf(t[0], axis, call.span);
                 return at < 0
                            ? poison()
                            : make(e.concatenate(t, static_cast<int>(at), call.place, call.span));
               },
               call.place, call.span);
         }});
  }
}

}  // namespace rlc::sema
