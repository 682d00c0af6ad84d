#include "compiler/schedule/statements.h"

#include <algorithm>
#include <map>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/pdg/asked_under.h"
#include "compiler/pdg/faults.h"
#include "compiler/pdg/past_end.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/strong_components.h"
#include "compiler/schedule/placement.h"
#include "compiler/types/lists.h"

namespace rlc::schedule {

namespace {

using pdg::Merge;
using pdg::Node;
using pdg::Read;
using pdg::Reduce;

using Substitution = std::map<Var, IndexExpr>;

// Walks a statement's expression through inlined nodes and notes every read of a stored node.
class AccessCollector {
 public:
  AccessCollector(const Graph& graph, const Statements& statements, Statement& statement)
      : graph_(graph),
        statements_(statements),
        statement_(statement),
        fresh_(2 * graph.dimCount()) {}

  // Reads of `read` made by a node whose variables stand for `values`, at the points of `scope`.
  void visitRead(const Read& read, const Substitution& values, const Set& scope) {
    const Node& producer = graph_.node(read.producer);
    std::vector<IndexExpr> at = substituted(read.at, values);
    switch (statements_.placement[static_cast<size_t>(read.producer)]) {
      case Placement::Constant:
        return;
      case Placement::Stored: {
        std::vector<size_t> carried;
        const auto ownPlace = readsOwnPlace(read, at, values, carried);
        statement_.accesses.push_back({read.producer, std::move(at), scope, false, ownPlace,
                                       std::move(carried), substituted(read.element, values)});
        return;
      }
      case Placement::Inline:
        break;
    }
    Substitution inner;
    for (size_t k = 0; k < producer.dims.size(); ++k) inner[producer.dims[k]] = at[k];
    for (size_t k = 0; k < read.element.size(); ++k)
      inner[Var::element(static_cast<int>(k))] = read.element[k].substitute(values);
    visitInputs(producer, inner, scope);
  }

  // All reads that evaluating one element of `node` makes.
  void visitInputs(const Node& node, const Substitution& values, Set scope) {
    if (const Reduce* reduce = std::get_if<Reduce>(&node.op)) {
      Substitution inner = values;
      for (Var var : reduce->bound)  // `values` has those that are the statement's own
        if (!values.contains(var)) inner[var] = IndexExpr(bindingOf(var, scope));
      scope = bindRange(node, *reduce, inner, scope);
      ++ranges_;
      for (const Read& read : node.inputs) visitRead(read, inner, scope);
      --ranges_;
      return;
    }
    if (const Merge* merge = std::get_if<Merge>(&node.op)) {
      for (size_t k = 0; k < node.inputs.size(); ++k) {
        Set reached =
            k < merge->pieces.size() ? within(merge->pieces[k].domain, values, scope) : scope;
        if (!reached.isEmpty()) visitRead(node.inputs[k], values, reached);
      }
      return;
    }
    if (const auto range = pdg::boundRange(node)) {
      Substitution inner = values;
      scope = scope.extendTo(appended(scope.vars(), range->var))
                  .intersect(polyhedral::Condition::within(range->var, 0, range->extent));
      inner[range->var] = IndexExpr(range->var);
      ++ranges_;
      for (size_t k = 0; k < node.inputs.size(); ++k) {
        visitRead(node.inputs[k], inner, scope);
        const bool tree = k == 0 && std::holds_alternative<pdg::TreeUpdate>(node.op);
        if (tree && statements_.placement[static_cast<size_t>(node.inputs[k].producer)] ==
                        Placement::Stored)
          statement_.accesses.back().rewritten = true;
      }
      --ranges_;
      return;
    }
    for (const Read& read : node.inputs) visitRead(read, values, scope);
  }

  // A bound variable of an inlined reduction, which may be a variable of the nodes around it as
  // well (gradients reuse those of what they differentiate): then the inner one gets another name.
  // Names of dependences' sources lie below.
  Var bindingOf(Var bound, const Set& scope) {
    const std::vector<Var> taken = scope.vars();
    return !contains(taken, bound) ? bound : Var::dim(fresh_++);
  }

  static std::vector<Var> appended(std::vector<Var> vars, Var var) {
    if (!contains(vars, var)) vars.push_back(var);
    return vars;
  }

