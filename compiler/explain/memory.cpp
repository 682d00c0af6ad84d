#include "compiler/explain/memory.h"

#include <algorithm>

#include "compiler/loops/printer.h"
#include "compiler/pdg/traversal.h"
#include "jit/runtime/format.h"

namespace rlc::explain {

namespace {

std::string windowsText(const pdg::Graph& graph, const pdg::Node& node,
                        const schedule::Storage& storage) {
  std::string text;
  for (size_t k = 0; k < storage.dims.size(); ++k) {
    const schedule::DimStorage& dim = storage.dims[k];
    const std::string count = std::to_string(dim.extent);
    const auto lo = node.domain.minimum(pdg::IndexExpr(node.dims[k])),
               hi = node.domain.maximum(pdg::IndexExpr(node.dims[k]));
    const std::string all = lo && hi ? std::to_string(*hi - *lo + 1) : "0";
    text += (k ? ", " : "") + graph.dim(node.dims[k]).name + ": ";
    if (dim.lane) {
      text += "a lane each";
    } else if (!dim.ring) {
      text += "all " + count;
    } else {
      text += (dim.extent == 1 ? "1" : "a ring of " + count) + " of " + all;
    }
  }
  return text;
}

}  // namespace

MemoryPicture memoryOf(const Subject& subject) {
  const loops::Lowered& lowered = subject.program->lowered();
  const pdg::Graph& graph = subject.program->graph();
  const Equations equations = equationsOf(graph, subject.places);
  const auto names = pdg::displayNames(graph);
  const auto buffers = loops::bufferNames(lowered.program);
  const int64_t end = static_cast<int64_t>(lowered.memory.moments.size()) - 1;
  MemoryPicture picture;
  picture.arenaBytes = lowered.program.arenaBytes;
  picture.live.assign(lowered.memory.moments.size(), 0);

  std::vector<pdg::NodeId> nodeOf(lowered.program.buffers.size(), -1);
  for (size_t n = 0; n < lowered.bufferOf.size(); ++n)
    if (lowered.bufferOf[n] >= 0)
      nodeOf[static_cast<size_t>(lowered.bufferOf[n])] = static_cast<pdg::NodeId>(n);
  for (size_t b = 0; b < lowered.program.buffers.size(); ++b) {
    const loops::Buffer& buffer = lowered.program.buffers[b];
    const bool arena = buffer.kind == loops::Buffer::Kind::Arena;
    if (!arena && buffer.kind != loops::Buffer::Kind::Private) continue;
    const loops::Lifetime& life = lowered.memory.lifetimes[b];
    if (life.empty()) continue;  // inlined or dead
    StoredTensor tensor;
    tensor.name = buffers[b];
    tensor.perLane = !arena;
    tensor.bytes = buffer.elements * static_cast<int64_t>(byteSize(buffer.type));
    tensor.offset = arena ? buffer.offset : -1;
    tensor.first = life.first;
    tensor.last = std::min(life.last, end);
    if (const pdg::NodeId id = nodeOf[b]; id >= 0) {
      const pdg::Node& node = graph.node(id);
      tensor.windows = windowsText(graph, node, lowered.storage[static_cast<size_t>(id)]);
      tensor.span = node.span;
      if (node.name.empty() && !names[static_cast<size_t>(id)].empty())
        tensor.name += " of " + tensorName(names[static_cast<size_t>(id)], subject.places);
      if (const int t = equations.tensorOf[static_cast<size_t>(id)];
          t >= 0 && !subject.shows(tensor.span.file))
        tensor.span = equations.tensors[static_cast<size_t>(t)].span;
    }
    if (arena)
      for (int64_t k = tensor.first; k <= tensor.last; ++k)
        picture.live[static_cast<size_t>(k)] += tensor.bytes;
    picture.tensors.push_back(std::move(tensor));
  }
  std::stable_sort(picture.tensors.begin(), picture.tensors.end(),
                   [](const StoredTensor& a, const StoredTensor& b) { return a.bytes > b.bytes; });
  if (!picture.live.empty())
    picture.peak = static_cast<size_t>(std::max_element(picture.live.begin(), picture.live.end()) -
                                       picture.live.begin());
  return picture;
}

std::string bytesText(int64_t bytes) { return runtime::sizeText(bytes); }

std::string executionText(const schedule::ScheduleNode& loop) {
  using Execution = schedule::ScheduleNode::Execution;
  switch (loop.execution) {
    case Execution::Sequential:
      return loop.parallel ? "in any order" : "in order";
    case Execution::Threads:
      return "on threads";
    case Execution::Lanes:
      return "in lanes";
    case Execution::ThreadedLanes:
      return "on threads, in lanes";
  }
  return "";
}

}  // namespace rlc::explain
