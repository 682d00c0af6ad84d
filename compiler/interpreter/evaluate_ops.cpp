// Element-wise operations, index values, merges, sorts.
#include <algorithm>
#include <numeric>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/interpreter/evaluator.h"
#include "compiler/interpreter/evaluator_elements.h"
#include "compiler/interpreter/scalar_eval.h"

namespace rlc::interpreter {

void Evaluator::evaluateMap(CompiledNode& node, const pdg::Map& map, Cell* out) {
  const bool select = map.op == ScalarOp::Select;
  const int operands = arity(map.op);
  const DType type = graph_.node(node.node->inputs[select ? 1 : 0].producer).type;
  forEachElement(node, vars_.data(), extents_.data(), [&](int64_t offset) {
    Cell args[3];
    if (select) {
      // The other side is not asked for: it may not have a value, or take long to compute.
      if (fetch(node, 0, args[0])) fetch(node, args[0].i ? 1 : 2, out[offset]);
      return;
    }
    if (node.endsFirst) {  // nor is anything past the end of an index
      if (!fetch(node, 0, args[0])) return;
      if (!args[0].i) {
        out[offset] = args[0];
        return;
      }
    }
    bool ready = true;
    for (int i = 0; i < operands; ++i) ready = fetch(node, i, args[i]) && ready;
    if (!ready) return;
    try {
      out[offset] = evalScalar(map.op, type, node.node->type, args);
    } catch (const ScalarFault& problem) {
      fault(node, problem.kind, problem.message);
    }
  });
}

void Evaluator::evaluateIndex(CompiledNode& node, Cell* out) {
  forEachElement(node, vars_.data(), extents_.data(), [&](int64_t offset) {
    if (!fetchValues(node, node.indexValues)) return;
    const int64_t value = node.index(vars_.data(), values_.data());
    out[offset] = intCell(Scalar::ofInt(node.node->type, value).i);
  });
}

void Evaluator::evaluateMerge(CompiledNode& node, Cell* out) {
  // Pieces by point first: elements seldom matter.
  std::vector<int> here;
  for (size_t i = 0; i < node.pieces.size(); ++i)
    if (node.rank == 0 || node.pieces[i].domain.contains(vars_.data()))
      here.push_back(static_cast<int>(i));
  forEachElement(node, vars_.data(), extents_.data(), [&](int64_t offset) {
    const auto piece = std::find_if(here.begin(), here.end(), [&](int i) {
      return node.pieces[static_cast<size_t>(i)].element(vars_.data());
    });
    if (piece == here.end())
      throw InternalError("no equation of `" + names_[static_cast<size_t>(node.node->id)] +
                          "` covers one of its points");
    fetch(node, *piece, out[offset]);
  });
}

void Evaluator::evaluatePointUpdate(CompiledNode& node, Cell* out) {
  forEachElement(node, vars_.data(), extents_.data(), [&](int64_t offset) {
    bool here = true;
    for (const CompiledKey& key : node.keys) {
      if (!fetchValues(node, key.values)) return;
      here = key.expr(vars_.data(), values_.data()) == vars_[static_cast<size_t>(key.own)];
      if (!here) break;
    }
    fetch(node, here ? 1 : 0, out[offset]);
  });
}

void Evaluator::evaluateSort(CompiledNode& node, const pdg::Sort& sort, Cell* out) {
  const size_t axis = static_cast<size_t>(sort.axis);
  const int slot = node.elementSlot(sort.axis);
  const DType type = graph_.node(node.node->inputs[0].producer).type;
  const int64_t length = extents_[axis], stride = node.strides[axis];
  std::vector<Cell> line(static_cast<size_t>(std::max<int64_t>(length, 0)));
  std::vector<int32_t> order(line.size());
  // One visit a line: at its first element.
  forEachElement(node, vars_.data(), extents_.data(), [&](int64_t offset) {
    if (vars_[static_cast<size_t>(slot)] != 0) return;
    bool ready = true;
    for (int64_t i = 0; i < length; ++i) {
      vars_[static_cast<size_t>(slot)] = i;
      ready = fetch(node, 0, line[static_cast<size_t>(i)]) && ready;
    }
    vars_[static_cast<size_t>(slot)] = 0;
    if (!ready) return;
    std::iota(order.begin(), order.end(), 0);
    // NaN comes last, as in NumPy, in either direction.
    std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
      const Cell x = line[static_cast<size_t>(a)], y = line[static_cast<size_t>(b)];
      if (isNan(type, x) || isNan(type, y)) return !isNan(type, x) && isNan(type, y);
      return sort.descending ? lessCell(type, y, x) : lessCell(type, x, y);
    });
    for (int64_t i = 0; i < length; ++i) {
      const int32_t from = order[static_cast<size_t>(i)];
      out[offset + i * stride] = sort.positions ? intCell(from) : line[static_cast<size_t>(from)];
    }
  });
}

}  // namespace rlc::interpreter
