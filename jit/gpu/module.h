// CUDA C++ for a loop program: the kernels' text, and what the host does to run them.
//
// A lane is a thread; a parallel loop's iteration that holds lanes is a block; sequential code
// around small loops runs in one block, whose first thread does what is the same for all. Text
// only: nothing here needs CUDA.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/loops/work.h"

namespace rlc::gpu {

struct GenerateOptions {
  int threads = 128;         // of a block whose threads are lanes; a power of two
  int teamThreads = 256;     // of a block that runs sequential code around loops; a power of two
  double gridWork = 200000;  // operations of a loop that pay for a launch over the whole device
  double productWork = 1 << 24;  // multiplications of a product of matrices that pay for a call of
                                 // a library: about a launch's time
  std::function<bool()>
      library;  // whether there is one; asked where a program has such products; empty: no
  bool tensorCores = true;    // those that compute capability 8.0 has
  bool roundFactors = false;  // of products of f32, to tf32's ten bits, for tensor cores
  int64_t mostBlocks = 1024;  // of a launch that keeps partial sums for each of its blocks
  std::function<std::string(const diagnostics::Span&)>
      describe;  // source lines for comments; empty: none
};

// A product of matrices, as Function::Product has it; where they are is in three slots of the
// frame.
struct Product {
  int64_t m = 0, n = 0, k = 0;
  int64_t leftRow = 0, leftColumn = 0, rightRow = 0, rightColumn = 0;
  DType type = DType::F32;
  int slot = -1;
};

// Elements of a tensor in the host's memory that a kernel works with in a copy on the device.
struct Transfer {
  loops::BufferId buffer = -1;
  loops::Expr first;  // of the host's loops
  int64_t elements = 0;
  bool written = false;
};

constexpr int64_t kTransferAlignment = 256;
// What a copy takes of the memory for copies, and half of that memory.
constexpr int64_t transferSize(int64_t bytes) {
  return (bytes + kTransferAlignment - 1) / kTransferAlignment * kTransferAlignment;
}
constexpr int64_t transferHalf(int64_t bytes) {
  return bytes / 2 / kTransferAlignment * kTransferAlignment;
}

struct Kernel {
  std::string name;  // of the entry point
  int threads = 1;
  // One block for each `perBlock` values of lo..hi, at least one; null: one block.
  loops::Expr lo, hi;
  int64_t perBlock = 1;
  int64_t blocksAtATime = 0;  // of a launch, for more of them would need more memory; 0: all
  // The host skips the launch where one of these is known to be false; the kernel looks for itself.
  std::vector<loops::Expr> guards;
  std::vector<const loops::Stmt*> parts;  // of the program, whose work it does
  loops::Work launchWork;                 // and what each launch does beside that
  std::optional<DType> tensorCores;       // where they compute its products: BF16, or F32: tf32
  // Of the host, whose values it takes: the first ones from Run::loops, more of them from the
  // frame.
  std::vector<loops::VarId> loops;
  bool barriers = false;
  std::vector<Transfer> transfers;  // Run::copies, in this order
  bool reachesHost = false;         // works with tensors in the host's memory where they are
  std::optional<Product> product;   // what follows the kernel, which says where the matrices are
};

// What the host does, in order.
struct Step {
  enum class Kind : uint8_t {
    Launch,  // kernel
    Loop,    // of `statement`, a sequential loop
    Emit,    // of `statement`, once everything before has been computed
    Leave,   // the loop over `statement->var`, where `statement->value` holds
  };
  Kind kind = Kind::Launch;
  int kernel = -1;
  const loops::Stmt* statement = nullptr;
  std::vector<loops::Expr> guards;  // Emit, Leave: all must hold
  std::vector<Step> body;           // Loop
};

struct Module {
  std::string source;
  std::vector<Kernel> kernels;
  std::vector<Step> steps;
  int64_t scratchBytes = 0;
  int64_t laneBytes = 0;  // of them, slices of lanes that run at a time
  int frameSlots = 0;
  std::vector<int> frameSlot;  // by VarId; -1: not in the frame
  loops::Block owned;          // statements that steps refer to and the program doesn't have
  std::shared_ptr<const loops::Program> program;  // as it was generated from, which steps refer to
};

// Fewer threads run at a time where the program limits what they work with.
Module generate(const loops::Program& program, const GenerateOptions& options);

// The headers that `Module::source` includes, by the names that it includes them under.
struct Header {
  const char* name;
  const char* text;
};
const std::vector<Header>& deviceHeaders();

}  // namespace rlc::gpu
