#include "jit/gpu/flatten.h"

#include <algorithm>

#include "jit/cpu/rewrite.h"
#include "jit/cpu/walk.h"

namespace rlc::gpu {

using loops::Block;
using loops::Buffer;
using loops::Expr;
using loops::Program;
using loops::Stmt;
using loops::StmtPtr;

namespace {

constexpr int64_t kFewestElements = 16;  // of a nest that is worth a division for each of its axes

class Flattening {
 public:
  explicit Flattening(Program& program) : program_(program) {}

  Block block(const Block& source) {
    Block result;
    for (const auto& stmt : source) result.push_back(statement(*stmt));
    return result;
  }

 private:
  StmtPtr statement(const Stmt& stmt) {
    const std::vector<const Stmt*> axes = nestOf(stmt);
    if (!axes.empty()) return flattened(axes);
    StmtPtr result = cpu::copyHead(stmt, same_);
    const bool lanes = stmt.kind == Stmt::Kind::For &&
                       (stmt.loop == Stmt::Loop::Lanes ||
                        (stmt.loop == Stmt::Loop::Parallel && !hasLanes(stmt.body)));
    lanesDepth_ += lanes;
    result->body = block(stmt.body);
    result->otherwise = block(stmt.otherwise);
    lanesDepth_ -= lanes;
    return result;
  }

  // The loops of a nest whose iterations may run in any order, outermost first; none where it is
  // not worth it.
  std::vector<const Stmt*> nestOf(const Stmt& outermost) const {
    if (lanesDepth_ > 0) return {};
    std::vector<const Stmt*> axes;
    int64_t count = 1;
    for (const Stmt* axis = &outermost; isAxis(*axis); axis = axis->body.front().get()) {
      axes.push_back(axis);
      count *= *cpu::tripCount(*axis);
      if (axis->loop == Stmt::Loop::Lanes || axis->body.size() != 1) break;
    }
    if (axes.empty() || count < kFewestElements) return {};
    const bool lanes = axes.back()->loop == Stmt::Loop::Lanes;
    if (lanes && axes.size() == 1) return {};
    return lanes || standsAlone(axes.back()->body) ? axes : std::vector<const Stmt*>{};
  }

  static bool isAxis(const Stmt& stmt) {
    if (stmt.kind != Stmt::Kind::For || stmt.descending || !cpu::constantOf(stmt.lo) ||
        !cpu::tripCount(stmt) || stmt.root >= 0)
      return false;
    return stmt.loop == Stmt::Loop::Lanes ? stmt.reductions.empty() : stmt.elements;
  }

  static bool hasLanes(const Block& body) {
    bool lanes = false;
    cpu::forEachStmt(body, [&](const Stmt& s) {
      lanes |= s.kind == Stmt::Kind::For && s.loop != Stmt::Loop::Sequential;
    });
    return lanes;
  }

  // What a lane can run by itself.
  bool standsAlone(const Block& body) const {
    bool alone = !hasLanes(body);
    const auto use = [&](loops::BufferId id) {
      alone &= id < 0 || program_.buffers[static_cast<size_t>(id)].kind != Buffer::Kind::Private;
    };
    cpu::forEachStmt(body, [&](const Stmt& s) {
      alone &=
          s.kind != Stmt::Kind::Call && s.kind != Stmt::Kind::Emit && s.kind != Stmt::Kind::Exit;
      use(s.buffer);
      cpu::forEachExpr(s, [&](const Expr& e) {
        cpu::forEachNode(e, [&](const loops::ExprNode& node) { use(node.buffer); });
      });
    });
    return alone;
  }

  StmtPtr flattened(const std::vector<const Stmt*>& axes) {
    StmtPtr loop = cpu::copyHead(*axes.front(), same_);
    loop->loop = Stmt::Loop::Lanes;
    loop->elements = false;
    loop->comment = axes.back()->comment;
    loop->var = program_.variables++;
    int64_t stride = 1;
    for (size_t k = axes.size(); k-- > 0;) {
      const int64_t trip = *cpu::tripCount(*axes[k]);
      const Expr rest =
          stride == 1 ? loops::variable(loop->var, DType::I64)
                      : loops::op(ScalarOp::FloorDiv,
                                  {loops::variable(loop->var, DType::I64), loops::index(stride)});
      auto own = std::make_unique<Stmt>();
      own->kind = Stmt::Kind::Let;
      own->span = axes[k]->span;
      own->var = axes[k]->var;
      own->type = DType::I64;
      own->value = (k == 0 ? rest : loops::op(ScalarOp::Mod, {rest, loops::index(trip)})) +
                   loops::index(*cpu::constantOf(axes[k]->lo));
      loop->body.insert(loop->body.begin(), std::move(own));
      stride *= trip;
    }
    loop->lo = loops::index(0);
    loop->hi = loops::index(stride);
    ++lanesDepth_;
    for (StmtPtr& stmt : block(axes.back()->body)) loop->body.push_back(std::move(stmt));
    --lanesDepth_;
    return loop;
  }

  Program& program_;
  cpu::Renaming same_;
  int lanesDepth_ = 0;
};

}  // namespace

Program flattenElements(const Program& program) {
  Program result = cpu::copyHead(program);
  result.body = Flattening(result).block(program.body);
  return result;
}

}  // namespace rlc::gpu