 private:
  static std::vector<IndexExpr> substituted(const std::vector<IndexExpr>& exprs,
                                            const Substitution& values) {
    std::vector<IndexExpr> result;
    result.reserve(exprs.size());
    for (const IndexExpr& e : exprs) result.push_back(e.substitute(values));
    return result;
  }

  static bool isIdentity(const std::vector<Var>& vars, const Substitution& values) {
    return std::all_of(vars.begin(), vars.end(), [&](Var var) {
      auto found = values.find(var);
      return found == values.end() || found->second == IndexExpr(var);
    });
  }

  // Whether an equation computes an element from the same one at another point along one index: it
  // reads it before it writes, once for all. Where it changes one element of many, it may read any
  // of them: nothing else is written. That index's position, and those of indices that are carried
  // over from one fixed point to another.
  std::optional<size_t> readsOwnPlace(const Read& read, const std::vector<IndexExpr>& at,
                                      const Substitution& values,
                                      std::vector<size_t>& carried) const {
    if (read.producer != statement_.node) return std::nullopt;
    const Node& node = graph_.node(read.producer);
    const Node* update = pdg::pointUpdateOf(graph_, node, statement_.piece);
    if (statement_.role != Statement::Role::Change &&
        (ranges_ > 0 || statement_.role != Statement::Role::Compute))
      return std::nullopt;
    const auto isChosen = [&](Var var) { return update && pdg::isKeyed(*update, var); };
    std::optional<size_t> moved;
    for (size_t k = 0; k < at.size(); ++k) {
      if (at[k] == IndexExpr(node.dims[k]) || isChosen(node.dims[k])) continue;
      if (const auto point = at[k].asConstant(); point && isFixed(node.dims[k])) {
        if (statement_.domain.minimum(IndexExpr(node.dims[k])) != point) carried.push_back(k);
        continue;
      }
      const auto shifted = at[k].asShifted();
      if (!shifted || shifted->var != node.dims[k] || moved) return std::nullopt;
      moved = k;
    }
    for (size_t k = 0; k < read.element.size(); ++k) {
      const Var element = Var::element(static_cast<int>(k));
      if (!isChosen(element) && !(read.element[k].substitute(values) == IndexExpr(element)))
        return std::nullopt;
    }
    return moved;
  }

  // Whether the statement's points all have one value of the variable.
  bool isFixed(Var var) const {
    const auto lo = statement_.domain.minimum(IndexExpr(var));
    return lo && lo == statement_.domain.maximum(IndexExpr(var));
  }

  // The points of `scope` whose variables, through `values`, lie in `set`.
  static Set within(const Set& set, const Substitution& values, const Set& scope) {
    if (isIdentity(set.vars(), values))
      return scope.intersect(
          set.extendTo(extended(scope.vars(), set.vars())).projectOnto(scope.vars()));
    std::vector<IndexExpr> at;
    for (Var var : set.vars()) {
      auto found = values.find(var);
      at.push_back(found == values.end() ? IndexExpr(var) : found->second);
    }
    return set.preimage(scope, at);
  }

  static std::vector<Var> extended(std::vector<Var> vars, const std::vector<Var>& more) {
    for (Var var : more) vars = appended(std::move(vars), var);
    return vars;
  }

  // `scope` with the range of a reduction; `values` names the bound variables, too.
  static Set bindRange(const Node& node, const Reduce& reduce, const Substitution& values,
                       const Set& scope) {
    std::vector<Var> bound;
    for (Var var : reduce.bound) bound.push_back(*values.at(var).asVariable());
    const Set wide = scope.extendTo(extended(scope.vars(), bound));
    std::vector<Var> kept;  // a scatter's range does not depend on where it writes
    for (Var var : reduce.domain.vars())
      if (!pdg::isKeyed(node, var)) kept.push_back(var);
    std::vector<IndexExpr> at;
    for (Var var : kept) {
      auto found = values.find(var);
      at.push_back(found == values.end() ? IndexExpr(var) : found->second);
    }
    return reduce.domain.projectOnto(kept).preimage(wide, at);
  }

