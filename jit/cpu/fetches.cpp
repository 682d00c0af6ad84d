#include "jit/cpu/fetches.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "compiler/types/lists.h"
#include "jit/cpu/plan.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

constexpr int64_t kStrip = int64_t{256} << 10;      // bytes of a tensor that are asked for at once
constexpr int64_t kFewElements = 64;                // such a part of a tensor is hardly anything
constexpr int64_t kLongestStep = int64_t{4} << 20;  // a longer one is too much at once
constexpr int64_t kPage = 4096;                     // or more
constexpr int64_t kFewestPages = 4;                 // that are asked for at once
constexpr int64_t kMostIterations = int64_t{1} << 20;  // of a strip

int64_t sizeOf(const Buffer& buffer) { return static_cast<int64_t>(byteSize(buffer.type)); }

int64_t powerOfTwo(int64_t iterations) {
  return static_cast<int64_t>(
      std::bit_floor(static_cast<uint64_t>(std::clamp(iterations, int64_t{1}, kMostIterations))));
}

class FetchPlanner {
 public:
  FetchPlanner(const Program& program, const Plan& plan)
      : program_(program), plan_(plan), unasked_(program.buffers.size()) {}

  FetchPlan run() {
    visit(program_.body);
    for (auto& [loop, fetches] : result_.loops) chooseStrips(fetches);
    findPages();
    return std::move(result_);
  }

 private:
  void visit(const Block& block) {
    for (const auto& stmt : block) {
      visit(*stmt);
      const bool loop = stmt->kind == Stmt::Kind::For;
      if (loop) around_.push_back(stmt.get());
      visit(stmt->body);
      visit(stmt->otherwise);
      if (loop) around_.pop_back();
    }
  }

  void visit(const Stmt& stmt) {
    for (const auto& place : stmt.places) leave(place.buffer);
    for (const auto& reduction : stmt.reductions)
      if (reduction.buffer >= 0) leave(reduction.buffer);
    if (stmt.kind == Stmt::Kind::Store || stmt.kind == Stmt::Kind::Accumulate)
      access(stmt.buffer, stmt.index);
    forEachExpr(stmt, [&](const Expr& e) {
      forEachNode(e, [&](const ExprNode& node) {
        if (node.kind == ExprNode::Kind::Load) access(node.buffer, node.args[0]);
      });
    });
  }

  void leave(BufferId buffer) { unasked_[static_cast<size_t>(buffer)] = true; }

  // ---- what lies in a file ----------------------------------------------------------------------

  // A place of the thread that runs a chunk of a parallel loop.
  bool inScratchFile(BufferId id) const {
    const PrivatePlan::Owner owner = plan_.privates[static_cast<size_t>(id)].owner;
    return program_.scratchInFile &&
           (owner == PrivatePlan::Owner::Lane || owner == PrivatePlan::Owner::Function) &&
           std::any_of(around_.begin(), around_.end(), [&](const Stmt* loop) {
             const auto found = plan_.parallel.find(loop);
             return found != plan_.parallel.end() && found->second.chunks > 1;
           });
  }

  int64_t bytesOf(BufferId id) const {
    const Buffer& buffer = program_.buffers[static_cast<size_t>(id)];
    return buffer.elements * sizeOf(buffer) * lanesOf(id);
  }

  // How many lanes' elements lie one behind the other.
  int64_t lanesOf(BufferId id) const {
    const PrivatePlan& place = plan_.privates[static_cast<size_t>(id)];
    return place.owner == PrivatePlan::Owner::Lane ? place.width : 1;
  }

  // ---- who asks for it --------------------------------------------------------------------------

  void access(BufferId id, const Expr& index) {
    const Buffer& buffer = program_.buffers[static_cast<size_t>(id)];
    if ((!isInFile(program_, buffer) && !inScratchFile(id)) || bytesOf(id) <= kStrip) return;
    if (lanesOf(id) > 1) drop(id);
    if (fetchedInBands(id) || fetchedInStrips(id, index)) return;
    leave(id);
  }

  void drop(BufferId id) {
    for (const Stmt* loop : around_) {
      if (widthOf(loop) == 1) continue;
      auto& dropped = result_.dropped[loop];
      if (!contains(dropped, id)) dropped.push_back(id);
    }
  }

