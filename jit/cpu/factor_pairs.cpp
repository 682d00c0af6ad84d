#include "jit/cpu/factor_pairs.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "jit/cpu/kept_factors.h"
#include "jit/cpu/rewrite.h"
#include "jit/cpu/statement_effects.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

constexpr int64_t kFewestProducts = 16;  // of a sum
constexpr int64_t kFewestSums = 16;      // that use what a lane's pairs are made of
constexpr int64_t kFewestLanes = 16;
constexpr int64_t kUses = 32;  // of each number that is rounded for all lanes
constexpr int64_t kMostRounded = 16 << 20;

Expr at(VarId var) { return loops::variable(var, DType::I64); }

// coefficient * variable, summed, + constant, without the variables that `leave` names.
template <class Leave>
Expr sumOf(const loops::Linear& linear, int64_t constant, const Leave& leave) {
  Expr sum = loops::index(constant);
  for (const auto& [var, coefficient] : linear.coefficients)
    if (coefficient != 0 && !leave(var)) sum = sum + at(var) * loops::index(coefficient);
  return sum;
}

class FactorPairs {
 public:
  explicit FactorPairs(Program& program) : program_(program), effects_(program) {}

  void run() {
    visit(program_.body);
    insert(program_.body);
  }

 private:
  struct Sum {
    Stmt* loop;
    Stmt* assign;
    Expr shared, own;  // factors: of all lanes, of each
    int64_t first = 0, count = 0;
    size_t lanes = 0;  // where the loop over lanes stands on the path
  };

  struct Pack {
    const Stmt* by;
    StmtPtr loop;
    bool behind = false;  // otherwise in front
  };

  void visit(Block& block) {
    for (size_t i = 0; i < block.size(); ++i) {
      Stmt& stmt = *block[i];
      if (stmt.kind == Stmt::Kind::For) noteRange(stmt, ranges_);
      if (stmt.kind == Stmt::Kind::Let && stmt.type == DType::I64)
        if (const auto range = rangeOf(stmt.value, ranges_)) ranges_[stmt.var] = *range;
      path_.push_back(&stmt);
      Block pairs = pairsOf(stmt);
      if (pairs.empty()) {
        visit(stmt.body);
        visit(stmt.otherwise);
      }
      path_.pop_back();
      if (!pairs.empty()) i = putInPlace(block, i, std::move(pairs));
    }
  }

  // ---- sums -------------------------------------------------------------------------------------

  // What takes the place of a loop that adds products up; empty where it stays.
  Block pairsOf(Stmt& loop) {
    const auto sum = sumIn(loop);
    if (!sum) return {};
    const auto part = partOf(*sum);
    if (!part) return {};
    const VarId pair = program_.variables++;
    const Expr own = pairsOfLanes(*sum, pair);
    if (!own) return {};
    const Expr shared = pairsOfAll(*sum, *part, pair);
    Block result;
    result.push_back(makeLoop(loop, Stmt::Loop::Sequential, pair, loops::index(0),
                              loops::index(sum->count / 2)));
    result.back()->body.push_back(
        added(*sum, loops::pairFma(shared, own, loops::variable(sum->assign->var, DType::F32))));
    if (sum->count % 2 != 0) {
      Renaming last;
      last.replace(loop.var, loops::index(sum->first + sum->count - 1));
      result.push_back(added(*sum, last(sum->assign->value)));
    }
    return result;
  }

  static StmtPtr added(const Sum& sum, Expr value) {
    StmtPtr stmt = makeStmt(*sum.assign, Stmt::Kind::Assign);
    stmt->var = sum.assign->var;
    stmt->value = std::move(value);
    return stmt;
  }

