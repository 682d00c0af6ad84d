// Launches that come around again, as CUDA graphs: recorded once, started with one call.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "jit/gpu/device.h"
#include "jit/gpu/module.h"

namespace rlc::gpu {

// How many steps from `first` on can be recorded together: not those that depend on data or on the
// loops around them, nor more than a graph may have; 0 where a graph would be no gain.
size_t recordable(const Module& module, const std::vector<Step>& steps, size_t first);

// The launches of a step that is recordable, in order, and the values that its loops' variables
// have by then; behind a loop its variable has none.
using SetVariable = std::function<void(loops::VarId var, std::optional<int64_t> value)>;
void forEachLaunch(const Step& step, const SetVariable& set,
                   const std::function<void(int kernel)>& launch);

class Graphs {
 public:
  // What is recorded is given to `stream`, and to streams that come back to it.
  Graphs(const Device& device, CUstream stream) : device_(device), stream_(stream) {}
  ~Graphs();
  Graphs(const Graphs&) = delete;
  Graphs& operator=(const Graphs&) = delete;

  // Of the steps from `first` on, where their launches have these blocks; null: not recorded yet.
  CUgraphExec find(const Step& first, const std::vector<unsigned>& blocks) const;
  // No more are recorded of these steps: their launches are others too often.
  bool full(const Step& first) const;
  // What the stream is given between these two calls is the graph.
  void begin() const;
  CUgraphExec end(const Step& first, const std::vector<unsigned>& blocks);

 private:
  struct Captured {
    CUgraph graph = nullptr;
    CUgraphExec executable = nullptr;
  };
  void check(CUresult result, const std::string& what) const { device_.check(result, what); }

  const Device& device_;
  CUstream stream_;
  std::map<const Step*, std::map<std::vector<unsigned>, Captured>> graphs_;
};

}  // namespace rlc::gpu