  bool fetchedInBands(BufferId id) const {
    return std::any_of(around_.begin(), around_.end(), [&](const Stmt* loop) {
      const auto found = plan_.bands.fetched.find(loop);
      return found != plan_.bands.fetched.end() && contains(found->second, id);
    });
  }

  // By the innermost loop that goes through more than a strip of it; what is no more in all, or
  // hardly anything of the tensor, is not asked for.
  bool fetchedInStrips(BufferId id, const Expr& index) {
    const auto linear = linearOf(index);
    if (!linear) return false;
    for (const auto& [var, coefficient] : linear->coefficients)
      if (std::none_of(around_.begin(), around_.end(),
                       [&](const Stmt* loop) { return loop->var == var; }))
        return false;
    if (touched(id, *linear) <= std::max(kStrip, bytesOf(id) / kFewElements)) return true;
    for (size_t depth = around_.size(); depth-- > 0;) {
      if (lanesOf(id) > 1 && widthOf(around_[depth]) > 1) break;  // a lane's own
      const auto fetch = fetchBy(depth, id, *linear);
      if (!fetch) continue;
      auto& of = result_.loops[around_[depth]].of;
      if (std::none_of(of.begin(), of.end(), [&](const Fetch& other) {
            return other.buffer == id && other.step == fetch->step;
          }))
        of.push_back(*fetch);
      return true;
    }
    return false;
  }

  // Bytes at most that all loops around an access touch by it.
  int64_t touched(BufferId id, const loops::Linear& index) const {
    const Buffer& buffer = program_.buffers[static_cast<size_t>(id)];
    const Bands& bands = plan_.bands.of[static_cast<size_t>(id)];
    int64_t bytes = sizeOf(buffer) * lanesOf(id);
    for (const auto& [var, coefficient] : index.coefficients) {
      const auto loop = std::find_if(around_.begin(), around_.end(),
                                     [&, v = var](const Stmt* stmt) { return stmt->var == v; });
      const auto trips = tripCount(**loop);
      const auto step = bytesOf(id, std::abs(coefficient));
      if (bands && widthOf(*loop) > 1)
        bytes += bandCount(bands) * kPage;
      else if (trips && step)
        bytes += (*trips - 1) * *step;
      else
        return bytesOf(id);
    }
    return bytes;
  }

  // Of a number of elements, as they are counted in an index; none where bands take it apart.
  std::optional<int64_t> bytesOf(BufferId id, int64_t elements) const {
    const Buffer& buffer = program_.buffers[static_cast<size_t>(id)];
    const Bands& bands = plan_.bands.of[static_cast<size_t>(id)];
    if (!bands) return elements * sizeOf(buffer) * lanesOf(id);
    if (elements % bands.lanes != 0) return std::nullopt;
    return elements / bands.lanes * bands.width * sizeOf(buffer);
  }

  int widthOf(const Stmt* loop) const {
    const auto found = plan_.lanes.find(loop);
    return found == plan_.lanes.end() ? 1 : found->second.width;
  }

  std::optional<Fetch> fetchBy(size_t depth, BufferId id, const loops::Linear& index) const {
    const Stmt& loop = *around_[depth];
    const auto found = index.coefficients.find(loop.var);
    if (found == index.coefficients.end() || found->second == 0) return std::nullopt;
    const auto step = bytesOf(id, found->second);
    const auto trips = tripCount(loop);
    if (!step || std::abs(*step) > kLongestStep) return std::nullopt;
    const int64_t stepBytes = std::abs(*step);
    if (std::min(bytesOf(id), trips ? *trips * stepBytes : bytesOf(id)) <= kStrip)
      return std::nullopt;
    Fetch fetch{.buffer = id, .first = index, .step = found->second};
    const auto span = spanOf(depth, id, fetch);
    if (!span || (*span < stepBytes / 2 && stepBytes > kPage)) return std::nullopt;
    fetch.spanBytes = std::min(*span, stepBytes);
    const int64_t allBytes = stepBytes * fetch.pieces;  // of a step
    if (std::max(allBytes, fetch.pieces * kPage) > kLongestStep) return std::nullopt;
    fetch.every = powerOfTwo(std::max(kStrip / allBytes, fewest(fetch, stepBytes)));
    fetch.every = std::max<int64_t>(fetch.every, widthOf(&loop));
    return fetch;
  }

