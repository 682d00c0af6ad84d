// Accumulations with loops of their own, the range innermost: the partial sum stays in a register,
// and the code generator tiles the loops around it. A weight gradient, summed over steps and lanes,
// is of this kind.

#include "compiler/loops/lowering.h"
#include "compiler/types/lists.h"

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
  if (node->kind != ScheduleNode::Kind::Statement) return std::nullopt;
  nest.statement = node->statement;
  const Statement& statement = statements_.list[static_cast<size_t>(nest.statement)];
  // What asks at each step whether its point exists is no contraction.
  if (statement.role != Statement::Role::Update || !statement.guards.empty()) return std::nullopt;
  const Node& target = graph_.node(statement.node);
  const auto& reduce = std::get<pdg::Reduce>(target.op);
  if (!reduce.keys.empty() || reduce.hasFilter) return std::nullopt;
  for (Var var : reduce.domain.vars())
    if (var.isElement()) return std::nullopt;
  if (statements_.scheduledBound[static_cast<size_t>(statement.node)].size() != reduce.bound.size())
    return std::nullopt;
  const Placed& placed = schedule_.placed[static_cast<size_t>(nest.statement)];
  for (size_t k = placed.loops.size() - nest.loops.size(); k < placed.loops.size(); ++k) {
    const auto& scanned = placed.scanned[k];
    const bool range = scanned && contains(reduce.bound, *scanned);
    if (!range) return std::nullopt;
  }
  return nest;
}

// Where what sets the sum to its identity stands right before its loops, no other loop has a part
// in it.
std::optional<Lowering::Nest> Lowering::wholeSum(const ScheduleNode& first,
                                                 const ScheduleNode& second) const {
  if (first.kind != ScheduleNode::Kind::Statement) return std::nullopt;
  const Statement& init = statements_.list[static_cast<size_t>(first.statement)];
  if (init.role != Statement::Role::Init) return std::nullopt;
  auto nest = contractionNest(second);
  if (!nest || statements_.list[static_cast<size_t>(nest->statement)].node != init.node)
    return std::nullopt;
  const Placed& start = schedule_.placed[static_cast<size_t>(first.statement)];
  const Placed& update = schedule_.placed[static_cast<size_t>(nest->statement)];
  for (size_t k = 0; k < start.loops.size(); ++k)
    if (start.loops[k]->parallel && !start.scanned[k]) return std::nullopt;
  for (Var dim : graph_.node(init.node).dims)
    if (!(start.instance.at(dim) == update.instance.at(dim))) return std::nullopt;
  nest->init = first.statement;
  return nest;
}

void Lowering::emitContraction(const Nest& nest, const Condition& guard) {
  const Statement& statement = statements_.list[static_cast<size_t>(nest.statement)];
  const Placed& placed = schedule_.placed[static_cast<size_t>(nest.statement)];
  const Placed& first = nest.init < 0 ? placed : schedule_.placed[static_cast<size_t>(nest.init)];
  const Node& node = graph_.node(statement.node);
  span_ = node.span;
  statement_ = nest.statement;
  // What the loops around leave to test holds for the sum as a whole: outside of it there is no
  // place for the sum.
  emitWithin(first, guard, [&] { emitSum(nest, node, placed); });
}

void Lowering::emitWithin(const Placed& placed, const Condition& guard,
                          const std::function<void()>& body) {
  const Set outerContext = loopContext_;
  emitIf(guard, [&] {
    if (!loopVars_.empty())
      loopContext_ = loopContext_.intersect(placed.domain.projectOnto(loopVars_));
    body();
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
    emitWithin(placed, guardOf(placed), [&] { loop(0); });
    watchNan(variable(sum, node.type), node, values);
    if (nest.init >= 0) {
      const Expr value = node.shape.empty() ? local(node.type, variable(sum, node.type))
                                            : variable(sum, node.type);
      storeElement(node, values, value);
      if (node.shape.empty()) forwarded_[{node.id, dimValues(node, values)}] = value;
      return;
    }
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
