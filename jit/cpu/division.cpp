#include "jit/cpu/division.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "compiler/types/lists.h"
#include "jit/cpu/blocks.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

// Operations of a loop that is worth a thread of its own, of one that several threads share better
// if it has more than a few iterations, and of a part at most.
constexpr double kLeast = 5e5, kMany = 2e7, kMost = 2e8;
constexpr int64_t kFewIterations = 4;
constexpr double kLeastAround = 2e4;       // of what belongs to a part, in front of it or behind it
constexpr double kAlike = 0.4;             // the shorter part beside the longer one
constexpr int64_t kUnknownTrip = 1 << 20;  // of a parallel loop: many threads may share it
constexpr size_t kMostHeavy = 8;

bool anyIn(const Indices& items, const std::set<size_t>& set) {
  return std::any_of(items.begin(), items.end(), [&](size_t item) { return set.contains(item); });
}

}  // namespace

double operationsIn(const Stmt& stmt) {
  if (stmt.kind == Stmt::Kind::For && stmt.loop == Stmt::Loop::Parallel)
    return operationsOf(stmt, tripCount(stmt).value_or(kUnknownTrip));
  double inside = 0.0;
  for (const Block* block : {&stmt.body, &stmt.otherwise})
    for (const StmtPtr& inner : *block) inside += operationsIn(*inner);
  const auto times = stmt.kind == Stmt::Kind::For ? tripCount(stmt).value_or(16) : 1;
  return ownOperations(stmt) + static_cast<double>(times) * inside;
}

bool isHeavy(const Stmt& stmt) {
  if (stmt.kind != Stmt::Kind::For || stmt.loop != Stmt::Loop::Parallel) return false;
  const bool few = tripCount(stmt).value_or(kFewIterations + 1) <= kFewIterations;
  const double operations = operationsIn(stmt);
  return operations >= kLeast && operations <= (few ? kMost : kMany);
}

bool hasTwoHeavy(const Block& block) {
  int64_t heavy = 0;
  const auto count = [&](const Block& statements) {
    heavy += std::count_if(statements.begin(), statements.end(),
                           [](const StmtPtr& stmt) { return isHeavy(*stmt); });
  };
  count(block);
  for (const StmtPtr& stmt : block)
    if (stmt->kind == Stmt::Kind::If) count(stmt->body);
  return heavy >= 2;
}

Division::Division(const Items& items) : waits_(waitsOf(items)), most_(kMost) {
  for (const Item& item : items) {
    operations_.push_back(
        std::accumulate(item.statements.begin(), item.statements.end(), 0.0,
                        [](double sum, const StmtPtr& stmt) { return sum + operationsIn(*stmt); }));
    heavy_.push_back(std::any_of(item.statements.begin(), item.statements.end(),
                                 [](const StmtPtr& stmt) { return isHeavy(*stmt); }));
    checks_.push_back(item.checks);
    barriers_.push_back(item.barrier);
    own_.push_back(item.own);
  }
}

Division::Division(std::vector<Indices> waits, std::vector<double> operations,
                   std::vector<bool> heavy, double most)
    : waits_(std::move(waits)),
      operations_(std::move(operations)),
      heavy_(std::move(heavy)),
      checks_(waits_.size()),
      barriers_(waits_.size()),
      own_(waits_.size()),
      most_(most) {}

std::optional<Sides> Division::best(const Indices& list) const {
  Indices heavy;
  for (size_t item : list)
    if (heavy_[item]) heavy.push_back(item);
  std::stable_sort(heavy.begin(), heavy.end(),
                   [&](size_t a, size_t b) { return operations_[a] > operations_[b]; });
  if (heavy.size() > kMostHeavy) heavy.resize(kMostHeavy);
  std::optional<Sides> best;
  double most = 0.0;
  for (size_t a = 0; a < heavy.size(); ++a)
    for (size_t b = a + 1; b < heavy.size(); ++b) {
      auto sides = around(list, {heavy[a]}, {heavy[b]}, Results::Inside);
      if (!sides) continue;
      const auto [less, more] =
          std::minmax({operationsOf(sides->first), operationsOf(sides->second)});
      if (less <= most || less < kAlike * more || more > most_) continue;
      most = less;
      // The thread that runs the program begins at once, another one later. Of two faults that of
      // the first part is told.
      if (mayFail(*sides) ? sides->first.front() > sides->second.front()
                          : operationsOf(sides->first) < operationsOf(sides->second))
        std::swap(sides->first, sides->second);
      best = std::move(sides);
    }
  return best;
}

