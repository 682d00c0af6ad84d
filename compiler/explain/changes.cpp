#include "compiler/explain/changes.h"

#include <map>

#include "compiler/pdg/printer.h"
#include "compiler/pdg/shape.h"

namespace rlc::explain {

namespace {

using pdg::Graph;
using pdg::Node;
using pdg::NodeId;

// The node's text with what it reads spelled out to a certain depth instead of by number: equal for
// nodes that only moved.
class NodeText {
 public:
  explicit NodeText(const Graph& graph) : printer_(graph) {
    for (const Node& node : graph.nodes()) texts_.push_back(printer_.node(node.id));
  }
  const std::string& of(NodeId id) const { return texts_[static_cast<size_t>(id)]; }

  // A name has its node's number behind it where several nodes bear it: `w%26`.
  static std::string withoutNumbers(const std::string& text) {
    std::string result;
    for (size_t k = 0; k < text.size(); ++k) {
      const bool behindName = k > 0 && text[k - 1] != ' ' && text[k - 1] != '(' &&
                              text[k - 1] != '[' && text[k - 1] != '\n';
      if (text[k] != '%' || !behindName) result += text[k];
      if (text[k] != '%') continue;
      while (k + 1 < text.size() && text[k + 1] >= '0' && text[k + 1] <= '9') ++k;
    }
    return result;
  }

 private:
  pdg::Printer printer_;
  std::vector<std::string> texts_;
};

}  // namespace

GraphChange changeBetween(const Graph& before, const Graph& after) {
  const NodeText old(before), now(after);
  std::map<std::string, std::vector<NodeId>> byText;
  for (const Node& node : after.nodes())
    byText[NodeText::withoutNumbers(now.of(node.id))].push_back(node.id);
  std::vector<bool> matched(static_cast<size_t>(after.size()));
  std::vector<NodeId> gone;
  std::map<std::string, size_t> used;
  for (const Node& node : before.nodes()) {
    const std::string key = NodeText::withoutNumbers(old.of(node.id));
    const auto same = byText.find(key);
    size_t& next = used[key];
    if (same == byText.end() || next >= same->second.size()) {
      gone.push_back(node.id);
      continue;
    }
    matched[static_cast<size_t>(same->second[next++])] = true;
  }
  GraphChange change;
  std::map<std::string, int> names;
  for (const Node& node : after.nodes())
    if (!matched[static_cast<size_t>(node.id)] && !node.name.empty()) ++names[node.name];
  for (NodeId id : gone) {
    const Node& node = before.node(id);
    if (splatValue(node)) continue;
    const auto again = names.find(node.name);
    if (again != names.end() && again->second > 0) {
      --again->second;
      ++change.changed;
    } else {
      ++change.removed;
    }
    change.lines.push_back({GraphChange::Line::Kind::Removed, node.span, old.of(id)});
  }
  for (const Node& node : after.nodes()) {
    if (matched[static_cast<size_t>(node.id)] || splatValue(node)) continue;
    ++change.added;
    change.lines.push_back({GraphChange::Line::Kind::Added, node.span, now.of(node.id)});
  }
  change.added -= change.changed;
  return change;
}

}  // namespace rlc::explain