  std::optional<Sum> sumIn(Stmt& loop) {
    if (!isUpward(loop) || loop.units || loop.body.size() != 1 ||
        loop.body[0]->kind != Stmt::Kind::Assign)
      return std::nullopt;
    Sum sum{&loop, loop.body[0].get(), nullptr, nullptr};
    const Expr& value = sum.assign->value;
    const auto first = constantOf(loop.lo), count = tripCount(loop);
    if (value->kind != ExprNode::Kind::Fma || value->type != DType::F32 || !first || !count ||
        *count < kFewestProducts || value->args[2]->kind != ExprNode::Kind::Variable ||
        value->args[2]->var != sum.assign->var)
      return std::nullopt;
    sum.first = *first;
    sum.count = *count;
    size_t found = 0;
    for (size_t i = 0; i + 1 < path_.size(); ++i) {
      if (path_[i]->kind != Stmt::Kind::For || path_[i]->loop != Stmt::Loop::Lanes) continue;
      if (++found > 1) return std::nullopt;
      sum.lanes = i;
    }
    if (found == 0 || lanesOf(*path_[sum.lanes]) < kFewestLanes) return std::nullopt;
    const std::set<VarId>& differing = differingIn(*path_[sum.lanes]);
    for (const Expr& factor : {value->args[0], value->args[1]}) {
      if (factor->kind != ExprNode::Kind::Load) return std::nullopt;
      (isShared(factor, differing) ? sum.shared : sum.own) = factor;
    }
    return sum.shared && sum.own ? std::optional(sum) : std::nullopt;
  }

  // Of a loop, at most; a large number where that isn't known.
  int64_t lanesOf(const Stmt& lanes) const {
    const Expr lo = settleExtremes(lanes.lo, ranges_), hi = settleExtremes(lanes.hi, ranges_);
    const auto from = rangeOf(lo, ranges_), to = rangeOf(hi, ranges_);
    if (from && to && from->lo == from->hi) return to->hi - from->lo;
    const auto low = linearOf(lo), high = linearOf(hi);
    return low && high && low->coefficients == high->coefficients ? high->constant - low->constant
                                                                  : int64_t{2} * kFewestLanes;
  }

  bool isShared(const Expr& load, const std::set<VarId>& differing) const {
    if (program_.buffers[static_cast<size_t>(load->buffer)].kind == Buffer::Kind::Private)
      return false;
    return !mentionsAny(load->args[0], [&](VarId var) { return differing.contains(var); }) &&
           linearOf(load->args[0]);
  }

  // ---- statements -------------------------------------------------------------------------------

  // What may be another number in each lane: the variable of a loop over lanes, what its body gives
  // values, and the variables of loops with such bounds.
  const std::set<VarId>& differingIn(const Stmt& lanes) {
    const auto [known, fresh] = differing_.try_emplace(&lanes);
    std::set<VarId>& differing = known->second;
    if (!fresh) return differing;
    differing.insert(lanes.var);
    const auto differs = [&](VarId var) { return differing.contains(var); };
    forEachStmt(lanes.body, [&](const Stmt& stmt) {
      const bool uneven = stmt.kind == Stmt::Kind::For &&
                          (mentionsAny(stmt.lo, differs) || mentionsAny(stmt.hi, differs));
      if (uneven || binds(stmt)) differing.insert(stmt.var);
    });
    return differing;
  }

  // Whether a loop leaves what is loaded as it is, along the variables that move.
  bool staysIn(const Stmt& loop, const Expr& load, std::initializer_list<VarId> moving) {
    const loops::Effects& effects = effects_.of(loop);
    return loop.kind == Stmt::Kind::For && !effects_.writes(loop, load->buffer) &&
           !mentionsAny(load->args[0], [&](VarId var) {
             return effects.binds.contains(var) &&
                    std::count(moving.begin(), moving.end(), var) == 0;
           });
  }

  // ---- what each lane has of its own ------------------------------------------------------------

  // Its pair with this number; null where too few sums use it.
  Expr pairsOfLanes(const Sum& sum, VarId pair) {
    if (stepOf(sum.own->args[0], sum.loop->var) == 0) return nullptr;
    const Stmt& lanes = *path_[sum.lanes];
    size_t front = path_.size() - 1;
    int64_t sums = 1;
    while (front > sum.lanes + 1 && staysIn(*path_[front - 1], sum.own, {sum.loop->var}))
      sums *= tripCount(*path_[--front]).value_or(kFewestSums);
    if (sums >= kFewestSums) return packed(sum, pair, *path_[front], nullptr);
    const bool through = front == sum.lanes + 1 && stepOf(sum.own->args[0], lanes.var) == 1;
    if (!through || effects_.writes(lanes, sum.own->buffer)) return nullptr;
    front = sum.lanes;
    while (front > 0 && path_[front - 1]->loop == Stmt::Loop::Sequential &&
           staysIn(*path_[front - 1], sum.own, {sum.loop->var, lanes.var}) &&
           !bounds(*path_[front - 1], lanes))
      sums *= tripCount(*path_[--front]).value_or(kFewestSums);
    return sums >= kFewestSums ? packed(sum, pair, *path_[front], &lanes) : nullptr;
  }

