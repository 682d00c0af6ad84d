// Sum trees as vectors of nodes: what the library's SumTree is made of.
#include <algorithm>
#include <bit>

#include "compiler/sema/builtins.h"
#include "jit/runtime/sum_tree.h"

namespace rlc::sema {

namespace {

constexpr int64_t kMostPositions = int64_t{1} << 30;
constexpr int64_t kWidestFanout = 256;

std::optional<runtime::SumTreeLayout> layoutOf(Elaborator& e, CallArgs& call, Given& g,
                                               size_t first) {
  const auto capacity = g.integer(first, 1), fanout = g.integer(first + 1, 16);
  if (!capacity || !fanout) return std::nullopt;
  if (*capacity < 1 || *capacity > kMostPositions) {
    e.fail(Kind::BadArguments, call.span,
           "the capacity of a sum tree is 1 to " + std::to_string(kMostPositions) + ", not " +
               std::to_string(*capacity));
    return std::nullopt;
  }
  if (*fanout < 2 || *fanout > kWidestFanout ||
      !std::has_single_bit(static_cast<uint64_t>(*fanout))) {
    e.report(
        Diagnostic(Kind::BadArguments, call.span,
                   "the fan-out of a sum tree is a power of two from 2 to 256, not " +
                       std::to_string(*fanout))
            .hint("16 fills a cache line"),
        {first + 1 < call.args.size() ? call.args[first + 1].written : nullptr, call.place.scope});
    return std::nullopt;
  }
  return runtime::SumTreeLayout(*capacity, static_cast<int>(*fanout));
}

pdg::TreeShape shapeOf(const runtime::SumTreeLayout& layout) {
  return {layout.capacity, layout.fanout};
}

// The nodes of a tree, argument 0.
std::optional<Tensor> nodesOf(Elaborator& e, CallArgs& call, Given& g,
                              const runtime::SumTreeLayout& layout) {
  auto nodes = g.tensor(0);
  if (!nodes) return std::nullopt;
  if (nodes->type == DType::F32 && nodes->shape == std::vector<IndexExpr>{IndexExpr(layout.size)})
    return nodes;
  e.fail(Kind::ShapeMismatch, call.span,
         "the nodes of this sum tree are f32[" + std::to_string(layout.size) + "], not " +
             e.show(make(*nodes)));
  return std::nullopt;
}

// A node over whatever the operands vary over, but the variable that it binds. A draw from an empty
// tree and a position outside of one are the program's faults, not the library's.
Tensor finish(Elaborator& e, CallArgs& call, pdg::Node node, const std::vector<View>& operands,
              Var bound, const Written& suspect = {}) {
  std::vector<Var> also;
  for (const IndexExpr& extent : node.shape) extent.collectVariables(also);
  node.span = e.inProgram(call.span, suspect);
  node.dims = e.dimsOf(operands, call.place, also);
  std::erase(node.dims, bound);
  const std::vector<Var> dims = node.dims;
  const DType type = node.type;
  const std::vector<IndexExpr> shape = node.shape;
  if (!e.dry()) {
    node.domain = call.place.space->over(dims);
    e.attach(node, operands);
  }
  return e.identity(e.addNode(std::move(node)), dims, type, shape);
}

ValueRef update(Elaborator& e, CallArgs& call) {
  Given g(e, call, "sum_tree_update", {"nodes", "capacity", "fanout", "positions", "priorities"},
          5);
  if (!g.ok()) return poison();
  const auto layout = layoutOf(e, call, g, 1);
  const auto nodes = layout ? nodesOf(e, call, g, *layout) : std::nullopt;
  auto positions = g.tensor(3), priorities = g.tensor(4);
  if (!nodes || !positions || !priorities) return poison();
  if (isFloat(positions->type) || positions->type == DType::Bool)
    return e.fail(Kind::TypeMismatch, call.span,
                  "the positions of a sum tree are integers, not " + e.show(make(*positions)));
  if (positions->shape.size() > 1)
    return e.fail(
        Kind::ShapeMismatch, call.span,
        "the positions of a sum tree are one or a vector, not " + e.show(make(*positions)));
  const auto entries = positions->shape.empty() ? 1 : positions->shape[0].asConstant().value_or(0);
  if (entries < 1)
    return e.fail(Kind::NotStatic, call.span,
                  "how many priorities an update sets is a positive constant");
  auto shape = e.broadcast({positions->shape, priorities->shape}, call.place, call.span);
  if (!shape) return poison();
  if (*shape != positions->shape)
    return e.fail(Kind::ShapeMismatch, call.span,
                  "a sum tree takes a priority for each position: " + e.show(make(*positions)) +
                      " against " + e.show(make(*priorities)));
  const Var entry = e.freshDim("entry", call.span, 0, IndexExpr(entries), true);
  const auto perEntry = [&](const Tensor& t, DType type) {
    Tensor own = e.stored(e.cast(t, type, call.place), call.place);
    if (isFloat(type)) own = e.detach(own, call.place, call.span, pdg::Detach::Why::Priority);
    return e.expand(own, *shape, call.place).view.substitute({{Var::element(0), IndexExpr(entry)}});
  };
  pdg::Node node;
  node.type = DType::F32;
  node.shape = nodes->shape;
  node.op = pdg::TreeUpdate{shapeOf(*layout), entry, entries};
  return make(finish(e, call, std::move(node),
                     {e.data(*nodes, call.place), perEntry(*positions, DType::I32),
                      perEntry(*priorities, DType::F32)},
                     entry, {call.args[3].written, call.place.scope}));
}

ValueRef find(Elaborator& e, CallArgs& call) {
  Given g(e, call, "sum_tree_find", {"nodes", "capacity", "fanout", "fraction"}, 4);
  if (!g.ok()) return poison();
  const auto layout = layoutOf(e, call, g, 1);
  const auto nodes = layout ? nodesOf(e, call, g, *layout) : std::nullopt;
  auto fraction = g.tensor(3);
  if (!nodes || !fraction) return poison();
  const Var slot = e.freshDim("node", call.span, 0, IndexExpr(layout->size), true);
  View tree = e.data(*nodes, call.place).substitute({{Var::element(0), IndexExpr(slot)}});
  pdg::Node node;
  node.type = DType::I32;
  node.shape = fraction->shape;
  node.op = pdg::TreeFind{shapeOf(*layout), slot, layout->size};
  const Tensor own = e.stored(e.cast(*fraction, DType::F32, call.place), call.place);
  Tensor result = finish(e, call, std::move(node), {tree, own.view}, slot);
  result.range = ValueRange{0, layout->capacity};
  return make(std::move(result));
}

}  // namespace

void addTrees(std::vector<Builtin>& table) {
  table.push_back({"sum_tree_size", "sum_tree_size(capacity, fanout)",
                   "how many nodes the vector of a sum tree has: leaves first, the total last",
                   [](Elaborator& e, CallArgs& call) {
                     Given g(e, call, "sum_tree_size", {"capacity", "fanout"}, 2);
                     const auto layout = g.ok() ? layoutOf(e, call, g, 0) : std::nullopt;
                     return layout ? make(intLiteral(layout->size)) : poison();
                   }});
  table.push_back(
      {"sum_tree_update",
       "sum_tree_update(nodes: f32[n], capacity, fanout, positions: i32[m], priorities: f32[m])",
       "the nodes of a sum tree after some of its priorities have been set", update});
  table.push_back({"sum_tree_find", "sum_tree_find(nodes: f32[n], capacity, fanout, fraction: f32)",
                   "the position at this fraction, in [0, 1), of a sum tree's total", find});
}

}  // namespace rlc::sema
