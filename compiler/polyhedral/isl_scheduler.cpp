// isl's scheduler (a Pluto-like search), and its schedule tree flattened to one list of expressions
// a statement.
#include <isl/options.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>

#include <algorithm>
#include <string>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/polyhedral/scan.h"
#include "compiler/polyhedral/set_impl.h"

namespace rlc::polyhedral {

namespace {

using ScheduleHandle = Handle<isl_schedule, isl_schedule_free, isl_schedule_copy>;
using ScheduleNodeHandle =
    Handle<isl_schedule_node, isl_schedule_node_free, isl_schedule_node_copy>;
using UnionSetHandle = Handle<isl_union_set, isl_union_set_free, isl_union_set_copy>;
using UnionMapHandle = Handle<isl_union_map, isl_union_map_free, isl_union_map_copy>;
using BandHandle =
    Handle<isl_multi_union_pw_aff, isl_multi_union_pw_aff_free, isl_multi_union_pw_aff_copy>;

std::string statementName(size_t k) { return "S" + std::to_string(k); }

isl_set* namedDomain(const Set& domain, size_t k) {
  return isl_set_set_tuple_name(domain.impl().isl().copy(), statementName(k).c_str());
}

// { source -> sink }: the order in which isl reads validity.
isl_map* validityMap(const Dependence& dependence) {
  std::vector<Var> order = dependence.sourceVars;
  order.insert(order.end(), dependence.sinkVars.begin(), dependence.sinkVars.end());
  Set relation = dependence.relation.projectOnto(order);
  isl_map* map = isl_map_from_range(relation.impl().isl().copy());
  map = isl_map_move_dims(map, isl_dim_in, 0, isl_dim_out, 0,
                          static_cast<unsigned>(dependence.sourceVars.size()));
  map = isl_map_set_tuple_name(map, isl_dim_in,
                               statementName(static_cast<size_t>(dependence.source)).c_str());
  return isl_map_set_tuple_name(map, isl_dim_out,
                                statementName(static_cast<size_t>(dependence.sink)).c_str());
}

class Flattener {
 public:
  Flattener(Context& context, const std::vector<Set>& domains)
      : context_(context), domains_(domains) {
    result_.time.resize(domains.size());
  }

  std::optional<IslSchedule> flatten(const ScheduleHandle& schedule) {
    ScheduleNodeHandle root(checked(ctx(), isl_schedule_get_root(schedule.get())));
    if (!visit(root, std::vector<bool>(domains_.size(), true))) return std::nullopt;
    size_t dims = result_.parallel.size();
    for (auto& time : result_.time) time.resize(dims);
    return std::move(result_);
  }

 private:
  isl_ctx* ctx() const { return context_.impl().ctx; }

  // `active`: the statements that reach the node. They all have the same number of dimensions so
  // far.
  bool visit(const ScheduleNodeHandle& node, const std::vector<bool>& active) {
    switch (isl_schedule_node_get_type(node.get())) {
      case isl_schedule_node_band:
        return band(node, active) && visitChildren(node, active);
      case isl_schedule_node_sequence:
      case isl_schedule_node_set:
        return sequence(node, active);
      case isl_schedule_node_filter:
        return visitChildren(node, filtered(node, active));
      case isl_schedule_node_leaf:
        return true;
      default:
        return visitChildren(node, active);
    }
  }

  bool visitChildren(const ScheduleNodeHandle& node, const std::vector<bool>& active) {
    int n = checkedSize(ctx(), isl_schedule_node_n_children(node.get()));
    for (int i = 0; i < n; ++i) {
      if (!visit(ScheduleNodeHandle(isl_schedule_node_get_child(node.get(), i)), active))
        return false;
    }
    return true;
  }

