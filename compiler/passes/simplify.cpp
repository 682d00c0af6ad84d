#include "compiler/passes/simplify.h"

#include "compiler/passes/aliases.h"
#include "compiler/passes/simplify_map.h"

namespace rlc::passes {

void simplify(pdg::Graph& graph, Notes& notes) {
  ConstantPool pool(graph);
  Aliases aliases(graph);
  bool differentiated = true;
  for (const Node& node : graph.nodes())
    if (std::holds_alternative<pdg::Grad>(node.op)) differentiated = false;
  int changed = 0;
  for (NodeId id : producersFirst(graph)) {
    aliases.redirect(id);
    const Node& node = graph.node(id);
    const auto* merge = std::get_if<pdg::Merge>(&node.op);
    // A detached value is the value once gradients have been taken.
    const bool alias = (merge && merge->pieces.size() == 1) ||
                       (differentiated && std::holds_alternative<pdg::Detach>(node.op));
    if (alias) {
      if (node.inputs[0].producer != id) aliases.set(id, node.inputs[0]);
    } else if (std::holds_alternative<pdg::Map>(node.op)) {
      // A rewritten operation may be simple in another way.
      for (int round = 0; round < 4; ++round) {
        const Simplified result = simplifyMap(graph, id, pool);
        if (result.kind == Simplified::Kind::Same) break;
        ++changed;
        if (result.kind == Simplified::Kind::Rewritten) continue;
        aliases.set(id, result.value);
        break;
      }
    }
  }
  aliases.redirectAll();
  notes.count(aliases.count(), "read through");
  notes.count(changed, "simplified");
}

}  // namespace rlc::passes
