// Loops over indices that end on a condition stop there: for every value of the loops around, as
// soon as nothing that is left to run is part of the index.
#include <algorithm>

#include "compiler/loops/lowering.h"
#include "compiler/pdg/ends.h"
#include "compiler/pdg/truths.h"

namespace rlc::loops {

namespace {

std::optional<size_t> depthOf(const Placed& placed, const ScheduleNode& loop) {
  const auto found = std::find(placed.loops.begin(), placed.loops.end(), &loop);
  if (found == placed.loops.end()) return std::nullopt;
  return static_cast<size_t>(found - placed.loops.begin());
}

}  // namespace

std::optional<Lowering::Ending> Lowering::endingOf(const ScheduleNode& loop) const {
  if (loop.execution != ScheduleNode::Execution::Sequential || loop.descending) return std::nullopt;
  for (const pdg::EndingIndex& index : statements_.endings) {
    Ending ending;
    ending.index = &index;
    const auto& writers = statements_.writers[static_cast<size_t>(index.exists)];
    const auto inside = [&](int w) {
      const Placed& placed = schedule_.placed[static_cast<size_t>(w)];
      const auto depth = depthOf(placed, loop);
      // Each of the condition's other indices is scanned by a loop around.
      return depth && placed.scanned[*depth] == index.dim && *depth + 1 == placed.loops.size();
    };
    if (writers.empty() || !std::all_of(writers.begin(), writers.end(), inside)) continue;
    ending.writer = writers.back();
    const auto depth = *depthOf(schedule_.placed[static_cast<size_t>(ending.writer)], loop);
    const int64_t shift = schedule_.placed[static_cast<size_t>(ending.writer)].shift[depth];
    int64_t last = shift + 1;
    bool fits = true;
    for (size_t s = 0; s < statements_.list.size() && fits; ++s) {
      if (!depthOf(schedule_.placed[s], loop)) continue;
      const auto needed = lastNeeded(static_cast<int>(s), loop, ending);
      fits = needed.has_value();
      if (fits) last = std::max(last, *needed);
    }
    if (!fits) continue;
    ending.rest = last - 1 - shift;
    return ending;
  }
  return std::nullopt;
}

// Loop value minus end(index) up to which the statement's instances count, exclusive; nothing: all
// may.
std::optional<int64_t> Lowering::lastNeeded(int s, const ScheduleNode& loop,
                                            const Ending& ending) const {
  const Statement& statement = statements_.list[static_cast<size_t>(s)];
  const Placed& placed = schedule_.placed[static_cast<size_t>(s)];
  const Placed& writer = schedule_.placed[static_cast<size_t>(ending.writer)];
  const size_t depth = *depthOf(placed, loop);
  if (!placed.scanned[depth]) return std::nullopt;
  const auto& dims = graph_.node(ending.index->exists).dims;
  // Over the condition's other indices it must run in step with the recurrence.
  const auto inStep = [&](const std::vector<IndexExpr>& at) {
    for (size_t k = 0; k < depth; ++k) {
      if (!writer.scanned[k]) continue;
      const auto position = static_cast<size_t>(
          std::find(dims.begin(), dims.end(), *writer.scanned[k]) - dims.begin());
      if (!placed.scanned[k] || !(at[position] == IndexExpr(*placed.scanned[k])) ||
          placed.shift[k] != writer.shift[k])
        return false;
    }
    return true;
  };
  if (statement.node >= 0 && ending.index->before[static_cast<size_t>(statement.node)]) {
    if (*placed.scanned[depth] != ending.index->dim || !inStep({dims.begin(), dims.end()}))
      return std::nullopt;
    const int64_t beyond = ending.index->beyond[static_cast<size_t>(statement.node)];
    if (beyond == pdg::kAllPoints) return std::nullopt;
    return placed.shift[depth] + beyond;
  }
  // The others ask whether their point exists.
  std::optional<int64_t> result;
  forEachGate(statement, [&](const Read& gate) {
    if (result || gate.producer != ending.index->exists || !inStep(gate.at)) return;
    std::vector<Var> mentioned;
    gate.at.back().collectVariables(mentioned);
    if (mentioned != std::vector<Var>{*placed.scanned[depth]}) return;
    const auto behind =
        statement.domain.maximum(IndexExpr(*placed.scanned[depth]) - gate.at.back());
    if (behind) result = placed.shift[depth] + std::max<int64_t>(*behind, 0);
  });
  return result;
}

// Truths that must hold where the statement does anything.
void Lowering::forEachGate(const Statement& statement,
                           const std::function<void(const Read&)>& visit) const {
  for (const Read& guard : statement.guards) visit(guard);
  if (statement.role == Statement::Role::Update)
    pdg::forEachNeeded(graph_, graph_.node(statement.node), visit);
  if (statement.role != Statement::Role::Emit) return;
  const auto& where = graph_.sinks()[static_cast<size_t>(statement.sink)].where;
  if (where) pdg::forEachConjunct(graph_, *where, visit);
}

void Lowering::beginEnding(Ending& ending) {
  if (ending.rest > 0) ending.left = declare(DType::I64, index(ending.rest));
  const auto& dims = result_.storage[static_cast<size_t>(ending.index->exists)].dims;
  // Where the recurrence has no points, nothing is past its end.
  if (!dims.back().ring)
    ending.last = declare(DType::I64, index(dims.back().lo + dims.back().extent - 1));
}

void Lowering::emitExit(const Ending& ending, VarId loop) {
  const Placed& placed = schedule_.placed[static_cast<size_t>(ending.writer)];
  const Node& exists = graph_.node(ending.index->exists);
  const Values values(placed.instance.begin(), placed.instance.end());
  const std::vector<IndexExpr> at = dimValues(exists, values);
  std::vector<IndexExpr> place;
  for (Var var : exists.domain.vars()) place.push_back(values.at(var));
  const auto domain = exists.domain.preimage(Set::universe(graph_.context(), loopVars_), place)
                          .gist(loopContext_)
                          .toCondition();
  if (!domain) return;
  emitIf(*domain, [&] {
    if (ending.last >= 0) assign(ending.last, DType::I64, toExpr(at.back()));
    // Past an end of an index around, the recurrence has no values.
    Expr present = emitElement(exists.id, at, {});
    for (const Read& guard : statements_.list[static_cast<size_t>(ending.writer)].guards)
      present = op(ScalarOp::And, {emitScalar(guard, placed.instance), present});
    const Expr gone = local(DType::Bool, op(ScalarOp::Not, {present}));
    Expr over = gone;
    if (ending.left >= 0) {
      const Expr left = variable(ending.left, DType::I64);
      over = local(DType::Bool, op(ScalarOp::And, {gone, op(ScalarOp::Le, {left, index(0)})}));
      assign(ending.left, DType::I64, op(ScalarOp::Select, {gone, left - index(1), left}));
    }
    Stmt& exit = append(Stmt::Kind::Exit);
    exit.var = loop;
    exit.value = over;
  });
}

void Lowering::finishEnding(const Ending& ending) {
  if (ending.last < 0) return;
  const Placed& placed = schedule_.placed[static_cast<size_t>(ending.writer)];
  const Node& exists = graph_.node(ending.index->exists);
  const Storage& storage = result_.storage[static_cast<size_t>(exists.id)];
  Values values(placed.instance.begin(), placed.instance.end());
  const VarId var = newVariable();
  values[exists.dims.back()] = IndexExpr(bindVariable(var));
  Block body = inBlock([&] {
    Stmt& out = append(Stmt::Kind::Store);
    out.buffer = result_.bufferOf[static_cast<size_t>(exists.id)];
    out.index = address(storage, dimValues(exists, values), {});
    out.value = literal(Scalar::ofInt(DType::Bool, 0));
  });
  const schedule::DimStorage& dim = storage.dims.back();
  emitFor(var, variable(ending.last, DType::I64) + index(1), index(dim.lo + dim.extent),
          std::move(body))
      .comment = "past the end";
}

}  // namespace rlc::loops
