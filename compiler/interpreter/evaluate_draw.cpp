// Random draws: jit/runtime/random.h defines the bits.
#include <vector>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/interpreter/evaluator.h"
#include "compiler/interpreter/evaluator_elements.h"
#include "compiler/interpreter/scalar_eval.h"
#include "jit/runtime/random.h"

namespace rlc::interpreter {

namespace {

template <typename T>
int32_t categorical(const runtime::DrawPoint& draw, int64_t element,
                    const std::vector<Cell>& logits) {
  std::vector<T> values;
  values.reserve(logits.size());
  for (Cell logit : logits) values.push_back(static_cast<T>(logit.f));
  return draw.categorical(element, std::span<const T>(values));
}

}  // namespace

void Evaluator::evaluateDraw(CompiledNode& node, const pdg::Draw& draw, Cell* out) {
  const std::vector<int64_t> coordinates(vars_.begin(), vars_.begin() + node.rank);
  const runtime::DrawPoint point(runtime::streamKey(seed_, runtime::streamId(draw.stream)),
                                 coordinates, node.elements * draw.parts);
  const auto number = [&](int64_t e) { return e * draw.parts + draw.part; };
  const bool wide = node.node->type == DType::F64;
  switch (draw.kind) {
    case pdg::DrawKind::Uniform01:
      return forEachElement(node, vars_.data(), extents_.data(), [&](int64_t e) {
        out[e] = floatCell(wide ? point.uniformF64(number(e))
                                : static_cast<double>(point.uniformF32(number(e))));
      });
    case pdg::DrawKind::StandardNormal:
      return forEachElement(node, vars_.data(), extents_.data(), [&](int64_t e) {
        out[e] = floatCell(wide ? point.normalF64(number(e))
                                : static_cast<double>(point.normalF32(number(e))));
      });
    case pdg::DrawKind::UniformInt:
      return forEachElement(node, vars_.data(), extents_.data(), [&](int64_t e) {
        Cell lo, hi;
        const bool ready = fetch(node, 0, lo);
        if (!fetch(node, 1, hi) || !ready) return;
        if (lo.i >= hi.i)
          fault(
              node, diagnostics::Kind::DrawFault,
              "a draw from the empty range " + std::to_string(lo.i) + ".." + std::to_string(hi.i));
        out[e] = intCell(
            point.uniformInt(number(e), static_cast<int32_t>(lo.i), static_cast<int32_t>(hi.i)));
      });
    case pdg::DrawKind::StandardGamma:
      return forEachElement(node, vars_.data(), extents_.data(), [&](int64_t e) {
        Cell shape;
        if (fetch(node, 0, shape))
          out[e] = floatCell(point.gammaF32(number(e), static_cast<float>(shape.f)));
      });
    case pdg::DrawKind::Categorical: {
      const DType type = graph_.node(node.node->inputs[0].producer).type;
      std::vector<Cell> logits(static_cast<size_t>(draw.categories));
      return forEachElement(node, vars_.data(), extents_.data(), [&](int64_t e) {
        bool ready = true;
        for (size_t k = 0; k < logits.size(); ++k) {
          vars_[static_cast<size_t>(node.boundSlot(0))] = static_cast<int64_t>(k);
          ready = fetch(node, 0, logits[k]) && ready;
        }
        if (!ready) return;
        out[e] = intCell(type == DType::F64 ? categorical<double>(point, number(e), logits)
                                            : categorical<float>(point, number(e), logits));
      });
    }
    case pdg::DrawKind::Permutation: {
      const int axis = node.axes - 1;
      const int64_t n = extents_[static_cast<size_t>(axis)];
      std::vector<int32_t> order(static_cast<size_t>(n > 0 ? n : 0));
      return forEachElement(node, vars_.data(), extents_.data(), [&](int64_t e) {
        if (vars_[static_cast<size_t>(node.elementSlot(axis))] != 0) return;
        point.permutation(e, n, order.data());
        for (int64_t k = 0; k < n; ++k) out[e + k] = intCell(order[static_cast<size_t>(k)]);
      });
    }
  }
  throw InternalError("an unknown draw");
}

}  // namespace rlc::interpreter
