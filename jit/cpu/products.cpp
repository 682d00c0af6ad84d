#include "jit/cpu/products.h"

#include <cstdlib>
#include <optional>

#include "jit/cpu/rewrite.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

constexpr int64_t kFewestSummed = 16;  // of a sum; shorter ones are not worth adding up lanes

class ProductRunner {
 public:
  explicit ProductRunner(Program& program) : program_(program) {}

  void visit(Block& block) {
    for (size_t i = 0; i < block.size(); ++i) {
      Stmt& stmt = *block[i];
      if (stmt.kind == Stmt::Kind::For && stmt.loop == Stmt::Loop::Lanes) {
        const auto product = match(stmt);
        if (!product) continue;
        auto [sums, rest] = split(stmt, *product);
        sums->root = stmt.root;
        sums->region = rest->region = stmt.region;
        block[i] = std::move(sums);
        block.insert(block.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(rest));
        ++i;
        continue;
      }
      visit(stmt.body);
      visit(stmt.otherwise);
    }
  }

 private:
  struct Product {
    size_t loop = 0;  // the sum's loop in the body; before it only lets and declarations
    VarId sum = -1;
    DType type = DType::F32;
    int64_t rows = 0;
  };

  std::optional<Product> match(const Stmt& lanes) const {
    Product product;
    const auto rows = tripCount(lanes);
    if (!rows || *rows < 2 || !lanes.reductions.empty()) return std::nullopt;
    product.rows = *rows;
    std::optional<size_t> at;
    for (size_t k = 0; k < lanes.body.size(); ++k) {
      const Stmt& stmt = *lanes.body[k];
      switch (stmt.kind) {
        case Stmt::Kind::For:
          if (at) return std::nullopt;
          at = k;
          break;
        case Stmt::Kind::Let:
        case Stmt::Kind::Declare:
          break;
        case Stmt::Kind::Store:
          if (!at) return std::nullopt;
          break;
        default:
          return std::nullopt;
      }
    }
    if (!at) return std::nullopt;
    product.loop = *at;
    const Stmt& steps = *lanes.body[*at];
    if (steps.loop != Stmt::Loop::Sequential || steps.descending ||
        tripCount(steps).value_or(0) < kFewestSummed)
      return std::nullopt;
    if (steps.body.empty() || steps.body.back()->kind != Stmt::Kind::Assign) return std::nullopt;
    for (size_t k = 0; k + 1 < steps.body.size(); ++k)
      if (steps.body[k]->kind != Stmt::Kind::Let) return std::nullopt;
    const Stmt& add = *steps.body.back();
    product.sum = add.var;
    product.type = add.type;
    if (!addsTo(add) || !declaredBefore(lanes, product) || !readsRows(lanes, steps))
      return std::nullopt;
    return product;
  }

  // sum = fma(a, b, sum) or sum + a, and `sum` nowhere else.
  static bool addsTo(const Stmt& add) {
    const Expr& value = add.value;
    const bool fused = value->kind == ExprNode::Kind::Fma,
               plain = value->kind == ExprNode::Kind::Op && value->op == ScalarOp::Add;
    if ((!fused && !plain) || (value->type != DType::F32 && value->type != DType::F64))
      return false;
    const size_t place = fused ? 2 : 0;
    const auto isSum = [&](const Expr& e) {
      return e->kind == ExprNode::Kind::Variable && e->var == add.var;
    };
    if (!isSum(value->args[place])) return false;
    for (size_t k = 0; k < value->args.size(); ++k)
      if (k != place && mentions(value->args[k], add.var)) return false;
    return true;
  }

  static bool declaredBefore(const Stmt& lanes, const Product& product) {
    int declared = 0;
    for (size_t k = 0; k < product.loop; ++k) {
      const Stmt& stmt = *lanes.body[k];
      if (stmt.kind != Stmt::Kind::Declare) continue;
      if (stmt.var != product.sum || stmt.type != product.type) return false;
      ++declared;
    }
    return declared == 1;
  }

