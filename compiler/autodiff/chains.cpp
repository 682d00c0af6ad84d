#include "compiler/autodiff/chains.h"

#include <algorithm>

namespace rlc::autodiff {

std::string quotedName(const std::vector<std::string>& names, NodeId id) {
  const std::string& found = names[static_cast<size_t>(id)];
  return found.empty() ? "the loss" : "`" + found + "`";
}

std::string chainText(const std::vector<std::string>& names, const std::vector<NodeId>& chain) {
  std::string text, last;
  for (NodeId id : chain) {
    const std::string name = quotedName(names, id);
    if (name == last) continue;
    text += (text.empty() ? "" : " reads ") + name;
    last = name;
  }
  return text;
}

std::vector<NodeId> chainOnPaths(const Paths& paths, NodeId from,
                                 const std::function<bool(const Edge&)>& ends,
                                 const std::function<bool(const Edge&)>& passed) {
  std::map<NodeId, std::vector<const Edge*>> reads;
  for (const Edge& edge : paths.edges())
    if (paths.live(edge)) reads[edge.consumer].push_back(&edge);
  std::map<NodeId, NodeId> reader{{from, from}};
  std::vector<NodeId> pending{from};
  for (size_t k = 0; k < pending.size(); ++k)
    for (const Edge* edge : reads[pending[k]]) {
      if (ends(*edge)) {
        std::vector<NodeId> chain{edge->producer, edge->consumer};
        while (chain.back() != from) chain.push_back(reader.at(chain.back()));
        std::reverse(chain.begin(), chain.end());
        return chain;
      }
      if (passed(*edge) && reader.emplace(edge->producer, edge->consumer).second)
        pending.push_back(edge->producer);
    }
  return {};
}

}  // namespace rlc::autodiff
