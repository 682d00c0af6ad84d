// Accumulations with loops of their own, the range innermost: the partial sum stays in a register,
// and the code generator tiles the loops around it. A weight gradient, summed over steps and lanes,
// is of this kind.
#include <algorithm>

#include "compiler/loops/lowering.h"

namespace rlc::loops {

std::optional<Lowering::Nest> Lowering::contractionNest(const ScheduleNode& loop) const {
  Nest nest;
  const ScheduleNode* node = &loop;
  while (node->kind == ScheduleNode::Kind::Loop) {
    if (node->execution != ScheduleNode::Execution::Sequential || node->children.size() != 1)
      return std::nullopt;
    nest.loops.push_back(node);
    node = node->children.front().get();
  }
  nest.statement = node->statement;
  const Statement& statement = statements_.list[static_cast<size_t>(nest.statement)];
  if (statement.role != Statement::Role::Update) return std::nullopt;
  const Node& target = graph_.node(statement.node);
  const auto& reduce = std::get<pdg::Reduce>(target.op);
  if (target.shape.empty() || !reduce.keys.empty() || reduce.hasFilter) return std::nullopt;
  for (Var var : reduce.domain.vars())
    if (var.isElement()) return std::nullopt;
  if (statements_.scheduledBound[static_cast<size_t>(statement.node)].size() != reduce.bound.size())
    return std::nullopt;
  const Placed& placed = schedule_.placed[static_cast<size_t>(nest.statement)];
  for (size_t k = placed.loops.size() - nest.loops.size(); k < placed.loops.size(); ++k) {
    const auto& scanned = placed.scanned[k];
    const bool range = scanned && std::find(reduce.bound.begin(), reduce.bound.end(), *scanned) !=
                                      reduce.bound.end();
    if (!range) return std::nullopt;
  }
  return nest;
}

void Lowering::emitContraction(const Nest& nest) {
  const Statement& statement = statements_.list[static_cast<size_t>(nest.statement)];
  const Placed& placed = schedule_.placed[static_cast<size_t>(nest.statement)];
  const Node& node = graph_.node(statement.node);
  span_ = node.span;
  statement_ = nest.statement;
  // What the loops around leave to test holds for the sum as a whole: outside of it there is no
  // place for the sum.
  const Set outerContext = loopContext_;
  emitIf(guardOf(placed), [&] {
    if (!loopVars_.empty())
      loopContext_ = loopContext_.intersect(placed.domain.projectOnto(loopVars_));
    emitSum(nest, node, placed);
  });
  loopContext_ = outerContext;
}

void Lowering::emitSum(const Nest& nest, const Node& node, const Placed& placed) {
  const Combine combine = combineOf(std::get<pdg::Reduce>(node.op).kind);
  Values values(placed.instance.begin(), placed.instance.end());
  overElements(node, values, [&] {
    const VarId sum = declare(node.type, literal(identityOf(combine, node.type)));
    std::function<void(size_t)> loop = [&](size_t depth) {
      if (depth == nest.loops.size()) {
        emitIf(guardOf(placed), [&] {
          assign(sum, node.type,
                 combined(combine, node.type, variable(sum, node.type), emitRead(node, 0, values)));
        });
        return;
      }
      const ScheduleNode& scan = *nest.loops[depth];
      const Expr lo = toExpr(scan.lo), hi = toExpr(scan.hi);
      const VarId var = newVariable();
      Block body = insideLoop(scan, var, [&] { loop(depth + 1); });
      emitFor(var, lo, hi, std::move(body)).comment = scan.name;
    };
    loop(0);
    watchNan(variable(sum, node.type), node, values);
    const Expr place = address(result_.storage[static_cast<size_t>(node.id)],
                               dimValues(node, values), elementValues(node, values));
    Stmt& out = append(Stmt::Kind::Accumulate);
    out.buffer = result_.bufferOf[static_cast<size_t>(node.id)];
    out.index = place;
    out.value = variable(sum, node.type);
    out.combine = combine;
  });
}

}  // namespace rlc::loops
