#include "jit/cpu/unit_packs.h"

#include <set>
#include <utility>

#include "jit/cpu/rows.h"

namespace rlc::cpu {

namespace {

constexpr int64_t kMostPackedBytes = 1 << 20;  // bytes of one tensor: the second level's cache

}  // namespace

bool UnitPacks::can(const Expr& load, const std::vector<const Stmt*>& around,
                    const std::function<bool(VarId)>& inside, bool certain) const {
  const Buffer& buffer = program_.buffers[static_cast<size_t>(load->buffer)];
  if (program_.scratchInFile || isPlaced(buffer)) return false;
  auto bytes = static_cast<int64_t>(byteSize(load->type));
  std::set<VarId> moves;
  Ranges ranges;
  for (const Stmt* stmt : around) {
    moves.insert(stmt->var);
    noteRange(*stmt, ranges);
    if (!constantOf(stmt->lo) || tripCount(*stmt).value_or(0) < 1) return false;
    bytes *= *tripCount(*stmt);
    if (bytes > kMostPackedBytes) return false;
  }
  // What stands under a condition need not be there in front of the lanes.
  const auto range = rangeOf(load->args[0], ranges);
  if (!certain && (!range || range->lo < 0 || range->hi >= buffer.elements)) return false;
  return linearIn(load->args[0], [&](VarId var) { return moves.contains(var); }) &&
         !mentionsAny(load->args[0],
                      [&](VarId var) { return inside(var) && !moves.contains(var); });
}

Expr UnitPacks::packed(const Expr& load, const std::vector<const Stmt*>& around) {
  Packed own{load, {}, {}, -1};
  Expr position = loops::index(0);
  int64_t elements = 1;
  for (const Stmt* stmt : around) {
    own.loops.push_back(stmt->var);
    own.trips.push_back(*tripCount(*stmt));
    elements *= own.trips.back();
    position = position * loops::index(own.trips.back()) +
               (loops::variable(stmt->var, DType::I64) - stmt->lo);
  }
  for (const Packed& before : packed_)
    if (isSame(before, own, around)) return loops::load(before.buffer, load->type, position);
  Buffer buffer;
  buffer.name = "packed";
  buffer.kind = kind_;
  buffer.type = load->type;
  buffer.elements = elements;
  own.buffer = static_cast<BufferId>(program_.buffers.size());
  program_.buffers.push_back(std::move(buffer));
  pack(own, around);
  packed_.push_back(own);
  return loops::load(own.buffer, load->type, position);
}

Block UnitPacks::take() {
  packed_.clear();
  return std::exchange(statements_, Block());
}

bool UnitPacks::isSame(const Packed& before, const Packed& own,
                       const std::vector<const Stmt*>& around) const {
  if (before.load->buffer != own.load->buffer || before.trips != own.trips) return false;
  Renaming toOwn;
  for (size_t k = 0; k < own.loops.size(); ++k)
    toOwn.replace(before.loops[k], loops::variable(around[k]->var, DType::I64));
  return sameExpr(toOwn(before.load->args[0]), own.load->args[0]);
}

// for the sum's loops but the last: for rows of that: lanes j: for l in the row:
//   packed[..., l, j] = load
void UnitPacks::pack(const Packed& packed, const std::vector<const Stmt*>& around) {
  const Stmt& units = *around.back();
  const Stmt& last = *around[around.size() - 2];
  const int64_t count = *tripCount(last);
  Block* inside = &statements_;
  Renaming at;
  Expr row = loops::index(0);
  for (size_t k = 0; k + 2 < around.size(); ++k) {
    const int64_t trip = packed.trips[k];
    inside->push_back(loop(*around[k], trip, Stmt::Loop::Sequential));
    const Expr var = loops::variable(inside->back()->var, DType::I64);
    at.replace(around[k]->var, around[k]->lo + var);
    row = row * loops::index(trip) + var;
    inside = &inside->back()->body;
  }
  const auto rows = [&](Block& into, const Expr& first, int64_t length) {
    StmtPtr lanes = loop(units, *tripCount(units), Stmt::Loop::Lanes);
    StmtPtr steps = loop(last, length, Stmt::Loop::Sequential);
    const Expr unit = loops::variable(lanes->var, DType::I64),
               step = first + loops::variable(steps->var, DType::I64);
    Renaming own = at;
    own.replace(units.var, units.lo + unit);
    own.replace(last.var, last.lo + step);
    StmtPtr store = makeStmt(units, Stmt::Kind::Store);
    store->buffer = packed.buffer;
    store->index = (row * loops::index(count) + step) * loops::index(packed.trips.back()) + unit;
    store->value = own(packed.load);
    steps->body.push_back(std::move(store));
    lanes->body.push_back(std::move(steps));
    into.push_back(std::move(lanes));
  };
  if (const int64_t whole = count / kLongestRow; whole > 0) {
    StmtPtr blocks = loop(last, whole, Stmt::Loop::Sequential);
    const Expr first = loops::variable(blocks->var, DType::I64) * loops::index(kLongestRow);
    rows(blocks->body, first, kLongestRow);
    inside->push_back(std::move(blocks));
  }
  if (const int64_t rest = count % kLongestRow; rest > 0)
    rows(*inside, loops::index(count - rest), rest);
}

StmtPtr UnitPacks::loop(const Stmt& like, int64_t count, Stmt::Loop kind) {
  StmtPtr result = makeLoop(like, kind, program_.variables++, loops::index(0), loops::index(count));
  result->comment = "pack";
  return result;
}

}  // namespace rlc::cpu
