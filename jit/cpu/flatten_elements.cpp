#include "jit/cpu/flatten_elements.h"

#include <algorithm>

#include "jit/cpu/rewrite.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

namespace {

// Rows of one loop of lanes each, which nothing but places of elements knows.
class Rows {
 public:
  explicit Rows(const Stmt& rows) : rows_(rows) {}

  bool areOneAfterTheOther() {
    if (rows_.kind != Stmt::Kind::For || rows_.loop != Stmt::Loop::Sequential || !rows_.elements ||
        rows_.body.size() != 1 || !isFromZero(rows_))
      return false;
    const Stmt& lanes = columns();
    return lanes.kind == Stmt::Kind::For && lanes.loop == Stmt::Loop::Lanes && lanes.region < 0 &&
           isFromZero(lanes) && knowPlacesOnly(lanes.body);
  }

  StmtPtr flattened(Program& program) const {
    StmtPtr result =
        makeLoop(columns(), Stmt::Loop::Lanes, program.variables++, loops::index(0),
                 loops::index(tripCount(rows_).value() * tripCount(columns()).value()));
    result->region = rows_.region;
    Renaming elements;
    elements.replace(rows_.var, loops::index(0));
    elements.replace(columns().var, loops::variable(result->var, DType::I64));
    result->body = copyBlock(columns().body, elements, program.variables);
    return result;
  }

 private:
  const Stmt& columns() const { return *rows_.body.front(); }

  static bool isFromZero(const Stmt& loop) {
    return constantOf(loop.lo) == 0 && tripCount(loop).value_or(0) > 0 && !loop.descending &&
           loop.reductions.empty();
  }

  bool knowPlacesOnly(const Block& body) const {
    return std::all_of(body.begin(), body.end(), [&](const StmtPtr& stmt) {
      if (stmt->kind != Stmt::Kind::Let && stmt->kind != Stmt::Kind::Store) return false;
      if (stmt->kind == Stmt::Kind::Store && !isPlace(stmt->index)) return false;
      return knowsPlacesOnly(stmt->value);
    });
  }

  bool knowsPlacesOnly(const Expr& e) const {
    if (e->kind == ExprNode::Kind::Load && isPlace(e->args[0])) return true;
    if (e->kind == ExprNode::Kind::Variable) return e->var != rows_.var && e->var != columns().var;
    return e->kind != ExprNode::Kind::Random &&
           std::all_of(e->args.begin(), e->args.end(),
                       [&](const Expr& arg) { return knowsPlacesOnly(arg); });
  }

  // Of an element, by its row and column, or the same for all.
  bool isPlace(const Expr& index) const {
    const auto linear =
        linearIn(index, [&](VarId var) { return var == rows_.var || var == columns().var; });
    if (!linear) return false;
    const auto step = [&](VarId var) {
      const auto found = linear->coefficients.find(var);
      return found == linear->coefficients.end() ? 0 : found->second;
    };
    return step(rows_.var) == step(columns().var) * tripCount(columns()).value();
  }

  const Stmt& rows_;
};

// From the inside out, for rows of rows.
void flattenWithin(Program& program, Block& block) {
  for (StmtPtr& stmt : block) {
    if (stmt->kind == Stmt::Kind::For && stmt->loop == Stmt::Loop::Lanes) continue;
    flattenWithin(program, stmt->body);
    flattenWithin(program, stmt->otherwise);
    if (Rows rows(*stmt); rows.areOneAfterTheOther()) stmt = rows.flattened(program);
  }
}

}  // namespace

void flattenElements(Program& program) { flattenWithin(program, program.body); }

}  // namespace rlc::cpu
