#include "compiler/loops/memory_plan.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "compiler/types/lists.h"

namespace rlc::loops {

namespace {

constexpr int64_t kAlignment = 64;  // a cache line
// Behind a buffer of some lines as many bytes stay free: threads write neighbours, and a processor
// that fetches lines in pairs, and some ahead, would take its neighbour's from another's cache. An
// odd number of lines, for arrays whose sizes are powers of two would all begin at the same place
// of a page, where a load waits for a store to the other.
constexpr int64_t kGap = 3 * kAlignment, kLeastWithGap = 4 * kAlignment;
constexpr int64_t kForever = std::numeric_limits<int64_t>::max();

int64_t aligned(int64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

// Positions are the statements of the program's body and of its outermost sequential loops; what
// lies deeper counts as the statement around it. A buffer touched in a loop lives for the whole
// loop unless it is a temporary there that nothing behind the loop reads: later iterations may
// leave out the statement that writes it.
class LifetimeFinder {
 public:
  LifetimeFinder(const Program& program, const std::vector<BufferUse>& uses)
      : uses_(uses), lifetimes_(program.buffers.size()) {
    for (const StmtPtr& statement : program.body) {
      if (statement->kind == Stmt::Kind::For && statement->loop == Stmt::Loop::Sequential) {
        walkLoop(*statement);
      } else {
        begin({});
        visit(*statement);
      }
      ++position_;
    }
    for (const Temporary& each : temporaries_)
      if (lifetimes_[each.buffer].last > each.end) lifetimes_[each.buffer].include(each.start);
  }
  MemoryPlan take() {
    plan_.lifetimes = std::move(lifetimes_);
    return std::move(plan_);
  }

 private:
  void walkLoop(const Stmt& loop) {
    const int64_t start = position_;
    Moment moment;
    moment.loop = loops_++;
    moment.loopName = loop.comment;
    for (const StmtPtr& statement : loop.body) {
      begin(moment);
      visit(*statement);
      ++position_;
    }
    begin(moment);
    for (size_t b = 0; b < lifetimes_.size(); ++b) {
      Lifetime& life = lifetimes_[b];
      const bool temporary = b < uses_.size() && uses_[b].temporary && life.first >= start;
      if (temporary && life.last >= start) temporaries_.push_back({b, start, position_});
      if (life.last < start || temporary) continue;
      life.include(start);
      life.include(position_);
    }
  }

  void begin(Moment moment) { plan_.moments.push_back(std::move(moment)); }

  void visit(const Stmt& s) {
    std::vector<Span>& spans = plan_.moments.back().spans;
    const auto same = [&](const Span& other) {
      return other.file == s.span.file && other.begin == s.span.begin;
    };
    if (s.span.known() && std::none_of(spans.begin(), spans.end(), same)) spans.push_back(s.span);
    for (const Expr* e : {&s.lo, &s.hi, &s.value, &s.index}) visit(*e);
    for (const Expr& arg : s.args) visit(arg);
    for (const auto& place : s.places) {
      visit(place.index);
      touch(place.buffer);
    }
    if (s.buffer >= 0) touch(s.buffer);
    for (const auto& reduction : s.reductions)
      if (reduction.buffer >= 0) touch(reduction.buffer);
    for (const StmtPtr& inner : s.body) visit(*inner);
    for (const StmtPtr& inner : s.otherwise) visit(*inner);
  }

  void visit(const Expr& e) {
    if (!e) return;
    if (e->kind == ExprNode::Kind::Load) touch(e->buffer);
    for (const Expr& arg : e->args) visit(arg);
  }

  void touch(BufferId buffer) { lifetimes_[static_cast<size_t>(buffer)].include(position_); }

  struct Temporary {
    size_t buffer;
    int64_t start, end;  // of its loop
  };

  const std::vector<BufferUse>& uses_;
  std::vector<Temporary> temporaries_;
  std::vector<Lifetime> lifetimes_;
  MemoryPlan plan_;
  int64_t position_ = 0;
  int loops_ = 0;
};

struct Block1D {
  int64_t offset, bytes;
  Lifetime life;
};

// The lowest offset at which `bytes` are free for the whole life; `placed` is in order of offsets.
int64_t lowestFree(const std::vector<Block1D>& placed, int64_t bytes, const Lifetime& life) {
  int64_t offset = 0;
  for (const Block1D& other : placed) {
    if (!other.life.overlaps(life)) continue;
    if (offset + bytes <= other.offset) break;
    offset = std::max(offset, other.offset + other.bytes);
  }
  return offset;
}

}  // namespace

void Lifetime::include(int64_t position) {
  first = std::min(first, position);
  last = std::max(last, position);
}

namespace {

int64_t bytesOf(const Program& program, size_t b) {
  return aligned(program.buffers[b].elements *
                 static_cast<int64_t>(byteSize(program.buffers[b].type)));
}

// The arena's buffers, largest first: small ones fill the gaps.
std::vector<size_t> bySize(const Program& program) {
  std::vector<size_t> order;
  for (size_t b = 0; b < program.buffers.size(); ++b)
    if (program.buffers[b].kind == Buffer::Kind::Arena) order.push_back(b);
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t x, size_t y) { return bytesOf(program, x) > bytesOf(program, y); });
  return order;
}

// Offsets from `base` up for the buffers of `order` of which `chosen` holds; returns where they
// end.
int64_t place(Program& program, const MemoryPlan& plan, const std::vector<size_t>& order,
              int64_t base, const std::function<bool(size_t)>& chosen) {
  std::vector<Block1D> placed;
  int64_t end = base;
  for (size_t b : order) {
    if (!chosen(b)) continue;
    const int64_t bytes = bytesOf(program, b);
    Block1D block{0, bytes < kLeastWithGap ? bytes : bytes + kGap, plan.lifetimes[b]};
    if (block.bytes > 0) block.offset = lowestFree(placed, block.bytes, block.life);
    program.buffers[b].offset = base + block.offset;
    end = std::max(end, base + block.offset + bytes);
    const auto after =
        std::upper_bound(placed.begin(), placed.end(), block,
                         [](const Block1D& x, const Block1D& y) { return x.offset < y.offset; });
    placed.insert(after, block);
  }
  return end;
}

// Bytes of the buffers that are not mapped, and alive, at each moment; the moment with the most.
int64_t fullestMoment(const Program& program, const MemoryPlan& plan) {
  std::vector<int64_t> live(plan.moments.size() + 1);
  for (size_t b = 0; b < program.buffers.size(); ++b) {
    if (program.buffers[b].kind != Buffer::Kind::Arena || plan.mapped[b] ||
        plan.lifetimes[b].empty())
      continue;
    const auto last = std::min(plan.lifetimes[b].last, static_cast<int64_t>(live.size()) - 1);
    for (int64_t k = plan.lifetimes[b].first; k <= last; ++k)
      live[static_cast<size_t>(k)] += bytesOf(program, b);
  }
  return std::max_element(live.begin(), live.end()) - live.begin();
}

}  // namespace

