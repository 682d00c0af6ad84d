#include "compiler/explain/reasons.h"

#include <algorithm>
#include <functional>
#include <set>

#include "compiler/pdg/recurrences.h"
#include "compiler/pdg/traversal.h"
#include "compiler/schedule/work.h"
#include "compiler/types/lists.h"

namespace rlc::explain {

namespace {

using schedule::ScheduleNode;
using schedule::Statement;

void forEachLoop(const std::vector<schedule::ScheduleNodePtr>& nodes,
                 const std::function<void(const ScheduleNode&)>& visit) {
  for (const auto& node : nodes) {
    if (node->kind == ScheduleNode::Kind::Loop) visit(*node);
    forEachLoop(node->children, visit);
  }
}

class ReasonFinder {
 public:
  explicit ReasonFinder(const Subject& subject)
      : subject_(subject),
        program_(*subject.program),
        graph_(program_.graph()),
        equations_(equationsOf(graph_, subject.places)),
        names_(pdg::displayNames(graph_)),
        recurrences_(pdg::recurrences(graph_)) {}

  std::vector<Reason> of(const ScheduleNode& loop) const {
    std::vector<int> inside;
    const auto& placed = program_.schedule().placed;
    for (size_t s = 0; s < placed.size(); ++s)
      if (contains(placed[s].loops, &loop)) inside.push_back(static_cast<int>(s));
    std::vector<Reason> reasons;
    std::set<std::string> roots;
    // What goes a long way round is in order because of what closes a cycle by itself.
    std::vector<const pdg::Recurrence*> found;
    bool direct = false;
    for (const pdg::Recurrence& recurrence : recurrences_) {
      const bool here = std::any_of(inside.begin(), inside.end(), [&](int s) {
        return statement(s).node == recurrence.node && scans(s, loop, recurrence.along);
      });
      if (!here) continue;
      found.push_back(&recurrence);
      direct = direct || staysWithin(recurrence);
    }
    for (const pdg::Recurrence* recurrence : found) {
      if ((direct && !staysWithin(*recurrence)) || !roots.insert(rootOf(recurrence->name)).second)
        continue;
      const bool own = subject_.shows(recurrence->span.file);
      add(reasons, recurrence->name, loop, recurrence->reads,
          own ? recurrence->span : spanOf(recurrence->node));
    }
    for (int s : inside) {
      const Statement& own = statement(s);
      if (own.role == Statement::Role::Emit) {
        const pdg::Sink& sink = graph_.sinks()[static_cast<size_t>(own.sink)];
        reasons.push_back({"\"" + sink.label + "\" appears in the order of " + loop.name,
                           "\"" + sink.label + "\" appears in this order", "", sink.span});
      }
      if (own.role != Statement::Role::Update || !reasons.empty()) continue;
      const auto& bound = program_.statements().scheduledBound[static_cast<size_t>(own.node)];
      const bool accumulates = std::any_of(bound.begin(), bound.end(),
                                           [&](pdg::Var var) { return scans(s, loop, var); });
      const std::string& name = names_[static_cast<size_t>(own.node)];
      if (accumulates && !name.empty() && roots.insert(rootOf(name)).second)
        add(reasons, name, loop, "a reduction of `" + name + "` adds up along " + loop.name,
            spanOf(own.node));
    }
    return reasons;
  }

 private:
  const Statement& statement(int s) const {
    return program_.statements().list[static_cast<size_t>(s)];
  }

  std::string rootOf(const std::string& name) const { return tensorName(name, subject_.places); }

  bool staysWithin(const pdg::Recurrence& recurrence) const {
    return std::all_of(recurrence.through.begin(), recurrence.through.end(), [&](pdg::NodeId id) {
      return rootOf(graph_.node(id).name) == rootOf(recurrence.name);
    });
  }

