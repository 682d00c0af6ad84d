#include "jit/native/needs.h"

#include <algorithm>
#include <cstdio>
#include <deque>

#include "compiler/pdg/traversal.h"
#include "jit/runtime/format.h"

namespace rlc::native {

using runtime::sizeText;

namespace {

constexpr size_t kRows = 12;

struct Need {
  std::string what;
  int64_t bytes;  // all together
  int count = 1;
};

// Tensors that are called alike, such as weights and what begins them, share a row.
void add(std::vector<Need>& needs, const std::string& what, int64_t bytes) {
  for (Need& need : needs) {
    if (need.what != what) continue;
    need.bytes += bytes;
    ++need.count;
    return;
  }
  needs.push_back({what, bytes});
}

using pdg::Node;
using pdg::NodeId;

// The nearest tensor with a name that a node is made of, where what reads it has no name either:
// `until done` of `done`.
std::string madeOf(const pdg::Graph& graph, NodeId id) {
  std::vector<bool> seen(static_cast<size_t>(graph.size()));
  std::deque<NodeId> pending{id};
  while (!pending.empty()) {
    const Node& node = graph.node(pending.front());
    pending.pop_front();
    if (!node.name.empty()) return node.name;
    for (const pdg::Read& read : node.inputs) {
      if (seen[static_cast<size_t>(read.producer)]) continue;
      seen[static_cast<size_t>(read.producer)] = true;
      pending.push_back(read.producer);
    }
  }
  return "";
}

std::string describe(const pdg::Graph& graph, const Node& node,
                     const std::vector<schedule::DimStorage>& dims, const std::string& reader) {
  std::string what = "`" + node.name + "`";
  if (node.name.empty() && !reader.empty()) what = "a value of `" + reader + "`";
  if (node.name.empty() && reader.empty()) {
    const std::string source = madeOf(graph, node.id);
    what = source.empty() ? "a value without a name" : "a value made of `" + source + "`";
  }
  for (size_t k = 0; k < node.dims.size(); ++k)
    what += (k == 0 ? "  " : ", ") + graph.dim(node.dims[k]).name + ": " +
            std::to_string(dims[k].extent);
  return what;
}

}  // namespace

std::string needsText(const pdg::Graph& graph, const loops::Lowered& lowered,
                      const Machine& machine, int threads, int64_t allowed, bool limited) {
  const auto names = pdg::displayNames(graph);
  const int64_t scratch = machine.scratchBytes(threads);
  std::vector<Need> needs;
  Need ofThreads{"what " + std::to_string(threads) +
                     (threads == 1 ? " thread works" : " threads work") + " with",
                 scratch};
  int64_t largest = 0;  // of what a lane keeps
  std::string largestName;
  for (size_t n = 0; n < lowered.bufferOf.size(); ++n) {
    if (lowered.bufferOf[n] < 0) continue;
    const loops::Buffer& buffer = lowered.program.buffers[static_cast<size_t>(lowered.bufferOf[n])];
    const int64_t bytes = buffer.elements * static_cast<int64_t>(byteSize(buffer.type));
    const std::string what =
        describe(graph, graph.node(static_cast<NodeId>(n)), lowered.storage[n].dims, names[n]);
    if (buffer.kind == loops::Buffer::Kind::Arena && bytes > 0) add(needs, what, bytes);
    if (buffer.kind != loops::Buffer::Kind::Private || bytes <= largest) continue;
    largest = bytes;
    largestName = what;
  }
  if (largest > 0) ofThreads.what += ", most of all " + largestName;
  needs.insert(needs.begin(), std::move(ofThreads));
  std::stable_sort(needs.begin(), needs.end(),
                   [](const Need& a, const Need& b) { return a.bytes > b.bytes; });

  std::string text = "the program does not fit into " + sizeText(allowed) +
                     " of memory: it needs " + sizeText(lowered.program.residentBytes + scratch) +
                     "\n";
  for (size_t k = 0; k < needs.size() && k < kRows; ++k) {
    char size[24];
    std::snprintf(size, sizeof size, "%12s  ", sizeText(needs[k].bytes).c_str());
    text += size + needs[k].what;
    if (needs[k].count > 1) text += ", " + std::to_string(needs[k].count) + " of that name";
    text += "\n";
  }
  if (needs.size() > kRows)
    text += "              and " + std::to_string(needs.size() - kRows) + " smaller ones\n";
  return text + "hint: " +
         (limited ? "what could move to a file has moved"
                  : "--memory-limit SIZE moves tensors to a file") +
         "; fewer environments, steps or threads need less";
}

}  // namespace rlc::native
