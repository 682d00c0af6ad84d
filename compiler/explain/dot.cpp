#include "compiler/explain/dot.h"

#include <algorithm>
#include <map>
#include <set>

#include "compiler/explain/html.h"
#include "compiler/explain/kernels.h"
#include "compiler/explain/memory.h"
#include "compiler/pdg/printer.h"
#include "compiler/pdg/shape.h"
#include "compiler/pdg/traversal.h"

namespace rlc::explain {

namespace {

constexpr size_t kMostNames = 3;  // of tensors, in a kernel's box

constexpr const char* kHead =
    "  graph [bgcolor=\"transparent\", fontname=\"Helvetica\", nodesep=0.28, ranksep=0.42, "
    "splines=spline]\n"
    "  node [fontname=\"Helvetica\", fontsize=11, shape=plain]\n"
    "  edge [fontname=\"Helvetica\", fontsize=9, color=\"#94a3b8\", fontcolor=\"#475569\", "
    "arrowsize=0.6]\n";

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string colourOf(Tensor::Kind kind) {
  switch (kind) {
    case Tensor::Kind::Equation:
      return "#f8fafc";
    case Tensor::Kind::Recurrence:
      return "#fef3c7";
    case Tensor::Kind::Draw:
      return "#ede9fe";
    case Tensor::Kind::Gradient:
      return "#fee2e2";
    case Tensor::Kind::Param:
      return "#e2e8f0";
    case Tensor::Kind::Sink:
      return "#dcfce7";
  }
  return "";
}

std::string cell(const std::string& text, bool strong) {
  const std::string body = escaped(text);
  return "<TR><TD ALIGN=\"LEFT\">" +
         (strong ? "<B>" + body + "</B>"
                 : "<FONT POINT-SIZE=\"9\" COLOR=\"#64748b\">" + body + "</FONT>") +
         "</TD></TR>";
}

std::string box(const std::string& heading, const std::vector<std::string>& lines,
                const std::string& colour) {
  std::string text =
      "<<TABLE BORDER=\"1\" COLOR=\"#94a3b8\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"3\" "
      "STYLE=\"ROUNDED\" BGCOLOR=\"" +
      colour + "\">" + cell(heading, true);
  for (const std::string& line : lines)
    if (!line.empty()) text += cell(line, false);
  return text + "</TABLE>>";
}

std::string joined(const std::set<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : "\n") + part;
  return text;
}

std::string numberOf(int n, const std::string& what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

class ScheduleDot {
 public:
  explicit ScheduleDot(const Subject& subject)
      : program_(*subject.program), equations_(equationsOf(program_.graph(), subject.places)) {}

  std::string write() {
    out_ = std::string("digraph schedule {\n") + kHead + "  compound=true\n";
    visit(program_.schedule().roots, 1);
    std::set<std::pair<std::string, std::string>> edges;
    for (size_t s = 0; s < program_.statements().list.size(); ++s)
      for (const schedule::Access& access : program_.statements().list[s].accesses)
        for (int writer : program_.statements().writers[static_cast<size_t>(access.producer)])
          if (boxOf_[writer] != boxOf_[static_cast<int>(s)])
            edges.emplace(boxOf_[writer], boxOf_[static_cast<int>(s)]);
    for (const auto& [from, to] : edges) out_ += "  " + from + " -> " + to + "\n";
    return out_ + "}\n";
  }

 private:
  void visit(const std::vector<schedule::ScheduleNodePtr>& nodes, int depth) {
    const std::string indent(static_cast<size_t>(depth) * 2, ' ');
    std::vector<int> run;
    const auto flush = [&] {
      if (run.empty()) return;
      const std::string id = "s" + std::to_string(boxes_++);
      std::map<std::string, int> tensors;
      for (int s : run) {
        boxOf_[s] = id;
        const schedule::Statement& statement = program_.statements().list[static_cast<size_t>(s)];
        if (statement.node < 0) {
          ++tensors[program_.graph().sinks()[static_cast<size_t>(statement.sink)].label];
        } else if (const int t = equations_.tensorOf[static_cast<size_t>(statement.node)]; t >= 0) {
          ++tensors[equations_.tensors[static_cast<size_t>(t)].name];
        }
      }
      std::vector<std::string> lines;
      std::string names;
      for (const auto& [name, count] : tensors) {
        names += (names.empty() ? "" : ", ") + name;
        if (names.size() < 40) continue;
        lines.push_back(names);
        names.clear();
      }
      lines.push_back(names);
      out_ += indent + id + " [label=" +
              box(numberOf(static_cast<int>(run.size()), "statement"), lines, "#f8fafc") + "]\n";
      run.clear();
    };
    for (const auto& node : nodes) {
      if (node->kind == schedule::ScheduleNode::Kind::Statement) {
        run.push_back(node->statement);
        continue;
      }
      flush();
      if (node->kind == schedule::ScheduleNode::Kind::Scan) {
        run = node->statements;
        flush();
        continue;
      }
      out_ += indent + "subgraph cluster" + std::to_string(boxes_++) + " {\n" + indent +
              "  label=" + quoted(loopText(*node)) +
              " labeljust=l style=\"rounded,filled\" color=\"#94a3b8\" fillcolor=" +
              quoted(loopColour(*node)) + " fontsize=11\n";
      visit(node->children, depth + 1);
      out_ += indent + "}\n";
    }
    flush();
  }

  std::string loopText(const schedule::ScheduleNode& loop) const {
    return executionText(loop) + ": for " + loop.name;
  }
  static std::string loopColour(const schedule::ScheduleNode& loop) {
    return loop.parallel ? "#ecfdf5" : "#fffbeb";
  }

  const native::NativeProgram& program_;
  Equations equations_;
  std::map<int, std::string> boxOf_;
  int boxes_ = 0;
  std::string out_;
};

}  // namespace

std::string tensorsDot(const Subject& subject, const Equations& equations) {
  std::string out = std::string("digraph program {\n") + kHead;
  for (size_t k = 0; k < equations.tensors.size(); ++k) {
    const Tensor& tensor = equations.tensors[k];
    const std::string key = lineKey(subject, tensor.span);
    const std::string place = key.empty() || tensor.span.file != subject.entry
                                  ? key.substr(key.rfind('/') + 1)
                                  : "line " + key;
    std::string facts = tensor.type + (tensor.type.empty() || place.empty() ? "" : " · ") + place;
    out += "  t" + std::to_string(k) + " [id=\"tensor-" + std::to_string(k) +
           "\", label=" + box(tensor.heading, {tensor.domain, facts}, colourOf(tensor.kind)) +
           "]\n";
  }
  for (const TensorEdge& edge : equations.edges) {
    out += "  t" + std::to_string(edge.from) + " -> t" + std::to_string(edge.to) +
           " [label=" + quoted(joined(edge.reads));
    if (edge.carried) out += ", color=\"#d97706\", fontcolor=\"#b45309\", penwidth=1.6";
    out += "]\n";
  }
  return out + "}\n";
}

std::string operationsDot(const Subject& subject) {
  const pdg::Graph& graph = subject.graph;
  const pdg::Printer printer(graph);
  const Equations equations = equationsOf(graph, subject.places);
  std::string out = std::string("digraph operations {\n") + kHead;
  for (size_t k = 0; k < equations.tensors.size(); ++k) {
    const Tensor& tensor = equations.tensors[k];
    if (tensor.members.empty()) continue;
    out += "  subgraph cluster" + std::to_string(k) + " {\n    label=" + quoted(tensor.heading) +
           " labeljust=l style=\"rounded,filled\" color=\"#cbd5e1\" fillcolor=" +
           quoted(colourOf(tensor.kind)) + " fontsize=12\n";
    for (pdg::NodeId id : tensor.members) {
      const std::string text = printer.node(id);
      const size_t line = text.find('\n');
      std::string head = text.substr(0, text.find(" over ")), body = text.substr(line + 1);
      head = head.substr(0, head.find('\n'));
      body = body.substr(0, body.find('\n'));
      body.erase(0, body.find_first_not_of(" ="));
      if (body.size() > 60) body = body.substr(0, body.find_last_of(" ,", 60)) + " …";
      out += "    n" + std::to_string(id) + " [id=\"node-" + std::to_string(id) +
             "\", label=" + box(head, {body}, "#ffffff") + "]\n";
    }
    out += "  }\n";
  }
  for (const pdg::Node& node : graph.nodes()) {
    if (equations.tensorOf[static_cast<size_t>(node.id)] < 0) continue;
    std::map<pdg::NodeId, std::set<std::string>> reads;
    for (const pdg::Read& read : node.inputs) {
      if (equations.tensorOf[static_cast<size_t>(read.producer)] < 0) continue;
      std::string at;
      for (size_t k = 0; k < read.at.size(); ++k) at += (k ? ", " : "") + printer.expr(read.at[k]);
      const bool own = std::equal(
          read.at.begin(), read.at.end(), node.dims.begin(), node.dims.end(),
          [](const pdg::IndexExpr& e, pdg::Var dim) { return e == pdg::IndexExpr(dim); });
      reads[read.producer].insert(own ? "" : "[" + at + "]");
    }
    for (const auto& [producer, at] : reads)
      out += "  n" + std::to_string(producer) + " -> n" + std::to_string(node.id) +
             " [label=" + quoted(joined(at)) + "]\n";
  }
  return out + "}\n";
}

std::string passesDot(const Subject& subject) {
  std::string out = std::string("digraph passes {\n  rankdir=LR\n") + kHead;
  for (size_t k = 0; k < subject.passes.size(); ++k) {
    const PassStep& step = subject.passes[k];
    const GraphChange& change = step.change;
    const bool idle = change.removed + change.added + change.changed == 0;
    std::vector<std::string> lines{std::to_string(step.run.nodesBefore) + " → " +
                                   std::to_string(step.run.nodesAfter) + " nodes"};
    if (!idle)
      lines.push_back(std::to_string(change.changed) + " changed, " + std::to_string(change.added) +
                      " new, " + std::to_string(change.removed) + " gone");
    out += "  p" + std::to_string(k) +
           " [label=" + box(std::string(step.run.name), lines, idle ? "#f8fafc" : "#fef3c7") +
           "]\n";
    if (k > 0) out += "  p" + std::to_string(k - 1) + " -> p" + std::to_string(k) + "\n";
  }
  return out + "}\n";
}

std::string scheduleDot(const Subject& subject) { return ScheduleDot(subject).write(); }

std::string memoryDot(const Subject& subject) {
  const MemoryPicture memory = memoryOf(subject);
  std::string out = std::string("digraph memory {\n") + kHead +
                    "  arena [label=<<TABLE BORDER=\"0\" CELLBORDER=\"1\" CELLSPACING=\"0\" "
                    "COLOR=\"#cbd5e1\"><TR><TD COLSPAN=\"4\"><B>arena: " +
                    bytesText(memory.arenaBytes) + "</B></TD></TR>";
  for (const StoredTensor& tensor : memory.tensors) {
    if (tensor.perLane) continue;
    out += "<TR><TD ALIGN=\"LEFT\">" + escaped(tensor.name) + "</TD><TD ALIGN=\"LEFT\">" +
           escaped(tensor.windows) + "</TD><TD ALIGN=\"RIGHT\">" + bytesText(tensor.bytes) +
           "</TD><TD ALIGN=\"RIGHT\">at " + std::to_string(tensor.offset) + "</TD></TR>";
  }
  return out + "</TABLE>>]\n}\n";
}

std::string kernelsDot(const Subject& subject) {
  const std::vector<Kernel> kernels = kernelsOf(subject);
  const loops::Lowered& lowered = subject.program->lowered();
  const auto& program = lowered.program;
  // By buffer: the tensor that it belongs to.
  const std::vector<std::string> names = pdg::displayNames(subject.program->graph());
  std::vector<std::string> nameOf(program.buffers.size());
  for (size_t b = 0; b < nameOf.size(); ++b)
    nameOf[b] = tensorName(program.buffers[b].name, subject.places);
  for (size_t node = 0; node < lowered.bufferOf.size(); ++node)
    if (lowered.bufferOf[node] >= 0 && !names[node].empty())
      nameOf[static_cast<size_t>(lowered.bufferOf[node])] = tensorName(names[node], subject.places);
  const std::vector<Stretch> stretches = stretchesOf(kernels);
  std::string out = std::string("digraph kernels {\n") + kHead;
  std::map<loops::BufferId, int> writer;
  std::map<std::pair<int, int>, std::set<std::string>> edges;
  // Two rounds: what the first one finds late in a loop is read early in its next iteration.
  for (int round = 0; round < 2; ++round)
    for (size_t box = 0; box < stretches.size(); ++box)
      for (size_t k = stretches[box].first; k < stretches[box].last; ++k) {
        for (loops::BufferId buffer : kernels[k].reads) {
          const auto from = writer.find(buffer);
          if (from == writer.end() || from->second == static_cast<int>(box)) continue;
          auto& carried = edges[{from->second, static_cast<int>(box)}];
          if (carried.size() < kMostNames) carried.insert(nameOf[static_cast<size_t>(buffer)]);
        }
        for (loops::BufferId buffer : kernels[k].writes) writer[buffer] = static_cast<int>(box);
      }
  for (size_t k = 0; k < stretches.size(); ++k) {
    const Stretch& stretch = stretches[k];
    const Kernel& kernel = kernels[stretch.first];
    std::set<std::string> computed;
    for (size_t member = stretch.first; member < stretch.last; ++member)
      for (loops::BufferId buffer : kernels[member].writes)
        if (const std::string& name = nameOf[static_cast<size_t>(buffer)]; !name.empty())
          computed.insert(name);
    std::string what;
    size_t shown = 0;
    for (const std::string& name : computed)
      if (++shown <= kMostNames) what += (what.empty() ? "" : ", ") + name;
    if (computed.size() > kMostNames)
      what += " and " + std::to_string(computed.size() - kMostNames) + " more";
    const bool parallel = kernel.shape.starts_with("threads") || kernel.shape.starts_with("lanes");
    out += "  k" + std::to_string(k) + " [label=";
    if (stretch.passing)
      out += box(stretch.title(), {what, "next to no time"}, "#f1f5f9");
    else
      out += box(stretch.title() + (kernel.loops.empty() ? "" : "  (" + kernel.loops + ")"),
                 {what, kernel.shape.empty() ? "in order" : kernel.shape, shareText(kernel)},
                 parallel ? "#ecfdf5" : "#f8fafc");
    out += "]\n";
  }
  for (const auto& [ends, carried] : edges) {
    const bool back = ends.second <= ends.first;
    out += "  k" + std::to_string(ends.first) + " -> k" + std::to_string(ends.second) +
           " [label=" + quoted(joined(carried)) +
           (back ? ", color=\"#d97706\", constraint=false" : "") + "]\n";
  }
  return out + "}\n";
}

}  // namespace rlc::explain