  const Graph& graph_;
  const Statements& statements_;
  Statement& statement_;
  int32_t fresh_;
  int ranges_ = 0;  // reductions and ranges around what is visited
};

class StatementMaker {
 public:
  StatementMaker(const Graph& graph, bool splitByReads)
      : graph_(graph), splitByReads_(splitByReads) {
    Placements placements = placeNodes(graph);
    result_.placement = std::move(placements.placement);
    result_.scheduledBound = std::move(placements.scheduledBound);
    result_.escapes = std::move(placements.escapes);
    result_.writers.resize(static_cast<size_t>(graph.size()));
    for (pdg::EndingIndex& index : pdg::endingIndices(graph, result_.scheduledBound))
      if (result_.placement[static_cast<size_t>(index.exists)] == Placement::Stored)
        result_.endings.push_back(std::move(index));
    asked_ = pdg::askedUnder(graph, result_.endings);
  }

  Statements make() {
    for (const Node& node : graph_.nodes())
      if (result_.placement[static_cast<size_t>(node.id)] == Placement::Stored) {
        addWriters(node);
        if (result_.writers[static_cast<size_t>(node.id)].empty() && !node.domain.isEmpty())
          throw InternalError("no equation of `" + node.name + "` covers its points");
      }
    for (int round = 0; splitByReads_ && round < kMostRounds && split(); ++round) {
    }
    for (size_t k = 0; k < graph_.sinks().size(); ++k)
      if (graph_.sinks()[k].kind != pdg::Sink::Kind::Print) addEmit(static_cast<int>(k));
    return std::move(result_);
  }

 private:
  void addWriters(const Node& node) {
    if (!result_.scheduledBound[static_cast<size_t>(node.id)].empty()) {
      addAccumulation(node);
    } else if (const Merge* merge = std::get_if<Merge>(&node.op)) {
      addPieces(node, *merge);
    } else {
      Statement statement = begin(Statement::Role::Compute, node, node.dims, node.domain);
      AccessCollector collector(graph_, result_, statement);
      collector.visitInputs(node, {}, scopeWithElements(statement.domain, node));
      push(std::move(statement));
    }
  }

  void addPieces(const Node& node, const Merge& merge) {
    for (size_t k = 0; k < merge.pieces.size(); ++k) {
      if (merge.pieces[k].domain.isEmpty()) continue;
      const Set points = merge.pieces[k].domain.projectOnto(node.dims);
      const Node* update = pdg::pointUpdateOf(graph_, node, static_cast<int>(k));
      std::vector<Var> vars;
      for (Var var : node.dims)
        if (!update || !pdg::isKeyed(*update, var)) vars.push_back(var);
      Statement statement = begin(update ? Statement::Role::Change : Statement::Role::Compute, node,
                                  vars, update ? points.projectOnto(vars) : points);
      statement.piece = static_cast<int>(k);
      AccessCollector collector(graph_, result_, statement);
      const Set scope = scopeWithElements(points, node);
      collector.visitRead(node.inputs[k], {}, scope);
      for (const int value : pdg::allValueInputs(node, static_cast<int>(k)))
        collector.visitRead(node.inputs[static_cast<size_t>(value)], {}, scope);
      push(std::move(statement));
    }
  }

  void addAccumulation(const Node& node) {
    const Reduce& reduce = std::get<Reduce>(node.op);
    push(begin(Statement::Role::Init, node, node.dims, node.domain));

    std::vector<Var> vars;
    for (Var var : node.dims)
      if (!pdg::isKeyed(node, var)) vars.push_back(var);
    const auto& scheduled = result_.scheduledBound[static_cast<size_t>(node.id)];
    vars.insert(vars.end(), scheduled.begin(), scheduled.end());
    Statement statement =
        begin(Statement::Role::Update, node, vars, reduce.domain.projectOnto(vars));
    AccessCollector collector(graph_, result_, statement);
    const Set scope = scopeWithElements(statement.domain, node);
    Substitution values;
    for (Var var : scheduled) values[var] = IndexExpr(var);
    collector.visitInputs(node, values, scope);
    push(std::move(statement));
  }

