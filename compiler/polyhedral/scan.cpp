// Loop nests from isl's AST generator, converted to this folder's own nodes.
#include "compiler/polyhedral/scan.h"

#include <isl/ast_build.h>

#include <cstdlib>
#include <string>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/polyhedral/coalesce.h"
#include "compiler/polyhedral/scan_direct.h"
#include "compiler/polyhedral/set_impl.h"

namespace rlc::polyhedral {

namespace {

using ExprHandle = Handle<isl_ast_expr, isl_ast_expr_free, isl_ast_expr_copy>;
using AstNodeHandle = Handle<isl_ast_node, isl_ast_node_free, isl_ast_node_copy>;
using IdHandle = Handle<isl_id, isl_id_free, isl_id_copy>;

// Names of loop variables and statements end in their number.
std::string numbered(char prefix, size_t k) { return prefix + std::to_string(k); }

class Converter {
 public:
  // `ids`: which statement each part is of.
  Converter(isl_ctx* ctx, const std::vector<int>& ids, const std::vector<Var>& loopVars)
      : ctx_(ctx), ids_(ids), loopVars_(loopVars) {
    for (Var var : loopVars) iterators_.push_back(IndexExpr(var));
  }

  std::unique_ptr<ScanNode> node(isl_ast_node* owned) {
    AstNodeHandle handle(checked(ctx_, owned));
    switch (isl_ast_node_get_type(handle.get())) {
      case isl_ast_node_for:
        return loop(handle);
      case isl_ast_node_if:
        return conditional(handle);
      case isl_ast_node_block:
        return block(handle);
      case isl_ast_node_user:
        return statement(handle);
      case isl_ast_node_mark:
      case isl_ast_node_error:
        break;
    }
    throw InternalError("polyhedral library: unknown kind of loop node");
  }

 private:
  static std::unique_ptr<ScanNode> make(ScanNode::Kind kind) {
    auto result = std::make_unique<ScanNode>();
    result->kind = kind;
    return result;
  }

  std::unique_ptr<ScanNode> loop(const AstNodeHandle& node) {
    size_t dim = iterator(ExprHandle(isl_ast_node_for_get_iterator(node.get())));
    // isl adds loops over a statement's variables where it does not see that the others tell them.
    if (dim >= iterators_.size()) iterators_.resize(dim + 1);
    const ExprHandle init(isl_ast_node_for_get_init(node.get()));
    if (checked(ctx_, isl_ast_node_for_is_degenerate(node.get()))) {
      // One iteration: its value takes the variable's place.
      return byPiece(init, [&](const ExprHandle& value) {
        IndexExpr outer = std::exchange(iterators_[dim], expr(value));
        auto body = this->node(isl_ast_node_for_get_body(node.get()));
        iterators_[dim] = outer;
        return body;
      });
    }
    if (dim >= loopVars_.size())
      throw InternalError("polyhedral library: several instances run at one time");
    auto result = make(ScanNode::Kind::For);
    result->var = loopVars_[dim];
    result->timeDim = static_cast<int>(dim);
    result->lo = expr(init);
    result->hi = exclusiveEnd(dim, ExprHandle(isl_ast_node_for_get_cond(node.get())));
    auto step = expr(ExprHandle(isl_ast_node_for_get_inc(node.get()))).asConstant();
    if (!step || *step <= 0)
      throw InternalError("polyhedral library: a loop's step is not positive");
    result->step = *step;
    result->children.push_back(this->node(isl_ast_node_for_get_body(node.get())));
    return result;
  }

  // What is made with each of an expression's pieces, under their conditions.
  template <class Make>
  std::unique_ptr<ScanNode> byPiece(const ExprHandle& e, const Make& makeWith) {
    if (!isInPieces(e)) return makeWith(e);
    auto result = make(ScanNode::Kind::If);
    result->condition = condition(arg(e, 0));
    result->children.push_back(byPiece(arg(e, 1), makeWith));
    result->children.push_back(byPiece(arg(e, 2), makeWith));
    return result;
  }

  static bool isInPieces(const ExprHandle& e) {
    if (isl_ast_expr_get_type(e.get()) != isl_ast_expr_op) return false;
    const isl_ast_expr_op_type op = isl_ast_expr_op_get_type(e.get());
    return op == isl_ast_expr_op_cond || op == isl_ast_expr_op_select;
  }

  // The condition of a loop is `iterator < e` or `iterator <= e`.
  IndexExpr exclusiveEnd(size_t dim, const ExprHandle& condition) {
    isl_ast_expr_op_type op = isl_ast_expr_op_get_type(condition.get());
    if ((op != isl_ast_expr_op_lt && op != isl_ast_expr_op_le) ||
        iterator(arg(condition, 0)) != dim) {
      throw InternalError("polyhedral library: unknown shape of a loop's condition");
    }
    IndexExpr end = expr(arg(condition, 1));
    return op == isl_ast_expr_op_lt ? end : end + 1;
  }

