#include "compiler/passes/simplify_map.h"

#include <cmath>

#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"

namespace rlc::passes {

namespace {

using Kind = Simplified::Kind;

class MapSimplifier {
 public:
  MapSimplifier(Graph& graph, NodeId id, ConstantPool& pool)
      : graph_(graph), id_(id), pool_(pool), op_(std::get<pdg::Map>(graph.node(id).op).op) {}

  Simplified run() {
    switch (op_) {
      case ScalarOp::Add:
        return add();
      case ScalarOp::Sub:
        return sub();
      case ScalarOp::Mul:
        return mul();
      case ScalarOp::Div:
        return isConstant(1, 1) ? alias(0) : same();
      case ScalarOp::FloorDiv:
        return isInt() && isConstant(1, 1) ? alias(0) : same();
      case ScalarOp::Mod:
        return isInt() && isConstant(1, 1) ? constant(0) : same();
      case ScalarOp::Pow:
        return pow();
      case ScalarOp::Neg:
        return operandIs(0, ScalarOp::Neg) ? inner(0, 0) : same();
      case ScalarOp::Not:
        return operandIs(0, ScalarOp::Not) ? inner(0, 0) : same();
      case ScalarOp::Abs:
        return abs();
      case ScalarOp::Min:
      case ScalarOp::Max:
        return operandsEqual(0, 1) ? alias(0) : same();
      case ScalarOp::And:
        return logic(false);
      case ScalarOp::Or:
        return logic(true);
      case ScalarOp::Eq:
      case ScalarOp::Le:
        return operandsEqual(0, 1) && !floatOperand() ? constant(1) : same();
      case ScalarOp::Ne:
        return operandsEqual(0, 1) && !floatOperand() ? constant(0) : same();
      case ScalarOp::Lt:
        return operandsEqual(0, 1) ? constant(0) : same();
      case ScalarOp::Select:
        return select();
      case ScalarOp::Cast:
        return cast();
      default:
        return same();
    }
  }

 private:
  Node& node() { return graph_.node(id_); }
  const Node& operand(int k) { return graph_.node(node().inputs[static_cast<size_t>(k)].producer); }
  bool isInt() { return isInteger(node().type); }
  bool floatOperand() { return isFloat(operand(0).type); }
  bool operandsEqual(int a, int b) {
    return sameRead(node().inputs[static_cast<size_t>(a)], node().inputs[static_cast<size_t>(b)]);
  }
  bool operandIs(int k, ScalarOp op) {
    const auto* map = std::get_if<pdg::Map>(&operand(k).op);
    return map && map->op == op;
  }
  bool isConstant(int k, double value) {
    auto known = pdg::splatValue(operand(k));
    return known && known->asDouble() == value && (value != 0 || !std::signbit(known->asDouble()));
  }
  bool isMinusZero(int k) {
    auto known = pdg::splatValue(operand(k));
    return known && known->isFloating() && known->f == 0 && std::signbit(known->f);
  }

  Simplified same() { return {}; }
  Simplified alias(int k) { return {Kind::Alias, node().inputs[static_cast<size_t>(k)]}; }
  Simplified constant(int64_t value) {
    return {Kind::Alias, pool_.read(Scalar::ofInt(node().type, value))};
  }
  // What operand k reads as its operand `of`, read from here.
  Read innerRead(int k, int of) {
    const Read outer = node().inputs[static_cast<size_t>(k)];
    const Read read = graph_.node(outer.producer).inputs[static_cast<size_t>(of)];
    return compose(graph_, node(), outer, read);
  }
  Simplified inner(int k, int of) { return {Kind::Alias, innerRead(k, of)}; }
  // Keeps the inputs that serve subscripts where they are as long as the operands stay as many.
  Simplified rewrite(ScalarOp op) {
    node().op = pdg::Map{op};
    return {Kind::Rewritten, {}};
  }
  // Subscripts number the inputs: an operation that has them keeps its operands' number.
  bool fixedOperands() { return static_cast<int>(node().inputs.size()) > node().dataInputs(); }
  void swapOperands() { std::swap(node().inputs[0], node().inputs[1]); }

  // Whether the operand's values are never -0.0, which x + 0.0 would turn into 0.0.
  bool neverMinusZero(NodeId id, int depth = 0) {
    const Node& value = graph_.node(id);
    if (!isFloat(value.type)) return true;
    if (auto known = pdg::splatValue(value)) return !(known->f == 0 && std::signbit(known->f));
    if (const auto* reduce = std::get_if<pdg::Reduce>(&value.op))
      return reduce->kind == pdg::ReduceKind::Sum;
    const auto* map = std::get_if<pdg::Map>(&value.op);
    if (!map || depth > 4) return false;
    auto operandNever = [&](size_t k) {
      return neverMinusZero(value.inputs[k].producer, depth + 1);
    };
    switch (map->op) {
      case ScalarOp::Exp:
      case ScalarOp::Abs:
      case ScalarOp::Sigmoid:
      case ScalarOp::Softplus:
        return true;
      case ScalarOp::Cast:
        return !isFloat(graph_.node(value.inputs[0].producer).type);
      case ScalarOp::Add:
        return operandNever(0) || operandNever(1);
      case ScalarOp::Sub:
        return operandNever(0);
      case ScalarOp::Select:
        return operandNever(1) && operandNever(2);
      case ScalarOp::Max:
      case ScalarOp::Min:
        return operandNever(0) && operandNever(1);
      default:
        return false;
    }
  }

