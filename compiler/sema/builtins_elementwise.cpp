// Element-wise functions; they apply leaf by leaf to records.
#include <cmath>
#include <functional>

#include "compiler/sema/builtins.h"
#include "compiler/sema/fold.h"

namespace rlc::sema {

namespace {

using Tensors = std::vector<Tensor>;

// A built-in of one tensor, and what it gives for it.
void unaryFunction(std::vector<Builtin>& table, const char* name, const char* signature,
                   const char* doc,
                   std::function<Tensor(Elaborator&, CallArgs&, const Tensor&)> compute) {
  std::string function = name;
  table.push_back({function, function + signature, doc, [=](Elaborator& e, CallArgs& call) {
                     Given g(e, call, function, {"x"}, 1);
                     if (!g.ok()) return poison();
                     return e.lift(
                         {g[0]}, [&](const Tensors& t) { return make(compute(e, call, t[0])); },
                         call.place, call.span);
                   }});
}

void floatFunction(std::vector<Builtin>& table, const char* name, ScalarOp op,
                   double (*fold)(double), const char* doc) {
  unaryFunction(
      table, name, "(x: f32[...]) -> f32[...]", doc,
      [=](Elaborator& e, CallArgs& call, const Tensor& x) {
        if (fold && x.params.empty() && x.weak != Weak::No && (x.number || x.constant()))
          return floatLiteral(fold(x.number ? *x.number : static_cast<double>(*x.constant())));
        return e.mapUnary(op, x, call.place, call.span);
      });
}

void testFunction(std::vector<Builtin>& table, const char* name, ScalarOp op, const char* doc) {
  unaryFunction(table, name, "(x: f32[...]) -> bool[...]", doc,
                [=](Elaborator& e, CallArgs& call, const Tensor& x) {
                  return e.map(op, {x}, e.floatType(x), DType::Bool, call.place, call.span);
                });
}

// Rounding leaves integers as they are.
void roundingFunction(std::vector<Builtin>& table, const char* name, ScalarOp op, const char* doc) {
  unaryFunction(table, name, "(x: f32[...]) -> f32[...]", doc,
                [=](Elaborator& e, CallArgs& call, const Tensor& x) {
                  return isFloat(x.type) ? e.mapUnary(op, x, call.place, call.span) : x;
                });
}

void signedFunction(std::vector<Builtin>& table, const char* name, ScalarOp op, const char* doc) {
  unaryFunction(table, name, "(x) -> the type of x", doc,
                [=](Elaborator& e, CallArgs& call, const Tensor& x) {
                  const DType type = x.type == DType::Bool ? DType::I32 : x.type;
                  return e.map(op, {x}, type, type, call.place, call.span);
                });
}

std::optional<ValueRange> rangeOfExtreme(bool isMax, const Tensor& a, const Tensor& b) {
  auto pick = [&](const IndexExpr& x, const IndexExpr& y) {
    return isMax ? IndexExpr::max(x, y) : IndexExpr::min(x, y);
  };
  if (a.range && b.range)
    return ValueRange{pick(a.range->lo, b.range->lo), pick(a.range->hi, b.range->hi)};
  return std::nullopt;
}

Tensor extremeOfTwo(Elaborator& e, bool isMax, const Tensor& a, const Tensor& b, const Place& place,
                    Span span) {
  Tensor folded;
  bool fold = false;
  if (a.index && b.index && a.shape.empty() && b.shape.empty()) {
    folded =
        indexValue(isMax ? IndexExpr::max(*a.index, *b.index) : IndexExpr::min(*a.index, *b.index));
    if (a.weak != Weak::No && b.weak != Weak::No && folded.constant())
      folded = intLiteral(*folded.constant());
    fold = true;
  } else if (a.number && b.number && a.weak != Weak::No && b.weak != Weak::No) {
    folded = floatLiteral(isMax ? maximum(*a.number, *b.number) : minimum(*a.number, *b.number));
    fold = true;
  }
  folded.params = a.params;
  folded.params.insert(b.params.begin(), b.params.end());
  if (fold && folded.params.empty()) return folded;
  DType type = e.common({a, b});
  Tensor result = e.map(isMax ? ScalarOp::Max : ScalarOp::Min, {a, b}, type, type, place, span);
  result.range = rangeOfExtreme(isMax, a, b);
  // One known bound bounds the result on that side; the other side stays open, so that no range is
  // claimed.
  if (fold) {
    result.index = folded.index;
    result.params = folded.params;
  }
  return result;
}

Tensor clipped(Elaborator& e, const Tensor& x, const Tensor& lo, const Tensor& hi,
               const Place& place, Span span) {
  Tensor result =
      extremeOfTwo(e, false, extremeOfTwo(e, true, x, lo, place, span), hi, place, span);
  // clip(j, a, b) lies in a..=b whatever j is, when a <= b; else it is b.
  if (!isFloat(result.type) && lo.index && hi.index) {
    e.useStatically(lo);
    e.useStatically(hi);
    result.range = ValueRange{IndexExpr::min(*lo.index, *hi.index), *hi.index + 1};
    if (x.range) {
      IndexExpr low = IndexExpr::min(IndexExpr::max(x.range->lo, *lo.index), *hi.index);
      IndexExpr high = IndexExpr::min(IndexExpr::max(x.range->hi, *lo.index + 1), *hi.index + 1);
      result.range = ValueRange{low, high};
    }
  }
  return result;
}

}  // namespace

void addElementwise(std::vector<Builtin>& table) {
  auto f = [&](const char* name, ScalarOp op, double (*fold)(double), const char* doc) {
    floatFunction(table, name, op, fold, doc);
  };
  f("exp", ScalarOp::Exp, std::exp, "e to the power of x");
  f("expm1", ScalarOp::Expm1, std::expm1, "exp(x) - 1, accurate near 0");
  f("log", ScalarOp::Log, std::log, "the natural logarithm");
  f("log1p", ScalarOp::Log1p, std::log1p, "log(1 + x), accurate near 0");
  f("sqrt", ScalarOp::Sqrt, std::sqrt, "the square root");
  f("sin", ScalarOp::Sin, std::sin, "the sine");
  f("cos", ScalarOp::Cos, std::cos, "the cosine");
  f("tan", ScalarOp::Tan, std::tan, "the tangent");
  f("asin", ScalarOp::Asin, std::asin, "the inverse sine");
  f("acos", ScalarOp::Acos, std::acos, "the inverse cosine");
  f("atan", ScalarOp::Atan, std::atan, "the inverse tangent");
  f("arcsin", ScalarOp::Asin, std::asin, "the inverse sine");
  f("arccos", ScalarOp::Acos, std::acos, "the inverse cosine");
  f("arctan", ScalarOp::Atan, std::atan, "the inverse tangent");
  f("sinh", ScalarOp::Sinh, std::sinh, "the hyperbolic sine");
  f("cosh", ScalarOp::Cosh, std::cosh, "the hyperbolic cosine");
  f("tanh", ScalarOp::Tanh, std::tanh, "the hyperbolic tangent");
  f("sigmoid", ScalarOp::Sigmoid, nullptr, "1 / (1 + exp(-x))");
  f("softplus", ScalarOp::Softplus, nullptr, "log(1 + exp(x))");
  f("erf", ScalarOp::Erf, std::erf, "the error function");
  f("lgamma", ScalarOp::Lgamma, nullptr,
    "the logarithm of the absolute value of the gamma function");
  f("digamma", ScalarOp::Digamma, nullptr, "the derivative of lgamma");
  testFunction(table, "isnan", ScalarOp::IsNan, "whether x is not a number");
  testFunction(table, "isinf", ScalarOp::IsInf, "whether x is infinite");
  testFunction(table, "isfinite", ScalarOp::IsFinite, "whether x is neither infinite nor NaN");
  roundingFunction(table, "floor", ScalarOp::Floor, "the largest whole number not above x");
  roundingFunction(table, "ceil", ScalarOp::Ceil, "the smallest whole number not below x");
  roundingFunction(table, "round", ScalarOp::Round, "the nearest whole number, halves to even");
  roundingFunction(table, "trunc", ScalarOp::Trunc, "x without its fraction");
  signedFunction(table, "abs", ScalarOp::Abs, "the absolute value");
  signedFunction(table, "sign", ScalarOp::Sign, "-1, 0 or 1");

  table.push_back({"relu", "relu(x) -> the type of x", "max(x, 0); its derivative at 0 is 0",
                   [](Elaborator& e, CallArgs& call) {
                     Given g(e, call, "relu", {"x"}, 1);
                     if (!g.ok()) return poison();
                     return e.lift(
                         {g[0]},
                         [&](const Tensors& t) {
                           Tensor below = e.binaryTensors(syntax::BinaryOp::LessEqual, t[0],
                                                          intLiteral(0), call.place, call.span);
                           return make(e.select(below, e.cast(intLiteral(0), t[0].type, call.place),
                                                t[0], call.place, call.span));
                         },
                         call.place, call.span);
                   }});
  auto binary = [&](const char* name, const char* doc,
                    std::function<ValueRef(Elaborator&, CallArgs&, const Tensors&)> apply) {
    std::string function = name;
    table.push_back({function, function + "(a, b)", doc, [=](Elaborator& e, CallArgs& call) {
                       Given g(e, call, function, {"a", "b"}, 2);
                       if (!g.ok()) return poison();
                       return e.lift(
                           {g[0], g[1]}, [&](const Tensors& t) { return apply(e, call, t); },
                           call.place, call.span);
                     }});
  };
  binary("minimum", "the smaller, element by element; NaN where either is",
         [](Elaborator& e, CallArgs& call, const Tensors& t) {
           return make(extremeOfTwo(e, false, t[0], t[1], call.place, call.span));
         });
  binary("maximum", "the larger, element by element; NaN where either is",
         [](Elaborator& e, CallArgs& call, const Tensors& t) {
           return make(extremeOfTwo(e, true, t[0], t[1], call.place, call.span));
         });
  binary("atan2", "the angle of the point (b, a)",
         [](Elaborator& e, CallArgs& call, const Tensors& t) {
           DType type = e.common(t);
           type = isFloat(type) ? type : DType::F32;
           return make(e.map(ScalarOp::Atan2, t, type, type, call.place, call.span));
         });
  binary("pow", "a ^ b", [](Elaborator& e, CallArgs& call, const Tensors& t) {
    return make(e.binaryTensors(syntax::BinaryOp::Power, t[0], t[1], call.place, call.span));
  });
  table.push_back({"clip", "clip(x, lo, hi)", "x, but not below lo nor above hi",
                   [](Elaborator& e, CallArgs& call) {
                     Given g(e, call, "clip", {"x", "lo", "hi"}, 3);
                     if (!g.ok()) return poison();
                     return e.lift(
                         {g[0], g[1], g[2]},
                         [&](const Tensors& t) {
                           return make(clipped(e, t[0], t[1], t[2], call.place, call.span));
                         },
                         call.place, call.span);
                   }});
  table.push_back({"select", "select(condition: bool[...], a, b)",
                   "a where the condition holds, else b, element by element",
                   [](Elaborator& e, CallArgs& call) {
                     Given g(e, call, "select", {"condition", "a", "b"}, 3);
                     if (!g.ok()) return poison();
                     auto condition = e.boolTensor(g[0], call.place, call.span, "the condition");
                     if (!condition) return poison();
                     return e.lift(
                         {g[1], g[2]},
                         [&](const Tensors& t) {
                           return make(e.select(*condition, t[0], t[1], call.place, call.span));
                         },
                         call.place, call.span);
                   }});
  table.push_back(
      {"detach", "detach(x)", "x, as a constant to gradients", [](Elaborator& e, CallArgs& call) {
         Given g(e, call, "detach", {"x"}, 1);
         if (!g.ok()) return poison();
         return mapLeaves(g[0], [&](const Tensor& t, const std::string&) {
           return isFloat(t.type) && t.view.producer >= 0 ? make(e.detach(t, call.place, call.span))
                                                          : make(t);
         });
       }});
  table.push_back({"grad", "grad(L: f32, θ)", "the total derivative of L with respect to θ",
                   [](Elaborator& e, CallArgs& call) {
                     Given g(e, call, "grad", {"loss", "wrt"}, 2);
                     if (!g.ok()) return poison();
                     return e.gradient(g[0], g[1], call.place, call.span);
                   }});
}

// min and max of several scalars, anywhere; also used by addReductions for one tensor.
ValueRef extremeOf(Elaborator& e, CallArgs& call, bool isMax) {
  ValueRef result;
  for (const CallArgs::Arg& arg : call.args) {
    if (!result) {
      result = arg.value;
      continue;
    }
    result = e.lift(
        {result, arg.value},
        [&](const Tensors& t) {
          return make(extremeOfTwo(e, isMax, t[0], t[1], call.place, call.span));
        },
        call.place, call.span);
  }
  return result ? result
                : e.fail(Kind::BadArguments, call.span,
                         isMax ? "`max` of nothing" : "`min` of nothing");
}

}  // namespace rlc::sema