  std::unique_ptr<ScanNode> conditional(const AstNodeHandle& node) {
    auto result = make(ScanNode::Kind::If);
    result->condition = condition(ExprHandle(isl_ast_node_if_get_cond(node.get())));
    result->children.push_back(this->node(isl_ast_node_if_get_then_node(node.get())));
    if (checked(ctx_, isl_ast_node_if_has_else_node(node.get()))) {
      result->children.push_back(this->node(isl_ast_node_if_get_else_node(node.get())));
    }
    return result;
  }

  std::unique_ptr<ScanNode> block(const AstNodeHandle& node) {
    auto result = make(ScanNode::Kind::Block);
    isl_ast_node_list* children = isl_ast_node_block_get_children(node.get());
    int n = isl_ast_node_list_n_ast_node(children);
    try {
      for (int i = 0; i < n; ++i) {
        result->children.push_back(this->node(isl_ast_node_list_get_ast_node(children, i)));
      }
    } catch (...) {
      isl_ast_node_list_free(children);
      throw;
    }
    isl_ast_node_list_free(children);
    return result;
  }

  std::unique_ptr<ScanNode> statement(const AstNodeHandle& node) {
    return instance(ExprHandle(checked(ctx_, isl_ast_node_user_get_expr(node.get()))), {});
  }

  // Of the statement that is called, where these are its first variables.
  std::unique_ptr<ScanNode> instance(const ExprHandle& call, const std::vector<IndexExpr>& known) {
    const auto next = static_cast<int>(known.size()) + 1;
    if (next < checkedSize(ctx_, isl_ast_expr_op_get_n_arg(call.get())))
      return byPiece(arg(call, next), [&](const ExprHandle& value) {
        std::vector<IndexExpr> more = known;
        more.push_back(expr(value));
        return instance(call, more);
      });
    auto result = make(ScanNode::Kind::Statement);
    result->statement = ids_[numberOf(arg(call, 0))];
    result->instance = known;
    return result;
  }

  ExprHandle arg(const ExprHandle& e, int k) {
    return ExprHandle(checked(ctx_, isl_ast_expr_op_get_arg(e.get(), k)));
  }

  size_t numberOf(const ExprHandle& e) {
    IdHandle id(checked(ctx_, isl_ast_expr_get_id(e.get())));
    return std::stoul(isl_id_get_name(id.get()) + 1);
  }

  size_t iterator(const ExprHandle& e) { return numberOf(e); }

  IndexExpr expr(const ExprHandle& e) {
    switch (isl_ast_expr_get_type(e.get())) {
      case isl_ast_expr_int:
        return toInteger(ValHandle(isl_ast_expr_get_val(e.get())));
      case isl_ast_expr_id:
        return iterators_[numberOf(e)];
      case isl_ast_expr_op:
        return operation(e);
      case isl_ast_expr_error:
        break;
    }
    throwIslError(ctx_);
  }

  int64_t constantArg(const ExprHandle& e, int k) {
    auto constant = expr(arg(e, k)).asConstant();
    if (!constant) throw InternalError("polyhedral library: an index expression is not affine");
    return *constant;
  }

  [[noreturn]] static void unknown(const ExprHandle& e) {
    char* text = isl_ast_expr_to_C_str(e.get());
    const std::string shown = text ? text : "";
    free(text);
    throw InternalError("polyhedral library: an index expression needs an unknown operation: " +
                        shown);
  }

  IndexExpr operation(const ExprHandle& e) {
    isl_ast_expr_op_type op = isl_ast_expr_op_get_type(e.get());
    if (isInPieces(e)) unknown(e);
    IndexExpr first = expr(arg(e, 0));
    switch (op) {
      case isl_ast_expr_op_minus:
        return -first;
      case isl_ast_expr_op_add:
        return first + expr(arg(e, 1));
      case isl_ast_expr_op_sub:
        return first - expr(arg(e, 1));
      case isl_ast_expr_op_mul:
        if (auto factor = first.asConstant()) return expr(arg(e, 1)) * *factor;
        return first * constantArg(e, 1);
      case isl_ast_expr_op_div:
      case isl_ast_expr_op_fdiv_q:
      case isl_ast_expr_op_pdiv_q:
        return IndexExpr::floorDiv(first, constantArg(e, 1));
      case isl_ast_expr_op_pdiv_r:
      case isl_ast_expr_op_zdiv_r:
        return IndexExpr::mod(first, constantArg(e, 1));
      case isl_ast_expr_op_min:
      case isl_ast_expr_op_max: {
        int n = checkedSize(ctx_, isl_ast_expr_op_get_n_arg(e.get()));
        for (int i = 1; i < n; ++i) {
          IndexExpr other = expr(arg(e, i));
          first = op == isl_ast_expr_op_min ? IndexExpr::min(first, other)
                                            : IndexExpr::max(first, other);
        }
        return first;
      }
      default:
        unknown(e);
    }
  }

