// One statement instance: its guard, its loops over element axes, what it writes.
#include <algorithm>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/loops/lowering.h"
#include "compiler/pdg/reads.h"
#include "compiler/types/lists.h"
#include "jit/runtime/random.h"

namespace rlc::loops {

namespace {
constexpr int64_t kFewestElementLanes = 4;
}

void Lowering::emitStatement(int index, const Condition& guard) {
  const Statement& statement = statements_.list[static_cast<size_t>(index)];
  const Placed& placed = schedule_.placed[static_cast<size_t>(index)];
  if (statement.node >= 0) {
    span_ = graph_.node(statement.node).span;
  } else {
    span_ = graph_.sinks()[static_cast<size_t>(statement.sink)].span;
  }
  if (placed.loops.empty() && placed.domain.isEmpty()) return;
  statement_ = index;
  emitIf(guard, [&] { emitGuarded(statement, placed); });
}

void Lowering::emitGuarded(const Statement& statement, const Placed& placed) {
  std::vector<Expr> tests;
  for (const Read& guard : statement.guards) tests.push_back(emitScalar(guard, placed.instance));
  if (statement.role == Statement::Role::Emit)
    if (const auto& where = graph_.sinks()[static_cast<size_t>(statement.sink)].where)
      tests.push_back(emitScalar(*where, placed.instance));
  if (tests.empty()) return emitInstance(statement, placed);
  Expr all = tests.front();
  for (size_t k = 1; k < tests.size(); ++k) all = op(ScalarOp::And, {all, tests[k]});
  Block inside = inBlock([&] { emitInstance(statement, placed); });
  Stmt& test = append(Stmt::Kind::If);
  test.value = all;
  test.body = std::move(inside);
}

Expr Lowering::emitScalar(const Read& read, const Values& instance) {
  std::vector<IndexExpr> at;
  for (const IndexExpr& e : read.at) at.push_back(e.substitute(instance));
  return emitElement(read.producer, at, {});
}

Condition Lowering::guardOf(const Placed& placed) const {
  if (loopVars_.empty()) return Condition::always();
  const auto condition = placed.domain.projectOnto(loopVars_).gist(loopContext_).toCondition();
  if (!condition) throw InternalError("lowering: a guard without a test");
  return *condition;
}

void Lowering::emitInstance(const Statement& statement, const Placed& placed) {
  Values values(placed.instance.begin(), placed.instance.end());
  if (statement.role == Statement::Role::Emit) return emitSink(statement, std::move(values));
  const Node& node = graph_.node(statement.node);
  switch (statement.role) {
    case Statement::Role::Compute:
      if (std::holds_alternative<pdg::Sort>(node.op)) return emitSort(node, std::move(values));
      if (const auto* draw = std::get_if<pdg::Draw>(&node.op);
          draw && draw->kind == pdg::DrawKind::Permutation)
        return emitPermutation(node, std::move(values));
      if (std::holds_alternative<pdg::TreeUpdate>(node.op))
        return emitTreeUpdates(node, values, node, values);
      if (const Node* update = updateOf(statement, node)) {
        Values inside;
        const Read& read = node.inputs[static_cast<size_t>(statement.piece)];
        for (size_t k = 0; k < update->dims.size(); ++k)
          inside[update->dims[k]] = resolve(read.at[k], node, values);
        return emitTreeUpdates(node, values, *update, inside);
      }
      return emitCompute(statement, node, std::move(values));
    case Statement::Role::Change:
      return emitChange(statement, node, std::move(values));
    case Statement::Role::Init:
      return emitInit(node, std::move(values));
    case Statement::Role::Update:
      return emitUpdate(node, std::move(values));
    case Statement::Role::Emit:
      return;
  }
}

// The update of a tree that an equation keeps.
const Node* Lowering::updateOf(const Statement& statement, const Node& node) const {
  if (statement.piece < 0) return nullptr;
  const NodeId id = node.inputs[static_cast<size_t>(statement.piece)].producer;
  const bool inside = statements_.placement[static_cast<size_t>(id)] == Placement::Inline;
  return inside && std::holds_alternative<pdg::TreeUpdate>(graph_.node(id).op) ? &graph_.node(id)
                                                                               : nullptr;
}

void Lowering::overElements(const Node& node, Values& values, const std::function<void()>& body,
                            int skip, bool mayUseLanes) {
  // Outside of a lanes loop the last long axis takes the lanes.
  int lanes = -1;
  if (lanesDepth_ == 0 && mayUseLanes)
    for (size_t axis = 0; axis < node.shape.size(); ++axis) {
      const auto extent = node.shape[axis].asConstant();
      if (static_cast<int>(axis) != skip && extent && *extent >= kFewestElementLanes &&
          !values.contains(Var::element(static_cast<int>(axis))))
        lanes = static_cast<int>(axis);
    }
  std::function<void(size_t)> nest = [&](size_t axis) {
    if (axis == node.shape.size()) return body();
    const Var element = Var::element(static_cast<int>(axis));
    if (static_cast<int>(axis) == skip || values.contains(element)) return nest(axis + 1);
    if (node.shape[axis].asConstant() == 1) {
      values[element] = IndexExpr(0);
      return nest(axis + 1);
    }
    const bool useLanes = static_cast<int>(axis) == lanes;
    const VarId var = newVariable();
    const Var bound = bindVariable(var);
    values[element] = IndexExpr(bound);
    lanesDepth_ += useLanes;
    Block inside = inBlock([&] { nest(axis + 1); });
    lanesDepth_ -= useLanes;
    Stmt& loop = emitFor(var, index(0), toExpr(node.shape[axis].substitute(values)),
                         std::move(inside), useLanes ? Stmt::Loop::Lanes : Stmt::Loop::Sequential);
    loop.elements = !useLanes;
  };
  nest(0);
}

void Lowering::storeElement(const Node& node, const Values& values, const Expr& value) {
  const Expr place = address(result_.storage[static_cast<size_t>(node.id)], dimValues(node, values),
                             elementValues(node, values));
  Stmt& out = append(Stmt::Kind::Store);
  out.buffer = result_.bufferOf[static_cast<size_t>(node.id)];
  out.index = place;
  out.value = value;
}

void Lowering::emitCompute(const Statement& statement, const Node& node, Values values) {
  overElements(node, values, [&] {
    auto store = [&] {
      Expr value;
      if (statement.piece >= 0) {
        value = emitRead(node, static_cast<size_t>(statement.piece), values);
      } else {
        value = emitOp(node, values);
      }
      if (node.shape.empty() || options_.findNan) value = local(node.type, value);
      watchNan(value, node, values);
      storeElement(node, values, value);
      if (node.shape.empty()) forwarded_[{node.id, dimValues(node, values)}] = value;
    };
    if (statement.piece < 0) return store();
    const auto& piece = std::get<pdg::Merge>(node.op).pieces[static_cast<size_t>(statement.piece)];
    emitIf(piece.element.substitute(values), store);
  });
}

// The others lie where they are to be: only the element that the keys choose is written, if it is
// one of those that the equation is for.
void Lowering::emitChange(const Statement& statement, const Node& node, Values values) {
  const auto piece = static_cast<size_t>(statement.piece);
  const Read& through = node.inputs[piece];
  const Node& update = graph_.node(through.producer);
  const auto& keys = pdg::keysOf(update);
  const Set& points = std::get<pdg::Merge>(node.op).pieces[piece].domain;
  // The update's variables, over the node's: those that keys choose are the same.
  const auto inside = [&] {
    Values result;
    for (size_t k = 0; k < update.dims.size(); ++k)
      if (!through.at[k].asVariable() || values.contains(*through.at[k].asVariable()))
        result[update.dims[k]] = through.at[k].substitute(values);
    for (size_t k = 0; k < update.shape.size(); ++k)
      if (const Var element = Var::element(static_cast<int>(k)); values.contains(element))
        result[element] = through.element[k].substitute(values);
    return result;
  };
  const auto store = [&] {
    overElements(node, values, [&] {
      const Expr value = local(node.type, emitRead(update, 1, inside()));
      watchNan(value, node, values);
      storeElement(node, values, value);
    });
  };
  std::vector<Var> known = statement.vars;
  const std::function<void(size_t)> choose = [&](size_t k) {
    if (k == keys.size()) return store();
    const Var own = keys[k].own;
    const IndexExpr at = resolve(keys[k].expr, update, inside());
    values[own] = at;
    // A later key is asked for only where the earlier ones choose something.
    if (own.isElement()) {
      const IndexExpr& extent = node.shape[static_cast<size_t>(own.elementAxis())];
      return emitIf(Condition::within(at, 0, extent.substitute(values)), [&] { choose(k + 1); });
    }
    const Set before = points.projectOnto(known);
    known.push_back(own);
    const auto there = points.projectOnto(known).gist(before.extendTo(known)).toCondition();
    if (!there) throw InternalError("lowering: a domain without a test");
    emitIf(there->substitute(values), [&] { choose(k + 1); });
  };
  choose(0);
}

void Lowering::emitInit(const Node& node, Values values) {
  const auto& reduce = std::get<pdg::Reduce>(node.op);
  overElements(node, values, [&] {
    storeElement(node, values, literal(identityOf(combineOf(reduce.kind), node.type)));
  });
}

void Lowering::emitUpdate(const Node& node, Values values) {
  const Storage& storage = result_.storage[static_cast<size_t>(node.id)];
  const auto& reduce = std::get<pdg::Reduce>(node.op);
  const auto& scheduled = statements_.scheduledBound[static_cast<size_t>(node.id)];
  std::vector<Var> inner;
  for (Var var : reduce.bound)
    if (!contains(scheduled, var)) inner.push_back(var);
  const bool scatters = !reduce.keys.empty();

  const Combine combine = combineOf(reduce.kind);

  const auto add = [&](const Values& at, const Expr& value) {
    Values target = at;
    for (const auto& key : reduce.keys) target[key.own] = resolve(key.expr, node, at);
    watchNan(value, node, target);
    const Expr place = address(storage, dimValues(node, target), elementValues(node, target));
    Stmt& out = append(Stmt::Kind::Accumulate);
    out.buffer = result_.bufferOf[static_cast<size_t>(node.id)];
    out.index = place;
    out.value = value;
    out.combine = combine;
  };
  const auto whereKept = [&](const Values& at, const std::function<void()>& update) {
    if (!reduce.hasFilter) return update();
    const Expr keep = emitRead(node, 1, at);
    Block inside = inBlock(update);
    Stmt& test = append(Stmt::Kind::If);
    test.value = keep;
    test.body = std::move(inside);
  };
  const auto accumulate = [&](const Values& at) {
    whereKept(at, [&] {
      Expr value = cast(node.type, emitRead(node, 0, at));
      if (options_.findNan) value = local(node.type, value);
      add(at, value);
    });
  };

  // What no key sends elsewhere is added up in a register first.
  const auto accumulateRange = [&] {
    if (scatters)
      return overRange(node, reduce, inner, values, {},
                       [&](const Values& at, VarId) { accumulate(at); });
    const VarId sum = declare(node.type, literal(identityOf(combine, node.type)));
    overRange(node, reduce, inner, values, {}, [&](const Values& at, VarId) {
      whereKept(at, [&] {
        assign(sum, node.type,
               combined(combine, node.type, variable(sum, node.type), emitRead(node, 0, at)));
      });
    });
    add(values, variable(sum, node.type));
  };

  const auto accumulateAll = [&] {
    if (!inner.empty()) return accumulateRange();
    // The statement's domain says nothing of elements: which of them a point of the range counts
    // for is tested here.
    std::vector<Var> vars;
    bool ofElements = false;
    for (Var var : reduce.domain.vars())
      if (values.contains(var)) {
        vars.push_back(var);
        ofElements = ofElements || var.isElement();
      }
    if (!ofElements) return accumulate(values);
    const auto inside = reduce.domain.projectOnto(vars).toCondition();
    if (!inside) throw InternalError("lowering: a range without a test");
    emitIf(inside->substitute(values), [&] { accumulate(values); });
  };

  // The element axes that the keys choose are not loops.
  std::function<void(size_t)> overKeyed = [&](size_t axis) {
    if (axis == node.shape.size()) {
      return accumulateAll();
    }
    const Var element = Var::element(static_cast<int>(axis));
    const bool keyed = std::any_of(reduce.keys.begin(), reduce.keys.end(),
                                   [&](const auto& key) { return key.own == element; });
    if (keyed) return overKeyed(axis + 1);
    const VarId var = newVariable();
    values[element] = IndexExpr(bindVariable(var));
    Block inside = inBlock([&] { overKeyed(axis + 1); });
    emitFor(var, index(0), toExpr(node.shape[axis].substitute(values)), std::move(inside));
  };
  if (scatters) return overKeyed(0);
  overElements(node, values, [&] { accumulateAll(); });
}

void Lowering::emitSink(const Statement& statement, Values values) {
  const pdg::Sink& sink = graph_.sinks()[static_cast<size_t>(statement.sink)];
  Stmt& out = append(Stmt::Kind::Emit);
  out.sink = statement.sink;
  std::vector<Expr> coordinates;
  for (Var dim : sink.dims) coordinates.push_back(toExpr(values.at(dim)));
  out.args = std::move(coordinates);
}

void Lowering::emitSort(const Node& node, Values values) {
  const auto& sort = std::get<pdg::Sort>(node.op);
  const Storage& storage = result_.storage[static_cast<size_t>(node.id)];
  const auto axis = static_cast<size_t>(sort.axis);
  const Var along = Var::element(sort.axis);
  const DType type = graph_.node(node.inputs[0].producer).type;

  Buffer keys;
  keys.name = "keys";
  keys.kind = Buffer::Kind::Private;  // threads sort at once
  keys.type = type;
  keys.elements = storage.elementExtent[axis];
  const auto keysId = static_cast<BufferId>(result_.program.buffers.size());
  result_.program.buffers.push_back(keys);

  overElements(
      node, values,
      [&] {
        const Expr n = toExpr(node.shape[axis].substitute(values));
        const VarId var = newVariable();
        Values inside = values;
        inside[along] = IndexExpr(bindVariable(var));
        Block fill = inBlock([&] {
          const Expr value = emitRead(node, 0, inside);
          Stmt& store = append(Stmt::Kind::Store);
          store.buffer = keysId;
          store.index = variable(var, DType::I64);
          store.value = value;
        });
        emitFor(var, index(0), n, std::move(fill));
        values[along] = IndexExpr(0);
        const Expr place = address(storage, dimValues(node, values), elementValues(node, values));
        Stmt& call = append(Stmt::Kind::Call);
        call.function = sort.positions ? Stmt::Function::ArgSort : Stmt::Function::Sort;
        call.args = {n, index(1), index(storage.elementStride[axis]), index(sort.descending)};
        call.places = {{keysId, index(0)}, {result_.bufferOf[static_cast<size_t>(node.id)], place}};
      },
      sort.axis, false);
}

void Lowering::emitPermutation(const Node& node, Values values) {
  const auto& draw = std::get<pdg::Draw>(node.op);
  const Storage& storage = result_.storage[static_cast<size_t>(node.id)];
  const size_t axis = node.shape.size() - 1;
  overElements(
      node, values,
      [&] {
        values[Var::element(static_cast<int>(axis))] = IndexExpr(0);
        const auto at = dimValues(node, values);
        const Expr place = address(storage, at, elementValues(node, values));
        Stmt& call = append(Stmt::Kind::Call);
        call.function = Stmt::Function::Permutation;
        for (const IndexExpr& e : at) call.args.push_back(toExpr(e));
        call.args.push_back(toExpr(node.shape[axis].substitute(values)));
        call.args.push_back(index(storage.elementStride[axis]));
        call.places = {{result_.bufferOf[static_cast<size_t>(node.id)], place}};
        call.stream = runtime::streamId(draw.stream);
      },
      static_cast<int>(axis), false);
}

}  // namespace rlc::loops
