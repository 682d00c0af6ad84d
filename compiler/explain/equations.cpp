#include "compiler/explain/equations.h"

#include <algorithm>
#include <map>

#include "compiler/pdg/printer.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"
#include "compiler/pdg/traversal.h"

namespace rlc::explain {

namespace {

using pdg::Graph;
using pdg::IndexExpr;
using pdg::Node;
using pdg::NodeId;
using pdg::Read;
using pdg::Var;

constexpr size_t kMostSubscripts = 4;  // on an edge
constexpr int kFewEquations = 6;       // a function with fewer is shown as what it gives

class EquationFinder {
 public:
  EquationFinder(const Graph& graph, const EquationPlaces& places)
      : graph_(graph), places_(places), names_(pdg::displayNames(graph)), printer_(graph) {}

  Equations find() {
    result_.tensorOf.assign(static_cast<size_t>(graph_.size()), -1);
    nameForSinks();
    const std::vector<bool> read = pdg::reachable(graph_, pdg::sinkRoots(graph_));
    for (const Node& node : graph_.nodes())
      if (read[static_cast<size_t>(node.id)] || !names_[static_cast<size_t>(node.id)].empty())
        assign(node);
    for (size_t k = 0; k < graph_.sinks().size(); ++k) addSink(static_cast<int>(k));
    for (Tensor& tensor : result_.tensors)
      if (tensor.sink < 0) describe(tensor);
    for (size_t k = 0; k < result_.tensors.size(); ++k)
      for (NodeId id : anchors(result_.tensors[k])) readsOf(static_cast<int>(k), graph_.node(id));
    for (const TensorEdge& edge : result_.edges)
      if (edge.from == edge.to && edge.carried)
        result_.tensors[static_cast<size_t>(edge.to)].kind = Tensor::Kind::Recurrence;
    return std::move(result_);
  }

 private:
  static std::string sinkName(const pdg::Sink& sink) {
    static constexpr const char* kKinds[] = {"print", "report", "save"};
    return std::string(kKinds[static_cast<size_t>(sink.kind)]) + " " + sink.label;
  }

  // What no tensor owns serves a sink.
  void nameForSinks() {
    for (const pdg::Sink& sink : graph_.sinks()) {
      std::vector<NodeId> pending;
      const auto reach = [&](const Read& read) {
        std::string& name = names_[static_cast<size_t>(read.producer)];
        if (!name.empty()) return;
        name = sinkName(sink);
        pending.push_back(read.producer);
      };
      pdg::forEachLeaf(sink.value, reach);
      if (sink.where) reach(*sink.where);
      while (!pending.empty()) {
        const NodeId id = pending.back();
        pending.pop_back();
        for (const Read& read : graph_.node(id).inputs) reach(read);
      }
    }
  }

  std::string rootOf(NodeId id) const {
    const std::string& name = names_[static_cast<size_t>(id)];
    const bool sink = std::any_of(graph_.sinks().begin(), graph_.sinks().end(),
                                  [&](const auto& s) { return sinkName(s) == name; });
    return sink ? name : tensorName(name, places_);
  }

  void assign(const Node& node) {
    if (splatValue(node) && node.name.empty()) return;
    const std::string root = rootOf(node.id);
    auto [at, isNew] = byRoot_.emplace(root, static_cast<int>(result_.tensors.size()));
    if (isNew) {
      result_.tensors.emplace_back();
      result_.tensors.back().name = root;
    }
    Tensor& tensor = result_.tensors[static_cast<size_t>(at->second)];
    tensor.members.push_back(node.id);
    if (!node.name.empty()) tensor.leaves.push_back(node.id);
    result_.tensorOf[static_cast<size_t>(node.id)] = at->second;
  }

  // Where to begin to look for what a tensor reads: its leaves, or all of it.
  static const std::vector<NodeId>& anchors(const Tensor& tensor) {
    return tensor.leaves.empty() ? tensor.members : tensor.leaves;
  }

  void describe(Tensor& tensor) {
    const Node* head = &graph_.node(anchors(tensor).front());
    // The leaf with the most indices speaks for all: parts of an initial value have fewer.
    for (NodeId id : anchors(tensor))
      if (graph_.node(id).dims.size() > head->dims.size()) head = &graph_.node(id);
    tensor.heading = tensor.name;
    std::string dims;
    for (Var dim : head->dims) dims += (dims.empty() ? "" : ", ") + graph_.dim(dim).name;
    if (!dims.empty()) tensor.heading += "[" + dims + "]";
    int leaves = 0;
    for (NodeId id : anchors(tensor)) leaves += graph_.node(id).dims == head->dims;
    tensor.type = leaves > 1 ? std::to_string(leaves) + " tensors" : typeText(*head);
    tensor.domain = domainText(graph_, *head);
    tensor.span = head->span;
    tensor.kind = kindOf(tensor);
    if (const auto own = places_.find(tensor.name); own != places_.end() && !own->second.empty())
      tensor.span = own->second.front();
  }

