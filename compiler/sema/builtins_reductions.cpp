// Reductions of tensors along axes, and what is composed of them.
#include <algorithm>
#include <limits>

#include "compiler/sema/builtins.h"

namespace rlc::sema {

using pdg::ReduceKind;
using syntax::BinaryOp;

ValueRef extremeOf(Elaborator& e, CallArgs& call, bool isMax);

Tensor meanAxis(Elaborator& e, const Tensor& a, int axis, bool keep, const Place& place,
                Span span) {
  Tensor x = e.cast(a, e.floatType(a), place);
  IndexExpr n = a.shape[static_cast<size_t>(axis)];
  if (n.asConstant() == 0)
    e.fail(Kind::EmptyReduction, span, "the mean of no elements has no value");
  Tensor total = e.reduceAxis(ReduceKind::Sum, x, axis, keep, place, span);
  return e.binaryTensors(BinaryOp::Divide, total, e.cast(indexValue(n), x.type, place), place,
                         span);
}

Tensor varianceAxis(Elaborator& e, const Tensor& a, int axis, int64_t ddof, bool keep,
                    const Place& place, Span span) {
  Tensor x = e.cast(a, e.floatType(a), place);
  Tensor d =
      e.binaryTensors(BinaryOp::Subtract, x, meanAxis(e, x, axis, true, place, span), place, span);
  Tensor square = e.binaryTensors(BinaryOp::Multiply, d, d, place, span);
  if (ddof == 0) return meanAxis(e, square, axis, keep, place, span);
  Tensor total = e.reduceAxis(ReduceKind::Sum, square, axis, keep, place, span);
  return e.binaryTensors(
      BinaryOp::Divide, total,
      e.cast(indexValue(a.shape[static_cast<size_t>(axis)] - ddof), x.type, place), place, span);
}

namespace {

// The largest finite element along the axis, as a constant to gradients; 0 where there is none.
Tensor shiftOf(Elaborator& e, const Tensor& x, int axis, const Place& place, Span span) {
  Tensor largest = e.detach(e.reduceAxis(ReduceKind::Max, x, axis, true, place, span), place, span);
  Tensor finite = e.map(ScalarOp::IsFinite, {largest}, x.type, DType::Bool, place, span);
  return e.select(finite, largest, floatLiteral(0), place, span);
}

}  // namespace

Tensor logSumExpAxis(Elaborator& e, const Tensor& a, int axis, bool keep, const Place& place,
                     Span span) {
  Tensor x = e.cast(a, e.floatType(a), place);
  if (a.shape[static_cast<size_t>(axis)].asConstant() == 0) {
    std::vector<IndexExpr> shape = a.shape;
    if (keep)
      shape[static_cast<size_t>(axis)] = 1;
    else
      shape.erase(shape.begin() + axis);
    return e.expand(e.cast(floatLiteral(-std::numeric_limits<double>::infinity()), x.type, place),
                    shape, place);
  }
  Tensor shift = shiftOf(e, x, axis, place, span);
  Tensor terms = e.mapUnary(
      ScalarOp::Exp, e.binaryTensors(BinaryOp::Subtract, x, shift, place, span), place, span);
  Tensor logs = e.mapUnary(
      ScalarOp::Log, e.reduceAxis(ReduceKind::Sum, terms, axis, true, place, span), place, span);
  Tensor result = e.binaryTensors(BinaryOp::Add, logs, shift, place, span);
  return keep ? result : e.reduceAxis(ReduceKind::Sum, result, axis, false, place, span);
}

Tensor softmaxAxis(Elaborator& e, const Tensor& a, int axis, const Place& place, Span span) {
  Tensor x = e.cast(a, e.floatType(a), place);
  Tensor shift = shiftOf(e, x, axis, place, span);
  Tensor terms = e.mapUnary(
      ScalarOp::Exp, e.binaryTensors(BinaryOp::Subtract, x, shift, place, span), place, span);
  return e.binaryTensors(BinaryOp::Divide, terms,
                         e.reduceAxis(ReduceKind::Sum, terms, axis, true, place, span), place,
                         span);
}

namespace {

using Along =
    std::function<Tensor(Elaborator&, const Tensor&, int axis, bool keep, const Place&, Span)>;

// The sum of a list of constant numbers is one, too; null: it is data.
ValueRef constantSum(Elaborator& e, const ValueRef& x, const Place& place, Span span) {
  const Tuple* list = x->as<Tuple>();
  if (!list || list->elements.empty()) return nullptr;
  ValueRef total;
  for (const ValueRef& element : list->elements) {
    const Tensor* number = element->as<Tensor>();
    if (!number || !(number->number || number->constant())) return nullptr;
    total = total ? e.binary(BinaryOp::Add, total, element, place, span) : element;
  }
  return total;
}

// f(x, axis, keepdims): one axis, several, or all elements.
ValueRef reduceBy(Elaborator& e, CallArgs& call, const std::string& name, const Along& along,
                  bool flatten) {
  Given g(e, call, name, {"x", "axis", "keepdims"}, 1);
  if (!g.ok()) return poison();
  auto keep = g.flag(2, false);
  if (!keep) return poison();
  const Tensor* axis = g.has(1) ? g[1]->as<Tensor>() : nullptr;
  if (name == "sum" && !*keep && (!g.has(1) || (axis && axis->constant() == -1)))
    if (ValueRef total = constantSum(e, g[0], call.place, call.span)) return total;
  return e.lift(
      {g[0]},
      [&](const std::vector<Tensor>& operands) -> ValueRef {
        Tensor t = operands[0];
        std::vector<int64_t> axes;
        if (g.has(1)) {
          auto given = e.staticInts(g[1], call.span, "`axis`");
          if (!given) return poison();
          for (int64_t axis : *given) {
            int64_t at = e.axisOf(t, axis, call.span);
            if (at < 0) return poison();
            axes.push_back(at);
          }
        } else {
          if (flatten && t.shape.size() > 1) {
            CallArgs all{{{"", make(t), call.span}}, call.span, call.place};
            ValueRef flat =
                e.call(e.evalName("flatten", call.span, Place{e.builtinScope(), call.place.space}),
                       std::move(all.args), call.span, call.place);
            if (!flat->as<Tensor>()) return flat;
            t = *flat->as<Tensor>();
          }
          for (size_t i = 0; i < t.shape.size(); ++i) axes.push_back(static_cast<int64_t>(i));
        }
        std::sort(axes.rbegin(), axes.rend());
        if (axes.empty()) {  // a scalar is its own reduction
          Tensor one = t;
          one.shape = {IndexExpr(1)};
          one.view = e.data(t, call.place);
          one.index.reset();
          one.number.reset();
          one.condition.reset();
          one.function.reset();
          return make(along(e, one, 0, false, call.place, call.span));
        }
        for (int64_t axis : axes)
          t = along(e, t, static_cast<int>(axis), *keep, call.place, call.span);
        return make(t);
      },
      call.place, call.span);
}

Along reduction(ReduceKind kind) {
  return [kind](Elaborator& e, const Tensor& t, int axis, bool keep, const Place& place,
                Span span) { return e.reduceAxis(kind, t, axis, keep, place, span); };
}

// f(x, axis = -1): the shape stays.
void addAlong(std::vector<Builtin>& table, const char* name, const char* doc,
              std::function<Tensor(Elaborator&, const Tensor&, int, bool, CallArgs&)> apply,
              bool flag = false) {
  std::string function = name;
  table.push_back({function,
                   function + (flag ? "(x, axis = -1, descending = false)" : "(x, axis = -1)"), doc,
                   [=](Elaborator& e, CallArgs& call) {
                     std::vector<std::string> names{"x", "axis"};
                     if (flag) names.push_back("descending");
                     Given g(e, call, function, names, 1);
                     if (!g.ok()) return poison();
                     auto axis = g.integer(1, -1);
                     auto descending = flag ? g.flag(2, false) : std::optional<bool>(false);
                     if (!axis || !descending) return poison();
                     return e.lift(
                         {g[0]},
                         [&](const std::vector<Tensor>& t) -> ValueRef {
                           int64_t at = e.axisOf(t[0], *axis, call.span);
                           if (at < 0) return poison();
                           return make(apply(e, t[0], static_cast<int>(at), *descending, call));
                         },
                         call.place, call.span);
                   }});
}

}  // namespace

void addReductions(std::vector<Builtin>& table) {
  auto plain = [&](const char* name, ReduceKind kind, const char* doc, bool flatten = false) {
    std::string function = name;
    table.push_back(
        {function, function + "(e for k in lo..hi), " + function + "(x, axis, keepdims = false)",
         doc, [=](Elaborator& e, CallArgs& call) {
           bool extreme = kind == ReduceKind::Max || kind == ReduceKind::Min;
           size_t positional = 0;
           for (const auto& arg : call.args) positional += arg.name.empty();
           if (extreme && positional > 1) return extremeOf(e, call, kind == ReduceKind::Max);
           if (kind == ReduceKind::All || kind == ReduceKind::Any)
             for (const auto& arg : call.args) {
               const Tensor* t = arg.value->as<Tensor>();
               if (!t || !arg.name.empty()) continue;
               if (t->type != DType::Bool)
                 return e.fail(Kind::TypeMismatch, arg.span,
                               "`" + function + "` takes bools, not " + e.show(arg.value));
               if (t->constantBool()) return arg.value;
             }
           return reduceBy(e, call, function, reduction(kind), flatten);
         }});
  };
  plain("sum", ReduceKind::Sum, "the sum; of bools, how many hold; 0 of nothing");
  plain("prod", ReduceKind::Prod, "the product; 1 of nothing");
  plain("max", ReduceKind::Max, "the largest; also max(a, b, ...) of scalars");
  plain("min", ReduceKind::Min, "the smallest; also min(a, b, ...) of scalars");
  plain("any", ReduceKind::Any, "whether one holds");
  plain("all", ReduceKind::All, "whether all hold");
  plain("argmax", ReduceKind::ArgMax,
        "where the largest is: the value of k, or the position; the first on ties", true);
  plain("argmin", ReduceKind::ArgMin,
        "where the smallest is: the value of k, or the position; the first on ties", true);
  table.push_back(
      {"mean", "mean(e for k in lo..hi), mean(x, axis, keepdims = false)", "the mean",
       [](Elaborator& e, CallArgs& call) { return reduceBy(e, call, "mean", meanAxis, false); }});
  table.push_back({"logsumexp",
                   "logsumexp(e for k in lo..hi), logsumexp(x, axis, keepdims = false)",
                   "log(sum(exp(x))), without overflow", [](Elaborator& e, CallArgs& call) {
                     return reduceBy(e, call, "logsumexp", logSumExpAxis, true);
                   }});
  for (bool root : {false, true}) {
    std::string function = root ? "std" : "var";
    table.push_back(
        {function, function + "(e for k in lo..hi), " + function + "(x, axis, ddof = 0)",
         root ? "the standard deviation" : "the variance; divides by n - ddof",
         [=](Elaborator& e, CallArgs& call) {
           int64_t ddof = 0;
           for (size_t i = 0; i < call.args.size(); ++i)
             if (call.args[i].name == "ddof") {
               auto given = e.staticInt(call.args[i].value, call.args[i].span, "`ddof`");
               if (!given) return poison();
               ddof = *given;
               call.args.erase(call.args.begin() + static_cast<std::ptrdiff_t>(i));
               break;
             }
           ValueRef result = reduceBy(
               e, call, function,
               [ddof](Elaborator& el, const Tensor& t, int axis, bool keep, const Place& p,
                      Span s) { return varianceAxis(el, t, axis, ddof, keep, p, s); },
               true);
           if (!root) return result;
           return e.lift(
               {result},
               [&](const std::vector<Tensor>& t) {
                 return make(e.mapUnary(ScalarOp::Sqrt, t[0], call.place, call.span));
               },
               call.place, call.span);
         }});
  }
  addAlong(table, "softmax", "exp(x) / sum(exp(x)) along an axis",
           [](Elaborator& e, const Tensor& t, int axis, bool, CallArgs& call) {
             return softmaxAxis(e, t, axis, call.place, call.span);
           });
  addAlong(table, "log_softmax", "log(softmax(x)) along an axis",
           [](Elaborator& e, const Tensor& t, int axis, bool, CallArgs& call) {
             Tensor x = e.cast(t, e.floatType(t), call.place);
             return e.binaryTensors(BinaryOp::Subtract, x,
                                    logSumExpAxis(e, x, axis, true, call.place, call.span),
                                    call.place, call.span);
           });
  addAlong(table, "cumsum", "the running sum along an axis",
           [](Elaborator& e, const Tensor& t, int axis, bool, CallArgs& call) {
             return e.prefixSum(t, axis, call.place, call.span);
           });
  addAlong(
      table, "sort", "the elements in order; stable",
      [](Elaborator& e, const Tensor& t, int axis, bool descending, CallArgs& call) {
        return e.sortAxis(t, axis, false, descending, call.place, call.span);
      },
      true);
  addAlong(
      table, "argsort", "the positions that sort the elements; stable",
      [](Elaborator& e, const Tensor& t, int axis, bool descending, CallArgs& call) {
        return e.sortAxis(t, axis, true, descending, call.place, call.span);
      },
      true);
  table.push_back(
      {"norm", "norm(x, axis)", "the Euclidean norm", [](Elaborator& e, CallArgs& call) {
         ValueRef result = reduceBy(
             e, call, "norm",
             [](Elaborator& el, const Tensor& t, int axis, bool keep, const Place& p, Span s) {
               Tensor x = el.cast(t, el.floatType(t), p);
               Tensor square = el.binaryTensors(BinaryOp::Multiply, x, x, p, s);
               return el.mapUnary(ScalarOp::Sqrt,
                                  el.reduceAxis(ReduceKind::Sum, square, axis, keep, p, s), p, s);
             },
             true);
         return result;
       }});
  table.push_back({"dot", "dot(a, b)", "the inner product of vectors; of matrices, `@`",
                   [](Elaborator& e, CallArgs& call) {
                     Given g(e, call, "dot", {"a", "b"}, 2);
                     if (!g.ok()) return poison();
                     auto a = g.tensor(0), b = g.tensor(1);
                     if (!a || !b) return poison();
                     if (a->shape.empty() || b->shape.empty())
                       return make(
                           e.binaryTensors(BinaryOp::Multiply, *a, *b, call.place, call.span));
                     return make(e.matmul(*a, *b, call.place, call.span));
                   }});
}

}  // namespace rlc::sema
