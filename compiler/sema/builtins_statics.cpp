// Compile-time functions: lengths, bounds of indices.
#include <limits>
#include <numbers>

#include "compiler/sema/builtins.h"

namespace rlc::sema {

namespace {

// Of `a and b`, which does not hold, the one that does not.
const Expr* falsePart(Elaborator& e, const Expr* condition, const Place& place) {
  const auto* both = condition ? condition->as<syntax::BinaryExpr>() : nullptr;
  if (!both || both->op != syntax::BinaryOp::And) return condition;
  const ValueRef left = e.eval(*both->left, place);
  const bool first = left->as<Tensor>() && left->as<Tensor>()->constantBool() == false;
  return falsePart(e, first ? both->left.get() : both->right.get(), place);
}

bool isFloatTensor(const ValueRef& value) {
  const Tensor* tensor = value->as<Tensor>();
  return tensor && isFloat(tensor->type);
}

}  // namespace

void addStatics(std::vector<Builtin>& table) {
  table.push_back({"len", "len(x)", "how many elements a list, or the first axis of a tensor, has",
                   [](Elaborator& e, CallArgs& call) {
                     Given g(e, call, "len", {"x"}, 1);
                     if (!g.ok()) return poison();
                     if (const Tuple* tuple = g[0]->as<Tuple>())
                       return make(intLiteral(static_cast<int64_t>(tuple->elements.size())));
                     auto t = g.tensor(0);
                     if (!t) return poison();
                     if (t->shape.empty())
                       return e.fail(Kind::TypeMismatch, call.span, "a scalar has no length");
                     return make(indexValue(t->shape[0]));
                   }});
  table.push_back(
      {"shape", "shape(x)", "the extents of a tensor, a list", [](Elaborator& e, CallArgs& call) {
         Given g(e, call, "shape", {"x"}, 1);
         if (!g.ok()) return poison();
         auto t = g.tensor(0);
         if (!t) return poison();
         Tuple list{{}, true};
         for (const IndexExpr& extent : t->shape) list.elements.push_back(make(indexValue(extent)));
         return make(std::move(list));
       }});
  table.push_back({"leaves", "leaves(x)", "the tensors of a record, tuple or list, as a list",
                   [](Elaborator& e, CallArgs& call) {
                     Given g(e, call, "leaves", {"x"}, 1);
                     if (!g.ok()) return poison();
                     Tuple list{{}, true};
                     forEachTensor(g[0], [&](const Tensor& leaf, const std::string&) {
                       list.elements.push_back(make(leaf));
                     });
                     return make(std::move(list));
                   }});
  table.push_back(
      {"require", "require(x, condition, message: string, hint: string)",
       "x, where the condition holds; else an error with this message and this way out, at compile "
       "time where it is known then",
       [](Elaborator& e, CallArgs& call) {
         Given g(e, call, "require", {"x", "condition", "message", "hint"}, 3);
         if (!g.ok()) return poison();
         for (size_t k = 2; k < 4; ++k)
           if (g.has(k) && !g[k]->as<Text>())
             return e.fail(Kind::TypeMismatch, call.args[k].span,
                           "the message and the hint are strings, not " + e.show(g[k]));
         const std::string words = "it is required that " + g[2]->as<Text>()->text;
         const std::string hint = g.has(3) ? g[3]->as<Text>()->text : "";
         const auto condition =
             e.boolTensor(g[1], call.place, call.args[1].span, "what is required");
         if (!condition) return poison();
         if (!condition->shape.empty())
           return e.fail(Kind::ShapeMismatch, call.args[1].span,
                         "what is required is one bool, not " + e.show(g[1]), "say `all(...)`");
         Written suspect{call.args[1].written, call.place.scope};
         const auto holds = condition->constantBool();
         // What holds for a param's value is asked again where the program runs with another one,
         // but of an integer, which shapes and domains may be made of.
         if (!holds || (*holds && !condition->params.empty() && isFloatTensor(g[0])))
           return e.required(g[0], *condition, {words, hint}, call.place,
                             e.inProgram(call.span, suspect));
         e.useStatically(*condition);
         if (*holds) return g[0];
         suspect.expr = falsePart(e, suspect.expr, call.place);
         const std::string compared =
             suspect.expr ? e.comparedIn(*suspect.expr, call.place) : std::string();
         e.report(Diagnostic(Kind::BadArguments, call.span,
                             compared.empty() ? words : words + "; " + compared)
                      .hint(hint),
                  suspect);
         return poison();
       }});
  for (const char* name : {"begin", "end"})
    table.push_back(
        {name, std::string(name) + "(t)",
         name[0] == 'b' ? "the first point of an index" : "the point after the last of an index",
         [=](Elaborator& e, CallArgs& call) {
           return e.fail(Kind::BadArguments, call.span,
                         std::string("`") + name + "` takes the name of an index");
         }});
  table.push_back({"list", "list(e for k in lo..hi)",
                   "a compile-time list; k is a constant in each element",
                   [](Elaborator&, CallArgs& call) {
                     Tuple list{{}, true};
                     for (const CallArgs::Arg& arg : call.args) list.elements.push_back(arg.value);
                     return make(std::move(list));
                   }});
}

}  // namespace rlc::sema
