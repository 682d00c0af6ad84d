#include "compiler/pdg/asked_under.h"

#include <algorithm>
#include <map>
#include <optional>

#include "compiler/pdg/reads.h"
#include "compiler/pdg/traversal.h"
#include "compiler/pdg/truths.h"
#include "compiler/types/lists.h"

namespace rlc::pdg {

namespace {

using Truths = std::vector<Read>;

bool same(const Read& a, const Read& b) { return a.producer == b.producer && a.at == b.at; }

void addOnce(Truths& truths, Read truth) {
  if (std::none_of(truths.begin(), truths.end(),
                   [&](const Read& known) { return same(known, truth); }))
    truths.push_back(std::move(truth));
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
  // What its readers tell, and that what the user has named has no values past the end, but where a
  // gradient reads it throughout; x[s+1] = ... has one more.
  Truths truthsOf(const Node& node) const {
    Truths truths = known_[at(node.id)].value_or(Truths());
    if (node.name.empty() || node.adjoint) return truths;
    for (const EndingIndex& index : indices_) {
      const std::vector<Var>& dims = graph_.node(index.exists).dims;
      const bool throughout = index.beyond[at(node.id)] == kAllPoints;
      if (throughout ||
          !std::all_of(dims.begin(), dims.end(), [&](Var var) { return contains(node.dims, var); }))
        continue;
      Read exists{index.exists, {dims.begin(), dims.end()}, {}};
      exists.at.back() = IndexExpr(index.dim) - pointsPastRange(graph_, node, index.dim);
      addOnce(truths, std::move(exists));
    }
    return truths;
  }

  // Whether the input says where another is read, or how far.
  static bool isSubscript(const Node& node, size_t k) {
    if (static_cast<int>(k) >= node.dataInputs()) return true;
    for (size_t other = 0; other < node.inputs.size(); ++other) {
      const std::vector<int> values = allValueInputs(node, static_cast<int>(other));
      if (contains(values, static_cast<int>(k))) return true;
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
        forEachChosenBy(graph_, node, k, [&](const Read& truth) {
          if (auto exists = asExists(graph_, indices_, truth)) addOnce(truths, std::move(*exists));
        });
      }
      keep(node.inputs[k], truths);
    }
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
      if (all) addOnce(told, std::move(inside));
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
