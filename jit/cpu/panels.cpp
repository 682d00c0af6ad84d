#include "jit/cpu/panels.h"

#include <algorithm>
#include <map>
#include <set>

#include "jit/cpu/cache_line.h"
#include "jit/cpu/rewrite.h"
#include "jit/cpu/rows.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

constexpr int64_t kFewestPanelRows = 16;      // that a panel is packed for
constexpr int64_t kFewestPanelSteps = 16;     // of a sum
constexpr int64_t kUnpackedBytes = 32 << 10;  // of a factor that needs no packing
constexpr int64_t kPanelBytes = 2 << 20;      // of panels: what a thread has for them
constexpr int64_t kFewestAsked = 512 << 10;   // of a matrix whose rows are asked for ahead
constexpr int64_t kBlockRows = 128;  // the fewest that a panel is packed for once more, so that
constexpr int64_t kPanelParts = 16;  // there are so many parts for threads

class Paneler {
 public:
  Paneler(Program& program, const TileOptions& options) : program_(program), options_(options) {}

  void visit(Block& block) {
    for (size_t i = 0; i < block.size(); ++i) {
      Stmt& stmt = *block[i];
      if (stmt.kind == Stmt::Kind::For && stmt.loop == Stmt::Loop::Lanes) continue;
      Block panels = panelsOf(stmt);
      if (panels.empty()) {
        visit(stmt.body);
        visit(stmt.otherwise);
      } else {
        i = putInPlace(block, i, std::move(panels));
      }
    }
  }

 private:
  // What a nest's rows all read: `load`, of step `along` in lane `lane`.
  struct Factor {
    const Stmt* along = nullptr;
    Expr load;
    int64_t step = 0, stride = 0;  // elements from one step, one lane to the next
    BufferId panel = -1;
  };
  struct Nest {
    const Stmt* rows = nullptr;  // the outermost of the loops over them
    const Stmt* lanes = nullptr;
    int64_t columns = 0;
    std::set<VarId> defined;
    std::vector<Factor> factors;
  };

  // The loops over panels, none where they do not pay.
  Block panelsOf(const Stmt& rows) {
    Nest nest;
    if (!matches(rows, nest)) return {};
    for (const StmtPtr& stmt : nest.lanes->body)
      if (stmt->kind == Stmt::Kind::For) findFactors(*stmt, nest);
    int64_t bytes = 0;
    for (const Factor& factor : nest.factors) bytes += bytesOf(factor, options_.width);
    if (nest.factors.empty() || bytes > kPanelBytes) return {};

    const int64_t width = options_.width, whole = nest.columns / width, rest = nest.columns % width;
    Block result;
    append(result, panels(nest, nest.lanes->lo, whole, width));
    append(result, panels(nest, nest.lanes->lo + loops::index(whole * width), 1, rest));
    result.front()->root = rows.root;
    for (const StmtPtr& part : result) part->region = rows.region;
    return result;
  }

  bool matches(const Stmt& rows, Nest& nest) const {
    const Stmt* inner = &rows;
    int64_t count = 1;
    while (inner->kind == Stmt::Kind::For && inner->loop == Stmt::Loop::Sequential) {
      if (!inner->elements || inner->descending || inner->body.size() != 1) return false;
      count *= tripCount(*inner).value_or(0);
      nest.defined.insert(inner->var);
      inner = inner->body.front().get();
    }
    const Stmt& lanes = *inner;
    if (count < kFewestPanelRows || lanes.kind != Stmt::Kind::For ||
        lanes.loop != Stmt::Loop::Lanes || lanes.descending || !lanes.reductions.empty())
      return false;
    const auto columns = tripCount(lanes);
    if (!columns || *columns < options_.width ||
        mentionsAny(lanes.lo, [&](VarId var) { return nest.defined.contains(var); }))
      return false;
    nest.rows = &rows;
    nest.lanes = &lanes;
    nest.columns = *columns;
    nest.defined.insert(lanes.var);
    bool plain = true;
    forEachStmt(lanes.body, [&](const Stmt& stmt) {
      if (binds(stmt) || stmt.kind == Stmt::Kind::For) nest.defined.insert(stmt.var);
      plain &= binds(stmt) || stmt.kind == Stmt::Kind::For || stmt.kind == Stmt::Kind::Store;
      if (stmt.kind == Stmt::Kind::Store) plain &= isNear(stmt.buffer);
      forEachExpr(stmt, [&](const Expr& e) {
        forEachNode(e, [&](const ExprNode& node) {
          if (node.kind == ExprNode::Kind::Load) plain &= isNear(node.buffer);
        });
      });
    });
    return plain;
  }

  // Storage of the program itself, in memory.
  bool isNear(BufferId id) const {
    const Buffer& buffer = bufferAt(id);
    return !isPlaced(buffer) && !isInFile(program_, buffer);
  }

