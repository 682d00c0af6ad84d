#include "compiler/schedule/printer.h"

#include <algorithm>
#include <sstream>

namespace rlc::schedule {

namespace {

std::string nameOf(const Graph& graph, NodeId id) {
  const pdg::Node& node = graph.node(id);
  return node.name.empty() ? "v" + std::to_string(id) : node.name;
}

class SchedulePrinter {
 public:
  SchedulePrinter(const Graph& graph, const Statements& statements, const Schedule& schedule)
      : graph_(graph), statements_(statements), schedule_(schedule) {}

  std::string print() {
    for (const auto& root : schedule_.roots) visit(*root, 0);
    return out_.str();
  }

 private:
  polyhedral::VarNamer namer() const {
    return [this](Var var) {
      const int32_t number = var.id - graph_.dimCount();
      if (!var.isElement() && number >= 0 &&
          number < static_cast<int32_t>(schedule_.loopNames.size()))
        return schedule_.loopNames[static_cast<size_t>(number)];
      return graph_.namer()(var);
    };
  }

  void visit(const ScheduleNode& node, int depth) {
    out_ << std::string(static_cast<size_t>(depth) * 2, ' ');
    if (node.kind == ScheduleNode::Kind::Statement) {
      out_ << describe(node.statement) << "\n";
      return;
    }
    if (node.kind == ScheduleNode::Kind::Scan) {
      out_ << orderOf(node) << "\n";
      for (int s : node.statements)
        out_ << std::string(static_cast<size_t>(depth) * 2 + 2, ' ') << describe(s) << "\n";
      return;
    }
    out_ << execution(node) << "for " << node.name << " in " << node.lo.toString(namer()) << ".."
         << node.hi.toString(namer());
    if (node.descending) out_ << " downward";
    out_ << "\n";
    for (const auto& child : node.children) visit(*child, depth + 1);
  }

  static const char* orderOf(const ScheduleNode& node) {
    switch (node.order) {
      case ScheduleNode::Order::Good:
        return "in an order found by isl";
      case ScheduleNode::Order::Wavefront:
        return "along a sum of the indices";
      case ScheduleNode::Order::Any:
        return "in an order found by isl (some order: the search for a good one was given up)";
    }
    return "";
  }

  static const char* execution(const ScheduleNode& node) {
    switch (node.execution) {
      case ScheduleNode::Execution::Sequential:
        return node.parallel ? "any-order " : "";
      case ScheduleNode::Execution::Threads:
        return "threads ";
      case ScheduleNode::Execution::Lanes:
        return "lanes ";
      case ScheduleNode::Execution::ThreadedLanes:
        return "threads+lanes ";
    }
    return "";
  }

  std::string describe(int index) const {
    const Statement& statement = statements_.list[static_cast<size_t>(index)];
    const Placed& placed = schedule_.placed[static_cast<size_t>(index)];
    std::string text;
    if (statement.role == Statement::Role::Emit) {
      text = "emit \"" + graph_.sinks()[static_cast<size_t>(statement.sink)].label + "\"";
    } else {
      text = nameOf(graph_, statement.node);
      const auto& dims = graph_.node(statement.node).dims;
      if (!dims.empty()) text += "[";
      bool first = true;
      for (Var dim : dims) {
        const auto value = placed.instance.find(dim);
        text += (first ? "" : ", ") + (value == placed.instance.end()
                                           ? graph_.dim(dim).name
                                           : value->second.toString(namer()));
        first = false;
      }
      if (!dims.empty()) text += "]";
      if (statement.role == Statement::Role::Init) text += " starts";
      if (statement.role == Statement::Role::Update) text += " accumulates";
      if (statement.role == Statement::Role::Change) text += " changes in one position";
      if (statement.piece >= 0) text += " (equation " + std::to_string(statement.piece + 1) + ")";
    }
    return text;
  }

  const Graph& graph_;
  const Statements& statements_;
  const Schedule& schedule_;
  std::ostringstream out_;
};

}  // namespace

std::string print(const Graph& graph, const Statements& statements, const Schedule& schedule) {
  return SchedulePrinter(graph, statements, schedule).print();
}

std::string print(const Graph& graph, const std::vector<Storage>& storage) {
  std::ostringstream out;
  for (const Storage& s : storage) {
    if (s.node < 0) continue;
    const pdg::Node& node = graph.node(s.node);
    out << nameOf(graph, s.node) << ":";
    for (size_t k = 0; k < s.dims.size(); ++k) {
      const DimStorage& dim = s.dims[k];
      out << " " << graph.dim(node.dims[k]).name << "=";
      if (dim.lane) {
        out << "lane";
      } else {
        out << (dim.ring ? "ring " : "all ") << dim.extent;
      }
    }
    out << ", " << s.elements << " x " << rlc::name(node.type) << (s.perLane ? " per lane" : "")
        << "\n";
  }
  return out.str();
}

}  // namespace rlc::schedule