  void addEmit(int index) {
    const pdg::Sink& sink = graph_.sinks()[static_cast<size_t>(index)];
    Statement statement;
    statement.role = Statement::Role::Emit;
    statement.sink = index;
    statement.vars = sink.dims;
    statement.domain = sink.domain;
    AccessCollector collector(graph_, result_, statement);
    for (const Read& read : pdg::hostReads(graph_, sink))
      collector.visitRead(read, {}, statement.domain);
    push(std::move(statement));
  }

  Statement begin(Statement::Role role, const Node& node, std::vector<Var> vars, Set domain) {
    Statement statement;
    statement.role = role;
    statement.node = node.id;
    statement.vars = std::move(vars);
    statement.domain = std::move(domain);
    for (const pdg::EndingIndex& index : result_.endings) addGuard(index, node, statement);
    if (role == Statement::Role::Compute) guardFault(node, statement);
    return statement;
  }

  // What may fault is computed where it is asked for only, where a variable that stands for an
  // index tells that.
  void guardFault(const Node& node, Statement& statement) const {
    const auto& asked = asked_[static_cast<size_t>(node.id)];
    if (asked.empty() || !mayFault(node)) return;
    const std::vector<Read> own = statement.guards;
    for (const Read& truth : asked) {
      const bool before = std::any_of(
          result_.endings.begin(), result_.endings.end(), [&](const pdg::EndingIndex& index) {
            return index.exists == truth.producer && index.before[static_cast<size_t>(node.id)];
          });
      const bool guarded = std::any_of(own.begin(), own.end(), [&](const Read& guard) {
        return guard.producer == truth.producer &&
               variablesOf(guard.at.back()) == variablesOf(truth.at.back());
      });
      if (!before && !guarded) guardBy(truth, statement);
    }
  }

  static std::vector<Var> variablesOf(const IndexExpr& e) {
    std::vector<Var> vars;
    e.collectVariables(vars);
    return vars;
  }

  // Where the truth is known at all of the statement's points.
  void guardBy(const Read& truth, Statement& statement) const {
    if (!statement.domain.isSubset(
            graph_.node(truth.producer).domain.preimage(statement.domain, truth.at)))
      return;
    statement.accesses.push_back({truth.producer, truth.at, statement.domain});
    statement.guards.push_back(truth);
  }

  // With what is inlined into it.
  bool mayFault(const Node& node) const {
    return pdg::mayFault(graph_, node) ||
           std::any_of(node.inputs.begin(), node.inputs.end(), [&](const Read& read) {
             return result_.placement[static_cast<size_t>(read.producer)] == Placement::Inline &&
                    mayFault(graph_.node(read.producer));
           });
  }

  // What the end itself depends on is computed where it is not known yet.
  void addGuard(const pdg::EndingIndex& index, const Node& node, Statement& statement) const {
    const auto has = [&](Var var) { return contains(statement.vars, var); };
    const auto& dims = graph_.node(index.exists).dims;
    if (index.before[static_cast<size_t>(node.id)] || index.aware[static_cast<size_t>(node.id)] ||
        !std::all_of(dims.begin(), dims.end(), has))
      return;
    const IndexExpr lo = graph_.dim(index.dim).lo, at(index.dim);
    if (statement.domain.isSubset(statement.domain.intersect(polyhedral::Condition::equal(at, lo))))
      return;
    Read guard;
    guard.producer = index.exists;
    for (Var var : dims) guard.at.push_back(IndexExpr(var));
    const int64_t beyond = index.beyond[static_cast<size_t>(node.id)];
    if (beyond == pdg::kAllPoints) return;
    if (beyond > 0) guard.at.back() = IndexExpr::max(at - beyond, lo);
    guardBy(guard, statement);
  }

  // A statement's points with the node's element positions, where some subscript mentions them
  // (slices).
  static Set scopeWithElements(Set scope, const Node& node) {
    std::vector<Var> vars = scope.vars();
    for (size_t axis = 0; axis < node.shape.size(); ++axis) {
      const Var element = Var::element(static_cast<int>(axis));
      vars.push_back(element);
      scope = scope.extendTo(vars).intersect(
          polyhedral::Condition::within(element, 0, node.shape[axis]));
    }
    return scope;
  }

