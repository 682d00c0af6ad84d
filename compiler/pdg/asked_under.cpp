#include "compiler/pdg/asked_under.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"
#include "compiler/pdg/traversal.h"

namespace rlc::pdg {

namespace {

using Truths = std::vector<Read>;
using Visit = std::function<void(const Read&)>;

bool same(const Read& a, const Read& b) { return a.producer == b.producer && a.at == b.at; }

bool isZero(const Graph& graph, const Read& read) {
  const auto value = splatValue(graph.node(read.producer));
  return value && value->asDouble() == 0;
}

// Visits truths that hold where a number is not zero: those that it is chosen by, and zero
// otherwise.
void forEachNonzero(const Graph& graph, const Read& number, const Visit& visit) {
  std::vector<Read> pending{number};
  const auto follow = [&](const Node& node, const Read& outer, size_t k) {
    if (auto inner = readThrough(node, outer, node.inputs[k])) pending.push_back(std::move(*inner));
  };
  while (!pending.empty()) {
    const Read read = std::move(pending.back());
    pending.pop_back();
    const Node& node = graph.node(read.producer);
    const auto* merge = std::get_if<Merge>(&node.op);
    if (merge && merge->pieces.size() == 1) follow(node, read, 0);
    const auto* map = std::get_if<Map>(&node.op);
    if (!map || map->op != ScalarOp::Select) continue;
    if (isZero(graph, node.inputs[2])) {
      if (const auto chosenBy = readThrough(node, read, node.inputs[0]))
        forEachConjunct(graph, *chosenBy, visit);
      follow(node, read, 1);
    } else if (isZero(graph, node.inputs[1])) {
      // Not the case a == 0, so a is not zero either.
      const Node& test = graph.node(node.inputs[0].producer);
      const auto* compares = std::get_if<Map>(&test.op);
      const auto tested = readThrough(node, read, node.inputs[0]);
      if (tested && compares && compares->op == ScalarOp::Eq && isZero(graph, test.inputs[1]))
        follow(test, *tested, 0);
      follow(node, read, 2);
    }
  }
}

class Asker {
 public:
  Asker(const Graph& graph, const std::vector<EndingIndex>& indices)
      : graph_(graph), indices_(indices), known_(static_cast<size_t>(graph.size())) {}

  std::vector<Truths> run() {
    const std::vector<bool> live = reachable(graph_, roots(graph_)), loops = recurrent(graph_);
    for (const NodeId root : roots(graph_)) known_[at(root)] = Truths();
    const auto order = components(graph_);
    for (auto component = order.rbegin(); component != order.rend(); ++component) {
      // Once, but for recurrences: what holds becomes less until nothing changes.
      const bool again = loops[at(component->front())];
      do {
        changed_ = false;
        for (const NodeId id : *component)
          if (live[at(id)] && (known_[at(id)] || !again)) ask(graph_.node(id));
      } while (changed_ && again);
    }
    std::vector<Truths> result;
    for (const Node& node : graph_.nodes()) result.push_back(truthsOf(node));
    return result;
  }

 private:
  static size_t at(NodeId id) { return static_cast<size_t>(id); }

  // What its readers tell, and that what the user has named has no values past the end, but where a
  // gradient reads it throughout; x[s+1] = ... has one more.
  Truths truthsOf(const Node& node) const {
    Truths truths = known_[at(node.id)].value_or(Truths());
    if (node.name.empty() || node.adjoint) return truths;
    for (const EndingIndex& index : indices_) {
      const std::vector<Var>& dims = graph_.node(index.exists).dims;
      const bool throughout = index.beyond[at(node.id)] == kAllPoints;
      if (throughout || !std::all_of(dims.begin(), dims.end(), [&](Var var) {
            return std::find(node.dims.begin(), node.dims.end(), var) != node.dims.end();
          }))
        continue;
      Read exists{index.exists, {dims.begin(), dims.end()}, {}};
      exists.at.back() = IndexExpr(index.dim) - pointsPastRange(graph_, node, index.dim);
      truths.push_back(std::move(exists));
    }
    return truths;
  }

