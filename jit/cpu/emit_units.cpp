// Vectors of units (unit_vectors.h): a tile of some vectors for each lane is summed in registers,
// so that what is loaded for the units serves all lanes and each lane's number serves all vectors.
// What the sums become is interleaved, since private storage has lanes innermost.
#include <algorithm>

#include "jit/cpu/emitter.h"
#include "jit/cpu/rewrite.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

using Shape = Value::Shape;

namespace {

using Vectors = std::vector<llvm::Value*>;

// What neighbouring lanes' vectors hold, element by element: their number is a power of two.
Vectors interleavedLanes(llvm::IRBuilder<>& b, const Vectors& lanes) {
  if (lanes.size() == 1) return lanes;
  Vectors even, odd;
  for (size_t k = 0; k < lanes.size(); ++k) (k % 2 == 0 ? even : odd).push_back(lanes[k]);
  even = interleavedLanes(b, even);
  odd = interleavedLanes(b, odd);
  const auto length = static_cast<int>(
      llvm::cast<llvm::FixedVectorType>(lanes.front()->getType())->getNumElements());
  Vectors result;
  for (size_t k = 0; k < even.size(); ++k)
    for (int half = 0; half < 2; ++half) {
      std::vector<int> places;
      for (int i = half * length / 2; i < (half + 1) * length / 2; ++i)
        places.insert(places.end(), {i, i + length});
      result.push_back(b.CreateShuffleVector(even[k], odd[k], places));
    }
  return result;
}

}  // namespace

// Of the first lanes of the block, all of them active.
std::vector<llvm::Value*> Emitter::ofLanes(const loops::Expr& e, int64_t lanes) {
  std::vector<V*> result;
  if (e->kind == ExprNode::Kind::Load && !bandsOf(e->buffer)) {
    // One by one, the way that a processor loads a number for a whole vector.
    const Value index = expr(e->args[0]);
    const bool owned = laneOwned(e->buffer);
    if (owned ? index.uniform() : index.shape == Shape::Linear) {
      llvm::Type* type = memoryType(e->type);
      V* at = address(e->buffer, index.v);
      for (int64_t k = 0; k < lanes; ++k) {
        V* place = b_.CreateInBoundsGEP(type, at, i64(owned ? k : k * index.stride));
        result.push_back(fromMemory(
            e->type,
            tagged(b_.CreateAlignedLoad(type, place, llvm::Align(byteSize(e->type))), e->buffer)));
      }
      return result;
    }
  }
  const Value value = expr(e);
  for (int64_t k = 0; k < lanes; ++k) result.push_back(laneOf(value, i64(k)));
  return result;
}

