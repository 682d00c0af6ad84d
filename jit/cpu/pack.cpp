#include "jit/cpu/pack.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <set>

#include "jit/cpu/rewrite.h"
#include "jit/cpu/rows.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

constexpr int64_t kMostPacked = 1024;     // elements of each lane
constexpr int64_t kPackedBytes = 131072;  // of all lanes, a part of the second level's cache

// What all iterations of a nest read of one lane: `count` elements, `step` apart, from `first` on,
// or, where the index is not linear in the loops' variables, one for each point of `box`.
struct Stretch {
  Expr first;
  std::vector<const Stmt*> box;
  Expr position;  // of the element that an iteration reads, from 0
  int64_t step = 0;
  int64_t count = 1;
};

class Packer {
 public:
  Packer(Program& program, const TileOptions& options) : program_(program), options_(options) {}

  void visit(Block& block, const Stmt* lanes) {
    for (size_t i = 0; i < block.size(); ++i) {
      Stmt& stmt = *block[i];
      const bool loop = stmt.kind == Stmt::Kind::For;
      if (lanes != nullptr && !loop && stmt.value && binds(stmt) &&
          isByData(stmt.value, lanes->var))
        byData_.insert(stmt.var);
      if (lanes != nullptr && loop && stmt.loop == Stmt::Loop::Sequential) {
        Block packs = pack(stmt, *lanes);
        if (!packs.empty()) {
          packs.front()->root = stmt.root;
          stmt.root = -1;
          for (const StmtPtr& part : packs) part->region = stmt.region;
          packs.push_back(std::move(block[i]));
          i = putInPlace(block, i, std::move(packs));
        }
      }
      Stmt& inner = *block[i];
      const bool outermost = loop && inner.loop == Stmt::Loop::Lanes && lanes == nullptr;
      visit(inner.body, outermost ? &inner : lanes);
      visit(inner.otherwise, lanes);
    }
  }

 private:
  struct Packed {
    Expr load, first;
    int64_t step = 1;
    BufferId buffer = -1;
  };
  struct Nest {
    const Stmt* lanes = nullptr;
    std::set<VarId> defined;
    std::set<BufferId> written;
    Renaming lets;
    std::vector<const Stmt*> loops;  // around what is looked at, each of known length
    std::vector<Packed> packed;
    Block packs;
    int64_t mostShared = 0;  // accumulators of a tile that may share what is loaded
  };

  Block pack(Stmt& root, const Stmt& lanes) {
    Nest nest;
    nest.lanes = &lanes;
    nest.mostShared = mostAccumulators(options_, tripCount(lanes).value_or(0));
    bool left = false;
    const auto note = [&](const Stmt& stmt) {
      if (binds(stmt) || stmt.kind == Stmt::Kind::For) nest.defined.insert(stmt.var);
      if (stmt.buffer >= 0) nest.written.insert(stmt.buffer);
      for (const Stmt::Place& place : stmt.places) nest.written.insert(place.buffer);
      left |= stmt.kind == Stmt::Kind::Exit;
    };
    note(root);
    forEachStmt(root.body, note);
    if (!left) replaceIn(root, nest);
    return std::move(nest.packs);
  }

  // What is done in every iteration: conditions are not entered.
  void replaceIn(Stmt& loop, Nest& nest) {
    const auto trip = tripCount(loop);
    if (loop.loop != Stmt::Loop::Sequential || !constantOf(loop.lo) || !trip || *trip == 0) return;
    nest.loops.push_back(&loop);
    for (StmtPtr& stmt : loop.body) {
      if (stmt->kind == Stmt::Kind::Let) nest.lets.replace(stmt->var, nest.lets(stmt->value));
      if (stmt->kind == Stmt::Kind::Assign)
        stmt->value = replaced(stmt->value, nest);
      else if (stmt->kind == Stmt::Kind::For)
        replaceIn(*stmt, nest);
    }
    nest.loops.pop_back();
  }

  // A conversion is packed with what it converts, where that stays near.
  Expr replaced(const Expr& e, Nest& nest) {
    const bool converts = e->kind == ExprNode::Kind::Op && e->op == ScalarOp::Cast &&
                          isFloat(e->type) && e->args[0]->kind == ExprNode::Kind::Load;
    if (converts || e->kind == ExprNode::Kind::Load) {
      if (const Expr packed = packedLoad(converts ? e->args[0] : e, e->type, nest)) return packed;
      if (!converts) return e;
    }
    std::vector<Expr> args;
    bool changed = false;
    for (const Expr& arg : e->args) {
      args.push_back(replaced(arg, nest));
      changed |= args.back() != arg;
    }
    if (!changed) return e;
    auto node = std::make_shared<ExprNode>(*e);
    node->args = std::move(args);
    return node;
  }