  std::vector<bool> filtered(const ScheduleNodeHandle& node, const std::vector<bool>& active) {
    UnionSetHandle filter(checked(ctx(), isl_schedule_node_filter_get_filter(node.get())));
    std::vector<bool> result(active.size());
    for (size_t k = 0; k < active.size(); ++k) {
      SetHandle part(isl_union_set_extract_set(filter.get(), statementSpace(k)));
      result[k] = active[k] && !checked(ctx(), isl_set_is_empty(checked(ctx(), part.get())));
    }
    return result;
  }

  isl_space* statementSpace(size_t k) {
    isl_space* space = setSpace(ctx(), domains_[k].vars().size()).take();
    return isl_space_set_tuple_name(space, isl_dim_set, statementName(k).c_str());
  }

  isl_space* functionSpace(size_t k) {
    return isl_space_map_from_domain_and_range(statementSpace(k), setSpace(ctx(), 1).take());
  }

  void append(size_t statement, IndexExpr e, bool parallel) {
    auto& time = result_.time[statement];
    time.push_back(std::move(e));
    if (result_.parallel.size() < time.size()) result_.parallel.push_back(true);
    if (!parallel) result_.parallel[time.size() - 1] = false;
  }

  bool sequence(const ScheduleNodeHandle& node, const std::vector<bool>& active) {
    int n = checkedSize(ctx(), isl_schedule_node_n_children(node.get()));
    for (int i = 0; i < n; ++i) {
      ScheduleNodeHandle child(checked(ctx(), isl_schedule_node_get_child(node.get(), i)));
      std::vector<bool> inside = filtered(child, active);
      for (size_t k = 0; k < inside.size(); ++k) {
        if (inside[k]) append(k, i, false);
      }
      if (!visitChildren(child, inside)) return false;
    }
    return true;
  }

  bool band(const ScheduleNodeHandle& node, const std::vector<bool>& active) {
    BandHandle partial(checked(ctx(), isl_schedule_node_band_get_partial_schedule(node.get())));
    int members = checkedSize(ctx(), isl_schedule_node_band_n_member(node.get()));
    for (int m = 0; m < members; ++m) {
      bool parallel = checked(ctx(), isl_schedule_node_band_member_get_coincident(node.get(), m));
      isl_union_pw_aff* member = isl_multi_union_pw_aff_get_union_pw_aff(partial.get(), m);
      for (size_t k = 0; k < active.size(); ++k) {
        if (!active[k]) continue;
        PwAffHandle function(isl_union_pw_aff_extract_pw_aff(member, functionSpace(k)));
        checked(ctx(), function.get());
        // Conditions are checked over sets without names.
        function = PwAffHandle(isl_pw_aff_reset_tuple_id(function.take(), isl_dim_in));
        auto e = exprOf(context_, domains_[k].vars(), function);
        if (!e)
          if (!e) {
            isl_union_pw_aff_free(member);
            return false;
          }
        append(k, *e, parallel);
      }
      isl_union_pw_aff_free(member);
    }
    return true;
  }