  // Whether the length of a loop depends on another's variable.
  static bool bounds(const Stmt& outer, const Stmt& loop) {
    return mentions(loop.lo, outer.var) || mentions(loop.hi, outer.var);
  }

  // Puts the pairs in front of a statement; by a loop over lanes of their own, where that is
  // outside of the one at hand.
  Expr packed(const Sum& sum, VarId pair, const Stmt& front, const Stmt* lanes) {
    const int64_t pairs = sum.count / 2, width = lanes != nullptr ? lanesOf(*lanes) : 1;
    const BufferId buffer = newBuffer(
        lanes != nullptr ? Buffer::Kind::Thread : Buffer::Kind::Private, DType::I32, pairs * width);
    const VarId step = program_.variables++;
    const auto place = [&](VarId number, VarId lane) {
      return lanes == nullptr ? at(number)
                              : at(number) * loops::index(width) + (at(lane) - lanes->lo);
    };
    VarId lane = -1;
    Renaming own;
    StmtPtr loop =
        makeLoop(*sum.assign, Stmt::Loop::Sequential, step, loops::index(0), loops::index(pairs));
    Block* body = &loop->body;
    if (lanes != nullptr) {
      lane = program_.variables++;
      own.replace(lanes->var, at(lane));
      body->push_back(makeLoop(*sum.assign, Stmt::Loop::Lanes, lane, lanes->lo, lanes->hi));
      body = &body->back()->body;
    }
    body->push_back(stored(sum, buffer, place(step, lane),
                           pairOf(own(sum.own), sum.loop->var, sum.first, step)));
    packs_.push_back({&front, std::move(loop)});
    return loops::load(buffer, DType::I32, place(pair, lanes != nullptr ? lanes->var : -1));
  }

  static Expr pairOf(const Expr& load, VarId along, int64_t first, VarId step) {
    const auto element = [&](int64_t offset) {
      Renaming renaming;
      renaming.replace(along, at(step) * loops::index(2) + loops::index(first + offset));
      return loops::factor(renaming(load));
    };
    return loops::pair(element(0), element(1));
  }

  static StmtPtr stored(const Sum& sum, BufferId buffer, Expr index, Expr value) {
    StmtPtr store = makeStmt(*sum.assign, Stmt::Kind::Store);
    store->buffer = buffer;
    store->index = std::move(index);
    store->value = std::move(value);
    return store;
  }

  BufferId newBuffer(Buffer::Kind kind, DType type, int64_t elements) {
    Buffer buffer;
    buffer.name = "pairs";
    buffer.kind = kind;
    buffer.type = type;
    buffer.elements = elements;
    program_.buffers.push_back(std::move(buffer));
    return static_cast<BufferId>(program_.buffers.size() - 1);
  }

  // ---- what all lanes share ---------------------------------------------------------------------

  // A part of a buffer that is read in front of a statement, where its indices are `outer` and what
  // varies inside, from `low` on.
  struct Part {
    size_t front = 0;
    Expr outer;
    loops::Linear inside;
    int64_t step = 0;  // from one number of the sum to the next
    int64_t low = 0, length = 0;
    int64_t numbers = 0;  // that are rounded
  };

  struct Rounded {
    const Stmt* front;
    BufferId of, buffer;
    int64_t step, low, length;
    int64_t first, rows;  // where pairs are made: of the sum, and how many
    Expr outer;
    std::vector<Expr> asked;  // where it is filled
  };

  // In front of the outermost statement that it is worth it for.
  std::optional<Part> partOf(const Sum& sum) {
    for (size_t front = 0; front <= sum.lanes; ++front)
      if (auto part = partAt(sum, front); part && isWorth(sum, *part)) return part;
    return std::nullopt;
  }