  // The bytes that the loops inside touch in one iteration, from `fetch.first` on, which is made
  // to begin there; none where lanes would be told that lie elsewhere.
  std::optional<int64_t> spanOf(size_t depth, BufferId id, Fetch& fetch) const {
    const Buffer& buffer = program_.buffers[static_cast<size_t>(id)];
    const Bands& bands = plan_.bands.of[static_cast<size_t>(id)];
    int64_t span = sizeOf(buffer) * lanesOf(id);
    const int64_t whole = *bytesOf(id, std::abs(fetch.step));
    for (size_t k = 0; k < around_.size(); ++k) {
      const Stmt& loop = *around_[k];
      const auto term = fetch.first.coefficients.find(loop.var);
      if (term == fetch.first.coefficients.end()) continue;
      const int64_t coefficient = term->second;
      const int width = widthOf(&loop);
      if (k <= depth) {
        // Of a block of lanes around the loop lane 0 is told.
        if (width > 1 && k < depth) span += (width - 1) * std::abs(coefficient) * sizeOf(buffer);
        continue;
      }
      fetch.first.coefficients.erase(term);
      if (width > 1 && bands) {
        fetch.pieces = bandCount(bands);
        fetch.pieceBytes = bands.rows * bands.width * sizeOf(buffer);
        span += (bands.width - 1) * sizeOf(buffer);
        continue;
      }
      const auto lo = constantOf(loop.lo);
      const auto trips = tripCount(loop);
      const auto bytes = bytesOf(id, std::abs(coefficient));
      if (!bytes) return std::nullopt;
      if (!lo || !trips) {
        span = whole;
        continue;
      }
      fetch.first.constant += coefficient * (coefficient > 0 ? *lo : *lo + *trips - 1);
      span += *bytes * (*trips - 1);
    }
    return span;
  }

  // Iterations that touch a few pages, which are asked for at once, or one in each band.
  static int64_t fewest(const Fetch& fetch, int64_t stepBytes) {
    return (fetch.pieces > 1 ? 1 : kFewestPages) * kPage / stepBytes;
  }

  // What is asked for long before its use is gone by then, so all are asked for strip by strip, but
  // for what a strip touches only a few pages of.
  void chooseStrips(LoopFetches& fetches) const {
    fetches.every = kMostIterations;
    for (const Fetch& fetch : fetches.of) fetches.every = std::min(fetches.every, fetch.every);
    for (Fetch& fetch : fetches.of) {
      const int64_t stepBytes = std::abs(*bytesOf(fetch.buffer, fetch.step));
      fetch.every = std::max(fetches.every, powerOfTwo(fewest(fetch, stepBytes)));
    }
  }

  // ---- pages ------------------------------------------------------------------------------------

  // Where tensors share bytes, at other times, all must be asked for.
  void findPages() {
    std::vector<FetchPlan::Bytes> others;
    result_.scratch = program_.scratchInFile;
    for (size_t i = 0; i < program_.buffers.size(); ++i) {
      const Buffer& buffer = program_.buffers[i];
      if (isInFile(program_, buffer))
        (unasked_[i] ? others : result_.pages)
            .push_back({buffer.offset, buffer.offset + bytesOf(static_cast<BufferId>(i))});
      else if (buffer.kind == Buffer::Kind::Private && unasked_[i])
        result_.scratch = false;
    }
    for (const FetchPlan::Bytes& other : others) cutOut(other);
  }

  // Leaves of the pages what is not the other's.
  void cutOut(const FetchPlan::Bytes& other) {
    std::vector<FetchPlan::Bytes> left;
    for (const FetchPlan::Bytes& bytes : result_.pages) {
      const FetchPlan::Bytes before{bytes.begin, std::min(bytes.end, other.begin)};
      const FetchPlan::Bytes after{std::max(bytes.begin, other.end), bytes.end};
      if (before.begin < before.end) left.push_back(before);
      if (after.begin < after.end) left.push_back(after);
    }
    result_.pages = std::move(left);
  }

  const Program& program_;
  const Plan& plan_;
  FetchPlan result_;
  std::vector<const Stmt*> around_;  // loops, outermost first
  std::vector<bool> unasked_;        // [buffer]: touched without having been asked for
};

}  // namespace

FetchPlan planFetches(const Program& program, const Plan& plan) {
  return FetchPlanner(program, plan).run();
}

}  // namespace rlc::cpu