  bool neutralZero(int zero, int other) {
    if (isMinusZero(zero)) return true;
    return isConstant(zero, 0) &&
           neverMinusZero(node().inputs[static_cast<size_t>(other)].producer);
  }

  Simplified add() {
    if (neutralZero(1, 0)) return alias(0);
    if (neutralZero(0, 1)) return alias(1);
    if (operandIs(1, ScalarOp::Neg)) {
      const Read read = innerRead(1, 0);
      node().inputs[1] = read;
      return rewrite(ScalarOp::Sub);
    }
    if (operandIs(0, ScalarOp::Neg)) {
      swapOperands();
      const Read read = innerRead(1, 0);
      node().inputs[1] = read;
      return rewrite(ScalarOp::Sub);
    }
    return same();
  }

  Simplified sub() {
    if (isConstant(1, 0)) return alias(0);
    if (!isFloat(node().type) && operandsEqual(0, 1)) return constant(0);
    if (operandIs(1, ScalarOp::Neg)) {
      const Read read = innerRead(1, 0);
      node().inputs[1] = read;
      return rewrite(ScalarOp::Add);
    }
    const bool negation = isMinusZero(0) || (isInt() && isConstant(0, 0));
    if (negation && !fixedOperands()) {
      node().inputs.erase(node().inputs.begin());
      return rewrite(ScalarOp::Neg);
    }
    return same();
  }

  Simplified mul() {
    if (isConstant(1, 1)) return alias(0);
    if (isConstant(0, 1)) return alias(1);
    if (isInt() && (isConstant(0, 0) || isConstant(1, 0))) return constant(0);
    for (int k : {0, 1}) {
      if (!isConstant(k, -1) || !isFloat(node().type) || fixedOperands()) continue;
      node().inputs.erase(node().inputs.begin() + k);
      return rewrite(ScalarOp::Neg);
    }
    if (operandIs(0, ScalarOp::Neg) && operandIs(1, ScalarOp::Neg)) {
      const Read a = innerRead(0, 0), b = innerRead(1, 0);
      node().inputs[0] = a;
      node().inputs[1] = b;
      return rewrite(ScalarOp::Mul);
    }
    return same();
  }

  Simplified pow() {
    if (isConstant(1, 1)) return alias(0);
    if (isConstant(1, 0)) return constant(1);  // of NaN too
    return same();
  }

  Simplified abs() {
    if (operandIs(0, ScalarOp::Abs)) return alias(0);
    if (!operandIs(0, ScalarOp::Neg)) return same();
    const Read read = innerRead(0, 0);
    node().inputs[0] = read;
    return rewrite(ScalarOp::Abs);
  }

  // `absorbing`: the operand that decides alone (false of and, true of or).
  Simplified logic(bool absorbing) {
    if (operandsEqual(0, 1)) return alias(0);
    for (int k : {0, 1}) {
      auto known = pdg::splatValue(operand(k));
      if (!known) continue;
      return known->asBool() == absorbing ? constant(absorbing) : alias(1 - k);
    }
    return same();
  }

  Simplified select() {
    if (operandsEqual(1, 2)) return alias(1);
    if (operandIs(0, ScalarOp::Not)) {
      const Read condition = innerRead(0, 0);
      node().inputs[0] = condition;
      std::swap(node().inputs[1], node().inputs[2]);
      return rewrite(ScalarOp::Select);
    }
    const auto yes = pdg::splatValue(operand(1)), no = pdg::splatValue(operand(2));
    if (yes && no && identical(*yes, *no)) return alias(1);
    if (node().type == DType::Bool && no && !no->asBool() &&
        ((yes && yes->asBool()) || operandsEqual(0, 1)))
      return alias(0);
    // A side that chooses by the same condition has chosen.
    for (int k : {1, 2}) {
      if (!operandIs(k, ScalarOp::Select)) continue;
      const auto condition =
          pdg::readThrough(operand(k), node().inputs[static_cast<size_t>(k)], operand(k).inputs[0]);
      if (!condition || !sameRead(*condition, node().inputs[0])) continue;
      const Read read = innerRead(k, k);
      node().inputs[static_cast<size_t>(k)] = read;
      return rewrite(ScalarOp::Select);
    }
    return same();
  }

  Simplified cast() {
    if (operand(0).type == node().type) return alias(0);
    if (!operandIs(0, ScalarOp::Cast)) return same();
    const DType from = graph_.node(operand(0).inputs[0].producer).type;
    if (!represents(operand(0).type, from)) return same();
    const Read read = innerRead(0, 0);
    node().inputs[0] = read;
    return rewrite(ScalarOp::Cast);
  }

  // Whether every value of `narrow` is one of `wide`.
  static bool represents(DType wide, DType narrow) {
    if (wide == narrow || narrow == DType::Bool) return wide != DType::Bool || narrow == wide;
    switch (wide) {
      case DType::Bool:
      case DType::U8:
        return false;
      case DType::I32:
        return narrow == DType::U8;
      case DType::I64:
        return narrow == DType::U8 || narrow == DType::I32;
      case DType::BF16:
        return narrow == DType::U8;
      case DType::F32:
        return narrow == DType::U8 || narrow == DType::BF16;
      case DType::F64:
        return narrow != DType::I64;
    }
    return false;
  }

  Graph& graph_;
  NodeId id_;
  ConstantPool& pool_;
  ScalarOp op_;
};

}  // namespace

Simplified simplifyMap(Graph& graph, NodeId id, ConstantPool& pool) {
  return MapSimplifier(graph, id, pool).run();
}

}  // namespace rlc::passes
