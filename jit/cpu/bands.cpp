#include "jit/cpu/bands.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "compiler/types/lists.h"
#include "jit/cpu/plan.h"
#include "jit/cpu/rewrite.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

// A larger band is not fetched as a whole.
constexpr int64_t kMostFetched = int64_t{1} << 20;
// In memory, rows of so many bytes make bands: rows further apart share few sets of a cache.
constexpr int64_t kFewestFarBytes = 512;

// An index modulo a number: factor * variable + rest, from 0 up to the number.
struct Residue {
  int64_t factor = 0, rest = 0;
};

// None where it isn't known.
std::optional<Residue> residueOf(const Expr& e, VarId variable, int64_t modulus) {
  const auto reduced = [&](int64_t value) { return (value % modulus + modulus) % modulus; };
  if (const auto value = constantOf(e)) return Residue{0, reduced(*value)};
  if (e->kind == ExprNode::Kind::Variable && e->var == variable) return Residue{1, 0};
  if (e->kind != ExprNode::Kind::Op || e->type != DType::I64 || e->args.size() != 2)
    return std::nullopt;
  const auto a = residueOf(e->args[0], variable, modulus),
             b = residueOf(e->args[1], variable, modulus);
  if (e->op == ScalarOp::Mul) {
    for (const auto& [times, other] :
         {std::pair(constantOf(e->args[0]), b), std::pair(constantOf(e->args[1]), a)}) {
      if (!times) continue;
      const int64_t factor = reduced(*times);
      if (factor == 0) return Residue{};
      if (other) return Residue{reduced(other->factor * factor), reduced(other->rest * factor)};
    }
    return std::nullopt;
  }
  if (!a || !b) return std::nullopt;
  if (e->op == ScalarOp::Add)
    return Residue{reduced(a->factor + b->factor), reduced(a->rest + b->rest)};
  if (e->op == ScalarOp::Sub)
    return Residue{reduced(a->factor - b->factor), reduced(a->rest - b->rest)};
  return std::nullopt;
}

// Of an index: lane * the variable + lanes * row.
struct Split {
  int64_t lane = 0;
  Expr row;
};

// None where it isn't known.
std::optional<Split> splitOf(const Expr& e, VarId variable, int64_t lanes) {
  if (const auto value = constantOf(e)) {
    if (*value % lanes != 0) return std::nullopt;
    return Split{0, loops::index(*value / lanes)};
  }
  if (e->kind == ExprNode::Kind::Variable && e->var == variable) return Split{1, loops::index(0)};
  if (e->kind != ExprNode::Kind::Op || e->type != DType::I64 || e->args.size() != 2)
    return std::nullopt;
  if (e->op == ScalarOp::Mul) {
    for (size_t k : {0, 1}) {
      const auto times = constantOf(e->args[k]);
      const Expr& other = e->args[1 - k];
      if (!times) continue;
      if (*times % lanes == 0 && !mentions(other, variable))
        return Split{0, other * loops::index(*times / lanes)};
      if (const auto inner = splitOf(other, variable, lanes))
        return Split{inner->lane * *times, inner->row * loops::index(*times)};
    }
    return std::nullopt;
  }
  if (e->op != ScalarOp::Add && e->op != ScalarOp::Sub) return std::nullopt;
  const auto a = splitOf(e->args[0], variable, lanes), b = splitOf(e->args[1], variable, lanes);
  if (!a || !b) return std::nullopt;
  if (e->op == ScalarOp::Add) return Split{a->lane + b->lane, a->row + b->row};
  return Split{a->lane - b->lane, a->row - b->row};
}

bool isAtMost(const Expr& e, int64_t most) {
  if (const auto value = constantOf(e)) return *value <= most;
  return e->kind == ExprNode::Kind::Op && e->op == ScalarOp::Min && e->type == DType::I64 &&
         (isAtMost(e->args[0], most) || isAtMost(e->args[1], most));
}

class BandPlanner {
 public:
  BandPlanner(const Program& program, const Plan& plan)
      : program_(program), plan_(plan), walked_(program.buffers.size()) {
    int64_t widest = 1;
    for (const auto& [loop, lanes] : plan.lanes) widest = std::max<int64_t>(widest, lanes.width);
    const std::vector<int64_t> widths = widthsOf();
    result_.of.resize(program.buffers.size());
    for (size_t i = 0; i < program.buffers.size(); ++i) {
      const Buffer& buffer = program.buffers[i];
      const int64_t width = isInFile(program, buffer) ? widest : widths[i];
      if (buffer.lanes > 1 && buffer.elements > buffer.lanes &&
          (isInFile(program, buffer) || isFar(buffer, width)))
        result_.of[i] = {buffer.lanes, buffer.elements / buffer.lanes, width};
    }
  }

  BandPlan run() {
    visit(program_.body, {});
    for (size_t i = 0; i < result_.of.size(); ++i)
      if (walked_[i].empty()) result_.of[i] = Bands();
    chooseFetched();
    return std::move(result_);
  }

 private:
  struct Place {
    const Stmt* lanes = nullptr;
    std::vector<VarId> inner;  // variables of the loops inside it
  };

  // Of the widest blocks of lanes that touch a tensor: in memory narrower ones have a band, and so
  // whole lines, to themselves.
  std::vector<int64_t> widthsOf() const {
    std::vector<int64_t> widths(program_.buffers.size(), 1);
    for (const auto& [loop, lanes] : plan_.lanes) {
      const auto note = [&, width = int64_t{lanes.width}](BufferId buffer) {
        if (buffer >= 0)
          widths[static_cast<size_t>(buffer)] =
              std::max(widths[static_cast<size_t>(buffer)], width);
      };
      forEachStmt(loop->body, [&](const Stmt& stmt) {
        note(stmt.buffer);
        forEachExpr(stmt, [&](const Expr& e) {
          forEachNode(e, [&](const ExprNode& node) { note(node.buffer); });
        });
      });
    }
    return widths;
  }

