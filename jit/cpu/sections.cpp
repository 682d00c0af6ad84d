#include "jit/cpu/sections.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "jit/cpu/blocks.h"
#include "jit/cpu/items.h"
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
constexpr size_t kMostItems = 500, kMostHeavy = 8;

// What of a list of items goes where.
struct Parts {
  Indices before, first, second, behind;
};

// Where what needs one part alone goes.
enum class Results : uint8_t { Inside, Behind };

Indices countTo(size_t count) {
  Indices all(count);
  std::iota(all.begin(), all.end(), size_t{0});
  return all;
}

bool anyIn(const Indices& items, const std::set<size_t>& set) {
  return std::any_of(items.begin(), items.end(), [&](size_t item) { return set.contains(item); });
}

double operationsIn(const Stmt& stmt) {
  if (stmt.kind == Stmt::Kind::For && stmt.loop == Stmt::Loop::Parallel)
    return operationsOf(stmt, tripCount(stmt).value_or(kUnknownTrip));
  double inside = 0.0;
  for (const Block* block : {&stmt.body, &stmt.otherwise})
    for (const StmtPtr& inner : *block) inside += operationsIn(*inner);
  const auto times = stmt.kind == Stmt::Kind::For ? tripCount(stmt).value_or(16) : 1;
  return ownOperations(stmt) + static_cast<double>(times) * inside;
}

// A loop that is worth a thread, but not many.
bool isHeavy(const Stmt& stmt) {
  if (stmt.kind != Stmt::Kind::For || stmt.loop != Stmt::Loop::Parallel) return false;
  const bool few = tripCount(stmt).value_or(kFewIterations + 1) <= kFewIterations;
  const double operations = operationsIn(stmt);
  return operations >= kLeast && operations <= (few ? kMost : kMany);
}

class Division {
 public:
  explicit Division(const Items& items) : items_(items), waits_(waitsOf(items)) {
    for (const Item& item : items)
      operations_.push_back(std::accumulate(
          item.statements.begin(), item.statements.end(), 0.0,
          [](double sum, const StmtPtr& stmt) { return sum + operationsIn(*stmt); }));
  }

  // By the two loops whose parts are the largest of those that are alike.
  std::optional<Parts> best() const {
    Indices heavy;
    for (size_t item = 0; item < items_.size(); ++item)
      if (std::any_of(items_[item].statements.begin(), items_[item].statements.end(),
                      [](const StmtPtr& stmt) { return isHeavy(*stmt); }))
        heavy.push_back(item);
    std::stable_sort(heavy.begin(), heavy.end(),
                     [&](size_t a, size_t b) { return operations_[a] > operations_[b]; });
    if (heavy.size() > kMostHeavy) heavy.resize(kMostHeavy);
    std::optional<Parts> best;
    double most = 0.0;
    const Indices all = countTo(items_.size());
    for (size_t a = 0; a < heavy.size(); ++a)
      for (size_t b = a + 1; b < heavy.size(); ++b) {
        auto parts = around(all, {heavy[a]}, {heavy[b]}, Results::Inside);
        if (!parts) continue;
        const auto [less, more] =
            std::minmax({operationsOf(parts->first), operationsOf(parts->second)});
        if (less <= most || less < kAlike * more || more > kMost) continue;
        most = less;
        // The thread that runs the program begins at once, another one later. Of two faults that of
        // the first part is told.
        if (mayFail(*parts) ? parts->first.front() > parts->second.front()
                            : operationsOf(parts->first) < operationsOf(parts->second))
          std::swap(parts->first, parts->second);
        best = std::move(parts);
      }
    return best;
  }

  // What stands in front of two parts and is read by one of them alone.
  std::optional<Parts> inFront(const Parts& parts) const {
    const auto read = [&](size_t item, const Indices& part) {
      return std::any_of(part.begin(), part.end(),
                         [&](size_t later) { return waitsFor(later, item); });
    };
    return ofParts(parts.before, parts, read, Results::Behind);
  }

  // What stands behind two parts and reads one of them alone.
  std::optional<Parts> behind(const Parts& parts) const {
    const auto reads = [&](size_t item, const Indices& part) {
      return std::any_of(part.begin(), part.end(),
                         [&](size_t earlier) { return waitsFor(item, earlier); });
    };
    return ofParts(parts.behind, parts, reads, Results::Inside);
  }

 private:
  bool waitsFor(size_t later, size_t earlier) const {
    const Indices& waits = waits_[later];
    return std::find(waits.begin(), waits.end(), earlier) != waits.end();
  }

  double operationsOf(const Indices& part) const {
    return std::accumulate(part.begin(), part.end(), 0.0,
                           [&](double sum, size_t item) { return sum + operations_[item]; });
  }

  bool mayFail(const Parts& parts) const {
    const auto checks = [&](size_t item) { return items_[item].checks; };
    return std::any_of(parts.first.begin(), parts.first.end(), checks) ||
           std::any_of(parts.second.begin(), parts.second.end(), checks);
  }

  // Some items of a list and all that they wait for there, directly or not.
  std::set<size_t> neededBy(const Indices& seeds, const std::set<size_t>& list) const {
    std::set<size_t> needed(seeds.begin(), seeds.end());
    Indices open = seeds;
    while (!open.empty()) {
      const size_t item = open.back();
      open.pop_back();
      for (size_t earlier : waits_[item])
        if (list.contains(earlier) && needed.insert(earlier).second) open.push_back(earlier);
    }
    return needed;
  }