// The value of `e` for `length` units from each of `first` on, and each lane.
void Emitter::forUnits(const UnitExpr& e, const UnitLoop& units, const std::vector<V*>& first,
                       int64_t length, int64_t lanes, const std::function<V*(size_t, size_t)>& sum,
                       const std::function<void(size_t, size_t, V*)>& use) {
  cache_.clear();
  std::vector<Vectors> shared, pointers;
  for (const loops::Expr& part : e.shared) shared.push_back(ofLanes(part, lanes));
  for (V* unit : first) {
    vars_[static_cast<size_t>(units.unit)] = {Value{unit}};
    cache_.clear();
    pointers.emplace_back();
    for (const loops::Expr& load : e.loads)
      pointers.back().push_back(address(load->buffer, scalarValue(expr(load->args[0]))));
  }
  // From here on, the units are the lanes.
  const Lanes outer = lanes_;
  std::vector<Variable> variables;
  for (const loops::Expr& part : e.shared)
    variables.push_back(part->kind == ExprNode::Kind::Variable
                            ? vars_[static_cast<size_t>(part->var)]
                            : Variable());
  lanes_ = Lanes();
  lanes_.width = static_cast<int>(length);
  for (size_t u = 0; u < first.size(); ++u) {
    Vectors loaded;
    for (size_t i = 0; i < e.loads.size(); ++i) {
      const DType type = e.loads[i]->type;
      auto* load = b_.CreateAlignedLoad(vectorOf(memoryType(type)), pointers[u][i],
                                        llvm::Align(byteSize(type)));
      loaded.push_back(fromMemory(type, tagged(load, e.loads[i]->buffer)));
    }
    vars_[static_cast<size_t>(units.unit)] = {Value{first[u], Shape::Linear, 1}};
    for (size_t k = 0; k < static_cast<size_t>(lanes); ++k) {
      cache_.clear();
      for (size_t i = 0; i < e.shared.size(); ++i) {
        const loops::Expr& part = e.shared[i];
        if (part->kind == ExprNode::Kind::Variable)
          vars_[static_cast<size_t>(part->var)] = {Value{shared[i][k]}};
        else
          cache_[part.get()] = Value{shared[i][k]};
      }
      for (size_t i = 0; i < e.loads.size(); ++i) cache_[e.loads[i].get()] = varyingOf(loaded[i]);
      vars_[static_cast<size_t>(units.declare->var)] = {varyingOf(sum(u, k))};
      use(u, k, vectorValue(expr(e.e)));
    }
  }
  lanes_ = outer;
  for (size_t i = 0; i < e.shared.size(); ++i)
    if (e.shared[i]->kind == ExprNode::Kind::Variable)
      vars_[static_cast<size_t>(e.shared[i]->var)] = variables[i];
  cache_.clear();
}

// `vectors` of units, the i-th from first(i) on.
void Emitter::unitTile(const UnitLoop& units, const std::function<V*(V*)>& first, int64_t vectors,
                       int64_t length, int64_t lanes) {
  auto* vector = llvm::FixedVectorType::get(b_.getFloatTy(), static_cast<unsigned>(length));
  const auto number = [&](size_t u, size_t k) { return u * static_cast<size_t>(lanes) + k; };
  std::vector<llvm::AllocaInst*> sums;
  for (int64_t i = 0; i < vectors * lanes; ++i) {
    sums.push_back(newSlot(vector, "sum"));
    b_.CreateStore(b_.CreateVectorSplat(static_cast<unsigned>(length),
                                        constant(units.declare->value->literal)),
                   sums.back());
  }
  std::vector<V*> starts;
  for (int64_t u = 0; u < vectors; ++u) starts.push_back(first(i64(u)));
  const std::function<void(size_t)> add = [&](size_t depth) {
    if (depth < units.along.size()) {
      const Stmt& loop = *units.along[depth];
      V *lo = scalarValue(expr(loop.lo)), *hi = scalarValue(expr(loop.hi));
      cache_.clear();
      auto* done = newBlock("summed");
      stripLoop(
          loop, lo, hi, 1, false, done,
          [&](V* i) {
            vars_[static_cast<size_t>(loop.var)] = {Value{i}};
            add(depth + 1);
          },
          false);
      b_.SetInsertPoint(done);
      return;
    }
    forUnits(
        units.step, units, starts, length, lanes,
        [&](size_t u, size_t k) { return b_.CreateLoad(vector, sums[number(u, k)]); },
        [&](size_t u, size_t k, V* v) { b_.CreateStore(v, sums[number(u, k)]); });
  };
  add(0);
  // By way of memory: functions of vectors keep none in registers, and stand there once.
  auto* array =
      newSlot(llvm::ArrayType::get(vector, static_cast<uint64_t>(vectors * lanes)), "sums");
  const auto at = [&](V* index) { return b_.CreateInBoundsGEP(vector, array, index); };
  for (size_t i = 0; i < sums.size(); ++i)
    b_.CreateStore(b_.CreateLoad(vector, sums[i]), at(i64(static_cast<int64_t>(i))));
  auto* stored = newBlock("units.stored");
  countedLoop(
      i64(0), i64(vectors), 1, false, stored,
      [&](V* u) {
        V* unit = first(u);
        Vectors results(static_cast<size_t>(lanes_.width), llvm::Constant::getNullValue(vector));
        forUnits(
            units.value, units, {unit}, length, lanes,
            [&](size_t, size_t k) {
              return b_.CreateLoad(vector, at(b_.CreateAdd(b_.CreateMul(u, i64(lanes)),
                                                           i64(static_cast<int64_t>(k)))));
            },
            [&](size_t, size_t k, V* v) { results[k] = v; });
        vars_[static_cast<size_t>(units.unit)] = {Value{unit}};
        V* place = address(units.store->buffer, scalarValue(expr(units.index)));
        cache_.clear();
        const auto aligned = static_cast<uint64_t>(std::min<int64_t>({16, lanes_.width, length}));
        for (V* v : interleavedLanes(b_, results)) {
          b_.CreateAlignedStore(v, place, llvm::Align(4 * aligned));
          place = b_.CreateInBoundsGEP(vector, place, i64(1));
        }
      },
      false);
  b_.SetInsertPoint(stored);
}