  Condition condition(const ExprHandle& e) {
    if (isl_ast_expr_get_type(e.get()) == isl_ast_expr_int) {
      return expr(e).asConstant() != 0 ? Condition::always() : Condition::never();
    }
    switch (isl_ast_expr_op_get_type(e.get())) {
      case isl_ast_expr_op_and:
      case isl_ast_expr_op_and_then:
        return fold(e, true);
      case isl_ast_expr_op_or:
      case isl_ast_expr_op_or_else:
        return fold(e, false);
      case isl_ast_expr_op_eq:
        return Condition::equal(expr(arg(e, 0)), expr(arg(e, 1)));
      case isl_ast_expr_op_le:
        return Condition::lessEqual(expr(arg(e, 0)), expr(arg(e, 1)));
      case isl_ast_expr_op_lt:
        return Condition::less(expr(arg(e, 0)), expr(arg(e, 1)));
      case isl_ast_expr_op_ge:
        return Condition::lessEqual(expr(arg(e, 1)), expr(arg(e, 0)));
      case isl_ast_expr_op_gt:
        return Condition::less(expr(arg(e, 1)), expr(arg(e, 0)));
      default:
        throw InternalError("polyhedral library: a condition needs an unknown operation");
    }
  }

  Condition fold(const ExprHandle& e, bool all) {
    Condition result = all ? Condition::always() : Condition::never();
    int n = checkedSize(ctx_, isl_ast_expr_op_get_n_arg(e.get()));
    for (int i = 0; i < n; ++i) {
      Condition part = condition(arg(e, i));
      result = all ? result && part : result || part;
    }
    return result;
  }

  isl_ctx* ctx_;
  const std::vector<int>& ids_;
  const std::vector<Var>& loopVars_;
  std::vector<IndexExpr> iterators_;  // what each time dimension's variable stands for
};

// A statement's variables and, behind them, its time.
Set scheduleGraph(const ScheduledStatement& statement) {
  std::vector<Var> times;
  for (size_t k = 0; k < statement.time.size(); ++k)
    times.push_back(scratchVar(static_cast<int>(k)));
  return Set::access(statement.domain, statement.time, times);
}

// The graph, in pieces where isl's generator would fuse them to more points.
std::vector<Set> safeToScan(Context& context, const Set& graph) {
  isl_ctx* ctx = startOperation(context);
  const Set::Impl& whole = graph.impl();
  if (!checked(ctx, fusesWrongly(whole.isl().get()))) return {graph};
  std::vector<Set> pieces;
  SetHandle disjoint(checked(ctx, isl_set_make_disjoint(whole.isl().copy())));
  for (const BasicSetHandle& piece : basicSetsOf(ctx, disjoint))
    pieces.push_back(makeSet(context, whole.vars, SetHandle(isl_set_from_basic_set(piece.copy()))));
  return pieces;
}

// { part[the statement's variables] -> [time] }, of a graph with so many of these variables.
isl_map* scheduleMap(isl_ctx* ctx, const Set& graph, size_t variables, size_t part) {
  isl_map* map = isl_map_from_range(graph.impl().isl().copy());
  map = isl_map_move_dims(map, isl_dim_in, 0, isl_dim_out, 0, static_cast<unsigned>(variables));
  return checked(ctx, isl_map_set_tuple_name(map, isl_dim_in, numbered('S', part).c_str()));
}

}  // namespace

std::unique_ptr<ScanNode> scan(Context& context, const std::vector<ScheduledStatement>& statements,
                               const std::vector<Var>& loopVars) {
  for (const ScheduledStatement& statement : statements) {
    if (statement.time.size() != loopVars.size()) {
      throw InternalError("a statement's schedule needs an expression for each loop");
    }
  }
  if (auto direct = scanDirectly(context, statements, loopVars)) return direct;
  isl_ctx* ctx = startOperation(context);
  std::vector<int> ids;  // of the statement that each part belongs to
  isl_union_map* schedule = isl_union_map_empty(isl_space_params_alloc(ctx, 0));
  for (const ScheduledStatement& statement : statements) {
    for (const Set& part : safeToScan(context, scheduleGraph(statement))) {
      isl_map* map = scheduleMap(ctx, part, statement.domain.vars().size(), ids.size());
      schedule = isl_union_map_add_map(schedule, map);
      ids.push_back(statement.id);
    }
  }
  isl_id_list* iterators = isl_id_list_alloc(ctx, static_cast<int>(loopVars.size()));
  for (size_t k = 0; k < loopVars.size(); ++k) {
    iterators = isl_id_list_add(iterators, isl_id_alloc(ctx, numbered('c', k).c_str(), nullptr));
  }
  startOperation(context);
  isl_ast_build* build = isl_ast_build_set_iterators(isl_ast_build_alloc(ctx), iterators);
  isl_ast_node* tree = isl_ast_build_node_from_schedule_map(build, schedule);
  isl_ast_build_free(build);
  return Converter(ctx, ids, loopVars).node(checked(ctx, tree));
}

}  // namespace rlc::polyhedral