  // The list around two parts that hold these items, each with what it alone needs, and need
  // nothing of each other; none where they do.
  std::optional<Parts> around(const Indices& list, const Indices& first, const Indices& second,
                              Results results) const {
    const std::set<size_t> all(list.begin(), list.end());
    const std::set<size_t> one = neededBy(first, all), two = neededBy(second, all);
    if (anyIn(first, two) || anyIn(second, one)) return std::nullopt;
    Parts parts;
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
        parts.behind.push_back(item);
      } else if (toFirst || afterFirst) {
        inFirst.insert(item);
        parts.first.push_back(item);
      } else if (toSecond || afterSecond) {
        inSecond.insert(item);
        parts.second.push_back(item);
      } else {
        parts.before.push_back(item);
      }
    }
    return canBeApart(parts) ? std::optional(parts) : std::nullopt;
  }

  // Storage that a thread has of its own would not be the other's, and some statements are the
  // first thread's alone.
  bool canBeApart(const Parts& parts) const {
    std::map<BufferId, std::set<const Indices*>> users;
    for (const Indices* part : {&parts.before, &parts.first, &parts.second, &parts.behind})
      for (size_t item : *part)
        for (BufferId id : items_[item].own) users[id].insert(part);
    const auto isShared = [](const auto& entry) { return entry.second.size() > 1; };
    const auto isBarrier = [&](size_t item) { return items_[item].barrier; };
    return std::none_of(users.begin(), users.end(), isShared) &&
           std::none_of(parts.first.begin(), parts.first.end(), isBarrier) &&
           std::none_of(parts.second.begin(), parts.second.end(), isBarrier);
  }

  // The items of a list that belong to one of two parts alone, as such parts.
  template <class Belongs>
  std::optional<Parts> ofParts(const Indices& list, const Parts& parts, const Belongs& belongs,
                               Results results) const {
    Indices first, second;
    for (size_t item : list) {
      const bool one = belongs(item, parts.first), two = belongs(item, parts.second);
      if (one != two) (one ? first : second).push_back(item);
    }
    dropWaiting(second, first, list);
    dropWaiting(first, second, list);
    auto result = around(list, first, second, results);
    if (!result) return std::nullopt;
    const auto [less, more] =
        std::minmax({operationsOf(result->first), operationsOf(result->second)});
    return less >= kLeastAround && more <= kMost ? result : std::nullopt;
  }

  // Those items out that wait for one of the others.
  void dropWaiting(Indices& items, const Indices& others, const Indices& list) const {
    const std::set<size_t> all(list.begin(), list.end());
    std::erase_if(items, [&](size_t item) { return anyIn(others, neededBy({item}, all)); });
  }

  const Items& items_;
  std::vector<Indices> waits_;
  std::vector<double> operations_;  // [item]
};

class Sections {
 public:
  explicit Sections(Program& program) : program_(program) {}

  void visit(Block& block, bool inLoop) {
    if (inLoop && isWorthALook(block)) divide(block);
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
  // Two heavy loops, under a condition or not.
  static bool isWorthALook(const Block& block) {
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

  void divide(Block& block) {
    Items items = takeItems(program_, block, around_);
    if (items.size() > kMostItems) return putItems(block, items, countTo(items.size()));
    const Division division(items);
    if (const auto parts = division.best()) {
      putAround(block, items, division.inFront(*parts), parts->before);
      putSections(block, items, *parts);
      putAround(block, items, division.behind(*parts), parts->behind);
    } else {
      putItems(block, items, countTo(items.size()));
    }
  }

  void putAround(Block& block, Items& items, const std::optional<Parts>& parts,
                 const Indices& all) {
    if (!parts) return putItems(block, items, all);
    putItems(block, items, parts->before);
    putSections(block, items, *parts);
    putItems(block, items, parts->behind);
  }

  void putSections(Block& block, Items& items, const Parts& parts) {
    const Stmt& like = *items[parts.first.front()].statements.front();
    StmtPtr sections = makeLoop(like, Stmt::Loop::Parallel, program_.variables++, loops::index(0),
                                loops::index(2));
    sections->comment = "sections";
    auto choice = std::make_unique<Stmt>();
    choice->kind = Stmt::Kind::If;
    choice->span = like.span;
    choice->value =
        loops::op(ScalarOp::Eq, {loops::variable(sections->var, DType::I64), loops::index(0)});
    putItems(choice->body, items, parts.first);
    putItems(choice->otherwise, items, parts.second);
    double most = -1.0;  // of a region inside, which names them all in a profile
    for (const Block* part : {&choice->body, &choice->otherwise})
      forEachStmt(*part, [&](const Stmt& stmt) {
        const double operations = stmt.region < 0 ? -1.0 : operationsIn(stmt);
        if (operations <= most) return;
        most = operations;
        sections->region = stmt.region;
      });
    sections->body.push_back(std::move(choice));
    block.push_back(std::move(sections));
  }

  Program& program_;
  Ranges around_;  // of the variables of the sequential loops around the block
};

}  // namespace

void makeSections(Program& program) { Sections(program).visit(program.body, false); }

bool isSections(const Stmt& loop) {
  if (loop.loop != Stmt::Loop::Parallel || tripCount(loop).value_or(0) != 2 ||
      loop.body.size() != 1)
    return false;
  const Stmt& choice = *loop.body.front();
  return choice.kind == Stmt::Kind::If && !choice.otherwise.empty() &&
         choice.value->kind == ExprNode::Kind::Op && choice.value->op == ScalarOp::Eq &&
         choice.value->args[0]->kind == ExprNode::Kind::Variable &&
         choice.value->args[0]->var == loop.var && constantOf(choice.value->args[1]) == 0;
}

}  // namespace rlc::cpu