  // The load, as `type`, from where it has been packed; none where that does not pay or can't be.
  Expr packedLoad(const Expr& asWritten, DType type, Nest& nest) {
    const Expr load = nest.lets(asWritten);
    if (isPrivate(load->buffer) || !isGathered(load->args[0], nest.lanes->var) ||
        !readsWhatStays(load, nest))
      return nullptr;
    const auto stretch = stretchOf(load->args[0], nest);
    if (!stretch) return nullptr;
    const int64_t lanes =
        std::min<int64_t>(options_.width, tripCount(*nest.lanes).value_or(options_.width));
    if (type != load->type &&
        stretch->count * lanes * static_cast<int64_t>(byteSize(type)) > kPackedBytes)
      return nullptr;
    for (const Packed& before : nest.packed)
      if (before.load->buffer == load->buffer && sameExpr(before.first, stretch->first) &&
          before.step == stretch->step && bufferAt(before.buffer).type == type &&
          bufferAt(before.buffer).elements == stretch->count)
        return loops::load(before.buffer, type, stretch->position);
    const BufferId buffer = store(load, *stretch, type, nest);
    nest.packed.push_back({load, stretch->first, stretch->step, buffer});
    return loops::load(buffer, type, stretch->position);
  }

  // Nothing that the nest writes or defines, but for its loops, says what is loaded.
  bool readsWhatStays(const Expr& load, const Nest& nest) const {
    bool stays = true;
    forEachNode(load, [&](const ExprNode& node) {
      if (node.kind == ExprNode::Kind::Random) stays = false;
      if (node.kind == ExprNode::Kind::Load)
        for (BufferId written : nest.written) stays &= !mayOverlap(program_, written, node.buffer);
      if (node.kind == ExprNode::Kind::Variable && nest.defined.contains(node.var)) {
        bool around = false;
        for (const Stmt* loop : nest.loops) around |= loop->var == node.var;
        stays &= around;
      }
    });
    return stays;
  }

  std::optional<Stretch> stretchOf(const Expr& index, const Nest& nest) const {
    const auto linear = linearIn(index, [&](VarId var) { return nest.defined.contains(var); });
    const Stretch result = linear ? lineOf(index, *linear, nest) : boxOf(index, nest);
    int64_t uses = 1, alike = 1;  // in all, and of the same element in turn: as many share a load
    for (const Stmt* loop : nest.loops) {
      uses *= *tripCount(*loop);
      if (!mentions(index, loop->var)) alike *= *tripCount(*loop);
    }
    const bool pays = result.count > 1 && result.count <= kMostPacked &&
                      uses > result.count * std::min(alike, nest.mostShared);
    return pays ? std::optional(result) : std::nullopt;
  }

  static Stretch lineOf(const Expr& index, const Linear& linear, const Nest& nest) {
    const auto stepOf = [&](const Stmt* loop) {
      const auto found = linear.coefficients.find(loop->var);
      return found == linear.coefficients.end() ? int64_t{0} : found->second;
    };
    Stretch result;
    for (const Stmt* loop : nest.loops) result.step = std::gcd(result.step, stepOf(loop));
    if (result.step == 0) return result;
    result.position = loops::index(0);
    Renaming corner;
    for (const Stmt* loop : nest.loops) {
      const int64_t trip = *tripCount(*loop), lo = *constantOf(loop->lo);
      const int64_t step = stepOf(loop) / result.step;
      const int64_t least = step < 0 ? lo + trip - 1 : lo;
      corner.replace(loop->var, loops::index(least));
      result.count += std::abs(step) * (trip - 1);
      result.position =
          result.position +
          (loops::variable(loop->var, DType::I64) - loops::index(least)) * loops::index(step);
    }
    result.first = corner(index);
    return result;
  }

  static Stretch boxOf(const Expr& index, const Nest& nest) {
    Stretch result;
    result.first = index;
    result.position = loops::index(0);
    for (const Stmt* loop : nest.loops) {
      if (!mentions(index, loop->var)) continue;
      result.box.push_back(loop);
      result.count *= *tripCount(*loop);
      result.position = result.position * loops::index(*tripCount(*loop)) +
                        (loops::variable(loop->var, DType::I64) - loop->lo);
    }
    return result;
  }