  std::optional<Part> partAt(const Sum& sum, size_t front) {
    const Stmt& place = *path_[front];
    const Expr& index = sum.shared->args[0];
    const Buffer& buffer = program_.buffers[static_cast<size_t>(sum.shared->buffer)];
    if (effects_.writes(place, sum.shared->buffer)) return std::nullopt;
    const auto all = rangeOf(index, ranges_);
    if (!all || all->lo < 0 || all->hi >= buffer.elements) return std::nullopt;
    Part part;
    part.front = front;
    part.inside = *linearOf(index);
    const loops::Effects& effects = effects_.of(place);
    part.outer = sumOf(part.inside, 0, [&](VarId var) { return effects.binds.contains(var); });
    std::erase_if(part.inside.coefficients, [&](const auto& term) {
      return term.second == 0 || !effects.binds.contains(term.first);
    });
    part.step = part.inside.coefficients[sum.loop->var];
    if (part.step < 1) return std::nullopt;
    Interval range{part.inside.constant, part.inside.constant};
    for (const auto& [var, coefficient] : part.inside.coefficients) {
      if (part.step > 1 && var == sum.loop->var) continue;
      const auto of = ranges_.find(var);
      if (of == ranges_.end()) return std::nullopt;
      range.lo += std::min(coefficient * of->second.lo, coefficient * of->second.hi);
      range.hi += std::max(coefficient * of->second.lo, coefficient * of->second.hi);
    }
    part.low = range.lo;
    part.length = range.hi - range.lo + 1;
    if (part.step > 1 && part.length > part.step) return std::nullopt;
    part.numbers = part.step == 1 ? part.length : part.length * sum.count;
    return part.numbers <= kMostRounded ? std::optional(part) : std::nullopt;
  }

  bool isWorth(const Sum& sum, const Part& part) const {
    double uses = 1;
    for (size_t i = part.front; i < path_.size(); ++i) {
      if (path_[i]->kind != Stmt::Kind::For) continue;
      uses *= static_cast<double>(i == sum.lanes ? lanesOf(*path_[i])
                                                 : tripCount(*path_[i]).value_or(1));
    }
    return uses >= static_cast<double>(kUses * part.numbers);
  }

  // Its pair with this number.
  Expr pairsOfAll(const Sum& sum, const Part& part, VarId pair) {
    const bool along = part.step == 1;  // pairs lie side by side
    const auto place = [&](Expr number) {
      const VarId var = sum.loop->var;
      const Expr rest =
          sumOf(part.inside, part.inside.constant - part.low, [&](VarId v) { return v == var; });
      return along ? rest + number : rest + number * loops::index(part.length);
    };
    const BufferId buffer = rounded(sum, part);
    if (!along) return loops::load(buffer, DType::I32, place(at(pair)));
    const Expr first = at(pair) * loops::index(2) + loops::index(sum.first);
    return loops::pair(loops::load(buffer, DType::BF16, place(first)),
                       loops::load(buffer, DType::BF16, place(first + loops::index(1))));
  }

  // The buffer that has the part's numbers rounded.
  BufferId rounded(const Sum& sum, const Part& part) {
    if (const auto keeper = keeperOf(effects_, path_, part.front, sum.shared->buffer, part.outer)) {
      const Stmt& loop = *keeper->loop;
      if (const Rounded* known = knownAt(loop, sum, part, {})) return known->buffer;
      const BufferId buffer = newRounded(loop, sum, part, {});
      packs_.push_back({&loop, rounding(sum, part, buffer)});
      for (const Stmt* writer : keeper->writers)
        packs_.push_back({writer, rounding(sum, part, buffer), true});
      return buffer;
    }
    const Stmt& front = *path_[part.front];
    const std::vector<Expr> conditions = conditionsOn(effects_, path_, part.front, part.front);
    if (const Rounded* known = knownAt(front, sum, part, conditions)) return known->buffer;
    const BufferId buffer = newRounded(front, sum, part, conditions);
    StmtPtr loop = rounding(sum, part, buffer);
    for (const Expr& condition : conditions) {
      StmtPtr when = makeStmt(*sum.assign, Stmt::Kind::If);
      when->value = condition;
      when->body.push_back(std::move(loop));
      loop = std::move(when);
    }
    packs_.push_back({&front, std::move(loop)});
    return buffer;
  }

  const Rounded* knownAt(const Stmt& front, const Sum& sum, const Part& part,
                         const std::vector<Expr>& conditions) const {
    for (const Rounded& known : rounded_)
      if (known.front == &front && known.of == sum.shared->buffer && known.step == part.step &&
          known.low == part.low && known.length == part.length &&
          known.first == firstOf(sum, part) && known.rows == rowsOf(sum, part).first &&
          sameExpr(known.outer, part.outer) && same(known.asked, conditions))
        return &known;
    return nullptr;
  }

