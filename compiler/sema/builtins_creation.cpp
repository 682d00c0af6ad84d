// Tensors from nothing: zeros, ranges, one-hot vectors.
#include <algorithm>

#include "compiler/sema/builtins.h"
#include "compiler/types/lists.h"

namespace rlc::sema {

namespace {

std::optional<std::vector<IndexExpr>> shapeFrom(Elaborator& e, CallArgs& call, size_t first) {
  std::vector<IndexExpr> shape;
  for (size_t i = first; i < call.args.size(); ++i) {
    std::vector<ValueRef> parts{call.args[i].value};
    if (const Tuple* tuple = call.args[i].value->as<Tuple>()) parts = tuple->elements;
    for (const ValueRef& part : parts) {
      const auto extent = e.extent(part, call.args[i].span);
      if (!extent) return std::nullopt;
      shape.push_back(*extent);
    }
  }
  return shape;
}

Tensor filled(Elaborator& e, const Tensor& value, const std::vector<IndexExpr>& shape,
              const Place& place) {
  return e.expand(e.stored(e.cast(value, value.type, place), place), shape, place);
}

// An integer vector of positions, affine in them.
Tensor positions(Elaborator& e, const IndexExpr& expr, std::vector<IndexExpr> shape,
                 const Place& place, Span span) {
  std::vector<Var> vars;
  expr.collectVariables(vars);
  for (const IndexExpr& extent : shape) extent.collectVariables(vars);
  Node node;
  node.span = span;
  std::vector<Var> dims;
  for (Var var : vars)
    if (!var.isElement() && !contains(dims, var)) dims.push_back(var);
  node.dims = place.space->order(dims);
  if (!e.dry()) node.domain = place.space->over(node.dims);
  node.type = DType::I32;
  node.shape = shape;
  node.op = pdg::IndexValue{expr};
  dims = node.dims;
  return e.identity(e.addNode(std::move(node)), dims, DType::I32, shape);
}

}  // namespace

void addCreation(std::vector<Builtin>& table) {
  for (int one : {0, 1}) {
    std::string name = one ? "ones" : "zeros";
    table.push_back(
        {name, name + "(d0, d1, ...)", one ? "ones" : "zeros", [=](Elaborator& e, CallArgs& call) {
           auto shape = shapeFrom(e, call, 0);
           return shape ? make(filled(e, floatLiteral(one), *shape, call.place)) : poison();
         }});
    std::string like = name + "_like";
    table.push_back(
        {like, like + "(x)", "of the shape and the type of x", [=](Elaborator& e, CallArgs& call) {
           Given g(e, call, like, {"x"}, 1);
           if (!g.ok()) return poison();
           return mapLeaves(g[0], [&](const Tensor& t, const std::string&) {
             return make(
                 filled(e, e.cast(intLiteral(one), t.type, call.place), t.shape, call.place));
           });
         }});
  }
  table.push_back({"full", "full([d0, ...], value)", "a tensor of equal elements",
                   [](Elaborator& e, CallArgs& call) {
                     Given g(e, call, "full", {"shape", "value"}, 2);
                     if (!g.ok()) return poison();
                     CallArgs only{{{"", g[0], call.span}}, call.span, call.place};
                     auto shape = shapeFrom(e, only, 0);
                     auto value = g.tensor(1);
                     return shape && value ? make(filled(e, *value, *shape, call.place)) : poison();
                   }});
  table.push_back(
      {"arange", "arange(n), arange(lo, hi, step = 1)", "lo, lo + step, ... below hi; integers",
       [](Elaborator& e, CallArgs& call) {
         Given g(e, call, "arange", {"lo", "hi", "step"}, 1);
         if (!g.ok()) return poison();
         auto first = e.affine(g[0], call.span, "a bound of `arange`");
         auto step = g.integer(2, 1);
         if (!first || !step) return poison();
         IndexExpr lo = 0, hi = *first;
         if (g.has(1)) {
           auto second = e.affine(g[1], call.span, "a bound of `arange`");
           if (!second) return poison();
           lo = *first;
           hi = *second;
         }
         if (*step == 0)
           return e.fail(Kind::BadArguments, call.span, "the step of `arange` is not 0");
         IndexExpr length = *step > 0 ? IndexExpr::floorDiv(hi - lo + *step - 1, *step)
                                      : IndexExpr::floorDiv(lo - hi - *step - 1, -*step);
         length = IndexExpr::max(length, 0);
         Tensor result =
             positions(e, lo + IndexExpr(Var::element(0)) * *step, {length}, call.place, call.span);
         if (*step > 0) result.range = ValueRange{lo, IndexExpr::max(hi, lo + 1)};
         return make(result);
       }});
  table.push_back(
      {"linspace", "linspace(a, b, n)", "n numbers from a to b, both included",
       [](Elaborator& e, CallArgs& call) {
         Given g(e, call, "linspace", {"a", "b", "n"}, 3);
         if (!g.ok()) return poison();
         auto a = g.tensor(0), b = g.tensor(1);
         auto n = g.integer(2, 2);
         if (!a || !b || !n) return poison();
         if (*n < 1)
           return e.fail(Kind::BadArguments, call.span, "`linspace` has at least one number");
         Tensor k =
             positions(e, IndexExpr(Var::element(0)), {IndexExpr(*n)}, call.place, call.span);
         using syntax::BinaryOp;
         Tensor width = e.binaryTensors(BinaryOp::Subtract, *b, *a, call.place, call.span);
         Tensor step =
             e.binaryTensors(BinaryOp::Divide, width, intLiteral(std::max<int64_t>(*n - 1, 1)),
                             call.place, call.span);
         Tensor offset = e.binaryTensors(BinaryOp::Multiply, k, step, call.place, call.span);
         return make(e.binaryTensors(BinaryOp::Add, *a, offset, call.place, call.span));
       }});
  table.push_back({"eye", "eye(n)", "the identity matrix", [](Elaborator& e, CallArgs& call) {
                     Given g(e, call, "eye", {"n", "m"}, 1);
                     if (!g.ok()) return poison();
                     auto n = g.integer(0, 1);
                     auto m = g.integer(1, n.value_or(1));
                     if (!n || !m) return poison();
                     std::vector<IndexExpr> shape{IndexExpr(*n), IndexExpr(*m)};
                     Tensor difference =
                         positions(e, IndexExpr(Var::element(0)) - IndexExpr(Var::element(1)),
                                   shape, call.place, call.span);
                     Tensor same = e.map(ScalarOp::Eq, {difference, intLiteral(0)}, DType::I32,
                                         DType::Bool, call.place, call.span);
                     return make(e.cast(same, DType::F32, call.place));
                   }});
  table.push_back({"one_hot", "one_hot(i: i32, n)", "1 at position i, else 0; f32[n]",
                   [](Elaborator& e, CallArgs& call) {
                     Given g(e, call, "one_hot", {"i", "n"}, 2);
                     if (!g.ok()) return poison();
                     auto i = g.tensor(0);
                     auto n = g.integer(1, 1);
                     if (!i || !n) return poison();
                     if (isFloat(i->type))
                       return e.fail(Kind::TypeMismatch, call.span,
                                     "`one_hot` takes integers, not " + e.show(make(*i)));
                     std::vector<IndexExpr> shape = i->shape;
                     shape.push_back(IndexExpr(*n));
                     Tensor k =
                         positions(e, IndexExpr(Var::element(static_cast<int>(i->shape.size()))),
                                   shape, call.place, call.span);
                     Tensor wide = *i;
                     wide.view = e.data(*i, DType::I32, call.place);
                     wide.type = DType::I32;
                     wide.shape.push_back(IndexExpr(1));
                     Tensor same = e.map(ScalarOp::Eq, {wide, k}, DType::I32, DType::Bool,
                                         call.place, call.span);
                     return make(e.cast(same, DType::F32, call.place));
                   }});
  for (bool lower : {false, true}) {
    std::string name = lower ? "tril" : "triu";
    table.push_back(
        {name, name + "(x)", lower ? "zero above the diagonal" : "zero below the diagonal",
         [=](Elaborator& e, CallArgs& call) {
           Given g(e, call, name, {"x"}, 1);
           if (!g.ok()) return poison();
           auto x = g.tensor(0);
           if (!x) return poison();
           int rank = static_cast<int>(x->shape.size());
           if (rank < 2)
             return e.fail(Kind::ShapeMismatch, call.span,
                           "`" + name + "` takes a matrix, not " + e.show(make(*x)));
           IndexExpr row{Var::element(rank - 2)}, column{Var::element(rank - 1)};
           Tensor d =
               positions(e, lower ? row - column : column - row, x->shape, call.place, call.span);
           Tensor keep = e.map(ScalarOp::Le, {intLiteral(0), d}, DType::I32, DType::Bool,
                               call.place, call.span);
           return make(e.select(keep, *x, e.cast(intLiteral(0), x->type, call.place), call.place,
                                call.span));
         }});
  }
}

}  // namespace rlc::sema
