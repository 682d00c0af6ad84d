#include "compiler/passes/fold_constants.h"

#include <algorithm>

#include "compiler/interpreter/scalar_eval.h"
#include "compiler/passes/aliases.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"

namespace rlc::passes {

namespace {

using pdg::Merge;
using pdg::ReduceKind;

constexpr int64_t kMostElements = 4096;  // of a tensor that is computed now

class Folder {
 public:
  explicit Folder(Graph& graph) : graph_(graph), pool_(graph), aliases_(graph) {}

  int run() {
    for (NodeId id : producersFirst(graph_)) {
      aliases_.redirect(id);
      replaceKnownSubscripts(graph_.node(id));
      fold(id);
    }
    aliases_.redirectAll();
    return folded_;
  }

 private:
  void fold(NodeId id) {
    const Node& node = graph_.node(id);
    if (const auto* value = std::get_if<pdg::IndexValue>(&node.op)) {
      if (auto constant = value->expr.asConstant())
        become(id, pool_.read(Scalar::ofInt(node.type, *constant)));
    } else if (const auto* map = std::get_if<pdg::Map>(&node.op)) {
      foldMap(id, map->op);
    } else if (std::holds_alternative<pdg::Detach>(node.op)) {
      if (auto value = known(node.inputs[0])) become(id, pool_.read(*value));
    } else if (std::holds_alternative<Merge>(node.op)) {
      foldMerge(id);
    } else if (std::holds_alternative<pdg::Reduce>(node.op)) {
      foldReduce(id);
    }
  }

  void become(NodeId id, Read target) {
    aliases_.set(id, std::move(target));
    ++folded_;
  }

  // The value that the read gives everywhere.
  std::optional<Scalar> known(const Read& read) const {
    if (!read.past.empty()) return std::nullopt;
    return pdg::splatValue(graph_.node(read.producer));
  }

  // Subscripts that are constants or index expressions after all. Only where their range was
  // proven: the others are checked at run time, as is one that is good because it is itself read at
  // such a subscript.
  void replaceKnownSubscripts(Node& node) {
    if (static_cast<int>(node.inputs.size()) <= node.dataInputs()) return;
    std::map<int, IndexExpr> values;
    auto look = [&](const IndexExpr& e, auto&& self) -> void {
      for (const IndexExpr::Term& term : e.terms()) {
        const IndexExpr::Atom& atom = *term.atom;
        for (const IndexExpr& arg : atom.args) self(arg, self);
        if (atom.kind != IndexExpr::AtomKind::Value || !atom.lo || !atom.hi) continue;
        const Read& read = node.inputs[static_cast<size_t>(atom.input)];
        const Node& producer = graph_.node(read.producer);
        if (auto value = known(read)) {
          values.insert_or_assign(atom.input, IndexExpr(value->i));
        } else if (const auto* index = std::get_if<pdg::IndexValue>(&producer.op);
                   index && !index->expr.hasValue() && !pdg::isChecked(read) &&
                   holds([&] { return fits(producer, index->expr); })) {
          values.insert_or_assign(atom.input, index->expr.substitute(valuesOf(producer, read)));
        }
      }
    };
    auto lookIn = [&](const std::vector<IndexExpr>& exprs) {
      for (const IndexExpr& e : exprs)
        if (e.hasValue()) look(e, look);
    };
    for (const Read& read : node.inputs) lookIn(read.at), lookIn(read.element);
    if (values.empty()) return;
    // Values within values: as often as they nest.
    for (int depth = 0; depth < 4; ++depth) replaceValues(node, values);
    folded_ += dropUnusedInputs(node);
  }

  // An index value wraps to 32 bits, an index expression does not.
  static bool fits(const Node& producer, const IndexExpr& e) {
    std::vector<Var> used;
    e.collectVariables(used);
    const bool dimsOnly =
        std::none_of(used.begin(), used.end(), [](Var var) { return var.isElement(); });
    if (!dimsOnly) return false;
    const auto lo = producer.domain.minimum(e), hi = producer.domain.maximum(e);
    return lo && hi && *lo >= INT32_MIN && *hi <= INT32_MAX;
  }

  void foldMap(NodeId id, ScalarOp op) {
    const Node& node = graph_.node(id);
    if (op == ScalarOp::Select) {
      if (auto condition = known(node.inputs[0])) {
        become(id, node.inputs[condition->asBool() ? 1 : 2]);
        return;
      }
    }
    const int operands = arity(op);
    std::vector<Scalar> values;
    for (int k = 0; k < operands; ++k) {
      auto value = known(node.inputs[static_cast<size_t>(k)]);
      if (!value) {
        foldTensor(id, op);
        return;
      }
      values.push_back(*value);
    }
    if (auto result = compute(op, values, node.type)) become(id, pool_.read(*result));
  }

  static std::optional<Scalar> compute(ScalarOp op, const std::vector<Scalar>& operands,
                                       DType result) {
    interpreter::Cell cells[3];
    for (size_t k = 0; k < operands.size(); ++k) cells[k] = interpreter::toCell(operands[k]);
    const DType type = operands[op == ScalarOp::Select ? 1 : 0].type;
    try {
      return interpreter::toScalar(result, interpreter::evalScalar(op, type, result, cells));
    } catch (const interpreter::ScalarFault&) {
      return std::nullopt;
    }
  }