  static int64_t firstOf(const Sum& sum, const Part& part) { return part.step > 1 ? sum.first : 0; }

  // Rows and numbers in each of them. What lies along the sum has rows only so that threads may
  // share them.
  static std::pair<int64_t, int64_t> rowsOf(const Sum& sum, const Part& part) {
    if (part.step > 1) return {sum.count / 2, part.length};
    const int64_t width = rowOf(part.length);
    return {part.length / width, width};
  }

  BufferId newRounded(const Stmt& front, const Sum& sum, const Part& part,
                      std::vector<Expr> conditions) {
    const bool parallel =
        std::any_of(path_.begin(), std::find(path_.begin(), path_.end(), &front),
                    [](const Stmt* stmt) { return stmt->loop == Stmt::Loop::Parallel; });
    const auto [rows, width] = rowsOf(sum, part);
    const BufferId buffer = newBuffer(parallel ? Buffer::Kind::Thread : Buffer::Kind::Scratch,
                                      part.step == 1 ? DType::BF16 : DType::I32, rows * width);
    rounded_.push_back({&front, sum.shared->buffer, buffer, part.step, part.low, part.length,
                        firstOf(sum, part), rows, part.outer, std::move(conditions)});
    return buffer;
  }

  // The loop that fills it.
  StmtPtr rounding(const Sum& sum, const Part& part, BufferId buffer) {
    const auto [rows, width] = rowsOf(sum, part);
    const VarId row = program_.variables++, lane = program_.variables++;
    const Expr start = part.outer + loops::index(part.low),
               place = at(row) * loops::index(width) + at(lane);
    const auto element = [&](const Expr& index) {
      return loops::factor(loops::load(sum.shared->buffer, DType::F32, start + index));
    };
    const auto inPair = [&](int64_t offset) {
      return element((at(row) * loops::index(2) + loops::index(sum.first + offset)) *
                         loops::index(part.step) +
                     at(lane));
    };
    StmtPtr loop = makeLoop(*sum.assign, Stmt::Loop::Sequential, row, loops::index(0),
                            loops::index(rows)),
            lanes = makeLoop(*sum.assign, Stmt::Loop::Lanes, lane, loops::index(0),
                             loops::index(width));
    lanes->body.push_back(stored(
        sum, buffer, place, part.step == 1 ? element(place) : loops::pair(inPair(0), inPair(1))));
    loop->elements = true;
    loop->body.push_back(std::move(lanes));
    return loop;
  }

  // The longest row, of a few hundred numbers, that so many can be cut into.
  static int64_t rowOf(int64_t length) {
    for (int64_t width = 1024; width >= 128; width /= 2)
      if (length % width == 0) return width;
    return length;
  }

  static bool same(const std::vector<Expr>& a, const std::vector<Expr>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), loops::sameExpr);
  }

  // ---- putting them in --------------------------------------------------------------------------

  void insert(Block& block) {
    for (size_t i = 0; i < block.size(); ++i) {
      Stmt& stmt = *block[i];
      insert(stmt.body);
      insert(stmt.otherwise);
      Block packs = packsAt(stmt, false), behind = packsAt(stmt, true);
      if (packs.empty() && behind.empty()) continue;
      if (!packs.empty()) packs.front()->root = std::exchange(stmt.root, -1);
      packs.push_back(std::move(block[i]));
      append(packs, std::move(behind));
      i = putInPlace(block, i, std::move(packs));
    }
  }

  Block packsAt(const Stmt& stmt, bool behind) {
    Block packs;
    for (Pack& pack : packs_) {
      if (pack.by != &stmt || pack.behind != behind) continue;
      pack.loop->region = stmt.region;
      pack.loop->sharedAsLast = behind || stmt.sharedAsLast;
      packs.push_back(std::move(pack.loop));
    }
    return packs;
  }

  Program& program_;
  Ranges ranges_;
  Path path_;  // to the statement at hand
  StatementEffects effects_;
  std::map<const Stmt*, std::set<VarId>> differing_;
  std::vector<Pack> packs_;
  std::vector<Rounded> rounded_;
};

}  // namespace

void pairFactors(Program& program) { FactorPairs(program).run(); }

}  // namespace rlc::cpu