  // Lanes over the rows gather, and lanes over the steps would not. What is stored behind the sum
  // must not be read by it: the sums of all rows come first.
  bool readsRows(const Stmt& lanes, const Stmt& steps) const {
    if (mentions(steps.lo, lanes.var)) return false;
    bool gathers = false, fits = true;
    const auto look = [&](const Expr& e, bool inSum) {
      forEachNode(e, [&](const ExprNode& node) {
        fits &= node.kind != ExprNode::Kind::Random;
        if (node.kind != ExprNode::Kind::Load) return;
        for (const StmtPtr& later : lanes.body)
          if (later->kind == Stmt::Kind::Store)
            fits &= !mayOverlap(program_, node.buffer, later->buffer);
        if (!inSum) return;
        const auto linear =
            linearIn(node.args[0], [&](VarId var) { return var == lanes.var || var == steps.var; });
        if (!linear) return void(fits = false);
        const auto coefficient = [&](VarId var) {
          const auto found = linear->coefficients.find(var);
          return found == linear->coefficients.end() ? int64_t{0} : found->second;
        };
        const int64_t row = coefficient(lanes.var), step = coefficient(steps.var);
        fits &= step == 0 || step == 1;
        fits &= row == 0 || std::abs(row) > 1;
        gathers |= row != 0 && step == 1;
      });
    };
    for (const StmtPtr& stmt : steps.body) look(stmt->value, true);
    for (const StmtPtr& stmt : lanes.body)
      if (stmt->kind == Stmt::Kind::Let || stmt->kind == Stmt::Kind::Declare)
        look(stmt->value, false);
    return gathers && fits;
  }

  std::pair<StmtPtr, StmtPtr> split(const Stmt& lanes, const Product& product) {
    Buffer buffer;
    buffer.name = "sums";
    buffer.kind = Buffer::Kind::Private;
    buffer.type = product.type;
    buffer.elements = product.rows;
    const auto sums = static_cast<BufferId>(program_.buffers.size());
    program_.buffers.push_back(std::move(buffer));
    return {sumLoop(lanes, product, sums), restLoop(lanes, product, sums)};
  }

  StmtPtr head(const Stmt& lanes, Renaming& renaming) {
    StmtPtr loop = copyHead(lanes, renaming);
    loop->root = -1;
    loop->rootLoop = false;
    loop->var = program_.variables++;
    renaming.replace(lanes.var, loops::variable(loop->var, DType::I64));
    return loop;
  }

  StmtPtr sumLoop(const Stmt& lanes, const Product& product, BufferId sums) {
    Renaming renaming;
    StmtPtr loop = head(lanes, renaming);
    loop->loop = Stmt::Loop::Sequential;
    for (size_t k = 0; k <= product.loop; ++k)
      loop->body.push_back(copyStmt(*lanes.body[k], renaming, program_.variables));
    Stmt& steps = *loop->body.back();
    steps.loop = Stmt::Loop::Lanes;
    const VarId sum = renaming.local(product.sum);
    steps.reductions.push_back({-1, sum, loops::Combine::Sum});
    auto keep = std::make_unique<Stmt>();
    keep->kind = Stmt::Kind::Store;
    keep->span = lanes.span;
    keep->buffer = sums;
    keep->index = loops::variable(loop->var, DType::I64) - loop->lo;
    keep->value = loops::variable(sum, product.type);
    loop->body.push_back(std::move(keep));
    return loop;
  }

  StmtPtr restLoop(const Stmt& lanes, const Product& product, BufferId sums) {
    Renaming renaming;
    StmtPtr loop = head(lanes, renaming);
    auto value = std::make_unique<Stmt>();
    value->kind = Stmt::Kind::Let;
    value->span = lanes.span;
    value->var = program_.variables++;
    value->type = product.type;
    value->value =
        loops::load(sums, product.type, loops::variable(loop->var, DType::I64) - loop->lo);
    renaming.replace(product.sum, loops::variable(value->var, product.type));
    loop->body.push_back(std::move(value));
    for (size_t k = 0; k < lanes.body.size(); ++k)
      if (k != product.loop && lanes.body[k]->kind != Stmt::Kind::Declare)
        loop->body.push_back(copyStmt(*lanes.body[k], renaming, program_.variables));
    return loop;
  }

  Program& program_;
};

}  // namespace

void runProductsAlongRows(Program& program) { ProductRunner(program).visit(program.body); }

}  // namespace rlc::cpu
