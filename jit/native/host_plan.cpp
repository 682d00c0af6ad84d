#include "jit/native/host_plan.h"

#include "compiler/diagnostics/internal_error.h"
#include "compiler/interpreter/sink_points.h"
#include "compiler/pdg/past_end.h"

namespace rlc::native {

namespace {

using interpreter::CompiledExpr;
using interpreter::Slots;

class Planner {
 public:
  Planner(const pdg::Graph& graph, const loops::Lowered& lowered)
      : graph_(graph), lowered_(lowered) {}

  host::Sink sink(const pdg::Sink& sink) const {
    host::Sink plan;
    plan.info = interpreter::infoOf(sink);
    plan.span = sink.span;
    Slots slots;
    for (pdg::Var dim : sink.dims) {
      slots.emplace(dim, static_cast<int>(slots.size()));
      plan.dims.push_back(graph_.dim(dim).name);
    }
    plan.tree = interpreter::treeOf(sink.value);
    pdg::forEachLeaf(sink.value,
                     [&](const pdg::Read& read) { plan.leaves.push_back(leaf(read, slots)); });
    if (sink.where) plan.where.push_back(place(*sink.where, slots));
    points(sink, plan);
    return plan;
  }

 private:
  static void points(const pdg::Sink& sink, host::Sink& plan) {
    const interpreter::SinkPoints points(sink);
    plan.line = points.line();
    plan.any = points.any();
    if (const host::PointCondition* inside = points.all().set().condition()) {
      plan.box = points.all().box();
      plan.inside = *inside;
      return;
    }
    plan.isListed = true;
    points.forEach([&](const host::Point& at) {
      plan.listed.push_back(at);
      return true;
    });
  }

  host::Leaf leaf(const pdg::Read& read, const Slots& slots) const {
    host::Leaf plan{place(read, slots), {}};
    for (const pdg::PastEndCheck& check : pdg::pastEndChecks(graph_, read))
      plan.checks.push_back({place(check.end, slots), CompiledExpr(check.position, slots),
                             check.beyond, graph_.node(read.producer).name,
                             graph_.dim(check.dim).name});
    return plan;
  }

  host::Place place(const pdg::Read& read, const Slots& slots) const {
    const auto id = static_cast<size_t>(read.producer);
    const pdg::Node& node = graph_.node(read.producer);
    const schedule::Storage& storage = lowered_.storage[id];
    if (storage.node < 0 && node.domain.isEmpty()) return {};  // no point of it is ever read
    if (storage.node < 0 || lowered_.bufferOf[id] < 0)
      throw InternalError("the host reads a tensor without storage");
    host::Place plan;
    plan.type = node.type;
    plan.offset = lowered_.program.buffers[static_cast<size_t>(lowered_.bufferOf[id])].offset;
    std::map<pdg::Var, pdg::IndexExpr> at;
    for (size_t k = 0; k < read.at.size(); ++k) {
      const schedule::DimStorage& dim = storage.dims[k];
      plan.dims.push_back(
          {CompiledExpr(read.at[k], slots), dim.lo, dim.ring ? dim.extent : 0, dim.stride});
      at.emplace(node.dims[k], read.at[k]);
    }
    for (size_t axis = 0; axis < node.shape.size(); ++axis)
      plan.axes.push_back(
          {CompiledExpr(node.shape[axis].substitute(at), slots), storage.elementStride[axis]});
    return plan;
  }

  const pdg::Graph& graph_;
  const loops::Lowered& lowered_;
};

}  // namespace

host::Plan hostPlan(const pdg::Graph& graph, const loops::Lowered& lowered) {
  host::Plan plan;
  for (size_t k = 0; k < graph.params().size(); ++k)
    plan.parameters.push_back(
        {graph.params()[k].name, lowered.parameterOffset[k], graph.params()[k].value});
  plan.parameterBytes = lowered.program.parameterBytes;
  const Planner planner(graph, lowered);
  for (const pdg::Sink& sink : graph.sinks()) plan.sinks.push_back(planner.sink(sink));
  for (const loops::Fault& fault : lowered.program.faults)
    plan.faults.push_back(
        {fault.kind, fault.message, fault.tensor, fault.span, fault.coordinateNames});
  return plan;
}

}  // namespace rlc::native
