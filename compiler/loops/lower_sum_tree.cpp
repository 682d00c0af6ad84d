// Sum trees: updates by the runtime, in place where the tree before lies where the new one goes;
// finds as loops of their own, so that they run in lanes.
#include "compiler/diagnostics/internal_error.h"
#include "compiler/loops/lowering.h"
#include "jit/runtime/sum_tree.h"

namespace rlc::loops {

namespace {

const Var kNode = Var::element(0);

}  // namespace

void Lowering::emitTreeUpdates(const Node& owner, const Values& ownerValues, const Node& update,
                               const Values& values) {
  const Storage& storage = result_.storage[static_cast<size_t>(owner.id)];
  if (storage.elementStride.front() != 1)
    throw InternalError("lowering: a tree whose nodes lie apart");
  const Stmt::Place target{result_.bufferOf[static_cast<size_t>(owner.id)],
                           address(storage, dimValues(owner, ownerValues), {IndexExpr(0)})};
  emitTreeUpdate(update, values, target);
}

void Lowering::emitTreeUpdate(const Node& update, const Values& values, const Stmt::Place& target) {
  const auto& op = std::get<pdg::TreeUpdate>(update.op);
  const Read& base = update.inputs[0];
  const Node& before = graph_.node(base.producer);
  Stmt::Place from = target;
  const bool whole = base.element == std::vector<IndexExpr>{IndexExpr(kNode)};
  const Placement placement = statements_.placement[static_cast<size_t>(before.id)];
  std::vector<IndexExpr> at;
  for (const IndexExpr& e : base.at) at.push_back(resolve(e, update, values));
  if (placement == Placement::Inline && whole &&
      std::holds_alternative<pdg::TreeUpdate>(before.op)) {
    emitTreeUpdate(before, valuesAt(before, at, {}), target);
  } else if (const Storage& storage = result_.storage[static_cast<size_t>(before.id)];
             placement == Placement::Stored && whole && storage.node >= 0 &&
             storage.elementStride.front() == 1) {
    from = {result_.bufferOf[static_cast<size_t>(before.id)], address(storage, at, {IndexExpr(0)})};
  } else {
    const VarId var = newVariable();
    Values inside = values;
    inside[kNode] = IndexExpr(bindVariable(var));
    Block fill = inBlock([&] {
      const Expr value = emitRead(update, 0, inside);
      Stmt& store = append(Stmt::Kind::Store);
      store.buffer = target.buffer;
      store.index = target.index + variable(var, DType::I64);
      store.value = value;
    });
    emitFor(var, index(0), toExpr(update.shape.front()), std::move(fill));
  }

  const auto [positions, priorities] = emitTreeEntries(update, values);
  Stmt& call = append(Stmt::Kind::Call);
  call.function = Stmt::Function::TreeUpdate;
  call.args = {index(op.tree.capacity), index(op.tree.fanout), index(op.entries)};
  call.places = {positions, priorities, from, target};
}

Stmt::Place Lowering::scratchFor(const char* name, DType type, int64_t elements) {
  Buffer buffer;
  buffer.name = name;
  buffer.kind = Buffer::Kind::Private;
  buffer.type = type;
  buffer.elements = elements;
  result_.program.buffers.push_back(std::move(buffer));
  return {static_cast<BufferId>(result_.program.buffers.size() - 1), index(0)};
}

// Where they lie, if that is side by side: two threads that share an update fetch them once.
// Elsewhere they are gathered. Positions that were found in such a tree need no test.
std::pair<Stmt::Place, Stmt::Place> Lowering::emitTreeEntries(const Node& update,
                                                              const Values& values) {
  const auto& op = std::get<pdg::TreeUpdate>(update.op);
  const Node& position = graph_.node(update.inputs[1].producer);
  const Node& priority = graph_.node(update.inputs[2].producer);
  const auto* find = std::get_if<pdg::TreeFind>(&position.op);
  std::optional<Stmt::Place> positions, priorities;
  if (find && find->tree.capacity <= op.tree.capacity)
    positions = sideBySide(update, 1, op.entry, op.entries, values);
  if (priority.type == DType::F32) priorities = sideBySide(update, 2, op.entry, op.entries, values);
  if (positions && priorities) return {*positions, *priorities};
  const bool gathersPositions = !positions, gathersPriorities = !priorities;
  if (!positions) positions = scratchFor("positions", DType::I32, op.entries);
  if (!priorities) priorities = scratchFor("priorities", DType::F32, op.entries);

  const VarId var = newVariable();
  Values inside = values;
  inside[op.entry] = IndexExpr(bindVariable(var));
  const auto store = [&](const Stmt::Place& place, const Expr& value) {
    Stmt& out = append(Stmt::Kind::Store);
    out.buffer = place.buffer;
    out.index = variable(var, DType::I64);
    out.value = value;
  };
  Block fill = inBlock([&] {
    if (gathersPositions) {
      const Expr at = local(DType::I32, emitRead(update, 1, inside));
      const Expr wide = cast(DType::I64, at);
      check(rlc::loops::op(ScalarOp::And,
                           {rlc::loops::op(ScalarOp::Le, {index(0), wide}),
                            rlc::loops::op(ScalarOp::Lt, {wide, index(op.tree.capacity)})}),
            diagnostics::Kind::SubscriptFault,
            "a position is outside of a tree of capacity " + std::to_string(op.tree.capacity),
            update, values);
      store(*positions, at);
    }
    if (gathersPriorities) store(*priorities, emitRead(update, 2, inside));
  });
  emitFor(var, index(0), index(op.entries), std::move(fill));
  return {*positions, *priorities};
}

// The running sums of runtime::SumTree::sample, in the same order, so that every target finds the
// same position.
Expr Lowering::emitTreeFind(const Node& node, const pdg::TreeFind& find, const Values& values) {
  const runtime::SumTreeLayout layout(find.tree.capacity, find.tree.fanout);
  const auto f32 = [](double value) { return literal(Scalar::ofFloat(DType::F32, value)); };
  const auto nodeAt = [&](const Expr& slot) {
    const Expr at = local(DType::I64, slot);
    Values inside = values;
    inside[find.node] = IndexExpr(bindVariable(at->var));
    return local(DType::F32, emitRead(node, 0, inside));
  };
  const auto i32 = [](int64_t value) { return literal(Scalar::ofInt(DType::I32, value)); };
  const auto notAbove = [](const Expr& sum, const Expr& limit) {  // nothing is above a NaN
    return op(ScalarOp::Not, {op(ScalarOp::Lt, {limit, sum})});
  };
  const auto choose = [](const Expr& which, const Expr& yes, const Expr& no) {
    return op(ScalarOp::Select, {which, yes, no});
  };
  const Expr total = nodeAt(index(layout.total));
  check(op(ScalarOp::Lt, {f32(0), total}), diagnostics::Kind::DrawFault,
        "a draw from a tree without a positive priority", node, values);
  const VarId target = declare(DType::F32, cast(DType::F32, emitRead(node, 1, values)) * total);
  const VarId group = declare(DType::I64, index(0));
  for (int level = layout.levels; level-- > 0;) {
    const Expr first =
        local(DType::I64, variable(group, DType::I64) * index(layout.stride) +
                              index(layout.level[static_cast<size_t>(level)].offset));
    const VarId running = declare(DType::F32, f32(0)), before = declare(DType::F32, f32(0)),
                child = declare(DType::I32, i32(0));
    const auto floatOf = [](VarId var) { return variable(var, DType::F32); };
    const auto forEachChild =
        [&](const std::function<void(const Expr& number, const Expr& priority)>& visit) {
          const VarId k = newVariable();
          Block body = inBlock(
              [&] { visit(variable(k, DType::I64), nodeAt(first + variable(k, DType::I64))); });
          emitFor(k, index(0), index(layout.fanout), std::move(body));
        };
    // The first whose running sum exceeds the target ...
    forEachChild([&](const Expr& number, const Expr& priority) {
      assign(running, DType::F32, floatOf(running) + priority);
      const Expr below = local(DType::Bool, notAbove(floatOf(running), floatOf(target)));
      assign(child, DType::I32,
             choose(below, cast(DType::I32, number + index(1)), variable(child, DType::I32)));
      assign(before, DType::F32, choose(below, floatOf(running), floatOf(before)));
    });
    // ... or, where rounding leaves none, the last that has a priority.
    Block last = inBlock([&] {
      assign(child, DType::I32, i32(0));
      assign(before, DType::F32, f32(0));
      const VarId sum = declare(DType::F32, f32(0));
      forEachChild([&](const Expr& number, const Expr& priority) {
        const Expr positive = local(DType::Bool, op(ScalarOp::Lt, {f32(0), priority}));
        assign(child, DType::I32,
               choose(positive, cast(DType::I32, number), variable(child, DType::I32)));
        assign(before, DType::F32, choose(positive, floatOf(sum), floatOf(before)));
        assign(sum, DType::F32, floatOf(sum) + priority);
      });
    });
    Stmt& beyond = append(Stmt::Kind::If);
    beyond.value = notAbove(floatOf(running), floatOf(target));
    beyond.body = std::move(last);
    assign(target, DType::F32, floatOf(target) - floatOf(before));
    // Nodes that are no sums of a tree's may lead anywhere.
    const Expr next = variable(group, DType::I64) * index(layout.fanout) +
                      cast(DType::I64, variable(child, DType::I32));
    assign(group, DType::I64, op(ScalarOp::Min, {next, index(layout.nodesAt(level) - 1)}));
  }
  return cast(DType::I32, variable(group, DType::I64));
}

}  // namespace rlc::loops