std::optional<Sides> Division::inFront(const Sides& sides) const {
  const auto read = [&](size_t item, const Indices& part) {
    return std::any_of(part.begin(), part.end(),
                       [&](size_t later) { return waitsFor(later, item); });
  };
  return ofParts(sides.before, sides, read, Results::Behind);
}

std::optional<Sides> Division::behind(const Sides& sides) const {
  const auto reads = [&](size_t item, const Indices& part) {
    return std::any_of(part.begin(), part.end(),
                       [&](size_t earlier) { return waitsFor(item, earlier); });
  };
  return ofParts(sides.behind, sides, reads, Results::Inside);
}

bool Division::waitsFor(size_t later, size_t earlier) const {
  const Indices& waits = waits_[later];
  return contains(waits, earlier);
}

double Division::operationsOf(const Indices& part) const {
  return std::accumulate(part.begin(), part.end(), 0.0,
                         [&](double sum, size_t item) { return sum + operations_[item]; });
}

bool Division::mayFail(const Sides& sides) const {
  const auto checks = [&](size_t item) { return checks_[item]; };
  return std::any_of(sides.first.begin(), sides.first.end(), checks) ||
         std::any_of(sides.second.begin(), sides.second.end(), checks);
}

std::optional<Sides> Division::around(const Indices& list, const Indices& first,
                                      const Indices& second, Results results) const {
  const std::set<size_t> all(list.begin(), list.end());
  const std::set<size_t> one = neededBy(waits_, first, all), two = neededBy(waits_, second, all);
  if (anyIn(first, two) || anyIn(second, one)) return std::nullopt;
  Sides sides;
  std::set<size_t> inFirst, inSecond, late;
  for (size_t item : list) {
    const bool toFirst = one.contains(item) && !two.contains(item),
               toSecond = two.contains(item) && !one.contains(item);
    const bool afterFirst = anyIn(waits_[item], inFirst),
               afterSecond = anyIn(waits_[item], inSecond);
    const bool stays = results == Results::Inside || toFirst || toSecond;
    if (anyIn(waits_[item], late) || (afterFirst && afterSecond) ||
        ((afterFirst || afterSecond) && !stays)) {
      late.insert(item);
      sides.behind.push_back(item);
    } else if (toFirst || afterFirst) {
      inFirst.insert(item);
      sides.first.push_back(item);
    } else if (toSecond || afterSecond) {
      inSecond.insert(item);
      sides.second.push_back(item);
    } else {
      sides.before.push_back(item);
    }
  }
  return canBeApart(sides) ? std::optional(sides) : std::nullopt;
}

// Storage that a thread has of its own would not be the other's, and some statements are the
// first thread's alone.
bool Division::canBeApart(const Sides& sides) const {
  std::map<BufferId, std::set<const Indices*>> users;
  for (const Indices* part : {&sides.before, &sides.first, &sides.second, &sides.behind})
    for (size_t item : *part)
      for (BufferId id : own_[item]) users[id].insert(part);
  const auto isShared = [](const auto& entry) { return entry.second.size() > 1; };
  const auto isBarrier = [&](size_t item) { return barriers_[item]; };
  return std::none_of(users.begin(), users.end(), isShared) &&
         std::none_of(sides.first.begin(), sides.first.end(), isBarrier) &&
         std::none_of(sides.second.begin(), sides.second.end(), isBarrier);
}

template <class Belongs>
std::optional<Sides> Division::ofParts(const Indices& list, const Sides& sides,
                                       const Belongs& belongs, Results results) const {
  Indices first, second;
  for (size_t item : list) {
    const bool one = belongs(item, sides.first), two = belongs(item, sides.second);
    if (one != two) (one ? first : second).push_back(item);
  }
  dropWaiting(second, first, list);
  dropWaiting(first, second, list);
  auto result = around(list, first, second, results);
  if (!result) return std::nullopt;
  const auto [less, more] =
      std::minmax({operationsOf(result->first), operationsOf(result->second)});
  return less >= kLeastAround && more <= most_ ? result : std::nullopt;
}

void Division::dropWaiting(Indices& items, const Indices& others, const Indices& list) const {
  const std::set<size_t> all(list.begin(), list.end());
  std::erase_if(items, [&](size_t item) { return anyIn(others, neededBy(waits_, {item}, all)); });
}

}  // namespace rlc::cpu
