// Operand and result types of each op.
#include "compiler/pdg/shape.h"
#include "compiler/pdg/verifier_internal.h"
#include "jit/runtime/sum_tree.h"

namespace rlc::pdg::verifying {

namespace {

class TypeCheck {
 public:
  TypeCheck(const Graph& graph, const Node& node, Messages& messages)
      : graph_(graph), node_(node), messages_(messages) {}

  void operator()(const Constant& constant) {
    require(constant.value.type == node_.type, "its value has another type");
    const auto shape = constantShape(node_);
    require(shape && *shape == constant.value.shape, "its value has another shape");
    require(shape && static_cast<int64_t>(constant.value.elements.size()) == elementCount(*shape),
            "its value has the wrong number of elements");
    for (const Scalar& element : constant.value.elements)
      require(element.type == node_.type, "an element of its value has another type");
  }

  void operator()(const IndexValue&) {
    require(node_.type == DType::I32, "an index value must be i32");
  }

  void operator()(const Param& param) {
    const bool known = param.param >= 0 && param.param < static_cast<int>(graph_.params().size());
    require(known, "there is no such param");
    require(node_.dims.empty() && node_.shape.empty(), "a param must be a scalar without dims");
    if (known)
      require(graph_.params()[static_cast<size_t>(param.param)].value.type == node_.type,
              "the param has another type");
  }

  void operator()(const Map& map) {
    switch (map.op) {
      case ScalarOp::Select:
        require(operand(0) == DType::Bool, "a select's condition must be bool");
        same(1);
        same(2);
        return;
      case ScalarOp::Cast:
        return;
      case ScalarOp::IsNan:
      case ScalarOp::IsInf:
      case ScalarOp::IsFinite:
        require(isFloat(operand(0)), "its operand must be a float");
        require(node_.type == DType::Bool, "its result must be bool");
        return;
      case ScalarOp::And:
      case ScalarOp::Or:
      case ScalarOp::Not:
        for (int i = 0; i < arity(map.op); ++i)
          require(operand(i) == DType::Bool, "its operands must be bool");
        require(node_.type == DType::Bool, "its result must be bool");
        return;
      default:
        break;
    }
    if (isComparison(map.op)) {
      require(operand(0) == operand(1),
              "compares " + text(operand(0)) + " with " + text(operand(1)));
      require(node_.type == DType::Bool, "its result must be bool");
      return;
    }
    for (int i = 0; i < arity(map.op); ++i) same(i);
    const bool floatOnly = map.op >= ScalarOp::Floor && map.op <= ScalarOp::Digamma;
    if (floatOnly) require(isFloat(node_.type), "is defined for floats only");
  }

  void operator()(const Detach&) { same(0); }

  void operator()(const Reduce& reduce) {
    switch (reduce.kind) {
      case ReduceKind::Sum:
      case ReduceKind::Prod:
      case ReduceKind::Max:
      case ReduceKind::Min:
        same(0);
        break;
      case ReduceKind::All:
      case ReduceKind::Any:
        require(operand(0) == DType::Bool && node_.type == DType::Bool, "is defined for bool only");
        break;
      case ReduceKind::ArgMax:
      case ReduceKind::ArgMin:
        require(node_.type == DType::I32, "a position must be i32");
        break;
      case ReduceKind::FirstTrue:
        require(operand(0) == DType::Bool && node_.type == DType::I32, "takes bool and gives i32");
        break;
    }
    if (reduce.hasFilter) require(operand(1) == DType::Bool, "a filter must be bool");
    const bool position = reduce.kind == ReduceKind::ArgMax || reduce.kind == ReduceKind::ArgMin ||
                          reduce.kind == ReduceKind::FirstTrue;
    if (position) require(!reduce.bound.empty(), "needs a bound variable");
  }

  void operator()(const Merge& merge) {
    for (size_t i = 0; i < merge.pieces.size(); ++i) same(static_cast<int>(i));
  }

  void operator()(const Draw& draw) {
    require(draw.part >= 0 && draw.part < draw.parts,
            "must be one of the parts that are drawn together");
    switch (draw.kind) {
      case DrawKind::Uniform01:
      case DrawKind::StandardNormal:
        require(node_.type == DType::F32 || node_.type == DType::F64, "must be f32 or f64");
        return;
      case DrawKind::UniformInt:
        require(node_.type == DType::I32, "must be i32");
        same(0);
        same(1);
        return;
      case DrawKind::Categorical:
        require(node_.type == DType::I32, "must be i32");
        require(isFloat(operand(0)), "its logits must be floats");
        require(draw.categories > 0, "must have a category");
        return;
      case DrawKind::Permutation:
        require(node_.type == DType::I32, "must be i32");
        require(!node_.shape.empty(), "must have an axis");
        return;
      case DrawKind::StandardGamma:
        same(0);
        return;
    }
  }

  void operator()(const Sort& sort) {
    if (sort.positions) {
      require(node_.type == DType::I32, "positions must be i32");
    } else {
      same(0);
    }
  }

  void operator()(const TreeUpdate& update) {
    same(0);
    require(operand(1) == DType::I32, "its positions must be i32");
    require(update.entries > 0, "must set a priority");
    require(operand(0) == DType::F32 && operand(2) == DType::F32,
            "its tree and its priorities must be f32");
    const auto shape = constantShape(node_);
    const int64_t size = runtime::SumTreeLayout(update.tree.capacity, update.tree.fanout).size;
    require(shape && shape->size() == 1 && shape->front() == size,
            "its shape is not that of its tree");
  }

  void operator()(const TreeFind& find) {
    require(node_.type == DType::I32, "a position must be i32");
    require(operand(0) == DType::F32 && operand(1) == DType::F32, "its operands must be f32");
    require(find.nodes == runtime::SumTreeLayout(find.tree.capacity, find.tree.fanout).size,
            "its nodes are not those of its tree");
  }

  void operator()(const PointUpdate& update) {
    same(0);
    same(1);
    require(!update.keys.empty(), "needs a key");
  }

  void operator()(const Grad&) {
    require(isFloat(operand(0)), "the loss must be a float");
    same(1);
  }

 private:
  static std::string text(DType type) { return std::string(rlc::name(type)); }

  DType operand(int input) const {
    return graph_.node(node_.inputs[static_cast<size_t>(input)].producer).type;
  }

  void same(int input) {
    require(operand(input) == node_.type, "is " + text(node_.type) + " but its operand " +
                                              std::to_string(input) + " is " +
                                              text(operand(input)));
  }

  void require(bool holds, const std::string& what) {
    if (!holds) messages_.report(node_, what);
  }

  const Graph& graph_;
  const Node& node_;
  Messages& messages_;
};

}  // namespace

void checkTypes(const Graph& graph, const Node& node, Messages& messages) {
  TypeCheck check(graph, node, messages);
  std::visit(check, node.op);
}

}  // namespace rlc::pdg::verifying
