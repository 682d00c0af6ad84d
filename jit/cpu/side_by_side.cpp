#include "jit/cpu/side_by_side.h"

#include <algorithm>
#include <set>

#include "jit/cpu/division.h"
#include "jit/cpu/items.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

constexpr double kLeastOfPair = 5e4;  // operations of a loop that is worth standing beside another
constexpr double kAlikeInPair = 0.8;  // the shorter one beside the longer one
constexpr int64_t kLeastTrip = 4;
constexpr double kMostInCommon = 0.5;  // bytes that both read, of what one reads

bool mayBePaired(const Stmt& stmt) {
  return stmt.kind == Stmt::Kind::For && stmt.loop == Stmt::Loop::Parallel &&
         tripCount(stmt).value_or(0) >= kLeastTrip && tripCount(stmt).value() % 2 == 0 &&
         operationsIn(stmt) >= kLeastOfPair;
}

// Under a condition or not.
int64_t countPairable(const Block& block) {
  int64_t found = 0;
  for (const StmtPtr& stmt : block)
    found += stmt->kind == Stmt::Kind::If ? countPairable(stmt->body) : mayBePaired(*stmt);
  return found;
}

int64_t bytesOf(const std::vector<Bytes>& ranges) {
  int64_t bytes = 0;
  for (const Bytes& range : ranges) bytes += range.end - range.begin;
  return bytes;
}

int64_t bytesOfBoth(const std::vector<Bytes>& a, const std::vector<Bytes>& b) {
  int64_t bytes = 0;
  for (const Bytes& x : a)
    for (const Bytes& y : b)
      if (x.own == y.own)
        bytes += std::max<int64_t>(0, std::min(x.end, y.end) - std::max(x.begin, y.begin));
  return bytes;
}

// The items of a list, of which two at a time come to be one.
class Pairing {
 public:
  explicit Pairing(Items& items) : items_(items), waits_(waitsOf(items)), order_(allOf(items)) {}

  Indices run() {
    for (size_t at = 0; at < order_.size(); ++at)
      if (stands(order_[at])) pairFrom(at);
    return order_;
  }

 private:
  bool stands(size_t item) const {
    const Item& one = items_[item];
    return !one.barrier && !one.checks && !paired_.contains(item) && one.statements.size() == 1 &&
           mayBePaired(*one.statements.front());
  }

  void pairFrom(size_t at) {
    const size_t first = order_[at];
    for (size_t later = at + 1; later < order_.size(); ++later) {
      const size_t second = order_[later];
      if (!stands(second) || !fit(items_[first], items_[second])) continue;
      // All between that the second one needs goes in front of both.
      const std::set<size_t> needed =
          neededBy(waits_, {second}, {order_.begin() + place(at), order_.begin() + place(later)});
      if (needed.contains(first)) continue;
      move(at, later, needed);
      return;
    }
  }

  static bool fit(const Item& a, const Item& b) {
    const Stmt &one = *a.statements.front(), &other = *b.statements.front();
    const auto [less, more] = std::minmax({operationsIn(one), operationsIn(other)});
    const int64_t read = std::min(bytesOf(a.reads), bytesOf(b.reads));
    return sameGuard(a, b) && tripCount(one) == tripCount(other) && less >= kAlikeInPair * more &&
           static_cast<double>(bytesOfBoth(a.reads, b.reads)) <=
               kMostInCommon * static_cast<double>(read);
  }

  static std::ptrdiff_t place(size_t at) { return static_cast<std::ptrdiff_t>(at); }

  void move(size_t at, size_t later, const std::set<size_t>& needed) {
    const size_t first = order_[at], second = order_[later];
    const auto rank = [&](size_t item) {
      return item == first ? 1 : item == second ? 2 : needed.contains(item) ? 0 : 3;
    };
    std::ranges::stable_sort(order_.begin() + place(at), order_.begin() + place(later) + 1, {},
                             rank);
    items_[second].statements.front()->besideLast = true;
    paired_.insert({first, second});
    // Where one of them goes, the other one goes.
    waits_[first].push_back(second);
    waits_[second].push_back(first);
  }

  Items& items_;
  std::vector<Indices> waits_;
  Indices order_;
  std::set<size_t> paired_;
};

class SideBySide {
 public:
  explicit SideBySide(Program& program) : program_(program) {}

  void visit(Block& block, bool inLoop) {
    if (inLoop && countPairable(block) >= 2) pair(block);
    for (StmtPtr& stmt : block) {
      const bool loop = stmt->kind == Stmt::Kind::For;
      if (loop && stmt->loop != Stmt::Loop::Sequential) continue;
      if (loop) noteRange(*stmt, around_);
      visit(stmt->body, loop);
      visit(stmt->otherwise, false);
      if (loop) around_.erase(stmt->var);
    }
  }

 private:
  void pair(Block& block) {
    Items items = takeItems(program_, block, around_);
    const bool few = items.size() <= kMostItems;
    putItems(block, items, few ? Pairing(items).run() : allOf(items));
  }

  Program& program_;
  Ranges around_;  // of the variables of the sequential loops around the block
};

}  // namespace

void runSideBySide(Program& program) { SideBySide(program).visit(program.body, false); }

}  // namespace rlc::cpu