  void findFactors(const Stmt& along, Nest& nest) const {
    const auto steps = tripCount(along);
    const auto inside = [&](VarId var) { return nest.defined.contains(var); };
    if (along.loop != Stmt::Loop::Sequential || along.descending || along.body.size() != 1 ||
        along.body.front()->kind != Stmt::Kind::Assign || steps.value_or(0) < kFewestPanelSteps ||
        mentionsAny(along.lo, inside))
      return;
    forEachLoad(along.body.front()->value, [&](const Expr& load) {
      const auto linear = linearIn(load->args[0], inside);
      if (!linear) return;
      Factor factor{&along, load};
      for (const auto& [var, coefficient] : linear->coefficients) {
        if (coefficient == 0) continue;
        if (var == along.var)
          factor.step = coefficient;
        else if (var == nest.lanes->var)
          factor.stride = coefficient;
        else
          return;
      }
      if (factor.step == 0 || factor.stride == 0) return;
      if (factor.stride == 1 && bytesOf(factor, nest.columns) <= kUnpackedBytes) return;
      nest.factors.push_back(factor);
    });
  }

  static void forEachLoad(const Expr& e, const std::function<void(const Expr&)>& visit) {
    if (e->kind == ExprNode::Kind::Load) return visit(e);
    for (const Expr& arg : e->args) forEachLoad(arg, visit);
  }

  static int64_t bytesOf(const Factor& factor, int64_t columns) {
    return *tripCount(*factor.along) * columns * static_cast<int64_t>(byteSize(factor.load->type));
  }

  BufferId panelFor(const Factor& factor, int64_t width) {
    Buffer buffer;
    buffer.name = "panel";
    buffer.kind = Buffer::Kind::Thread;
    buffer.type = factor.load->type;
    buffer.elements = *tripCount(*factor.along) * width;
    const auto id = static_cast<BufferId>(program_.buffers.size());
    program_.buffers.push_back(std::move(buffer));
    return id;
  }

  // ---- a panel ----------------------------------------------------------------------------------

  // `count` panels of `width` columns each, from `first` on; the rows in blocks, where the panels
  // alone are too few for many threads.
  Block panels(Nest& nest, const Expr& first, int64_t count, int64_t width) {
    if (count == 0 || width == 0) return {};
    for (Factor& factor : nest.factors) factor.panel = panelFor(factor, width);
    const int64_t rows = tripCount(*nest.rows).value_or(1), blocks = blocksOf(rows, count);
    StmtPtr parts =
        loop(*nest.rows, loops::index(0), loops::index(count * blocks), Stmt::Loop::Sequential);
    parts->elements = true;
    parts->comment = "panels";
    const Expr part = loops::variable(parts->var, DType::I64);
    const auto of = [&](ScalarOp op) {
      auto let = std::make_unique<Stmt>();
      let->kind = Stmt::Kind::Let;
      let->span = nest.rows->span;
      let->var = program_.variables++;
      let->type = DType::I64;
      let->value = loops::op(op, {part, loops::index(count)});
      parts->body.push_back(std::move(let));
      return loops::variable(parts->body.back()->var, DType::I64);
    };
    const Expr panel = blocks == 1 ? part : of(ScalarOp::Mod);
    const Expr block = blocks == 1 ? loops::index(0) : of(ScalarOp::FloorDiv);
    const int64_t inBlock = rows / blocks;
    append(parts->body, columns(nest, first + panel * loops::index(width), width));
    if (blocks > 1) {
      Stmt& own = *parts->body.back();
      own.lo = own.lo + block * loops::index(inBlock);
      own.hi = own.lo + loops::index(inBlock);
    }
    Block result;
    result.push_back(std::move(parts));
    return result;
  }

  // How many blocks of equal length.
  static int64_t blocksOf(int64_t rows, int64_t panels) {
    int64_t blocks = std::max<int64_t>(1, std::min(rows / kBlockRows, kPanelParts / panels));
    while (rows % blocks != 0) --blocks;
    return blocks;
  }

  // Columns first..first + width of all rows, behind the packing of their panels.
  Block columns(const Nest& nest, const Expr& first, int64_t width) {
    Block result;
    for (const Factor& factor : nest.factors) append(result, pack(nest, factor, first, width));
    Renaming renaming;
    result.push_back(copyStmt(*nest.rows, renaming, program_.variables));
    result.back()->root = result.back()->region = -1;
    Stmt* lanes = result.back().get();
    while (lanes->loop != Stmt::Loop::Lanes) lanes = lanes->body.front().get();
    lanes->lo = first;
    lanes->hi = first + loops::index(width);
    const Expr column = loops::variable(lanes->var, DType::I64) - first;
    for (size_t i = 0; i < lanes->body.size(); ++i)
      readPanels(nest, *nest.lanes->body[i], *lanes->body[i], column, width);
    if (StmtPtr asks = askFor(*lanes, width))
      lanes->body.insert(lanes->body.begin(), std::move(asks));
    return result;
  }

