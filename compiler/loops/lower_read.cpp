// Subscripts to addresses; reads of stored, constant and inlined nodes.
#include "compiler/diagnostics/internal_error.h"
#include "compiler/loops/lowering.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/requirements.h"
#include "compiler/pdg/subscript_faults.h"

namespace rlc::loops {

namespace {

Expr zero(DType type) {
  return literal(isFloat(type) ? Scalar::ofFloat(type, 0) : Scalar::ofInt(type, 0));
}

}  // namespace

Values Lowering::valuesAt(const Node& node, const std::vector<IndexExpr>& at,
                          const std::vector<IndexExpr>& element) const {
  Values values;
  for (size_t k = 0; k < node.dims.size(); ++k) values[node.dims[k]] = at[k];
  for (size_t k = 0; k < element.size(); ++k)
    values[Var::element(static_cast<int>(k))] = element[k];
  return values;
}

std::vector<IndexExpr> Lowering::dimValues(const Node& node, const Values& values) const {
  std::vector<IndexExpr> result;
  for (Var dim : node.dims) result.push_back(values.at(dim));
  return result;
}

std::vector<IndexExpr> Lowering::elementValues(const Node& node, const Values& values) const {
  std::vector<IndexExpr> result;
  for (size_t k = 0; k < node.shape.size(); ++k)
    result.push_back(values.at(Var::element(static_cast<int>(k))));
  return result;
}

IndexExpr Lowering::resolve(const IndexExpr& e, const Node& consumer, const Values& values) {
  if (!e.hasValue()) return e.substitute(values);
  IndexExpr result = e.constantTerm();
  for (const IndexExpr::Term& term : e.terms()) {
    const IndexExpr::Atom& atom = *term.atom;
    IndexExpr part;
    switch (atom.kind) {
      case IndexExpr::AtomKind::Variable:
        part = IndexExpr(atom.var).substitute(values);
        break;
      case IndexExpr::AtomKind::Value: {
        Expr value = cast(DType::I64, emitRead(consumer, static_cast<size_t>(atom.input), values));
        // Past an end of an index there may be anything; what nobody asks for has to stay within
        // memory all the same.
        if (!statements_.endings.empty() && atom.lo && atom.hi) {
          const Expr lo = toExpr(resolve(*atom.lo, consumer, values)),
                     hi = toExpr(resolve(*atom.hi, consumer, values));
          value = op(ScalarOp::Max, {op(ScalarOp::Min, {value, hi - index(1)}), lo});
        }
        part = IndexExpr(bindVariable(local(DType::I64, std::move(value))->var));
        break;
      }
      case IndexExpr::AtomKind::FloorDiv:
        part = IndexExpr::floorDiv(resolve(atom.args[0], consumer, values), atom.divisor);
        break;
      case IndexExpr::AtomKind::Mod:
        part = IndexExpr::mod(resolve(atom.args[0], consumer, values), atom.divisor);
        break;
      case IndexExpr::AtomKind::Min:
      case IndexExpr::AtomKind::Max: {
        part = resolve(atom.args[0], consumer, values);
        for (size_t k = 1; k < atom.args.size(); ++k) {
          const IndexExpr next = resolve(atom.args[k], consumer, values);
          part = atom.kind == IndexExpr::AtomKind::Min ? IndexExpr::min(part, next)
                                                       : IndexExpr::max(part, next);
        }
        break;
      }
    }
    result = result + part * term.coefficient;
  }
  return result;
}

Expr Lowering::toExpr(const IndexExpr& e) {
  Expr result = index(e.constantTerm());
  for (const IndexExpr::Term& term : e.terms()) {
    const IndexExpr::Atom& atom = *term.atom;
    Expr part;
    switch (atom.kind) {
      case IndexExpr::AtomKind::Variable: {
        const auto found = bound_.find(atom.var);
        if (found == bound_.end()) throw InternalError("lowering: a variable that no loop binds");
        part = found->second;
        break;
      }
      case IndexExpr::AtomKind::Value:
        throw InternalError("lowering: an unresolved gather");
      case IndexExpr::AtomKind::FloorDiv:
        part = op(ScalarOp::FloorDiv, {toExpr(atom.args[0]), index(atom.divisor)});
        break;
      case IndexExpr::AtomKind::Mod:
        part = op(ScalarOp::Mod, {toExpr(atom.args[0]), index(atom.divisor)});
        break;
      case IndexExpr::AtomKind::Min:
      case IndexExpr::AtomKind::Max:
        part = toExpr(atom.args[0]);
        for (size_t k = 1; k < atom.args.size(); ++k)
          part = op(atom.kind == IndexExpr::AtomKind::Min ? ScalarOp::Min : ScalarOp::Max,
                    {part, toExpr(atom.args[k])});
        break;
    }
    // Subtractions read better, and constants come last: t - 1.
    if (term.coefficient == -1 &&
        !(result->kind == ExprNode::Kind::Literal && result->literal.i == 0)) {
      result = result - part;
    } else {
      result = op(ScalarOp::Mul, {part, index(term.coefficient)}) + result;
    }
  }
  return result;
}

Expr Lowering::toExpr(const Condition& condition) {
  switch (condition.kind()) {
    case Condition::Kind::True:
      return literal(Scalar::ofInt(DType::Bool, 1));
    case Condition::Kind::False:
      return literal(Scalar::ofInt(DType::Bool, 0));
    case Condition::Kind::NonNegative:
      return op(ScalarOp::Le, {index(0), toExpr(condition.expr())});
    case Condition::Kind::Zero:
      return op(ScalarOp::Eq, {toExpr(condition.expr()), index(0)});
    case Condition::Kind::NonZero:
      return op(ScalarOp::Ne, {toExpr(condition.expr()), index(0)});
    case Condition::Kind::And:
    case Condition::Kind::Or: {
      const ScalarOp joint =
          condition.kind() == Condition::Kind::And ? ScalarOp::And : ScalarOp::Or;
      Expr result = toExpr(condition.parts().front());
      for (size_t k = 1; k < condition.parts().size(); ++k)
        result = op(joint, {result, toExpr(condition.parts()[k])});
      return result;
    }
  }
  throw InternalError("lowering: unknown condition");
}

Expr Lowering::emitRead(const Node& consumer, size_t input, const Values& values) {
  const Read& read = consumer.inputs[input];
  std::vector<IndexExpr> at, element;
  for (const IndexExpr& e : read.at) at.push_back(resolve(e, consumer, values));
  for (const IndexExpr& e : read.element) element.push_back(resolve(e, consumer, values));
  if (pdg::isTested(read)) checkGather(consumer, read, at, element, values);
  checkEnds(consumer, read, at, element, values);
  if (!isEverRead(read.producer)) return zero(graph_.node(read.producer).type);
  return emitElement(read.producer, at, element);
}

// A piece of an inlined merge may hold at no point of the statement. Its code never runs, and what
// it would read is kept for nobody: the storage may be private to other loops, or hold something
// else by now.
bool Lowering::isEverRead(NodeId producer) const {
  return statement_ < 0 ||
         statements_.placement[static_cast<size_t>(producer)] != Placement::Stored ||
         storedReads_[static_cast<size_t>(statement_)].contains(producer);
}

void Lowering::checkGather(const Node& consumer, const Read& read, const std::vector<IndexExpr>& at,
                           const std::vector<IndexExpr>& element, const Values& values) {
  const Node& producer = graph_.node(read.producer);
  const Values target = valuesAt(producer, at, element);
  Condition inside = Condition::always();
  if (!producer.dims.empty()) {
    const auto domain = producer.domain.toCondition();
    if (!domain) throw InternalError("lowering: a domain without a test");
    inside = domain->substitute(target);
  }
  for (size_t k = 0; k < element.size(); ++k)
    inside = inside && Condition::within(element[k], 0, producer.shape[k].substitute(target));
  if (inside.kind() == Condition::Kind::True) return;
  if (!read.origin && !printer_) printer_.emplace(graph_);
  const pdg::ReadOrigin origin =
      read.origin ? *read.origin
                  : pdg::originOf(graph_, *printer_, nameOf(consumer), consumer, read);
  checkRead(toExpr(inside), pdg::faultOutside(producer), origin, consumer, read, at, element,
            values);
}

void Lowering::checkEnds(const Node& consumer, const Read& read, const std::vector<IndexExpr>& at,
                         const std::vector<IndexExpr>& element, const Values& values) {
  for (const pdg::PastEnd& past : read.past) {
    Condition before = Condition::never();
    for (const IndexExpr& e : past.where)
      before = before || Condition::less(resolve(e, consumer, values), 0);
    checkRead(toExpr(before), diagnostics::Kind::PastEndFault, *past.origin, consumer, read, at,
              element, values);
  }
}

void Lowering::checkRead(Expr condition, diagnostics::Kind kind, const pdg::ReadOrigin& origin,
                         const Node& consumer, const Read& read, const std::vector<IndexExpr>& at,
                         const std::vector<IndexExpr>& element, const Values& values) {
  std::vector<Expr> coordinates;
  Fault fault;
  fault.kind = kind;
  fault.message = origin.message;
  fault.tensor = origin.tensor;
  fault.span = origin.span;
  for (const auto& [name, value] : origin.point) {
    const auto known = pointValue(value, consumer, read, at, element, values);
    if (!known) continue;
    fault.coordinateNames.push_back(name);
    coordinates.push_back(toExpr(*known));
  }
  check(std::move(condition), std::move(fault), std::move(coordinates));
}

// A subscript is what has been computed for the read. None: a variable that the value depends on
// has none yet, as what a key of a scatter chooses.
std::optional<IndexExpr> Lowering::pointValue(const IndexExpr& value, const Node& consumer,
                                              const Read& read, const std::vector<IndexExpr>& at,
                                              const std::vector<IndexExpr>& element,
                                              const Values& values) {
  for (size_t k = 0; k < at.size(); ++k)
    if (read.at[k] == value) return at[k];
  for (size_t k = 0; k < element.size(); ++k)
    if (read.element[k] == value) return element[k];
  std::vector<Var> used;
  value.collectVariables(used);
  for (Var var : used)
    if (!values.contains(var)) return std::nullopt;
  return resolve(value, consumer, values);
}

Expr Lowering::emitElement(NodeId id, const std::vector<IndexExpr>& at,
                           const std::vector<IndexExpr>& element) {
  const Node& producer = graph_.node(id);
  switch (statements_.placement[static_cast<size_t>(id)]) {
    case Placement::Inline:
      return emitOp(producer, valuesAt(producer, at, element));
    case Placement::Constant: {
      const auto& shape = std::get<pdg::Constant>(producer.op).value.shape;
      IndexExpr offset = 0;
      for (size_t k = 0; k < shape.size(); ++k) offset = offset * shape[k] + element[k];
      return load(constants_.at(id), producer.type, toExpr(offset));
    }
    case Placement::Stored:
      break;
  }
  if (element.empty())
    if (auto found = forwarded_.find({id, at}); found != forwarded_.end()) return found->second;
  // A tensor without points is read in code that never runs.
  if (statements_.writers[static_cast<size_t>(id)].empty()) return zero(producer.type);
  const Storage& storage = result_.storage[static_cast<size_t>(id)];
  return load(result_.bufferOf[static_cast<size_t>(id)], producer.type,
              address(storage, at, element));
}

Expr Lowering::address(const Storage& storage, const std::vector<IndexExpr>& at,
                       const std::vector<IndexExpr>& element) {
  return toExpr(offsetOf(storage, at, element));
}

IndexExpr Lowering::offsetOf(const Storage& storage, const std::vector<IndexExpr>& at,
                             const std::vector<IndexExpr>& element) const {
  IndexExpr result = 0;
  for (size_t k = 0; k < at.size(); ++k) {
    const schedule::DimStorage& dim = storage.dims[k];
    if (dim.lane || dim.extent <= 1) continue;
    if (dim.rotation) {
      const IndexExpr behind = IndexExpr(dim.rotation->loopVar) - IndexExpr(dim.newest) - at[k];
      const auto place = (dim.rotation->descending ? -behind : behind).asConstant();
      if (!place) throw InternalError("lowering: a point that does not move with its loop");
      result = result + IndexExpr(*place) * dim.stride;
      continue;
    }
    const IndexExpr position = at[k] - IndexExpr(dim.lo);
    result = result + (dim.ring ? IndexExpr::mod(position, dim.extent) : position) * dim.stride;
  }
  for (size_t k = 0; k < element.size(); ++k)
    result = result + element[k] * storage.elementStride[k];
  return result;
}

std::optional<Stmt::Place> Lowering::sideBySide(const Node& consumer, size_t input, Var along,
                                                int64_t count, const Values& values) {
  const Read& read = consumer.inputs[input];
  const auto id = static_cast<size_t>(read.producer);
  const Storage& storage = result_.storage[id];
  const auto computed = [](const IndexExpr& e) { return e.hasValue(); };
  if (statements_.placement[id] != Placement::Stored || storage.node < 0 || storage.perLane ||
      !isEverRead(read.producer) || pdg::isChecked(read) ||
      std::any_of(read.at.begin(), read.at.end(), computed) ||
      std::any_of(read.element.begin(), read.element.end(), computed))
    return std::nullopt;
  std::vector<IndexExpr> at, element;
  for (const IndexExpr& e : read.at) at.push_back(e.substitute(values));
  for (const IndexExpr& e : read.element) element.push_back(e.substitute(values));
  const IndexExpr offset = offsetOf(storage, at, element);
  const IndexExpr start = offset.substitute({{along, IndexExpr(0)}}), moved = offset - start;
  std::vector<Var> vars;
  moved.collectVariables(vars);
  if (vars != std::vector<Var>{along}) return std::nullopt;
  const Set points = Set::box(graph_.context(), {along}, {0}, {count});
  const IndexExpr apart = moved - IndexExpr(along);
  if (points.minimum(apart) != 0 || points.maximum(apart) != 0) return std::nullopt;
  return Stmt::Place{result_.bufferOf[id], toExpr(start)};
}

}  // namespace rlc::loops