  // Where an access of a statement reads what a writer wrote.
  struct Source {
    int writer;
    Set reads;
  };
  using Sources = std::vector<std::vector<Source>>;  // [statement]

  Sources findSources() const {
    Sources sources(result_.list.size());
    for (size_t k = 0; k < result_.list.size(); ++k)
      for (const Access& access : result_.list[k].accesses)
        for (int writer : result_.writers[static_cast<size_t>(access.producer)]) {
          Set reads =
              written(result_.list[static_cast<size_t>(writer)]).preimage(access.scope, access.at);
          if (!reads.isEmpty()) sources[k].push_back({writer, std::move(reads)});
        }
    return sources;
  }

  // The points of its node that a statement writes or combines something into.
  Set written(const Statement& writer) const {
    const Node& node = graph_.node(writer.node);
    if (writer.role == Statement::Role::Compute) return writer.domain;
    if (writer.piece < 0) return node.domain;
    const auto& pieces = std::get<Merge>(node.op).pieces;
    return pieces[static_cast<size_t>(writer.piece)].domain.projectOnto(node.dims);
  }

  // Splits statements by what they read of others that read of them in turn, on whatever ways: no
  // other reads keep statements from an order. What has been split splits its readers the next
  // time, for a value that takes two ways takes them to the end. Whether anything was split.
  bool split() {
    const Sources sources = findSources();
    std::vector<std::vector<int>> producers(sources.size());
    for (size_t k = 0; k < sources.size(); ++k)
      for (const Source& source : sources[k]) producers[k].push_back(source.writer);
    const pdg::StrongComponents components = pdg::findStrongComponents(producers);

    const std::vector<Statement> old = std::move(result_.list);
    result_.list.clear();
    for (auto& list : result_.writers) list.clear();
    for (size_t k = 0; k < old.size(); ++k) {
      std::vector<Set> parts{old[k].domain};
      for (const Source& source : sources[k])
        if (old[k].role == Statement::Role::Compute &&
            components.of[static_cast<size_t>(source.writer)] == components.of[k])
          cut(parts, source.reads.projectOnto(old[k].vars));
      pushParts(old[k], parts);
    }
    return result_.list.size() != old.size();
  }

  // Apart: the points of `reads`, and the others.
  static void cut(std::vector<Set>& parts, const Set& reads) {
    std::vector<Set> finer;
    for (const Set& part : parts)
      for (const Set& piece : {part.intersect(reads), part.subtract(reads)})
        if (!piece.isEmpty()) finer.push_back(piece);
    if (finer.size() <= kMostParts) parts = std::move(finer);
  }

  void pushParts(const Statement& statement, const std::vector<Set>& parts) {
    if (parts.size() == 1) return push(statement);
    for (const Set& part : parts) {
      Statement piece = statement;
      piece.domain = part;
      piece.accesses.clear();
      for (const Access& access : statement.accesses) {
        Access narrowed = access;
        narrowed.scope = access.scope.intersect(part.extendTo(access.scope.vars()));
        if (!narrowed.scope.isEmpty()) piece.accesses.push_back(std::move(narrowed));
      }
      push(std::move(piece));
    }
  }

  void push(Statement statement) {
    if (statement.node >= 0)
      result_.writers[static_cast<size_t>(statement.node)].push_back(
          static_cast<int>(result_.list.size()));
    result_.list.push_back(std::move(statement));
  }

  static constexpr size_t kMostParts = 32;
  static constexpr int kMostRounds = 16;

  const Graph& graph_;
  bool splitByReads_;
  Statements result_;
  std::vector<std::vector<Read>> asked_;  // by node: see asked_under.h
};

}  // namespace

bool isRewrittenTree(const Statements& statements, NodeId node) {
  const auto& writers = statements.writers[static_cast<size_t>(node)];
  return std::any_of(writers.begin(), writers.end(), [&](int w) {
    const auto& accesses = statements.list[static_cast<size_t>(w)].accesses;
    return std::any_of(accesses.begin(), accesses.end(),
                       [&](const Access& a) { return a.producer == node && a.rewritten; });
  });
}

Statements makeStatements(const Graph& graph, bool splitByReads) {
  return StatementMaker(graph, splitByReads).make();
}

}  // namespace rlc::schedule
