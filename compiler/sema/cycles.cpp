// What the user is told of a cycle.
#include <algorithm>
#include <optional>

#include "compiler/pdg/reads.h"
#include "compiler/pdg/traversal.h"
#include "compiler/sema/cycle_check.h"
#include "compiler/sema/elaborator.h"

namespace rlc::sema {

namespace {

// The way out of a cycle through a computed subscript along `index`.
std::string boundHint(const std::string& index) {
  const std::string t = index.empty() ? "t" : index;
  return "bound it on both sides: `clip(j, 0, " + t +
         " - 1)`, or state its range: `fn read(j: i32 in 0.." + t + ")`";
}

// A read of a cycle that counts for a whole range of points, since its subscript is computed.
struct Gather {
  NodeId reader = -1;
  std::string producer, position, by;  // names; may be empty
};

std::optional<Gather> gatherOn(const CycleCheck::Cycle& cycle, const pdg::Graph& graph,
                               const std::vector<std::string>& names) {
  for (size_t k = 0; k < cycle.size(); ++k) {
    const Node& reader = graph.node(cycle[k].first);
    const NodeId next = cycle[(k + 1) % cycle.size()].first;
    for (const Read& read : reader.inputs) {
      const std::vector<int> values = pdg::valueInputs(read);
      if (read.producer != next || values.empty()) continue;
      Gather found{reader.id, names[static_cast<size_t>(next)], {}, {}};
      for (size_t i = 0; i < read.at.size(); ++i)
        if (read.at[i].hasValue()) found.position = graph.dim(graph.node(next).dims[i]).name;
      found.by =
          names[static_cast<size_t>(reader.inputs[static_cast<size_t>(values.front())].producer)];
      return found;
    }
  }
  return std::nullopt;
}

// Which subscript, of which tensor, and the way by which what is read leads back to its reader.
Diagnostic describeUnbounded(const CycleCheck::Unbounded& cycle, const pdg::Graph& graph,
                             const std::map<NodeId, const TensorDef*>& owners) {
  std::vector<const TensorDef*> named;
  for (NodeId node : cycle.chain)
    if (auto owner = owners.find(node); owner != owners.end())
      if (named.empty() || named.back() != owner->second) named.push_back(owner->second);
  const Node& producer = graph.node(cycle.read.producer);
  std::string position;
  for (size_t i = 0; i < cycle.read.at.size(); ++i)
    if (pdg::hasUnboundedValue(cycle.read.at[i])) position = graph.dim(producer.dims[i]).name;
  const std::string where = position.empty() ? "" : " along `" + position + "`";
  std::string message = "a value may depend on itself through a subscript" + where +
                        " that is computed and has no known range";
  if (named.size() == 1) {
    message += ": `" + named.front()->name + "` reads itself at any point";
  } else if (!named.empty()) {
    message += ": `" + named.front()->name + "`";
    for (size_t i = 1; i < named.size() && i < 6; ++i) message += " needs `" + named[i]->name + "`";
    if (named.size() > 6) message += " needs ...";
    message += ", which reads `" + named.front()->name + "` at any point";
  }
  Diagnostic diagnostic(Kind::InstantCycle, graph.node(cycle.reader).span, std::move(message));
  std::set<uint32_t> noted;
  for (const TensorDef* tensor : named)
    if (noted.insert(tensor->span.begin).second)
      diagnostic.notes.push_back({tensor->span, "`" + tensor->name + "` is on the way"});
  diagnostic.hint_text = boundHint(position);
  return diagnostic;
}

}  // namespace

void Elaborator::checkCycles() {
  std::vector<CycleCheck::Cycle> cycles;
  try {
    CycleCheck check(graph_);
    cycles = check.run();
    if (cycles.empty() && check.unbounded.reader >= 0) {
      report(describeUnbounded(check.unbounded, graph_, owners_));
      return;
    }
  } catch (const polyhedral::OperationLimit&) {
    return;
  }
  for (const auto& cycle : cycles) reportCycle(cycle);
}

void Elaborator::reportCycle(const std::vector<std::pair<NodeId, polyhedral::Point>>& cycle) {
  // Named tensors on the cycle, the earliest equation first.
  struct Stop {
    const TensorDef* tensor;
    polyhedral::Point point;
    Span span;
  };
  std::vector<Stop> stops;
  for (const auto& [node, point] : cycle) {
    auto owner = owners_.find(node);
    if (owner == owners_.end()) continue;
    Span span = owner->second->span;
    for (const Target& target : owner->second->targets)
      if (target.domain.contains(point)) span = target.pattern->span;
    stops.push_back({owner->second, point, span});
  }
  auto text = [&](const Stop& stop) {
    std::string at;
    for (size_t i = stop.tensor->hidden.size(); i < stop.point.size(); ++i)
      at += (at.empty() ? "" : ", ") + std::to_string(stop.point[i]);
    return "`" + stop.tensor->name + (at.empty() ? "`" : "[" + at + "]`");
  };
  if (stops.empty()) {
    fail(Kind::InstantCycle, graph_.node(cycle.front().first).span, "this value depends on itself");
    return;
  }
  size_t first = 0;
  for (size_t i = 1; i < stops.size(); ++i) {
    const Span &a = stops[i].span, &b = stops[first].span;
    if (a.file == b.file && a.begin < b.begin) first = i;
  }
  std::rotate(stops.begin(), stops.begin() + static_cast<std::ptrdiff_t>(first), stops.end());
  std::string chain = text(stops[0]);
  for (size_t i = 1; i < stops.size() && i < 6; ++i) chain += " needs " + text(stops[i]);
  const std::optional<Gather> gather = gatherOn(cycle, graph_, pdg::displayNames(graph_));
  const std::string depends = gather ? " may depend on itself" : " depends on itself";
  Diagnostic diagnostic(Kind::InstantCycle, stops[0].span,
                        stops.size() == 1
                            ? text(stops[0]) + depends
                            : text(stops[0]) + depends + ": " + chain +
                                  (stops.size() > 6 ? " needs ..." : " needs " + text(stops[0])));
  std::vector<std::pair<std::string, int64_t>> witness;
  std::vector<Var> dims = stops[0].tensor->dims();
  for (size_t i = stops[0].tensor->hidden.size(); i < dims.size(); ++i)
    if (!graph_.dim(dims[i]).name.empty())
      witness.emplace_back(graph_.dim(dims[i]).name, stops[0].point[i]);
  diagnostic.witness = std::move(witness);
  std::set<uint32_t> noted{stops[0].span.begin};
  for (const Stop& stop : stops)
    if (noted.insert(stop.span.begin).second)
      diagnostic.notes.push_back({stop.span, text(stop) + " is on the cycle"});
  if (gather) {
    const auto quoted = [](const std::string& name, const char* none) {
      return name.empty() ? none : "`" + name + "`";
    };
    diagnostic.notes.push_back(
        {graph_.node(gather->reader).span,
         quoted(gather->producer, "a tensor") + " is read here at a point" +
             (gather->position.empty() ? "" : " along `" + gather->position + "`") +
             " that is computed, by " + quoted(gather->by, "an expression") +
             ": it counts as a read of all that its range allows"});
  }
  diagnostic.hint_text =
      gather ? boundHint(gather->position)
             : "somewhere on the cycle an earlier or a later point was meant, such as `x[t-1]`";
  report(std::move(diagnostic));
}

}  // namespace rlc::sema
