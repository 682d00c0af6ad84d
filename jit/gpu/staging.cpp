// What all threads of a block read alike, weights above all, is copied to shared memory first: from
// there a value goes to all threads of a warp at once, and the loops over time read it again and
// again.
#include <algorithm>

#include "jit/cpu/plan.h"
#include "jit/cpu/walk.h"
#include "jit/gpu/generator.h"

namespace rlc::gpu {

namespace {

// Of a block, beside what sums need, and beside tiles where there are some: every GPU has 48 KiB.
constexpr int64_t kSharedBytes = 40 << 10, kBesideTiles = 27 << 10;
constexpr int64_t kFewestStaged = 4;  // elements; fewer stay in registers

}  // namespace

// How often the statements read the buffer, as far as loops' bounds tell.
int64_t Generator::readsOf(const Block& block, BufferId id) const {
  int64_t reads = 0;
  for (const auto& stmt : block) {
    cpu::forEachExpr(*stmt, [&](const Expr& e) {
      cpu::forEachNode(e, [&](const ExprNode& node) {
        reads += node.kind == ExprNode::Kind::Load && node.buffer == id ? 1 : 0;
      });
    });
    const int64_t times = stmt->kind == Stmt::Kind::For ? mostIterations(*stmt).value_or(1) : 1;
    reads += times * readsOf(stmt->body, id) + readsOf(stmt->otherwise, id);
  }
  return reads;
}

// The buffers of a launch over lanes that are worth it, with the part that is read, within the
// memory there is.
std::vector<Generator::Staged> Generator::chooseStaged(const Plan& plan) const {
  const Stmt& loop = *plan.body;
  std::set<VarId> bound = boundIn(loop.body);
  bound.insert(loop.var);
  Touched touched;
  for (const auto& stmt : loop.body) touched.add(*stmt);
  struct Candidate {
    Staged staged;
    int64_t bytes;
    double use;  // reads of an element
  };
  std::vector<Candidate> candidates;
  const auto indicesOfAll = indicesOf(loop.body);
  for (BufferId id : touched.loaded) {
    if (buffer(id).kind != Buffer::Kind::Arena) continue;
    if (std::any_of(touched.written.begin(), touched.written.end(),
                    [&](BufferId w) { return cpu::mayOverlap(program_, w, id); }))
      continue;
    const std::vector<Expr>& indices = indicesOfAll.at(id);
    const bool alike = std::all_of(indices.begin(), indices.end(), [&](const Expr& index) {
      return uniform(splitIndex(index, bound).inside);
    });
    const auto window = windowOf(indices, bound, ranges_);
    if (!alike || !window || window->size < kFewestStaged || window->size > buffer(id).elements)
      continue;
    const int64_t bytes =
        cpu::alignUp(window->size * static_cast<int64_t>(byteSize(buffer(id).type)));
    const int64_t reads = readsOf(loop.body, id);
    // Each thread reads at least as much as the block copies.
    if (reads >= window->size)
      candidates.push_back({{id, *window, bound},
                            bytes,
                            static_cast<double>(reads) / static_cast<double>(window->size)});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.use > b.use; });
  std::vector<Staged> chosen;
  int64_t left = tiled_.empty() ? kSharedBytes : kBesideTiles;
  for (const Candidate& candidate : candidates) {
    if (candidate.bytes > left) continue;
    left -= candidate.bytes;
    chosen.push_back(candidate.staged);
  }
  return chosen;
}

void Generator::stage(const Plan& plan) {
  sums_.clear();
  chooseSums(*plan.body);
  chooseTiled(*plan.body, options_.threads);
  for (Staged& staged : chooseStaged(plan)) {
    const Buffer& b = buffer(staged.buffer);
    const std::string name = "staged_" + bufferName(staged.buffer),
                      size = std::to_string(staged.window.size);
    uses_.clear();
    shared_names_.clear();
    line("__shared__ __align__(16) " + memoryTypeName(b.type) + " " + name + "[" + size + "];");
    // Conditions may keep the code from elements that the window has and the buffer does not.
    const bool within = staged.window.size == b.elements;
    const std::string base = whole(staged.window.base);
    line("for (i64 e = threadIdx.x; e < " + size + "; e += blockDim.x) " + name +
         "[e] = " + bufferName(staged.buffer) + "[" +
         (within ? "e" : "within<" + std::to_string(b.elements) + ">(" + base + " + e)") + "];");
    staged_.emplace(staged.buffer, std::move(staged));
  }
  if (staged_.empty()) return;
  barriers_ = true;
  line("__syncthreads();");
}

}  // namespace rlc::gpu