  std::string typeText(const Node& node) const {
    std::string extents;
    for (const IndexExpr& e : node.shape)
      extents += (extents.empty() ? "" : ", ") + printer_.expr(e);
    return std::string(rlc::name(node.type)) + (extents.empty() ? "" : "[" + extents + "]");
  }

  Tensor::Kind kindOf(const Tensor& tensor) {
    if (tensor.name.starts_with("∂")) return Tensor::Kind::Gradient;
    bool draw = false;
    for (NodeId id : tensor.leaves) {
      if (std::holds_alternative<pdg::Param>(graph_.node(id).op)) return Tensor::Kind::Param;
      draw = draw || std::holds_alternative<pdg::Draw>(graph_.node(id).op);
    }
    return draw ? Tensor::Kind::Draw : Tensor::Kind::Equation;
  }

  // Follows reads through the tensor's own unnamed operations until they leave it, composing the
  // subscripts.
  void readsOf(int tensor, const Node& root) {
    struct Visit {
      NodeId node;
      std::map<Var, IndexExpr> point;
    };
    std::set<std::pair<NodeId, std::string>> seen;
    std::map<Var, IndexExpr> own;
    for (Var dim : root.dims) own.emplace(dim, IndexExpr(dim));
    std::vector<Visit> pending{{root.id, own}};
    Positions positions;
    while (!pending.empty()) {
      const Visit visit = std::move(pending.back());
      pending.pop_back();
      const Node& node = graph_.node(visit.node);
      for (const Read& input : node.inputs) {
        const int producer = result_.tensorOf[static_cast<size_t>(input.producer)];
        if (producer < 0) continue;
        const Read read = positions.noted(node, input);
        const Node& target = graph_.node(read.producer);
        const std::string text = subscript(positions, read, visit.point);
        const bool inside = producer == tensor && target.name.empty() && target.id != root.id;
        if (!inside) {
          addEdge(producer, tensor, staysPut(target, read, visit.point) ? "" : text,
                  moves(target, read, visit.point));
        } else if (seen.insert({target.id, text}).second && seen.size() < 4096) {
          Visit next{target.id, {}};
          for (size_t k = 0; k < read.at.size(); ++k)
            next.point.emplace(target.dims[k], read.at[k].substitute(visit.point));
          pending.push_back(std::move(next));
        }
      }
    }
  }

  // Gathers on the way from a tensor to what it reads: which nodes give positions. Each node
  // numbers its own, and subscripts of several are composed; here all have one numbering.
  struct Positions {
    std::vector<NodeId> nodes;

    Read noted(const Node& consumer, const Read& read) {
      return pdg::renumbered(read, [&](int input) {
        nodes.push_back(consumer.inputs[static_cast<size_t>(input)].producer);
        return static_cast<int>(nodes.size()) - 1;
      });
    }
  };

  std::string subscript(const Positions& positions, const Read& read,
                        const std::map<Var, IndexExpr>& point) const {
    std::string text;
    for (const IndexExpr& e : read.at) {
      const IndexExpr composed = e.substitute(point);
      std::string part = printer_.expr(composed);
      for (const int number : pdg::valueInputs(composed)) {
        const std::string from = "value(" + std::to_string(number) + ")";
        const std::string by = positionText(positions.nodes[static_cast<size_t>(number)]);
        for (size_t at = part.find(from); at != std::string::npos;
             at = part.find(from, at + by.size()))
          part.replace(at, from.size(), by);
      }
      text += (text.empty() ? "" : ", ") + part;
    }
    return text.empty() ? "" : "[" + text + "]";
  }

  // A position that is data: the tensor that it is, or those that it is computed from.
  std::string positionText(NodeId id) const {
    if (const std::string& name = graph_.node(id).name; !name.empty()) return name;
    std::set<NodeId> seen{id};
    std::vector<NodeId> pending{id};
    std::set<std::string> sources;
    while (!pending.empty()) {
      const Node& node = graph_.node(pending.back());
      pending.pop_back();
      for (const Read& read : node.inputs) {
        const Node& source = graph_.node(read.producer);
        if (!seen.insert(source.id).second) continue;
        if (source.name.empty())
          pending.push_back(source.id);
        else if (!std::holds_alternative<pdg::Param>(source.op))
          sources.insert(source.name);
      }
    }
    std::string text;
    for (const std::string& source : sources) text += (text.empty() ? "" : ", ") + source;
    return text.empty() ? "data" : "from " + text;
  }

