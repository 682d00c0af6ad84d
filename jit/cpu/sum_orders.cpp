#include "jit/cpu/sum_orders.h"

#include <map>

#include "compiler/loops/printer.h"
#include "jit/cpu/plan.h"
#include "jit/cpu/rewrite.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

class Orders {
 public:
  Orders(const Program& program, const Plan& plan) : program_(program), plan_(plan) {}

  SumOrders find() {
    visit(program_.body);
    return std::move(result_);
  }

 private:
  void visit(const Block& block) {
    for (const auto& stmt : block) {
      if (stmt->kind == Stmt::Kind::Accumulate) add(*stmt);
      if (stmt->kind == Stmt::Kind::Declare && stmt->value->kind == ExprNode::Kind::Load)
        carried_[stmt->var] = stmt->value->buffer;
      if (isCarried(*stmt)) add(*stmt);
      if (stmt->kind != Stmt::Kind::For) {
        visit(stmt->body);
        visit(stmt->otherwise);
        continue;
      }
      const auto lanes = plan_.lanes.find(stmt.get());
      const bool wide = lanes != plan_.lanes.end() && lanes->second.width > 1;
      for (const auto& reduction : stmt->reductions)
        if (reduction.local >= 0 && isFloat(plan_.types[static_cast<size_t>(reduction.local)]))
          result_[-1].insert(wide ? asLanes(*stmt, lanes->second) : "in order");
      around_.push_back(stmt.get());
      visit(stmt->body);
      around_.pop_back();
    }
  }

  // acc = x[...]; acc is added to; x[...] = acc (units_as_lanes.h)
  bool isCarried(const Stmt& stmt) const {
    if (stmt.kind != Stmt::Kind::Store || stmt.value->kind != ExprNode::Kind::Variable)
      return false;
    const auto found = carried_.find(stmt.value->var);
    return found != carried_.end() && found->second == stmt.buffer;
  }

  void add(const Stmt& sum) {
    if (!isFloat(program_.buffers[static_cast<size_t>(sum.buffer)].type) ||
        (sum.combine != loops::Combine::Sum && sum.combine != loops::Combine::Prod))
      return;
    std::string order;
    for (const Stmt* loop : around_) {
      if (const auto threads = plan_.parallel.find(loop);
          threads != plan_.parallel.end() && threads->second.chunks > 1 && takesPart(*loop, sum))
        order += " " + range(*loop) + " in " + std::to_string(threads->second.chunks) + " chunks";
      const auto lanes = plan_.lanes.find(loop);
      if (lanes == plan_.lanes.end() || lanes->second.width == 1) continue;
      if (sum.kind == Stmt::Kind::Store) continue;  // a lane's own
      const LaneSum kind = lanes->second.sums.at(&sum);
      if (kind != LaneSum::Direct)
        order += " " + asLanes(*loop, lanes->second) + std::to_string(static_cast<int>(kind));
    }
    if (sum.kind == Stmt::Kind::Store) order += " in order";
    // What the code generator keeps so was a local.
    const bool local =
        program_.buffers[static_cast<size_t>(sum.buffer)].kind == Buffer::Kind::Thread;
    auto& orders = result_[local ? -1 : sum.buffer];
    // Pieces of a loop that runs in order make no difference.
    if (!order.empty() || orders.count("") == 0) orders.insert(order);
  }

  static bool takesPart(const Stmt& loop, const Stmt& sum) {
    for (const auto& reduction : loop.reductions)
      if (reduction.buffer == sum.buffer) return true;
    return false;
  }

  std::string asLanes(const Stmt& loop, const LanesPlan& plan) const {
    return range(loop) + " in " + std::to_string(plan.width) + " lanes ";
  }

  // With the variables of the loops around it by their depth: numbers differ between programs.
  std::string range(const Stmt& loop) const {
    Renaming byDepth;
    for (size_t k = 0; k < around_.size(); ++k)
      byDepth.replace(around_[k]->var, loops::variable(static_cast<VarId>(k), DType::I64));
    return loops::print(program_, byDepth(loop.lo)) + ".." +
           loops::print(program_, byDepth(loop.hi));
  }

  const Program& program_;
  const Plan& plan_;
  std::vector<const Stmt*> around_;    // loops
  std::map<VarId, BufferId> carried_;  // locals that begin as an element, by what they began with
  SumOrders result_;
};

}  // namespace

SumOrders sumOrders(const Program& program, const Plan& plan) {
  return Orders(program, plan).find();
}

}  // namespace rlc::cpu