  // What a row reads and writes beside its sums, asked for before them: rows of a large matrix are
  // pages apart, where no processor's own prefetching finds them. None where there is nothing.
  StmtPtr askFor(const Stmt& lanes, int64_t width) const {
    std::set<VarId> bound;
    forEachStmt(lanes.body, [&](const Stmt& stmt) { bound.insert(stmt.var); });
    StmtPtr asks = makeStmt(lanes, Stmt::Kind::Call);
    asks->function = Stmt::Function::Prefetch;
    const auto add = [&](BufferId id, const Expr& index) {
      const Buffer& buffer = bufferAt(id);
      if (buffer.kind != Buffer::Kind::Arena || cpu::bytesOf(buffer) < kFewestAsked ||
          stepOf(index, lanes.var) != 1 ||
          mentionsAny(index, [&](VarId var) { return bound.contains(var); }))
        return;
      const int64_t line = kLineBytes / static_cast<int64_t>(byteSize(buffer.type));
      for (int64_t column = 0; column < width + line - 1; column += line) {
        Renaming at;
        at.replace(lanes.var, lanes.lo + loops::index(std::min(column, width - 1)));
        asks->places.push_back({id, at(index)});
      }
    };
    for (const StmtPtr& stmt : lanes.body) {
      if (stmt->kind == Stmt::Kind::For) continue;
      forEachExpr(*stmt, [&](const Expr& e) {
        forEachLoad(e, [&](const Expr& load) { add(load->buffer, load->args[0]); });
      });
      if (stmt->kind == Stmt::Kind::Store) add(stmt->buffer, stmt->index);
    }
    return asks->places.empty() ? nullptr : std::move(asks);
  }

  // panel[k, j] = load, for all steps k: a row of a lane's steps at a time, where these are
  // neighbours.
  Block pack(const Nest& nest, const Factor& factor, const Expr& first, int64_t width) {
    const int64_t steps = *tripCount(*factor.along);
    const bool rows = factor.step == 1 && factor.stride != 1;
    const int64_t length = rows ? kLongestRow : 1, whole = steps / length;
    Block result;
    StmtPtr outer = loop(*nest.rows, loops::index(0), loops::index(whole), Stmt::Loop::Sequential);
    const Expr start = loops::variable(outer->var, DType::I64) * loops::index(length);
    append(outer->body, packed(nest, factor, first, width, start, length));
    result.push_back(std::move(outer));
    if (steps % length > 0)
      append(result,
             packed(nest, factor, first, width, loops::index(whole * length), steps % length));
    return result;
  }

  // lanes j of the panel: for k in start..start + length: panel[k, j] = load
  Block packed(const Nest& nest, const Factor& factor, const Expr& first, int64_t width,
               const Expr& start, int64_t length) {
    StmtPtr lanes = loop(*nest.rows, loops::index(0), loops::index(width), Stmt::Loop::Lanes);
    StmtPtr steps = loop(*nest.rows, loops::index(0), loops::index(length), Stmt::Loop::Sequential);
    const Expr column = loops::variable(lanes->var, DType::I64),
               step = start + loops::variable(steps->var, DType::I64);
    Renaming at;
    at.replace(nest.lanes->var, first + column);
    at.replace(factor.along->var, factor.along->lo + step);
    auto store = std::make_unique<Stmt>();
    store->kind = Stmt::Kind::Store;
    store->span = nest.rows->span;
    store->buffer = factor.panel;
    store->index = step * loops::index(width) + column;
    store->value = at(factor.load);
    steps->body.push_back(std::move(store));
    lanes->body.push_back(std::move(steps));
    Block result;
    result.push_back(std::move(lanes));
    return result;
  }

  // In `copy` of the loop `along`: what the panels have read for it.
  static void readPanels(const Nest& nest, const Stmt& along, Stmt& copy, const Expr& column,
                         int64_t width) {
    std::map<Expr, Expr> values;
    for (const Factor& factor : nest.factors) {
      if (factor.along != &along) continue;
      const Expr step = loops::variable(copy.var, DType::I64) - copy.lo;
      values[factor.load] =
          loops::load(factor.panel, factor.load->type, step * loops::index(width) + column);
    }
    if (values.empty()) return;
    Expr& sum = copy.body.front()->value;
    sum = replaced(along.body.front()->value, sum, values);
  }

  // `copy`, alike `e`, with other values in some places.
  static Expr replaced(const Expr& e, const Expr& copy, const std::map<Expr, Expr>& values) {
    if (const auto found = values.find(e); found != values.end()) return found->second;
    auto node = std::make_shared<ExprNode>(*copy);
    for (size_t i = 0; i < e->args.size(); ++i)
      node->args[i] = replaced(e->args[i], copy->args[i], values);
    return node;
  }

  StmtPtr loop(const Stmt& like, Expr lo, Expr hi, Stmt::Loop kind) {
    StmtPtr result = makeLoop(like, kind, program_.variables++, std::move(lo), std::move(hi));
    result->comment = "pack";
    return result;
  }

  const Buffer& bufferAt(BufferId id) const { return program_.buffers[static_cast<size_t>(id)]; }

  Program& program_;
  const TileOptions& options_;
};

}  // namespace

void packPanels(Program& program, const TileOptions& options) {
  if (!program.scratchInFile) Paneler(program, options).visit(program.body);
}

}  // namespace rlc::cpu