MemoryPlan planMemory(Program& program, const std::vector<BufferUse>& uses) {
  MemoryPlan plan = LifetimeFinder(program, uses).take();
  plan.mapped.assign(program.buffers.size(), false);
  for (size_t b = 0; b < program.buffers.size(); ++b)
    if (b < uses.size() && uses[b].keep) plan.lifetimes[b] = {0, kForever};
  program.arenaBytes = program.residentBytes =
      place(program, plan, bySize(program), 0, [](size_t) { return true; });
  return plan;
}

bool fitMemory(Program& program, MemoryPlan& plan, int64_t limit) {
  const std::vector<size_t> order = bySize(program);
  const auto anyMapped = [&] { return contains(plan.mapped, true); };
  while (true) {
    const int64_t end = place(program, plan, order, 0, [&](size_t b) { return !plan.mapped[b]; });
    program.residentBytes =
        anyMapped() ? (end + kMappedAlignment - 1) / kMappedAlignment * kMappedAlignment : end;
    if (program.residentBytes <= limit) break;
    // The largest of those alive when it is fullest; of equal ones the first.
    const int64_t moment = fullestMoment(program, plan);
    const auto next = std::find_if(order.begin(), order.end(), [&](size_t b) {
      return !plan.mapped[b] && bytesOf(program, b) > 0 && plan.lifetimes[b].first <= moment &&
             moment <= plan.lifetimes[b].last;
    });
    if (next == order.end()) return false;
    plan.mapped[*next] = true;
  }
  program.arenaBytes = program.residentBytes;
  if (!anyMapped()) return true;
  program.arenaBytes =
      place(program, plan, order, program.residentBytes, [&](size_t b) { return plan.mapped[b]; });
  return true;
}

}  // namespace rlc::loops
