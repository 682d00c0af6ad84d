#include "jit/cpu/lane_products.h"

#include <algorithm>
#include <vector>

#include "jit/cpu/rewrite.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

constexpr double kGoodPart = 0.25;
constexpr int64_t kUnknownSteps = 16;

class Counter {
 public:
  Counter(const Program& program, VarId lane) : program_(program), lane_(lane) {}

  void visit(const Block& block, double times, bool inLoop) {
    for (const StmtPtr& stmt : block) {
      if (stmt->kind == Stmt::Kind::Assign && inLoop) count(stmt->value, times);
      if (stmt->kind == Stmt::Kind::For) {
        const int64_t trip = middleTrip(*stmt, middles_).value_or(kUnknownSteps);
        loops_.push_back(stmt->var);
        visit(stmt->body, times * static_cast<double>(trip), true);
        loops_.pop_back();
      } else {
        visit(stmt->body, times, inLoop);
        visit(stmt->otherwise, times, inLoop);
      }
    }
  }

  bool isGoodPart() const { return products_ > 0 && products_ >= kGoodPart * all_; }

 private:
  void count(const Expr& value, double times) {
    std::vector<Expr> own, shared;
    forEachNode(value, [&](const ExprNode& node) {
      if (node.kind != ExprNode::Kind::Load) return;
      const Expr& index = node.args[0];
      (isOwn(node.buffer, index) ? own : shared).push_back(index);
    });
    if (own.empty() && shared.empty()) return;
    all_ += times;
    if (shared.empty() && serveSeveral(own)) products_ += times;
  }

  bool isOwn(BufferId buffer, const Expr& index) const {
    return mentions(index, lane_) ||
           program_.buffers[static_cast<size_t>(buffer)].kind == Buffer::Kind::Private;
  }

  // Whether each is the same in all iterations of a loop in which another is not.
  bool serveSeveral(const std::vector<Expr>& loads) const {
    return loads.size() > 1 && std::all_of(loads.begin(), loads.end(), [&](const Expr& load) {
             return std::any_of(loops_.begin(), loops_.end(), [&](VarId loop) {
               return !mentions(load, loop) &&
                      std::any_of(loads.begin(), loads.end(),
                                  [&](const Expr& other) { return mentions(other, loop); });
             });
           });
  }

  const Program& program_;
  VarId lane_;
  std::vector<VarId> loops_;  // around what is looked at
  Ranges middles_;
  double products_ = 0, all_ = 0;
};

}  // namespace

bool multipliesLanes(const Program& program, const Stmt& lanes) {
  Counter counter(program, lanes.var);
  counter.visit(lanes.body, 1.0, false);
  return counter.isGoodPart();
}

}  // namespace rlc::cpu