  // Whether the loop runs over this variable of the statement.
  bool scans(int s, const ScheduleNode& loop, pdg::Var var) const {
    const schedule::Placed& placed = program_.schedule().placed[static_cast<size_t>(s)];
    const auto at = std::find(placed.loops.begin(), placed.loops.end(), &loop);
    return at != placed.loops.end() &&
           placed.scanned[static_cast<size_t>(at - placed.loops.begin())] == var;
  }

  diagnostics::Span spanOf(pdg::NodeId id) const {
    const int tensor = equations_.tensorOf[static_cast<size_t>(id)];
    return tensor < 0 ? graph_.node(id).span : equations_.tensors[static_cast<size_t>(tensor)].span;
  }

  void add(std::vector<Reason>& reasons, const std::string& name, const ScheduleNode& loop,
           const std::string& why, diagnostics::Span span) const {
    reasons.push_back({"`" + rootOf(name) + "` is not vectorized along " + loop.name + ": " + why,
                       why, rootOf(name), span});
  }

  const Subject& subject_;
  const native::NativeProgram& program_;
  const pdg::Graph& graph_;
  Equations equations_;
  std::vector<std::string> names_;
  std::vector<pdg::Recurrence> recurrences_;
};

}  // namespace

std::map<const ScheduleNode*, std::vector<Reason>> orderReasons(const Subject& subject) {
  const ReasonFinder finder(subject);
  std::map<const ScheduleNode*, std::vector<Reason>> result;
  forEachLoop(subject.program->schedule().roots, [&](const ScheduleNode& loop) {
    if (loop.parallel || schedule::tripCount(loop, subject.program->schedule()) < 2) return;
    result[&loop] = finder.of(loop);
  });
  return result;
}

namespace {

// What to call nodes of the program's graph.
std::function<std::string(pdg::NodeId)> namer(const Subject& subject) {
  return [&subject, names = pdg::displayNames(subject.program->graph())](pdg::NodeId id) {
    const std::string& name = names[static_cast<size_t>(id)];
    return name.empty() ? std::string("a value") : "`" + tensorName(name, subject.places) + "`";
  };
}

}  // namespace

std::vector<Reason> recomputedNotes(const Subject& subject) {
  const auto called = namer(subject);
  std::vector<Reason> result;
  for (pdg::NodeId node : subject.program->recomputed())
    result.push_back({called(node) + " is computed again where later loops read it: it is not kept",
                      "", "", subject.program->graph().node(node).span});
  return result;
}

std::vector<Reason> copiedUpdateNotes(const Subject& subject) {
  const native::NativeProgram& program = *subject.program;
  const pdg::Graph& graph = program.graph();
  const auto called = namer(subject);
  std::vector<Reason> result;
  for (const schedule::CopiedUpdate& copied : program.copiedUpdates()) {
    std::string why;
    if (copied.points == 0) {
      why = "its equations have an order only element by element";
    } else {
      const std::string index = graph.dim(copied.along).name;
      why = std::to_string(copied.points) + " points are kept along " + index;
      why += copied.keptBy < 0
                 ? ", which are shown or read when all are there"
                 : ": " + called(copied.keptBy) + " reads an older one beside the newest";
    }
    result.push_back(
        {called(copied.node) + " is computed at all positions, though one element changes: " + why,
         why, "", graph.node(copied.update).span});
  }
  return result;
}

std::vector<Reason> vectorizationNotes(const Subject& subject) {
  const auto reasons = orderReasons(subject);
  std::vector<Reason> result;
  std::set<std::string> seen;  // a tensor and an index
  forEachLoop(subject.program->schedule().roots, [&](const ScheduleNode& loop) {
    const auto found = reasons.find(&loop);
    if (found == reasons.end()) return;
    for (const Reason& reason : found->second)
      if (!reason.tensor.empty() &&
          seen.insert(reason.text.substr(0, reason.text.find(':'))).second)
        result.push_back(reason);
  });
  return result;
}

}  // namespace rlc::explain