  // Whether the tensor lies in memory, and its rows so far apart that bands pay, which are all of
  // one width there.
  static bool isFar(const Buffer& buffer, int64_t width) {
    return buffer.kind == Buffer::Kind::Arena && buffer.lanes > width &&
           buffer.lanes % width == 0 &&
           buffer.lanes * static_cast<int64_t>(byteSize(buffer.type)) >= kFewestFarBytes;
  }

  void visit(const Block& block, const Place& place) {
    for (const auto& stmt : block) {
      visit(*stmt, place);
      Place inside = place;
      if (stmt->kind == Stmt::Kind::For) {
        const auto begin = rangeOf(stmt->lo, ranges_), end = rangeOf(stmt->hi, ranges_);
        if (begin && begin->lo >= 0 && end && stmt->loop == Stmt::Loop::Lanes)
          result_.ends[stmt.get()] = end->hi;
        noteRange(*stmt, ranges_);
        if (place.lanes != nullptr)
          inside.inner.push_back(stmt->var);
        else if (const auto found = plan_.lanes.find(stmt.get());
                 found != plan_.lanes.end() && found->second.width > 1)
          inside.lanes = stmt.get();
      }
      visit(stmt->body, inside);
      visit(stmt->otherwise, inside);
    }
  }

  void visit(const Stmt& stmt, const Place& place) {
    // What a runtime function, an outer product or a chunk's own copy takes has its rows in
    // memory's order.
    for (const auto& other : stmt.places) leave(other.buffer);
    for (const auto& reduction : stmt.reductions)
      if (reduction.buffer >= 0) leave(reduction.buffer);
    if (const auto outer = plan_.outer.find(&stmt); outer != plan_.outer.end())
      leave(outer->second.accumulate->buffer);
    if (const auto rows = plan_.rowSums.find(&stmt); rows != plan_.rowSums.end())
      leave(rows->second.accumulate->buffer);
    if (stmt.kind == Stmt::Kind::Store || stmt.kind == Stmt::Kind::Accumulate)
      access(stmt.buffer, stmt.index, place);
    forEachExpr(stmt, [&](const Expr& e) {
      forEachNode(e, [&](const ExprNode& node) {
        if (node.kind == ExprNode::Kind::Load) access(node.buffer, node.args[0], place);
      });
    });
  }

  void leave(BufferId buffer) { result_.of[static_cast<size_t>(buffer)] = Bands(); }

  void access(BufferId buffer, const Expr& index, const Place& place) {
    const auto id = static_cast<size_t>(buffer);
    const Bands& bands = result_.of[id];
    if (!bands) return;
    const bool moves = place.lanes != nullptr &&
                       mentionsAny(index, [&](VarId var) { return contains(place.inner, var); });
    const bool walks =
        moves && staysInBand(bands, index, *place.lanes, plan_.lanes.at(place.lanes).width);
    if (walks) walked_[id].insert(place.lanes);
    // Memory has its pages at hand: there, bands are for what is taken through all rows only.
    if (!isInFile(program_, program_.buffers[id]) &&
        !(walks ? rowIn(result_, buffer, index, *place.lanes) != nullptr
                : constantOf(index).has_value()))
      leave(buffer);
  }

  void chooseFetched() {
    for (size_t i = 0; i < result_.of.size(); ++i) {
      const Bands& bands = result_.of[i];
      const auto size = static_cast<int64_t>(byteSize(program_.buffers[i].type));
      if (!bands || !isInFile(program_, program_.buffers[i]) ||
          bands.rows * bands.width * size > kMostFetched)
        continue;
      for (const Stmt* loop : walked_[i]) result_.fetched[loop].push_back(static_cast<BufferId>(i));
    }
  }

  const Program& program_;
  const Plan& plan_;
  BandPlan result_;
  Ranges ranges_;
  std::vector<std::set<const Stmt*>> walked_;  // [buffer]: by these Lanes loops
};

}  // namespace

int64_t bandCount(const Bands& bands) { return (bands.lanes + bands.width - 1) / bands.width; }

int64_t placeIn(const Bands& bands, int64_t element) {
  if (!bands) return element;
  const int64_t row = element / bands.lanes, lane = element % bands.lanes;
  const int64_t first = lane / bands.width * bands.width;  // of the band
  return first * bands.rows + row * std::min(bands.width, bands.lanes - first) + lane - first;
}

// Blocks begin at multiples of their width, in the row as well, and end with the row or before.
bool staysInBand(const Bands& bands, const Expr& index, const Stmt& loop, int64_t width) {
  if (bands.width % width != 0) return false;
  const bool whole = bands.lanes % width == 0;
  if (!whole && !isAtMost(loop.hi, bands.lanes)) return false;
  const auto begin = residueOf(loop.lo, -1, width);
  const auto at = residueOf(index, loop.var, bands.lanes);
  return begin && begin->rest == 0 && at && at->factor == 1 &&
         (whole ? at->rest % width == 0 : at->rest == 0);
}

Expr rowIn(const BandPlan& plan, BufferId buffer, const Expr& index, const Stmt& loop) {
  const Bands& bands = plan.of[static_cast<size_t>(buffer)];
  const auto end = plan.ends.find(&loop);
  if (end == plan.ends.end() || end->second > bands.lanes) return nullptr;
  const auto split = splitOf(index, loop.var, bands.lanes);
  return split && split->lane == 1 ? split->row : nullptr;
}

BandPlan planBands(const Program& program, const Plan& plan) {
  return BandPlanner(program, plan).run();
}

}  // namespace rlc::cpu