  // Whether the same point is read: the producer's own dims, whatever else the reader varies over.
  static bool staysPut(const Node& target, const Read& read,
                       const std::map<Var, IndexExpr>& point) {
    for (size_t k = 0; k < read.at.size(); ++k)
      if (read.at[k].substitute(point) != IndexExpr(target.dims[k])) return false;
    return true;
  }

  // Whether a dim is read at a shifted position.
  bool moves(const Node& target, const Read& read, const std::map<Var, IndexExpr>& point) const {
    for (size_t k = 0; k < read.at.size(); ++k) {
      const auto shifted = read.at[k].substitute(point).asShifted();
      if (shifted && shifted->var == target.dims[k] && shifted->offset != 0) return true;
    }
    return false;
  }

  void addEdge(int from, int to, const std::string& text, bool carried) {
    if (from == to && !carried) return;  // a leaf of a record that reads another at the same point
    auto [at, isNew] = edges_.emplace(std::pair{from, to}, result_.edges.size());
    if (isNew) result_.edges.push_back({from, to, {}, false});
    TensorEdge& edge = result_.edges[at->second];
    if (!text.empty() && edge.reads.size() < kMostSubscripts) edge.reads.insert(text);
    edge.carried = edge.carried || carried;
  }

  void addSink(int number) {
    const pdg::Sink& sink = graph_.sinks()[static_cast<size_t>(number)];
    auto [at, isNew] = byRoot_.emplace(sinkName(sink), static_cast<int>(result_.tensors.size()));
    if (isNew) result_.tensors.emplace_back();
    const int to = at->second;
    Tensor& tensor = result_.tensors[static_cast<size_t>(to)];
    tensor.kind = Tensor::Kind::Sink;
    tensor.sink = number;
    tensor.name = tensor.heading = sinkName(sink);
    tensor.span = sink.span;
    tensor.domain.clear();
    for (Var dim : sink.dims)
      tensor.domain += (tensor.domain.empty() ? "each " : ", ") + graph_.dim(dim).name;
    pdg::forEachLeaf(sink.value, [&](const Read& read) {
      const int from = result_.tensorOf[static_cast<size_t>(read.producer)];
      if (from < 0) return;
      const Node& target = graph_.node(read.producer);
      addEdge(from, to, staysPut(target, read, {}) ? "" : subscript({}, read, {}), false);
    });
  }

  const Graph& graph_;
  const EquationPlaces& places_;
  std::vector<std::string> names_;
  pdg::Printer printer_;
  std::map<std::string, int> byRoot_;
  std::map<std::pair<int, int>, size_t> edges_;
  Equations result_;
};

}  // namespace

EquationPlaces placesOf(EquationPlaces own, const EquationPlaces& called) {
  std::map<std::string, int> count;
  const auto caller = [](const std::string& path) { return path.substr(0, path.rfind('.')); };
  for (const auto& [path, spans] : called) ++count[caller(path)];
  EquationPlaces places = own;
  for (const auto& [path, spans] : called)
    if (own.contains(caller(path)) && count[caller(path)] >= kFewEquations)
      places.emplace(path, spans);
  return places;
}

std::string tensorName(const std::string& name, const EquationPlaces& places) {
  const size_t by = name.rfind("∂");
  const size_t start = by == std::string::npos ? 0 : by + std::string_view("∂").size();
  const size_t first = name.find('.', start);
  if (first == std::string::npos) return name;
  const size_t second = name.find('.', first + 1);
  return name.substr(0, places.contains(name.substr(start, second - start)) ? second : first);
}

std::string domainText(const Graph& graph, const Node& node) {
  std::string text;
  pdg::Set box = pdg::Set::universe(graph.context(), node.dims);
  for (Var dim : node.dims) {
    const auto lo = node.domain.minimum(IndexExpr(dim)), hi = node.domain.maximum(IndexExpr(dim));
    if (!lo || !hi) return "no points";
    text += (text.empty() ? "" : ", ") + graph.dim(dim).name +
            (*lo == *hi ? " = " + std::to_string(*lo)
                        : " in " + std::to_string(*lo) + ".." + std::to_string(*hi + 1));
    box = box.intersect(pdg::Condition::within(IndexExpr(dim), *lo, *hi + 1));
  }
  return box.isSubset(node.domain) ? text : text + ", in part";
}

Equations equationsOf(const Graph& graph, const EquationPlaces& places) {
  return EquationFinder(graph, places).find();
}

}  // namespace rlc::explain