// Whether lanes differ only where they may.
bool Emitter::emitsUnits(const UnitLoop& units) const {
  bool can = lanes_.width >= 4 && !lanes_.conditional && laneOwned(units.store->buffer) &&
             !isVarying(plan_, program_, units.index);
  for (const Stmt* loop : units.along)
    can &= !isVarying(plan_, program_, loop->lo) && !isVarying(plan_, program_, loop->hi);
  for (const UnitExpr* part : {&units.step, &units.value})
    for (const loops::Expr& load : part->loads) {
      const auto linear =
          linearIn(load->args[0], [&](loops::VarId var) { return var == units.unit; });
      can &= !bandsOf(load->buffer) && !isVarying(plan_, program_, load->args[0]) &&
             linear->coefficients.contains(units.unit) && linear->coefficients.at(units.unit) == 1;
    }
  return can;
}

bool Emitter::unitVectors(const Stmt& stmt) {
  if (!stmt.units) return false;
  const auto units = unitLoop(program_, stmt);
  if (!units || !emitsUnits(*units)) return false;
  int64_t lanes = lanes_.width;
  if (lanes_.mask != nullptr) {
    lanes = tripCount(*lanes_.loop).value_or(lanes + 1);
    if (lanes > lanes_.width) return false;
  }
  const int64_t trip = *tripCount(stmt), lo = *constantOf(stmt.lo);
  const int64_t length = unitsOfVector(vectorBytes_, trip);
  const int64_t vectors = (trip + length - 1) / length;
  // Beside the sums, a vector of what is loaded for the units, for each lane one number.
  const int64_t most = std::max<int64_t>(1, (vectorRegisters_ - 2) / (lanes + 1));
  const int64_t tiles = (vectors + most - 1) / most, height = (vectors + tiles - 1) / tiles;
  const int64_t whole = trip / length / height;
  auto* done = newBlock("units.end");
  countedLoop(
      i64(0), i64(whole * height), height, false, done,
      [&](V* tile) {
        const auto first = [&](V* u) {
          return b_.CreateAdd(b_.CreateMul(b_.CreateAdd(tile, u), i64(length)), i64(lo));
        };
        unitTile(*units, first, height, length, lanes);
      },
      false);
  b_.SetInsertPoint(done);
  if (whole * height == vectors) return true;
  // The last vector begins early enough to end with the last unit: some are computed once more.
  const auto first = [&](V* u) {
    V* unit = b_.CreateMul(b_.CreateAdd(u, i64(whole * height)), i64(length));
    return b_.CreateAdd(b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, unit, i64(trip - length)),
                        i64(lo));
  };
  unitTile(*units, first, vectors - whole * height, length, lanes);
  return true;
}

}  // namespace rlc::cpu
