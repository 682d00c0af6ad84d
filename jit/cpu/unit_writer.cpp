#include "jit/cpu/unit_writer.h"

#include "jit/cpu/outer.h"
#include "jit/cpu/rows.h"

namespace rlc::cpu {

namespace {

StmtPtr storeTo(BufferId buffer, const Expr& index, const Expr& value, const Stmt& like) {
  StmtPtr result = makeStmt(like, Stmt::Kind::Store);
  result->buffer = buffer;
  result->index = index;
  result->value = value;
  return result;
}

}  // namespace

UnitWriter::UnitWriter(Program& program, const TileOptions& options, const UnitPieces& of,
                       const Expr& first, int64_t count, UnitPacks& packs)
    : program_(program), options_(options), of_(of), first_(first), count_(count), packs_(packs) {
  for (const BufferId id : of.shared()) {
    const Buffer& from = program_.buffers[static_cast<size_t>(id)];
    arrays_[id] = newBuffer(from.name, from.type, from.elements);
  }
  for (const auto& [var, type] : of.crossing()) values_[var] = newBuffer("values", type, 1);
  for (const UnitPiece& piece : of.pieces())
    if (piece.dot != nullptr)
      dots_[piece.dot] = {
          newBuffer("sums", DType::F32, piece.rows == nullptr ? 1 : *tripCount(*piece.rows)),
          piece.rows};
}

Block UnitWriter::write() {
  Block result;
  for (piece_ = 0; piece_ < of_.pieces().size(); ++piece_) {
    const UnitPiece& piece = of_.pieces()[piece_];
    done_.clear();
    if (piece.dot != nullptr)
      append(result, dot(piece));
    else
      result.push_back(piece.units == nullptr ? bySamples(piece)
                       : piece.sum != nullptr ? sum(piece)
                                              : byUnits(piece));
  }
  return result;
}

BufferId UnitWriter::newBuffer(const std::string& name, DType type, int64_t elements) {
  Buffer buffer;
  buffer.name = name;
  buffer.kind = Buffer::Kind::Thread;
  buffer.type = type;
  buffer.elements = elements * count_;
  program_.buffers.push_back(std::move(buffer));
  return static_cast<BufferId>(program_.buffers.size() - 1);
}

StmtPtr UnitWriter::samplesLoop(const Stmt& like, Stmt::Loop kind) {
  StmtPtr loop = makeLoop(like, kind, program_.variables++, loops::index(0), loops::index(count_));
  sample_ = at(loop->var);
  done_.clear();
  return loop;
}

// ---- samples for lanes --------------------------------------------------------------------------

StmtPtr UnitWriter::bySamples(const UnitPiece& piece) {
  StmtPtr lanes = samplesLoop(of_.lanes(), Stmt::Loop::Lanes);
  lanes->comment = of_.lanes().comment;
  std::set<BufferId> adds;
  of_.forEachStatement(piece, [&](const Stmt& stmt) {
    if (stmt.kind == Stmt::Kind::Accumulate) adds.insert(stmt.buffer);
  });
  for (const Stmt::Reduction& reduction : of_.lanes().reductions)
    if (adds.contains(reduction.buffer)) lanes->reductions.push_back(reduction);
  for (const Stmt* stmt : piece.statements) append(lanes->body, written(*stmt));
  for (const auto& [var, buffer] : values_)
    if (of_.homeOf(var) == piece_)
      lanes->body.push_back(
          storeTo(buffer, sample_, loops::variable(var, of_.crossing().at(var)), of_.lanes()));
  return lanes;
}

Block UnitWriter::written(const Block& block) {
  Block result;
  for (const StmtPtr& stmt : block) append(result, written(*stmt));
  return result;
}

// In rows where it goes along elements that lie side by side.
Block UnitWriter::written(const Stmt& stmt) {
  Block result;
  if (of_.isDotLoop(stmt)) return result;
  if (stmt.kind == Stmt::Kind::For && goesAlongUnits(stmt)) {
    const int64_t trip = *tripCount(stmt), rest = trip % kLongestRow;
    StmtPtr rows = makeLoop(stmt, Stmt::Loop::Sequential, program_.variables++, loops::index(0),
                            loops::index(trip / kLongestRow));
    append(rows->body,
           stretch(stmt, stmt.lo + at(rows->var) * loops::index(kLongestRow), kLongestRow));
    result.push_back(std::move(rows));
    if (rest != 0) append(result, stretch(stmt, stmt.lo + loops::index(trip - rest), rest));
    return result;
  }
  Renaming same;
  StmtPtr copy = copyHead(stmt, same);
  translate(*copy);
  if (const auto dot = dots_.find(&stmt); dot != dots_.end())
    copy->value = copy->value + loops::load(dot->second.buffer, DType::F32, place(dot->second));
  copy->body = written(stmt.body);
  copy->otherwise = written(stmt.otherwise);
  result.push_back(std::move(copy));
  return result;
}

// The loop's iterations from `first` on, `length` of them.
Block UnitWriter::stretch(const Stmt& loop, const Expr& first, int64_t length) {
  StmtPtr part = makeLoop(loop, Stmt::Loop::Sequential, program_.variables++, loops::index(0),
                          loops::index(length));
  part->elements = loop.elements;
  Renaming shifted;
  shifted.replace(loop.var, first + at(part->var));
  for (const StmtPtr& stmt : loop.body) {
    copies_.push_back(copyStmt(*stmt, shifted, program_.variables));
    append(part->body, written(*copies_.back()));
  }
  Block result;
  result.push_back(std::move(part));
  return result;
}

bool UnitWriter::goesAlongUnits(const Stmt& loop) const {
  if (loop.loop != Stmt::Loop::Sequential || loop.descending || !constantOf(loop.lo) ||
      tripCount(loop).value_or(0) <= kLongestRow)
    return false;
  bool along = false;
  forEachStmt(loop.body, [&](const Stmt& stmt) {
    forEachExpr(stmt, [&](const Expr& e) {
      forEachNode(e, [&](const ExprNode& node) {
        along |= node.kind == ExprNode::Kind::Load && of_.isByUnits(node.buffer) &&
                 stepOf(node.args[0], loop.var) == 1;
      });
    });
  });
  return along;
}

// ---- units for lanes ----------------------------------------------------------------------------

StmtPtr UnitWriter::unitLanes(const Stmt& loop) const {
  Renaming same;
  StmtPtr lanes = copyHead(loop, same);
  lanes->loop = Stmt::Loop::Lanes;
  lanes->elements = false;
  lanes->wide = options_.wideBlocks && *tripCount(loop) % (2 * options_.width) == 0;
  return lanes;
}

StmtPtr UnitWriter::byUnits(const UnitPiece& piece) {
  StmtPtr lanes = unitLanes(*piece.units);
  StmtPtr each = samplesLoop(*piece.units, Stmt::Loop::Sequential);
  each->elements = true;
  along_.clear();
  each->body = writtenForUnits(piece.units->body);
  lanes->body.push_back(std::move(each));
  return lanes;
}

Block UnitWriter::writtenForUnits(const Block& block) {
  Block result;
  for (const StmtPtr& stmt : block) {
    Renaming same;
    StmtPtr copy = copyHead(*stmt, same);
    done_.clear();  // what is packed depends on the loops around
    translate(*copy);
    if (stmt->kind == Stmt::Kind::For) {
      along_.push_back(stmt.get());
      copy->body = writtenForUnits(stmt->body);
      along_.pop_back();
    }
    result.push_back(std::move(copy));
  }
  return result;
}

// acc = G[...]; for i: acc = fma(a, b, acc); G[...] = acc
StmtPtr UnitWriter::sum(const UnitPiece& piece) {
  StmtPtr lanes = unitLanes(*piece.units);
  Block* inside = &lanes->body;
  if (piece.rows != nullptr) {
    Renaming same;
    inside->push_back(copyHead(*piece.rows, same));
    inside = &inside->back()->body;
  }
  const Stmt& like = *piece.sum;
  StmtPtr declare = makeStmt(like, Stmt::Kind::Declare), add = makeStmt(like, Stmt::Kind::Assign);
  declare->var = add->var = program_.variables++;
  declare->value = loops::load(like.buffer, DType::F32, piece.index);
  const Expr total = loops::variable(add->var, DType::F32);
  StmtPtr each = samplesLoop(like, Stmt::Loop::Sequential);
  std::vector<Expr> factors;
  collectFactors(translated(piece.value), factors);
  const Expr last = factors.back();
  factors.pop_back();
  add->value = factors.empty() ? total + last : loops::fma(product(factors), last, total);
  each->body.push_back(std::move(add));
  inside->push_back(std::move(declare));
  inside->push_back(std::move(each));
  inside->push_back(storeTo(like.buffer, piece.index, total, like));
  return lanes;
}

// lanes i: sums[i] = 0; lanes k: for i: sums[i] += a[i, k] * b[k]
Block UnitWriter::dot(const UnitPiece& piece) {
  const Dot& dot = dots_.at(piece.dot);
  const Stmt& like = *piece.units;
  Block both;
  both.push_back(samplesLoop(like, Stmt::Loop::Lanes));
  both.back()->body.push_back(
      storeTo(dot.buffer, place(dot), loops::literal(Scalar::ofFloat(DType::F32, 0)), like));
  both.push_back(unitLanes(like));
  both.back()->reductions.push_back({dot.buffer, -1, loops::Combine::Sum});
  StmtPtr each = samplesLoop(like, Stmt::Loop::Sequential);
  each->elements = true;
  StmtPtr add = makeStmt(like, Stmt::Kind::Accumulate);
  add->buffer = dot.buffer;
  add->index = place(dot);
  add->value = translated(piece.value);
  each->body.push_back(std::move(add));
  both.back()->body.push_back(std::move(each));
  if (piece.rows == nullptr) return both;
  Renaming same;
  Block result;
  result.push_back(copyHead(*piece.rows, same));
  result.back()->elements = false;
  result.back()->body = std::move(both);
  return result;
}

// ---- expressions --------------------------------------------------------------------------------

void UnitWriter::translate(Stmt& stmt) {
  for (Expr* e : {&stmt.lo, &stmt.hi, &stmt.value, &stmt.index}) *e = translated(*e);
  for (Expr& e : stmt.args) e = translated(e);
  if (const auto array = arrays_.find(stmt.buffer); array != arrays_.end()) {
    stmt.index = place(stmt.buffer, stmt.index);
    stmt.buffer = array->second;
  }
}

// Where the sample's element is.
Expr UnitWriter::place(BufferId id, const Expr& index) const {
  const int64_t elements = program_.buffers[static_cast<size_t>(id)].elements;
  return of_.isByUnits(id) ? sample_ * loops::index(elements) + index
                           : index * loops::index(count_) + sample_;
}

// Where its sum over units is.
Expr UnitWriter::place(const Dot& dot) const {
  return dot.rows == nullptr ? sample_
                             : (at(dot.rows->var) - dot.rows->lo) * loops::index(count_) + sample_;
}

Expr UnitWriter::translated(const Expr& e) { return e ? changed(of_.inlined(e)) : e; }

Expr UnitWriter::changed(const Expr& e) {
  if (e->kind == ExprNode::Kind::Literal) return e;
  if (e->kind == ExprNode::Kind::Variable) {
    if (e->var == of_.lanes().var) return first_ + sample_;
    const auto value = values_.find(e->var);
    return value == values_.end() || of_.homeOf(e->var) == piece_
               ? e
               : loops::load(value->second, e->type, sample_);
  }
  if (const auto found = done_.find(e.get()); found != done_.end()) return found->second;
  return done_[e.get()] = rebuilt(e);
}

Expr UnitWriter::rebuilt(const Expr& e) {
  if (isPacked(e)) {
    std::vector<const Stmt*> around = along_;
    around.push_back(of_.pieces()[piece_].units);
    return packs_.packed(e, around);
  }
  if (const auto array = arrays_.find(e->buffer); array != arrays_.end())
    return loops::load(array->second, e->type, place(e->buffer, changed(e->args[0])));
  std::vector<Expr> args;
  for (const Expr& arg : e->args) args.push_back(changed(arg));
  if (args == e->args) return e;
  if (e->kind == ExprNode::Kind::Op && e->type == DType::I64 && e->op != ScalarOp::Cast)
    return loops::op(e->op, std::move(args));
  auto node = std::make_shared<ExprNode>(*e);
  node->args = std::move(args);
  return node;
}

bool UnitWriter::isPacked(const Expr& load) const {
  const UnitPiece& piece = of_.pieces()[piece_];
  if (load->kind != ExprNode::Kind::Load || piece.units == nullptr || of_.isPrivate(load->buffer))
    return false;
  const int64_t step = stepOf(load->args[0], piece.units->var);
  return step != 0 && step != 1;
}

}  // namespace rlc::cpu