  // Whether the input says where another is read, or how far.
  static bool isSubscript(const Node& node, size_t k) {
    if (static_cast<int>(k) >= node.dataInputs()) return true;
    for (size_t other = 0; other < node.inputs.size(); ++other) {
      const std::vector<int> values = allValueInputs(node, static_cast<int>(other));
      if (std::find(values.begin(), values.end(), static_cast<int>(k)) != values.end()) return true;
    }
    return false;
  }

  // All that reads the node is known.
  void ask(const Node& node) {
    const Truths known = truthsOf(node);
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      Truths truths;
      if (!isSubscript(node, k)) {
        truths = known;
        forEachOwn(node, k, [&](const Read& truth) {
          if (auto exists = asExists(graph_, indices_, truth)) truths.push_back(std::move(*exists));
        });
      }
      keep(node.inputs[k], truths);
    }
  }

  // Visits what has to hold, in the reader's variables, for its k-th input to be asked for.
  void forEachOwn(const Node& node, size_t k, const Visit& visit) const {
    if (const auto* reduce = std::get_if<Reduce>(&node.op)) {
      if (k == 0 && reduce->hasFilter) forEachConjunct(graph_, node.inputs[1], visit);
      return;
    }
    const auto* map = std::get_if<Map>(&node.op);
    if (!map || map->op != ScalarOp::Select || k == 0) return;
    if (k == 1) return forEachConjunct(graph_, node.inputs[0], visit);
    const Node& test = graph_.node(node.inputs[0].producer);
    const auto* compares = std::get_if<Map>(&test.op);
    if (!compares || compares->op != ScalarOp::Eq || !isZero(graph_, test.inputs[1])) return;
    if (const auto number = readThrough(test, node.inputs[0], test.inputs[0]))
      forEachNonzero(graph_, *number, visit);
  }

  // One more read: what holds at all of them, in the producer's dims.
  void keep(const Read& read, const Truths& truths) {
    const Node& producer = graph_.node(read.producer);
    std::map<Var, IndexExpr> own;  // the reader's variables that are the producer's
    for (size_t k = 0; k < read.at.size(); ++k) {
      const auto shifted = read.at[k].asShifted();
      if (shifted) own.emplace(shifted->var, IndexExpr(producer.dims[k]) - shifted->offset);
    }
    Truths told;
    for (const Read& truth : truths) {
      Read inside{truth.producer, {}, {}};
      bool all = true;
      for (const IndexExpr& e : truth.at) {
        std::vector<Var> mentioned;
        e.collectVariables(mentioned);
        all = all && !e.hasValue() && std::all_of(mentioned.begin(), mentioned.end(), [&](Var var) {
                return own.contains(var);
              });
        inside.at.push_back(e.substitute(own));
      }
      if (all) told.push_back(std::move(inside));
    }
    auto& known = known_[at(read.producer)];
    if (!known) {
      known = std::move(told);
      changed_ = true;
      return;
    }
    changed_ |= std::erase_if(*known, [&](const Read& truth) {
                  return std::none_of(told.begin(), told.end(),
                                      [&](const Read& other) { return same(truth, other); });
                }) > 0;
  }

  const Graph& graph_;
  const std::vector<EndingIndex>& indices_;
  std::vector<std::optional<Truths>> known_;  // none: nothing has asked yet
  bool changed_ = false;                      // one of them
};

}  // namespace

std::vector<std::vector<Read>> askedUnder(const Graph& graph,
                                          const std::vector<EndingIndex>& indices) {
  if (indices.empty()) return std::vector<std::vector<Read>>(static_cast<size_t>(graph.size()));
  return Asker(graph, indices).run();
}

}  // namespace rlc::pdg
