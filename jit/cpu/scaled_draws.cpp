#include "jit/cpu/scaled_draws.h"

#include <map>

#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

// The operands of a commutative operation of which one is known, that one first.
std::optional<std::pair<Scalar, const ExprNode*>> withNumber(const ExprNode& e, ScalarOp op) {
  if (e.kind != ExprNode::Kind::Op || e.op != op || e.type != DType::F32) return std::nullopt;
  for (const size_t known : {size_t{0}, size_t{1}})
    if (e.args[known]->kind == ExprNode::Kind::Literal)
      return std::pair{e.args[known]->literal, e.args[1 - known].get()};
  return std::nullopt;
}

class Streams {
 public:
  void visit(const ExprNode& e) {
    const ExprNode* node = &e;
    const auto scaled = scaledDraw(e);
    if (scaled) node = scaled->draw;
    if (node->kind == ExprNode::Kind::Random) take(node->stream, scaled);
    for (const Expr& arg : node->args) visit(*arg);
  }

  std::set<uint64_t> alike() const {
    std::set<uint64_t> result;
    for (const auto& [stream, form] : forms_)
      if (form) result.insert(stream);
    return result;
  }

 private:
  void take(uint64_t stream, const std::optional<ScaledDraw>& scaled) {
    const auto [form, isNew] = forms_.emplace(stream, scaled);
    if (isNew || !form->second) return;
    if (!scaled || !identical(scaled->scale, form->second->scale) ||
        !identical(scaled->shift, form->second->shift))
      form->second = std::nullopt;
  }

  std::map<uint64_t, std::optional<ScaledDraw>> forms_;  // none: of several forms
};

}  // namespace

std::optional<ScaledDraw> scaledDraw(const ExprNode& e) {
  const auto sum = withNumber(e, ScalarOp::Add);
  if (!sum) return std::nullopt;
  const auto product = withNumber(*sum->second, ScalarOp::Mul);
  if (!product || product->second->kind != ExprNode::Kind::Random) return std::nullopt;
  return ScaledDraw{product->second, product->first, sum->first};
}

std::set<uint64_t> scaledStreams(const Program& program) {
  Streams streams;
  forEachStmt(program.body, [&](const Stmt& stmt) {
    forEachExpr(stmt, [&](const Expr& e) { streams.visit(*e); });
  });
  return streams.alike();
}

}  // namespace rlc::cpu