  Context& context_;
  const std::vector<Set>& domains_;
  IslSchedule result_;
};

std::vector<IndexExpr> timeOver(const std::vector<IndexExpr>& time, const std::vector<Var>& own,
                                const std::vector<Var>& renamed) {
  std::map<Var, IndexExpr> names;
  for (size_t i = 0; i < own.size(); ++i) names[own[i]] = renamed[i];
  std::vector<IndexExpr> result;
  for (const IndexExpr& e : time) result.push_back(e.substitute(names));
  return result;
}

// Whether every sink runs strictly after its source; isl itself lets a point depend on itself.
bool respects(const IslSchedule& schedule, const std::vector<Set>& domains,
              const Dependence& dependence) {
  size_t sink = static_cast<size_t>(dependence.sink);
  size_t source = static_cast<size_t>(dependence.source);
  auto after = timeOver(schedule.time[sink], domains[sink].vars(), dependence.sinkVars);
  auto before = timeOver(schedule.time[source], domains[source].vars(), dependence.sourceVars);
  Set undecided = dependence.relation;
  for (size_t k = 0; k < after.size(); ++k) {
    if (!undecided.intersect(Condition::less(after[k], before[k])).isEmpty()) return false;
    undecided = undecided.intersect(Condition::equal(after[k], before[k]));
  }
  return undecided.isEmpty();
}

// A part of the budget of an operation: the search for a good order may use so much. Where it finds
// one it takes a few thousand steps; where it does not, the numbers in its integer programs get
// ever longer, and a hundred thousand steps take minutes.
constexpr unsigned long kShareOfGoodOrder = 1000;

// An operation of isl's is a step of a linear program, and takes the longer the more statements and
// dependences there are: its matrix grows in both directions, and the numbers in it.
constexpr double kSmall = 24;

unsigned long weightOf(size_t statements, size_t dependences) {
  const double size = static_cast<double>(statements + dependences) / kSmall;
  return size <= 1 ? 1 : static_cast<unsigned long>(size * size * size * size);
}

// Nothing: there is none, or (then `outOfBudget` is set) the budget ran out.
ScheduleHandle search(Context& context, const UnionSetHandle& domain,
                      const UnionMapHandle& validity, bool good, unsigned long weight,
                      bool& outOfBudget) {
  isl_ctx* ctx = startOperation(context);
  BudgetShare share(ctx, good ? kShareOfGoodOrder * weight : weight);
  // Values that isl finds a schedule with quickly; they hold for this context's later calls too,
  // which want the same.
  isl_options_set_schedule_serialize_sccs(ctx, 0);
  isl_options_set_schedule_maximize_band_depth(ctx, 1);
  isl_options_set_schedule_outer_coincidence(ctx, good);
  isl_options_set_schedule_treat_coalescing(ctx, 0);
  isl_options_set_schedule_max_coefficient(ctx, good ? 20 : -1);
  isl_options_set_schedule_max_constant_term(ctx, good ? 20 : -1);
  isl_options_set_schedule_algorithm(
      ctx, good ? ISL_SCHEDULE_ALGORITHM_ISL : ISL_SCHEDULE_ALGORITHM_FEAUTRIER);
  isl_schedule_constraints* constraints = isl_schedule_constraints_on_domain(domain.copy());
  constraints = isl_schedule_constraints_set_validity(constraints, validity.copy());
  if (good) {
    constraints = isl_schedule_constraints_set_coincidence(constraints, validity.copy());
    constraints = isl_schedule_constraints_set_proximity(constraints, validity.copy());
  }
  ScheduleHandle schedule(isl_schedule_constraints_compute_schedule(constraints));
  if (!schedule) {
    outOfBudget = share.ranOut();
    isl_ctx_reset_error(ctx);
    isl_ctx_reset_operations(ctx);
  }
  return schedule;
}

}  // namespace

IslSearch scheduleWithIsl(Context& context, const std::vector<Set>& domains,
                          const std::vector<Dependence>& dependences, Effort effort) {
  isl_ctx* ctx = startOperation(context);
  isl_union_set* domain = isl_union_set_empty(isl_space_params_alloc(ctx, 0));
  for (size_t k = 0; k < domains.size(); ++k) {
    domain = isl_union_set_add_set(domain, namedDomain(domains[k], k));
  }
  isl_union_map* validity = isl_union_map_empty(isl_space_params_alloc(ctx, 0));
  for (const Dependence& dependence : dependences) {
    validity = isl_union_map_add_map(validity, validityMap(dependence));
  }
  UnionSetHandle where(domain);
  UnionMapHandle order(validity);
  IslSearch result;
  const ScheduleHandle schedule =
      search(context, where, order, effort == Effort::Good,
             weightOf(domains.size(), dependences.size()), result.outOfBudget);
  if (!schedule) return result;
  auto flat = Flattener(context, domains).flatten(schedule);
  if (flat && std::all_of(dependences.begin(), dependences.end(), [&](const auto& dependence) {
        return respects(*flat, domains, dependence);
      }))
    result.schedule = std::move(flat);
  return result;
}

}  // namespace rlc::polyhedral
