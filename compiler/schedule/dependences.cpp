#include "compiler/schedule/dependences.h"

#include <algorithm>

#include "compiler/types/lists.h"

namespace rlc::schedule {

namespace {

class DependenceFinder {
 public:
  DependenceFinder(const Graph& graph, const Statements& statements)
      : graph_(graph), statements_(statements), offset_(graph.dimCount()) {}

  std::vector<Dependence> find() {
    for (size_t sink = 0; sink < statements_.list.size(); ++sink) {
      const Statement& reader = statements_.list[sink];
      for (const Access& access : reader.accesses)
        for (int source : statements_.writers[static_cast<size_t>(access.producer)])
          addRead(static_cast<int>(sink), source, access);
      if (reader.role == Statement::Role::Update) addInit(static_cast<int>(sink));
    }
    return std::move(result_);
  }

 private:
  Var renamed(Var var) const { return Var::dim(var.id + offset_); }

  std::vector<Var> renamedAll(const std::vector<Var>& vars) const {
    std::vector<Var> result;
    for (Var var : vars) result.push_back(renamed(var));
    return result;
  }

  Set renamedDomain(const Statement& statement) const {
    std::map<Var, Var> names;
    for (Var var : statement.vars) names[var] = renamed(var);
    return statement.domain.rename(names);
  }

  void addRead(int sink, int source, const Access& access) {
    const Statement& reader = statements_.list[static_cast<size_t>(sink)];
    const Statement& writer = statements_.list[static_cast<size_t>(source)];
    const pdg::Node& node = graph_.node(access.producer);

    Dependence dependence;
    dependence.source = source;
    dependence.sink = sink;
    dependence.sourceVars = renamedAll(writer.vars);
    Set relation = Set::access(access.scope, access.at, renamedAll(node.dims));
    relation = relation.join(renamedDomain(writer));
    std::vector<Var> kept = reader.vars;
    kept.insert(kept.end(), dependence.sourceVars.begin(), dependence.sourceVars.end());
    dependence.relation = relation.projectOnto(kept);
    if (dependence.relation.isEmpty()) return;

    dependence.shifts.resize(writer.vars.size());
    for (size_t k = 0; k < node.dims.size(); ++k) {
      const auto position = std::find(writer.vars.begin(), writer.vars.end(), node.dims[k]);
      if (position == writer.vars.end()) continue;
      const auto shifted = access.at[k].asShifted();
      if (shifted && contains(reader.vars, shifted->var))
        dependence.shifts[static_cast<size_t>(position - writer.vars.begin())] = shifted;
    }
    result_.push_back(std::move(dependence));
  }

  // An update runs after its reduction's identity is in place.
  void addInit(int update) {
    const Statement& statement = statements_.list[static_cast<size_t>(update)];
    for (int source : statements_.writers[static_cast<size_t>(statement.node)]) {
      const Statement& init = statements_.list[static_cast<size_t>(source)];
      if (init.role != Statement::Role::Init) continue;
      Dependence dependence;
      dependence.source = source;
      dependence.sink = update;
      dependence.orders = true;
      dependence.sourceVars = renamedAll(init.vars);
      Set relation = statement.domain.join(renamedDomain(init));
      dependence.shifts.resize(init.vars.size());
      for (size_t k = 0; k < init.vars.size(); ++k) {
        const Var var = init.vars[k];
        if (!contains(statement.vars, var)) continue;
        relation = relation.intersect(
            polyhedral::Condition::equal(IndexExpr(var), IndexExpr(renamed(var))));
        dependence.shifts[k] = IndexExpr::Shifted{var, 0};
      }
      dependence.relation = relation;
      result_.push_back(std::move(dependence));
    }
  }

  const Graph& graph_;
  const Statements& statements_;
  int32_t offset_;
  std::vector<Dependence> result_;
};

}  // namespace

std::vector<Dependence> findDependences(const Graph& graph, const Statements& statements) {
  return DependenceFinder(graph, statements).find();
}

}  // namespace rlc::schedule
