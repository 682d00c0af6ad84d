#include "compiler/autodiff/inverse.h"

#include <algorithm>

#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"
#include "compiler/polyhedral/variables.h"

namespace rlc::autodiff {

namespace {

Substitution asExprs(const std::map<Var, Var>& names) {
  Substitution result;
  for (const auto& [from, to] : names) result.emplace(from, IndexExpr(to));
  return result;
}

// Solves equations `left = right` for unknowns, which occur on the right only.
class Solver {
 public:
  Solver(std::vector<Var> unknowns) : unknowns_(std::move(unknowns)) {}

  void add(const IndexExpr& left, const IndexExpr& right, bool usable) {
    rows_.push_back({left, right, usable});
  }
  void fix(Var unknown, const IndexExpr& value) { assign(unknown, value); }

  void run() {
    for (bool progress = true; progress;) {
      progress = false;
      // Equations with one unknown first: what they give is shortest.
      for (size_t most : {size_t{1}, unknowns_.size()}) {
        for (Row& row : rows_) {
          if (!row.usable || row.used || !solveOne(row, most)) continue;
          progress = true;
        }
        if (progress) break;
      }
    }
  }

  const Substitution& solution() const { return solution_; }

  // What the equations not used for solving still demand.
  Condition rest() const {
    Condition result = Condition::always();
    for (const Row& row : rows_)
      if (!row.used) result = result && Condition::equal(row.left, row.right);
    return result;
  }

 private:
  struct Row {
    IndexExpr left, right;
    bool usable;
    bool used = false;
  };

  bool solveOne(Row& row, size_t most) {
    std::vector<Var> mentioned, open;
    row.right.collectVariables(mentioned);
    for (Var unknown : unknowns_)
      if (contains(mentioned, unknown)) open.push_back(unknown);
    if (open.empty() || open.size() > most) return false;
    for (Var unknown : open) {
      const int64_t c = row.right.coefficientOf(unknown);
      const IndexExpr others = row.right - IndexExpr(unknown) * c;
      if ((c != 1 && c != -1) || others.mentions(unknown)) continue;
      row.used = true;
      assign(unknown, (row.left - others) * c);
      return true;
    }
    return false;
  }

  void assign(Var unknown, const IndexExpr& value) {
    const Substitution one{{unknown, value}};
    for (auto& [var, e] : solution_) e = e.substitute(one);
    for (Row& row : rows_) row.right = row.right.substitute(one);
    solution_.emplace(unknown, value);
    unknowns_.erase(std::remove(unknowns_.begin(), unknowns_.end(), unknown), unknowns_.end());
  }

  std::vector<Var> unknowns_;
  std::vector<Row> rows_;
  Substitution solution_;
};

bool mentionsAny(const IndexExpr& e, const std::vector<Var>& vars) {
  return std::any_of(vars.begin(), vars.end(), [&](Var var) { return e.mentions(var); });
}

}  // namespace

Var RangeVariables::standIn(Var original, const std::vector<Var>& taken) {
  if (!original.isElement() && !contains(taken, original)) return original;
  std::vector<Var>& made = made_[original];
  for (Var var : made)
    if (!contains(taken, var)) return var;
  pdg::Dim dim;
  dim.isRange = true;
  dim.name = original.isElement() ? "k" + std::to_string(original.elementAxis())
                                  : graph_.dim(original).name + "'";
  if (!original.isElement()) {
    dim.span = graph_.dim(original).span;
    for (size_t i = 0; i < made.size(); ++i) dim.name += "'";
  } else if (!made.empty()) {
    dim.name += "_" + std::to_string(made.size());
  }
  made.push_back(graph_.addDim(std::move(dim)));
  return made.back();
}

Inverse invert(Graph& graph, RangeVariables& ranges, const Node& consumer, const Read& read,
               const std::vector<Var>& params, const Set& where, const std::vector<Equation>& also,
               const std::vector<pdg::Reduce::Key>& scatter) {
  const Node& producer = graph.node(read.producer);
  const std::vector<Var> own = pdg::readVariables(consumer);
  std::map<Var, Var> names;
  std::vector<Var> unknowns;
  for (Var var : own) {
    names[var] = scratch(static_cast<int>(unknowns.size()));
    unknowns.push_back(names[var]);
  }
  const Substitution renamed = asExprs(names);

  std::vector<Var> targets = producer.dims;
  for (Var element : pdg::elementVars(producer)) targets.push_back(element);
  std::vector<Equation> equations;
  for (size_t i = 0; i < read.at.size(); ++i) equations.push_back({producer.dims[i], read.at[i]});
  for (size_t i = 0; i < read.element.size(); ++i)
    equations.push_back({Var::element(static_cast<int>(i)), read.element[i]});
  equations.insert(equations.end(), also.begin(), also.end());

  Inverse result;
  std::vector<Var> keyed;
  for (size_t i = 0; i < targets.size(); ++i)
    if (equations[i].consumer.hasValue()) keyed.push_back(targets[i]);

  Solver solver(unknowns);
  for (const Equation& e : equations) {
    const bool usable = !e.consumer.hasValue() && !mentionsAny(e.producer, keyed);
    solver.add(e.producer, e.consumer.substitute(renamed), usable);
  }
  for (const auto& key : scatter) solver.fix(names.at(key.own), key.expr.substitute(renamed));
  solver.run();

  // What is left open is summed over.
  std::vector<Var> taken = params;
  taken.insert(taken.end(), targets.begin(), targets.end());
  std::map<Var, Var> open;
  for (Var var : own) {
    if (solver.solution().contains(names[var])) continue;
    open[names[var]] = ranges.standIn(var, taken);
    result.bound.push_back(open[names[var]]);
    taken.push_back(result.bound.back());
  }
  const Substitution opened = asExprs(open);
  for (Var var : own) {
    auto found = solver.solution().find(names[var]);
    result.consumer.emplace(var, found == solver.solution().end()
                                     ? IndexExpr(open.at(names[var]))
                                     : found->second.substitute(opened));
  }

  const Set universe = Set::universe(graph.context(), taken);
  std::vector<IndexExpr> at;
  for (Var var : where.vars()) {
    auto found = result.consumer.find(var);
    at.push_back(found == result.consumer.end() ? IndexExpr(var) : found->second);
  }
  result.domain = where.preimage(universe.intersect(solver.rest().substitute(opened)), at);
  if (!keyed.empty() || !scatter.empty()) {
    result.domain = result.domain.intersect(pdg::elementDomain(producer).extendTo(taken));
    for (size_t i = 0; i < targets.size(); ++i)
      if (contains(keyed, targets[i]))
        result.keys.push_back({targets[i], equations[i].consumer.substitute(result.consumer)});
  }

  // Equalities of the domain, and quotients, may determine more.
  for (Var var : std::vector<Var>(result.bound)) {
    auto e = result.domain.solve(var);
    if (!e || e->mentions(var) || mentionsAny(*e, keyed)) continue;
    const Substitution one{{var, *e}};
    for (auto& [own, expr] : result.consumer) expr = expr.substitute(one);
    for (auto& key : result.keys) key.expr = key.expr.substitute(one);
    taken.erase(std::find(taken.begin(), taken.end(), var));
    result.bound.erase(std::find(result.bound.begin(), result.bound.end(), var));
    result.domain = result.domain.projectOnto(taken);
  }
  return result;
}

}  // namespace rlc::autodiff
