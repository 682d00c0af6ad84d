// The base draws that the library's distributions are made of. Their shape is that of what is drawn
// (`weight W: f32[m, n] ~ D`), broadcast with their arguments' shapes.
#include <algorithm>

#include "compiler/sema/builtins.h"

namespace rlc::sema {

namespace {

// Shape and float type of a draw: the target's, and the arguments'.
bool target(Elaborator& e, CallArgs& call, const std::vector<IndexExpr>& wanted,
            std::vector<IndexExpr>& shape, DType& type) {
  std::vector<std::vector<IndexExpr>> shapes{wanted};
  std::vector<Tensor> like;
  for (const CallArgs::Arg& arg : call.args) {
    auto t = e.toTensor(arg.value, call.place, arg.span);
    if (!t) return false;
    shapes.push_back(t->shape);
    like.push_back(*t);
  }
  auto both = e.broadcast(shapes, call.place, call.span);
  if (!both) return false;
  shape = *both;
  type = like.empty() ? DType::F32 : e.common(like);
  if (type != DType::F64) type = DType::F32;
  return true;
}

// A draw of a record's shape: each leaf is a draw of its own.
ValueRef leafByLeaf(Elaborator& e, CallArgs& call,
                    const std::function<ValueRef(Elaborator&, CallArgs&)>& draw) {
  auto record = std::find_if(call.args.begin(), call.args.end(), [](const CallArgs::Arg& arg) {
    return arg.value->as<Record>() != nullptr;
  });
  if (record == call.args.end()) return draw(e, call);
  return mapLeaves(record->value, [&](const Tensor& leaf, const std::string& path) {
    Elaborator::DrawPath here(e, path);
    CallArgs own{{{"", make(leaf), record->span}}, call.span, call.place};
    for (const CallArgs::Arg& arg : call.args)
      if (!arg.value->as<Record>()) own.args.push_back(arg);
    return draw(e, own);
  });
}

}  // namespace

void addRandom(std::vector<Builtin>& table) {
  for (auto [name, kind, doc] :
       {std::tuple{"standard_uniform", pdg::DrawKind::Uniform01,
                   "a draw from [0, 1), of the shape and type of its arguments"},
        std::tuple{"standard_normal", pdg::DrawKind::StandardNormal,
                   "a draw from the standard normal distribution, of the shape and type of its "
                   "arguments"}}) {
    std::string function = name;
    pdg::DrawKind op = kind;
    auto one = [=](Elaborator& e, CallArgs& call) -> ValueRef {
      std::vector<IndexExpr> shape;
      DType type = DType::F32;
      if (!target(e, call, e.targetShape_, shape, type)) return poison();
      return make(e.draw(op, type, shape, {}, call.place, call.span));
    };
    table.push_back({function, function + "(like, ...)", doc,
                     [=](Elaborator& e, CallArgs& call) { return leafByLeaf(e, call, one); }});
  }
  table.push_back({"standard_gamma", "standard_gamma(shape: f32)",
                   "a draw from the gamma distribution of this shape, with scale 1",
                   [](Elaborator& e, CallArgs& call) {
                     std::vector<IndexExpr> shape;
                     DType type = DType::F32;
                     if (!target(e, call, e.targetShape_, shape, type)) return poison();
                     Given g(e, call, "standard_gamma", {"shape"}, 1);
                     if (!g.ok()) return poison();
                     auto a = g.tensor(0);
                     if (!a) return poison();
                     Tensor wide =
                         e.expand(e.stored(e.cast(*a, DType::F32, call.place), call.place), shape,
                                  call.place);
                     return make(e.draw(pdg::DrawKind::StandardGamma, DType::F32, shape,
                                        {wide.view}, call.place, call.span));
                   }});
  table.push_back(
      {"uniform_int", "uniform_int(lo: i32, hi: i32)", "a draw from lo..hi",
       [](Elaborator& e, CallArgs& call) {
         std::vector<IndexExpr> shape;
         DType type = DType::F32;
         Given g(e, call, "uniform_int", {"lo", "hi"}, 2);
         if (!g.ok() || !target(e, call, e.targetShape_, shape, type)) return poison();
         auto lo = g.tensor(0), hi = g.tensor(1);
         if (!lo || !hi) return poison();
         if (isFloat(lo->type) || isFloat(hi->type))
           return e.fail(Kind::TypeMismatch, call.span,
                         "the bounds of a draw of integers are integers");
         const Written suspect{call.args[1].written, call.place.scope};
         if (lo->index && hi->index)
           if (const auto size = (*hi->index - *lo->index).asConstant(); size && *size <= 0) {
             e.report(Diagnostic(Kind::BadArguments, call.span,
                                 "a draw from the empty range " + e.show(*lo->index) + ".." +
                                     e.show(*hi->index)),
                      suspect);
             return poison();
           }
         std::vector<View> bounds;
         for (const Tensor& t : {*lo, *hi})
           bounds.push_back(
               e.expand(e.stored(e.cast(t, DType::I32, call.place), call.place), shape, call.place)
                   .view);
         Tensor result = e.draw(pdg::DrawKind::UniformInt, DType::I32, shape, bounds, call.place,
                                e.inProgram(call.span, suspect));
         if (lo->index && hi->index && lo->params.empty() && hi->params.empty())
           result.range = ValueRange{*lo->index, *hi->index};
         else if (lo->index && hi->index) {
           e.useStatically(*lo);
           e.useStatically(*hi);
           result.range = ValueRange{*lo->index, *hi->index};
         } else if (lo->range && hi->range) {
           result.range = ValueRange{lo->range->lo, hi->range->hi - 1};
         }
         return make(result);
       }});
  table.push_back(
      {"categorical", "categorical(logits: f32[..., n])",
       "a draw of a class, by its unnormalized log-probability", [](Elaborator& e, CallArgs& call) {
         Given g(e, call, "categorical", {"logits"}, 1);
         if (!g.ok()) return poison();
         auto logits = g.tensor(0);
         if (!logits) return poison();
         if (logits->shape.empty())
           return e.fail(Kind::ShapeMismatch, call.span,
                         "the logits of a draw are a vector, not " + e.show(make(*logits)));
         auto n = logits->shape.back().asConstant();
         if (!n || *n < 1)
           return e.fail(Kind::NotStatic, call.span,
                         "the number of classes is a positive constant");
         DType type = logits->type == DType::F64 ? DType::F64 : DType::F32;
         std::vector<IndexExpr> shape(logits->shape.begin(), logits->shape.end() - 1);
         Tensor stored = e.stored(e.cast(*logits, type, call.place), call.place);
         auto both = e.broadcast({shape, e.targetShape_}, call.place, call.span);
         if (!both) return poison();
         std::vector<IndexExpr> full = *both;
         full.push_back(IndexExpr(*n));
         Tensor wide = e.expand(stored, full, call.place);
         Var category = e.freshDim("class", call.span, 0, IndexExpr(*n), true);
         View view = wide.view.substitute(
             {{Var::element(static_cast<int>(both->size())), IndexExpr(category)}});
         Tensor result = e.draw(pdg::DrawKind::Categorical, DType::I32, *both, {view}, call.place,
                                call.span, category, *n);
         result.range = ValueRange{0, *n};
         return make(result);
       }});
  table.push_back({"permutation", "permutation(n)", "a random order of 0..n: i32[n]",
                   [](Elaborator& e, CallArgs& call) {
                     Given g(e, call, "permutation", {"n"}, 1);
                     if (!g.ok()) return poison();
                     auto n = g.integer(0, 1);
                     if (!n) return poison();
                     if (*n < 0)
                       return e.fail(Kind::BadArguments, call.span,
                                     "the length of a permutation is not negative");
                     Tensor result = e.draw(pdg::DrawKind::Permutation, DType::I32, {IndexExpr(*n)},
                                            {}, call.place, call.span);
                     result.range = ValueRange{0, *n};
                     return make(result);
                   }});
  table.push_back({"target_shape", "target_shape()",
                   "in `sample`: the shape of what is drawn, a list", [](Elaborator& e, CallArgs&) {
                     Tuple list{{}, true};
                     for (const IndexExpr& extent : e.targetShape_)
                       list.elements.push_back(make(indexValue(extent)));
                     return make(std::move(list));
                   }});
  table.push_back({"reparam", "reparam(d)",
                   "a draw from d that gradients pass through, for `a ~ reparam(d)`",
                   [](Elaborator& e, CallArgs& call) {
                     Given g(e, call, "reparam", {"d"}, 1);
                     if (!g.ok()) return poison();
                     ++e.draws;
                     return e.sample(g[0], e.targetShape_, true, call.place, call.span);
                   }});
}

}  // namespace rlc::sema
