#include "compiler/loops/work.h"

namespace rlc::loops {

Work& Work::operator+=(const Work& other) {
  flops += other.flops;
  loadBytes += other.loadBytes;
  storeBytes += other.storeBytes;
  arenaStoreBytes += other.arenaStoreBytes;
  doubtfulFlops += other.doubtfulFlops;
  exact = exact && other.exact;
  return *this;
}

Work Work::times(double count) const {
  return {flops * count,           loadBytes * count,     storeBytes * count,
          arenaStoreBytes * count, doubtfulFlops * count, exact};
}

namespace {

bool isArithmetic(ScalarOp op) {
  switch (op) {
    case ScalarOp::Lt:
    case ScalarOp::Le:
    case ScalarOp::Eq:
    case ScalarOp::Ne:
    case ScalarOp::IsNan:
    case ScalarOp::IsInf:
    case ScalarOp::IsFinite:
    case ScalarOp::And:
    case ScalarOp::Or:
    case ScalarOp::Not:
    case ScalarOp::Select:
    case ScalarOp::Cast:
      return false;
    default:
      return true;
  }
}

// What a load or a store of an element moves.
double elementBytes(const Buffer& buffer) {
  const auto bytes = static_cast<double>(byteSize(buffer.type));
  switch (buffer.kind) {
    case Buffer::Kind::Parameter:
      return 0;
    case Buffer::Kind::Private:
    case Buffer::Kind::Constant:
      return buffer.elements > 1 ? bytes : 0;
    case Buffer::Kind::Arena:
    case Buffer::Kind::Scratch:
    case Buffer::Kind::Thread:
      return bytes;
  }
  return bytes;
}

void addStore(const Buffer& buffer, double elements, Work& work) {
  const double bytes = elements * elementBytes(buffer);
  work.storeBytes += bytes;
  if (buffer.kind == Buffer::Kind::Arena) work.arenaStoreBytes += bytes;
}

void add(const Program& program, const Expr& e, Work& work) {
  if (!e) return;
  if (e->kind == ExprNode::Kind::Fma) work.flops += 2;
  if (e->kind == ExprNode::Kind::PairFma) work.flops += 4;
  if (e->kind == ExprNode::Kind::Op && isFloat(e->type) && isArithmetic(e->op)) work.flops += 1;
  if (e->kind == ExprNode::Kind::Load)
    work.loadBytes += elementBytes(program.buffers[static_cast<size_t>(e->buffer)]);
  for (const Expr& arg : e->args) add(program, arg, work);
}

}  // namespace

Work WorkCount::total() const { return of(program_.body); }

Work WorkCount::of(const Block& body) const {
  Work work;
  for (const StmtPtr& stmt : body) work += of(*stmt);
  return work;
}

Work WorkCount::of(const Stmt& part) const {
  Work work = of(part.body);
  work += of(part.otherwise);
  const auto found = runs_.find(&part);
  if (found == runs_.end()) return work;
  const Count& count = found->second;
  const Work each = once(part);
  Work own = each.times(count.times);
  own.doubtfulFlops = each.flops * count.doubtful;
  own.exact = count.exact;
  return work += own;
}

Work WorkCount::once(const Stmt& stmt) const {
  Work work;
  for (const Expr& e : {stmt.value, stmt.index}) add(program_, e, work);
  for (const Expr& e : stmt.args) add(program_, e, work);
  if (stmt.kind == Stmt::Kind::Call && stmt.function == Stmt::Function::Product) {
    const auto size = [&](size_t arg) { return static_cast<double>(stmt.args[arg]->literal.i); };
    const double m = size(0), n = size(1), k = size(2);
    const auto operand = [&](size_t place) -> const Buffer& {
      return program_.buffers[static_cast<size_t>(stmt.places[place].buffer)];
    };
    work.flops += 2 * m * n * k;
    work.loadBytes += elementBytes(operand(0)) * m * k + elementBytes(operand(1)) * k * n;
    addStore(operand(2), m * n, work);
  }
  if (stmt.buffer >= 0) {
    const Buffer& buffer = program_.buffers[static_cast<size_t>(stmt.buffer)];
    addStore(buffer, 1, work);
    if (stmt.kind == Stmt::Kind::Accumulate) {
      work.loadBytes += elementBytes(buffer);
      if (isFloat(buffer.type)) work.flops += 1;
    }
  }
  return work;
}

}  // namespace rlc::loops
