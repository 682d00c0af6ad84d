// Contractions that the lanes of a warp compute together, with tiles in shared memory and sums in
// registers or on tensor cores (device/contraction.h):
//
// - outputs of each lane, such as a layer of a network: the weights are the same for all lanes.
//   Where factors may be rounded, tensor cores have several times the units' rate, and both factors
//   are loaded once for 16 products; otherwise jam.cpp does it, whose loads don't hold it up.
// - sums over lanes of a product of two factors, such as the gradient of such weights: a lane loads
//   each of its factors once for 16 products instead of for each, and all sums of a tile meet at
//   two barriers instead of each at its own tree of them.
#include <algorithm>

#include "jit/cpu/walk.h"
#include "jit/gpu/generator.h"
#include "jit/gpu/products.h"

namespace rlc::gpu {

namespace {

constexpr int64_t kWarp = 32;
constexpr int64_t kTile = 16;  // as the device's header has it
constexpr int64_t kFewestOutputs = 16, kFewestSummands = 16;
constexpr int64_t kFewestSums = 64;                       // of a tile that is worth its barriers
constexpr int64_t kTilesOfOutputs = 2, kTilesOfSums = 4;  // side by side, as registers allow

bool isPlainLoop(const Stmt& s) {
  return s.kind == Stmt::Kind::For && s.loop == Stmt::Loop::Sequential && !s.rootLoop && s.root < 0;
}

bool isCounted(const Stmt& s) {
  return isPlainLoop(s) && !s.descending && cpu::constantOf(s.lo) == 0 && cpu::tripCount(s);
}

bool isProductOf(const Expr& e) { return e->kind == ExprNode::Kind::Op && e->op == ScalarOp::Mul; }

std::string inRange(const std::string& at, int64_t count) {
  return count % kTile == 0 ? "" : at + " < " + std::to_string(count);
}

std::string both(const std::string& a, const std::string& b) {
  return a.empty() ? b : b.empty() ? a : a + " && " + b;
}

// `value` where the condition holds, else nothing to add.
std::string where(const std::string& condition, const std::string& value) {
  return condition.empty() ? value : condition + " ? " + value + " : 0.0f";
}

}  // namespace

// What adds up products of the type; empty: nothing does.
std::string Generator::tileArithmetic(DType type, bool rounded) const {
  if (type == DType::BF16) return options_.tensorCores ? "TensorBf16" : "";
  if (type != DType::F32) return "";
  if (options_.tensorCores && options_.roundFactors) return "Tf32";
  return rounded ? "" : "Registers";
}

// Whether all lanes have the same value, apart from the counters of the contraction's loops.
bool Generator::sameForLanes(const Expr& e, const std::set<BufferId>& written) const {
  bool same = true;
  cpu::forEachNode(e, [&](const ExprNode& node) {
    if (node.kind == ExprNode::Kind::Variable) same &= uniform_.count(node.var) != 0;
    if (node.kind == ExprNode::Kind::Random) same = false;
    if (node.kind != ExprNode::Kind::Load) return;
    same &= buffer(node.buffer).kind != Buffer::Kind::Private &&
            std::none_of(written.begin(), written.end(), [&](BufferId other) {
              return cpu::mayOverlap(program_, other, node.buffer);
            });
  });
  return same;
}

// for outputs { s = start; for summands: s += own * common; what is done with s }
std::optional<Generator::Tiled> Generator::matchLaneOutputs(
    const Stmt& loop, const std::set<BufferId>& written) const {
  if (!isCounted(loop) || loop.body.size() < 3 || *cpu::tripCount(loop) < kFewestOutputs ||
      jamWidth(loop) == 1)
    return std::nullopt;
  const Stmt &start = *loop.body[0], &along = *loop.body[1];
  if (start.kind != Stmt::Kind::Declare || !isCounted(along) ||
      *cpu::tripCount(along) < kFewestSummands || along.body.size() != 1 ||
      along.body.front()->kind != Stmt::Kind::Assign || along.body.front()->var != start.var)
    return std::nullopt;
  const auto factors = factorsOf(along.body.front()->value, start.var);
  if (!factors || std::any_of(loop.body.begin() + 2, loop.body.end(), [&](const auto& s) {
        return s->kind == Stmt::Kind::For || hasBarriers(*s);
      }))
    return std::nullopt;
  Tiled tiled;
  tiled.arithmetic = tileArithmetic(start.type, true);
  if (tiled.arithmetic.empty()) return std::nullopt;
  tiled.along = &along;
  for (size_t own : {0, 1}) {
    tiled.left = (*factors)[1 - own];
    tiled.right = (*factors)[own];
    if (sameForLanes(tiled.left, written) && !cpu::mentions(tiled.right, loop.var) &&
        cpu::mentions(tiled.left, loop.var) && cpu::mentions(tiled.left, along.var) &&
        cpu::mentions(tiled.right, along.var))
      return tiled;
  }
  return std::nullopt;
}

// for rows { for columns { s = 0; for ...: s += left * right; sum += s } }, or without s.
std::optional<Generator::Tiled> Generator::matchSums(const Stmt& rows) const {
  if (!isCounted(rows) || rows.body.size() != 1 || !isCounted(*rows.body.front()))
    return std::nullopt;
  const Stmt& columns = *rows.body.front();
  const Stmt& sum = *columns.body.back();
  if (sum.kind != Stmt::Kind::Accumulate || sum.combine != Combine::Sum ||
      *cpu::tripCount(rows) * *cpu::tripCount(columns) < kFewestSums)
    return std::nullopt;
  Tiled tiled;
  tiled.columns = &columns;
  tiled.sum = &sum;
  tiled.arithmetic = tileArithmetic(buffer(sum.buffer).type, false);
  std::optional<std::array<Expr, 2>> factors;
  if (columns.body.size() == 1 && isProductOf(sum.value)) {
    factors = {sum.value->args[0], sum.value->args[1]};
  } else if (columns.body.size() == 3) {
    const Stmt &start = *columns.body[0], &along = *columns.body[1];
    const bool starts = start.kind == Stmt::Kind::Declare &&
                        start.value->kind == ExprNode::Kind::Literal &&
                        start.value->literal.f == 0 && start.type == buffer(sum.buffer).type;
    if (!starts || !isPlainLoop(along) || !uniform(along.lo) || !uniform(along.hi) ||
        cpu::mentions(along.lo, rows.var) || cpu::mentions(along.hi, rows.var) ||
        cpu::mentions(along.lo, columns.var) || cpu::mentions(along.hi, columns.var) ||
        along.body.size() != 1 || along.body.front()->kind != Stmt::Kind::Assign ||
        along.body.front()->var != start.var || sum.value->kind != ExprNode::Kind::Variable ||
        sum.value->var != start.var)
      return std::nullopt;
    factors = factorsOf(along.body.front()->value, start.var);
    tiled.along = &along;
  }
  if (!factors || tiled.arithmetic.empty()) return std::nullopt;
  for (const Expr& factor : *factors) {
    bool pure = factor->type == buffer(sum.buffer).type;
    cpu::forEachNode(factor, [&](const ExprNode& node) {
      pure &= node.kind != ExprNode::Kind::Random &&
              (node.buffer < 0 || !cpu::mayOverlap(program_, node.buffer, sum.buffer));
    });
    if (!pure) return std::nullopt;
  }
  for (size_t left : {0, 1}) {
    tiled.left = (*factors)[left];
    tiled.right = (*factors)[1 - left];
    if (!cpu::mentions(tiled.left, columns.var) && !cpu::mentions(tiled.right, rows.var))
      return tiled;
  }
  return std::nullopt;
}

// Those of which the threads have parts.
std::optional<Generator::Tiled> Generator::matchLaneSums(const Stmt& rows) const {
  auto tiled = matchSums(rows);
  if (!tiled) return std::nullopt;
  const auto kind = sums_.find(tiled->sum);
  if (kind == sums_.end() || kind->second != Sum::Block) return std::nullopt;
  return tiled;
}

// Whether tensor cores add up what the loop's lanes add to the elements of these axes.
bool Generator::onTensorCores(const Stmt& lanes, const std::vector<const Stmt*>& axes) const {
  if (axes.size() < 2 || std::min(options_.threads, options_.teamThreads) % kWarp != 0 ||
      mostIterations(lanes).value_or(kWarp) < kWarp)
    return false;
  const auto tiled = matchSums(*axes[axes.size() - 2]);
  return tiled && tiled->arithmetic != "Registers";
}

// The contractions of a loop over lanes that warps of `threads` threads in all compute together.
// Sums over threads have been chosen.
void Generator::chooseTiled(const Stmt& lanes, int threads) {
  tiled_.clear();
  if (threads % kWarp != 0) return;
  Touched touched;
  for (const auto& stmt : lanes.body) touched.add(*stmt);
  const std::function<void(const Block&)> walk = [&](const Block& block) {
    for (const auto& stmt : block) {
      if (stmt->kind == Stmt::Kind::If) {
        walk(stmt->body);
        walk(stmt->otherwise);
      }
      if (stmt->kind != Stmt::Kind::For || stmt->loop != Stmt::Loop::Sequential) continue;
      auto tiled = matchLaneSums(*stmt);
      if (!tiled) tiled = matchLaneOutputs(*stmt, touched.written);
      if (tiled)
        tiled_[stmt.get()] = std::move(*tiled);
      else
        walk(stmt->body);
    }
  };
  walk(lanes.body);
}

// A factor with its counters at `at`; nothing of it is computed beforehand.
std::string Generator::factorText(const Expr& e, const std::map<VarId, std::string>& at) {
  uses_.clear();
  shared_names_.clear();
  const auto outer = partial_;
  for (const auto& [var, text] : at) partial_[var] = text;
  const std::string text = expr(e);
  partial_ = outer;
  return text;
}

void Generator::writeTiled(const Stmt& loop) {
  const Tiled& tiled = tiled_.at(&loop);
  comment(tiled.sum ? *tiled.sum : *loop.body.front());
  open("");
  line("WarpTile& tile = tiles[threadIdx.x / kWarp];");
  if (tiled.sum)
    writeLaneSums(loop, tiled);
  else
    writeLaneOutputs(loop, tiled);
  close();
}

void Generator::writeLaneOutputs(const Stmt& loop, const Tiled& tiled) {
  const int64_t outputs = *cpu::tripCount(loop), summands = *cpu::tripCount(*tiled.along);
  const int64_t tiles = std::min(kTilesOfOutputs, (outputs + kTile - 1) / kTile);
  const std::string first = fresh("output"), from = fresh("summand"), sums = fresh("sums"),
                    count = std::to_string(tiles), output = first + " + 16 * m + ";
  const VarId j = loop.var, k = tiled.along->var;
  line("#pragma unroll 1");
  open("for (int " + first + " = 0; " + first + " < " + std::to_string(outputs) + "; " + first +
       " += " + std::to_string(kTile * tiles) + ")");
  line("LaneOutputs<" + tiled.arithmetic + "> " + sums + "[" + count + "];");
  line("#pragma unroll 1");
  open("for (int " + from + " = 0; " + from + " < " + std::to_string(summands) + "; " + from +
       " += 16)");
  line("#pragma unroll 4");
  line("for (int r = 0; r < 16; ++r) tile.right[r][laneOf()] = " +
       where(both(maskText(), inRange(from + " + r", summands)),
             factorText(tiled.right, {{k, "(" + from + " + r)"}})) +
       ";");
  line("#pragma unroll");
  open("for (int m = 0; m < " + count + "; ++m)");
  line("#pragma unroll 2");
  line(
      "for (int e = laneOf(); e < 256; e += kWarp) tile.left[e / 16][e % 16] = " +
      where(
          both(outputs % (kTile * tiles) == 0 ? "" : output + "e / 16 < " + std::to_string(outputs),
               inRange(from + " + e % 16", summands)),
          factorText(tiled.left, {{j, "(" + output + "e / 16)"}, {k, "(" + from + " + e % 16)"}})) +
      ";");
  line("__syncwarp();");
  line(sums + "[m].add(tile);");
  line("__syncwarp();");
  close();
  close();
  // What is done with the outputs, of each lane by itself.
  line("#pragma unroll");
  open("for (int m = 0; m < " + count + "; ++m)");
  line(sums + "[m].put(tile.left);");
  line("__syncwarp();");
  open("if (" + maskText() + ")");
  const std::string last =
      outputs % (kTile * tiles) == 0 ? "" : " && " + output + "r < " + std::to_string(outputs);
  line("#pragma unroll 2");
  open("for (int r = 0; r < 16" + last + "; ++r)");
  line("const " + counterType(j) + " " + variableName(j) + " = " + output + "r;");
  const Stmt& start = *loop.body[0];
  beginStatement(start);
  line(localType(start) + " " + variableName(start.var) + " = " +
       combineName(Combine::Sum, start.type) + "::of(" + expr(start.value) +
       ", tile.left[r][laneOf()]);");
  for (auto s = loop.body.begin() + 2; s != loop.body.end(); ++s) plain(**s);
  close();
  close();
  line("__syncwarp();");
  close();
  close();
}

void Generator::writeLaneSums(const Stmt& rows, const Tiled& tiled) {
  barriers_ = true;
  const Stmt& columns = *tiled.columns;
  const int64_t m = *cpu::tripCount(rows), n = *cpu::tripCount(columns);
  const int64_t tiles = std::min(kTilesOfSums, (n + kTile - 1) / kTile);
  const std::string row = fresh("row"), column = fresh("column"), sums = fresh("sums"),
                    at = column + " + 16 * q + ";
  const auto within = [&](const std::string& place) {
    return n % (kTile * tiles) == 0 ? "" : at + place + " < " + std::to_string(n);
  };
  line("#pragma unroll 1");
  open("for (int " + row + " = 0; " + row + " < " + std::to_string(m) + "; " + row + " += 16)");
  line("#pragma unroll 1");
  open("for (int " + column + " = 0; " + column + " < " + std::to_string(n) + "; " + column +
       " += " + std::to_string(kTile * tiles) + ")");
  line("LaneSums<" + tiled.arithmetic + "> " + sums + "[" + std::to_string(tiles) + "];");
  if (tiled.along) {
    uses_.clear();
    shared_names_.clear();
    line("#pragma unroll 1");
    openCount(*tiled.along, expr(tiled.along->lo), expr(tiled.along->hi));
  }
  line("#pragma unroll 4");
  line("for (int r = 0; r < 16; ++r) tile.left[r][laneOf()] = " +
       where(both(maskText(), inRange(row + " + r", m)),
             factorText(tiled.left, {{rows.var, "(" + row + " + r)"}})) +
       ";");
  line("#pragma unroll");
  open("for (int q = 0; q < " + std::to_string(tiles) + "; ++q)");
  line("#pragma unroll 4");
  line("for (int r = 0; r < 16; ++r) tile.right[r][laneOf()] = " +
       where(both(maskText(), within("r")),
             factorText(tiled.right, {{columns.var, "(" + at + "r)"}})) +
       ";");
  line("__syncwarp();");
  line(sums + "[q].add(tile);");
  line("__syncwarp();");
  close();
  if (tiled.along) close();
  // All warps' sums, each by one thread.
  line("#pragma unroll");
  open("for (int q = 0; q < " + std::to_string(tiles) + "; ++q)");
  line(sums + "[q].put(tile.left);");
  line("__syncthreads();");
  line("#pragma unroll 1");
  open("for (int e = threadIdx.x; e < 256; e += blockDim.x)");
  line("const " + counterType(rows.var) + " " + variableName(rows.var) + " = " + row +
       " + e / 16;");
  line("const " + counterType(columns.var) + " " + variableName(columns.var) + " = " + at +
       "e % 16;");
  const std::string inside = both(inRange(variableName(rows.var), m), within("e % 16"));
  if (!inside.empty()) line("if (!(" + inside + ")) continue;");
  uses_.clear();
  shared_names_.clear();
  writeAccumulate(*tiled.sum, "acrossWarps(tiles, e / 16, e % 16)");
  close();
  line("__syncthreads();");
  close();
  close();
  close();
}

}  // namespace rlc::gpu
