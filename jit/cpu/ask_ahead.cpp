#include "jit/cpu/ask_ahead.h"

#include <algorithm>

#include "jit/cpu/rewrite.h"

namespace rlc::cpu {

namespace {

constexpr int64_t kNear = 256 << 10;  // bytes that are in the caches anyway
constexpr int64_t kAsked = 16;        // samples of a statement

class Gathers {
 public:
  Gathers(const Program& program, const Stmt& lanes, const std::set<BufferId>& written)
      : program_(program), lanes_(lanes), written_(written) {
    forEachStmt(lanes.body, [&](const Stmt& stmt) {
      if (binds(stmt)) own_.insert(stmt.var);
    });
  }

  // The first elements of the rows, each once, by the number of the sample.
  std::vector<Expr> find() {
    visit(lanes_.body);
    return std::move(found_);
  }

 private:
  // What is read in any case: elsewhere a place may be one that there is not, and asking for it
  // reads the array that tells it.
  void visit(const Block& block) {
    for (const StmtPtr& stmt : block) {
      if (stmt->kind == Stmt::Kind::Let) known_.replace(stmt->var, known_(stmt->value));
      if (stmt->kind == Stmt::Kind::For) known_.replace(stmt->var, stmt->lo);
      forEachExpr(*stmt, [&](const Expr& e) {
        forEachNode(known_(e), [&](const ExprNode& node) {
          if (node.kind == ExprNode::Kind::Load) note(node);
        });
      });
      if (stmt->kind == Stmt::Kind::For && tripCount(*stmt).value_or(0) > 0) visit(stmt->body);
    }
  }

  void note(const ExprNode& load) {
    const Buffer& buffer = program_.buffers[static_cast<size_t>(load.buffer)];
    if (buffer.kind != Buffer::Kind::Arena || bytesOf(buffer) < kNear) return;
    const Expr row = withoutConstant(load.args[0]);
    if (!isGather(row)) return;
    const bool before = std::any_of(found_.begin(), found_.end(), [&](const Expr& other) {
      return other->buffer == load.buffer && sameExpr(other->args[0], row);
    });
    if (!before) found_.push_back(loops::load(load.buffer, load.type, row));
  }

  // Whether another array tells the place, one that stays, and nothing else of the sample does.
  bool isGather(const Expr& row) const {
    bool gathers = false, known = true;
    forEachNode(row, [&](const ExprNode& node) {
      known &= node.kind != ExprNode::Kind::Random &&
               !(node.kind == ExprNode::Kind::Variable && own_.contains(node.var));
      if (node.kind != ExprNode::Kind::Load) return;
      gathers |= mentions(node.args[0], lanes_.var);
      known &= !isPlaced(program_.buffers[static_cast<size_t>(node.buffer)]) &&
               std::none_of(written_.begin(), written_.end(), [&](BufferId other) {
                 return mayOverlap(program_, node.buffer, other);
               });
      forEachNode(node.args[0],
                  [&](const ExprNode& inner) { known &= inner.kind != ExprNode::Kind::Load; });
    });
    return gathers && known;
  }

  // Elements of a row share a line of the cache, or its neighbour.
  static Expr withoutConstant(const Expr& e) {
    if (e->kind != ExprNode::Kind::Op || e->op != ScalarOp::Add) return e;
    Expr sum;
    for (const Expr& arg : e->args) {
      const Expr part = withoutConstant(arg);
      if (part->kind != ExprNode::Kind::Literal) sum = sum ? sum + part : part;
    }
    return sum ? sum : e;
  }

  const Program& program_;
  const Stmt& lanes_;
  const std::set<BufferId>& written_;
  std::set<VarId> own_;  // locals of a sample
  Renaming known_;       // lets, and loops' variables where they begin
  std::vector<Expr> found_;
};

}  // namespace

Block askAhead(Program& program, const Stmt& lanes, const Expr& next, int64_t count,
               const std::set<BufferId>& written) {
  Block result;
  const std::vector<Expr> rows = Gathers(program, lanes, written).find();
  if (rows.empty()) return result;
  for (int64_t first = 0; first < count; first += kAsked) {
    StmtPtr loop = makeLoop(lanes, Stmt::Loop::Lanes, program.variables++, loops::index(first),
                            loops::index(std::min(count, first + kAsked)));
    Renaming ahead;
    ahead.replace(lanes.var, next + loops::variable(loop->var, DType::I64));
    StmtPtr ask = makeStmt(lanes, Stmt::Kind::Call);
    ask->function = Stmt::Function::Prefetch;
    for (const Expr& row : rows) ask->places.push_back({row->buffer, ahead(row->args[0])});
    loop->body.push_back(std::move(ask));
    result.push_back(std::move(loop));
  }
  return result;
}

Block interleaved(Block statements, Block others) {
  Block result;
  size_t next = 0;
  for (size_t i = 0; i < statements.size(); ++i) {
    for (; next * statements.size() < (i + 1) * others.size(); ++next)
      result.push_back(std::move(others[next]));
    result.push_back(std::move(statements[i]));
  }
  return result;
}

}  // namespace rlc::cpu