  // Whether lanes read neither the same element nor neighbours: elements some distance apart, or
  // wherever their own data say.
  bool isGathered(const Expr& index, VarId lane) const {
    if (isByData(index, lane)) return true;
    const auto linear = linearIn(index, [&](VarId var) { return var == lane; });
    if (!linear || linear->coefficients.count(lane) == 0) return false;
    const int64_t stride = linear->coefficients.at(lane);
    return stride != 0 && stride != 1;
  }

  // Whether what a lane has loaded says the value, in place or by a variable.
  bool isByData(const Expr& value, VarId lane) const {
    bool byData = false;
    forEachNode(value, [&](const ExprNode& node) {
      byData |= node.kind == ExprNode::Kind::Load &&
                (isPrivate(node.buffer) || mentions(node.args[0], lane));
      byData |= node.kind == ExprNode::Kind::Variable && byData_.contains(node.var);
    });
    return byData;
  }

  BufferId store(const Expr& load, const Stretch& stretch, DType type, Nest& nest) {
    Buffer buffer;
    buffer.name = "packed";
    buffer.kind = Buffer::Kind::Private;
    buffer.type = type;
    buffer.elements = stretch.count;
    const auto id = static_cast<BufferId>(program_.buffers.size());
    program_.buffers.push_back(std::move(buffer));
    const auto element = [&](const Expr& from, const Expr& position) {
      StmtPtr store = make(Stmt::Kind::Store, *nest.loops.front());
      store->buffer = id;
      store->index = position;
      store->value = loops::load(load->buffer, load->type, from);
      if (type != load->type) store->value = loops::cast(type, store->value);
      return store;
    };
    if (stretch.box.empty())
      storeLine(stretch, element, nest);
    else
      storeBox(stretch, element, nest);
    return id;
  }

  using Element = std::function<StmtPtr(const Expr& from, const Expr& position)>;

  // let first; for rows: for k in a row: packed[k] = load[first + k step]; the last row, which is
  // shorter
  void storeLine(const Stretch& stretch, const Element& element, Nest& nest) {
    StmtPtr let = make(Stmt::Kind::Let, *nest.loops.front());
    let->var = program_.variables++;
    let->type = DType::I64;
    let->value = stretch.first;
    const Expr first = loops::variable(let->var, DType::I64);
    nest.packs.push_back(std::move(let));
    const auto elements = [&](const Expr& from, int64_t count) {
      StmtPtr loop = loopFrom(loops::index(0), count, *nest.loops.front());
      const Expr at = from + loops::variable(loop->var, DType::I64);
      loop->body.push_back(element(first + at * loops::index(stretch.step), at));
      return loop;
    };
    const int64_t rows = stretch.step == 1 ? stretch.count / kLongestRow : 0,
                  rest = stretch.count - rows * kLongestRow;
    if (rows > 0) {
      StmtPtr loop = loopFrom(loops::index(0), rows, *nest.loops.front());
      loop->body.push_back(elements(
          loops::variable(loop->var, DType::I64) * loops::index(kLongestRow), kLongestRow));
      nest.packs.push_back(std::move(loop));
    }
    if (rest > 0) nest.packs.push_back(elements(loops::index(rows * kLongestRow), rest));
  }

  // The loops of the box once more: packed[position] = load[index]
  void storeBox(const Stretch& stretch, const Element& element, Nest& nest) {
    Renaming own;
    Block* inside = &nest.packs;
    for (const Stmt* loop : stretch.box) {
      inside->push_back(loopFrom(loop->lo, *tripCount(*loop), *loop));
      own.replace(loop->var, loops::variable(inside->back()->var, DType::I64));
      inside = &inside->back()->body;
    }
    inside->push_back(element(own(stretch.first), own(stretch.position)));
  }

  static StmtPtr make(Stmt::Kind kind, const Stmt& from) {
    auto stmt = std::make_unique<Stmt>();
    stmt->kind = kind;
    stmt->span = from.span;
    return stmt;
  }

  StmtPtr loopFrom(const Expr& lo, int64_t count, const Stmt& like) {
    StmtPtr loop =
        makeLoop(like, Stmt::Loop::Sequential, program_.variables++, lo, lo + loops::index(count));
    loop->comment = "pack";
    return loop;
  }

  const Buffer& bufferAt(BufferId id) const { return program_.buffers[static_cast<size_t>(id)]; }
  bool isPrivate(BufferId id) const { return bufferAt(id).kind == Buffer::Kind::Private; }

  Program& program_;
  const TileOptions& options_;
  std::set<VarId> byData_;  // variables of the lanes that are around
};

}  // namespace

void packGathers(Program& program, const TileOptions& options) {
  Packer(program, options).visit(program.body, nullptr);
}

}  // namespace rlc::cpu