  // Literal tensors of several values, each operand read at element positions alone.
  void foldTensor(NodeId id, ScalarOp op) {
    Node& node = graph_.node(id);
    const auto shape = pdg::constantShape(node);
    if (!shape || shape->empty() || pdg::elementCount(*shape) > kMostElements) return;
    const size_t operands = static_cast<size_t>(arity(op));
    for (size_t k = 0; k < operands; ++k) {
      const Read& read = node.inputs[k];
      if (!std::holds_alternative<pdg::Constant>(graph_.node(read.producer).op)) return;
      std::vector<Var> used;
      for (const IndexExpr& e : read.element) {
        if (e.hasValue()) return;
        e.collectVariables(used);
      }
      if (std::any_of(used.begin(), used.end(), [](Var var) { return !var.isElement(); })) return;
    }
    DenseTensor result{node.type, *shape, {}};
    const int64_t count = pdg::elementCount(*shape);
    std::vector<int64_t> position(shape->size());
    for (int64_t n = 0; n < count; ++n) {
      std::vector<Scalar> values;
      for (size_t k = 0; k < operands; ++k) values.push_back(element(node.inputs[k], position));
      auto value = compute(op, values, node.type);
      if (!value) return;
      result.elements.push_back(*value);
      for (size_t axis = position.size(); axis-- > 0 && ++position[axis] == (*shape)[axis];)
        position[axis] = 0;
    }
    Node constant;
    constant.name = node.name;
    constant.adjoint = node.adjoint;
    constant.span = node.span;
    constant.domain = pdg::Set::universe(graph_.context(), {});
    constant.type = node.type;
    constant.shape = node.shape;
    const Read target{graph_.size(), {}, pdg::identity(pdg::elementVars(node))};
    constant.op = pdg::Constant{std::move(result)};
    graph_.add(std::move(constant));
    become(id, target);
  }

  const Scalar& element(const Read& read, const std::vector<int64_t>& position) const {
    const DenseTensor& tensor = std::get<pdg::Constant>(graph_.node(read.producer).op).value;
    int64_t offset = 0;
    for (size_t axis = 0; axis < read.element.size(); ++axis) {
      const int64_t at = read.element[axis].evaluate(
          [&](Var var) { return position[static_cast<size_t>(var.elementAxis())]; });
      offset = offset * tensor.shape[axis] + at;
    }
    return tensor.elements.at(static_cast<size_t>(offset));
  }

  void foldMerge(NodeId id) {
    Node& node = graph_.node(id);
    Merge& merge = std::get<Merge>(node.op);
    auto impossible = [](const Merge::Piece& piece) {
      return piece.element.kind() == pdg::Condition::Kind::False ||
             holds([&] { return piece.domain.isEmpty(); });
    };
    for (size_t k = merge.pieces.size(); merge.pieces.size() > 1 && k-- > 0;) {
      if (!impossible(merge.pieces[k])) continue;
      removePiece(node, k);
      ++folded_;
    }
    if (merge.pieces.size() < 2) return;  // an alias: simplify's
    for (size_t k = 1; k < merge.pieces.size(); ++k)
      if (!sameRead(node.inputs[k], node.inputs[0])) return;
    if (node.inputs[0].producer != id) become(id, node.inputs[0]);
  }

  // A constant summed over a range that is the same everywhere.
  std::optional<Scalar> constantSum(const Node& node, const pdg::Reduce& reduce) const {
    if (reduce.kind != ReduceKind::Sum || reduce.hasFilter || !reduce.keys.empty() ||
        !node.dims.empty() || !node.shape.empty())
      return std::nullopt;
    const auto each = known(node.inputs[0]);
    int64_t count = 0;
    const auto counted = [&] {
      if (!reduce.domain.isBounded()) return false;
      count = reduce.domain.count();
      return count > 0 && count < INT64_MAX;  // more are not told apart
    };
    if (!each || !holds(counted)) return std::nullopt;
    if (isFloat(node.type))  // as it is added up, in f64
      return Scalar::ofFloat(node.type, each->asDouble() * static_cast<double>(count));
    return Scalar::ofInt(node.type, static_cast<int64_t>(static_cast<uint64_t>(each->asInt()) *
                                                         static_cast<uint64_t>(count)));
  }

  // Reductions of nothing, of what changes nothing, and of constants.
  void foldReduce(NodeId id) {
    const Node& node = graph_.node(id);
    const auto& reduce = std::get<pdg::Reduce>(node.op);
    if (const auto sum = constantSum(node, reduce)) return become(id, pool_.read(*sum));
    std::optional<Scalar> neutral;
    switch (reduce.kind) {
      case ReduceKind::Sum:
        neutral = pdg::zero(node.type);
        break;
      case ReduceKind::Prod:
        neutral = pdg::one(node.type);
        break;
      case ReduceKind::All:
        neutral = Scalar::ofInt(DType::Bool, 1);
        break;
      case ReduceKind::Any:
        neutral = Scalar::ofInt(DType::Bool, 0);
        break;
      case ReduceKind::Max:
      case ReduceKind::Min:
      case ReduceKind::ArgMax:
      case ReduceKind::ArgMin:
      case ReduceKind::FirstTrue:
        return;
    }
    auto body = known(node.inputs[0]);
    if (body && !identical(*body, *neutral)) body.reset();
    if (!body && reduce.hasFilter) {
      auto filter = known(node.inputs[1]);
      if (filter && !filter->asBool()) body = neutral;
    }
    if (body || holds([&] { return reduce.domain.isEmpty(); })) become(id, pool_.read(*neutral));
  }

  Graph& graph_;
  ConstantPool pool_;
  Aliases aliases_;
  int folded_ = 0;
};

}  // namespace

void foldConstants(pdg::Graph& graph, Notes& notes) {
  notes.count(Folder(graph).run(), "replaced by constants");
}

}  // namespace rlc::passes
