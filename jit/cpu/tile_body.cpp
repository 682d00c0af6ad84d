#include "jit/cpu/tile_body.h"

namespace rlc::cpu {

namespace {

constexpr int64_t kFewestTiled = 4;  // of a reduction worth tiling

void describe(const Block& block, int depth, int64_t trip, TileBody& body) {
  for (const auto& stmt : block) {
    switch (stmt->kind) {
      case Stmt::Kind::Let:
        body.defined.insert(stmt->var);
        break;
      case Stmt::Kind::Declare:
        body.defined.insert(stmt->var);
        body.declared[stmt->var] = depth;
        break;
      case Stmt::Kind::Assign:
        if (body.defined.count(stmt->var) == 0) {
          ++body.carried[stmt->var];
          body.plain &= depth == 0;
        }
        if (const auto found = body.declared.find(stmt->var);
            found != body.declared.end() && depth > found->second) {
          body.accumulators.insert(stmt->var);
          body.longLoop |= trip >= kFewestTiled;
        }
        break;
      case Stmt::Kind::Store:
      case Stmt::Kind::Accumulate:
        body.writes.push_back(stmt.get());
        body.writeInLoop.push_back(depth > 0);
        break;
      case Stmt::Kind::For:
      case Stmt::Kind::If:
        break;
      case Stmt::Kind::Check:
      case Stmt::Kind::Exit:
      case Stmt::Kind::Emit:
        body.plain = false;
        break;
      case Stmt::Kind::Call:
        body.plain &= stmt->function == Stmt::Function::Prefetch;
        break;
    }
    forEachExpr(*stmt, [&](const Expr& e) {
      forEachNode(e, [&](const ExprNode& node) {
        if (node.buffer >= 0) body.reads.insert(node.buffer);
        if (node.kind == ExprNode::Kind::Random) body.plain = false;
        if (node.kind == ExprNode::Kind::Load && depth > 0 && stmt->kind != Stmt::Kind::For)
          body.innerLoads.push_back({node.buffer, node.args[0]});
      });
    });
    int inner = depth;
    int64_t innerTrip = trip;
    if (stmt->kind == Stmt::Kind::For) {
      body.defined.insert(stmt->var);
      body.plain &= stmt->loop != Stmt::Loop::Parallel && !stmt->units;
      // A Lanes loop directly inside is one more dimension of the tile; deeper it is part of the
      // reduction.
      const bool dimension = stmt->loop == Stmt::Loop::Lanes && stmt->reductions.empty();
      if (stmt->loop == Stmt::Loop::Lanes) {
        body.lanes = true;
        body.lanesTrip = tripCount(*stmt).value_or(0);
      }
      if (stmt->loop != Stmt::Loop::Lanes) body.steps.insert(stmt->var);
      if (!dimension) {
        ++inner;
        innerTrip = trip * tripCount(*stmt).value_or(16);
      }
    }
    describe(stmt->body, inner, innerTrip, body);
    describe(stmt->otherwise, inner, innerTrip, body);
  }
}

}  // namespace

TileBody describeBody(const Block& block) {
  TileBody body;
  describe(block, 0, 1, body);
  return body;
}

}  // namespace rlc::cpu
