#include "compiler/passes/pipeline.h"

#include <chrono>
#include <optional>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/diagnostics/nearest.h"
#include "compiler/passes/asked_points.h"
#include "compiler/passes/common_subexpressions.h"
#include "compiler/passes/dead_code.h"
#include "compiler/passes/domain_reduction.h"
#include "compiler/passes/fold_constants.h"
#include "compiler/passes/gathered_records.h"
#include "compiler/passes/kept_values.h"
#include "compiler/passes/past_ends.h"
#include "compiler/passes/point_updates.h"
#include "compiler/passes/simplify.h"
#include "compiler/passes/simplify_reductions.h"
#include "compiler/passes/skew_domains.h"
#include "compiler/passes/small_angles.h"
#include "compiler/passes/strength_reduction.h"
#include "compiler/pdg/subscript_faults.h"
#include "compiler/pdg/verifier.h"
#include "compiler/types/lists.h"

namespace rlc::passes {

namespace {
constexpr bool kMergesPoints = true;
}

const std::vector<Pass>& pipeline() {
  static const std::vector<Pass> passes = {
      // clang-format off
      {"dead-code",             "leave out what no sink reads",                                     deadCode},
      {"fold-constants",        "compute what is known now",                                        foldConstants},
      {"simplify",              "read through aliases, drop operations that change nothing",        simplify},
      {"domain-reduction",      "leave the indices that a value does not vary over",                domainReduction, kMergesPoints},
      {"common-subexpressions", "compute once what several places compute, phases apart included",  commonSubexpressions, kMergesPoints},
      {"dead-code",             "what the others no longer read",                                   deadCode},
      {"simplify-reductions",   "turn reductions over growing ranges into recurrences",             simplifyReductions},
      {"strength-reduction",    "powers and divisions as products",                                 strengthReduction},
      {"fold-constants",        "weights and bases of the new recurrences",                         foldConstants},
      {"simplify",              "products with such weights",                                       simplify},
      {"skew-domains",          "one value for each difference of indices that matters alone",      skewDomains, kMergesPoints},
      {"domain-reduction",      "what the full ranges had needed",                                  domainReduction, kMergesPoints},
      {"common-subexpressions", "recurrences of equal reductions' parts",                           commonSubexpressions, kMergesPoints},
      {"kept-values",           "read what an equation keeps where it is kept",                     keptValues},
      {"small-angles",          "sines and cosines of what is proved to be a small angle",          smallAngles},
      {"point-updates",         "change one element where the others stay as they are",             pointUpdates},
      {"gathered-records",      "one line of the cache for what is read together by data",          gatheredRecords},
      {"dead-code",             "the ranges that recurrences replaced, the conditions of such changes", deadCode},
      // clang-format on
  };
  return passes;
}

namespace {

template <typename Choice>
std::vector<std::string> namesOf(const Choice& chosen) {
  std::vector<std::string> names;
  for (const Pass& pass : pipeline())
    if (chosen(pass) && !contains(names, pass.name)) names.emplace_back(pass.name);
  return names;
}

}  // namespace

std::vector<std::string> passNames() {
  return namesOf([](const Pass&) { return true; });
}

std::vector<std::string> passesThatMergePoints() {
  return namesOf([](const Pass& pass) { return pass.mergesPoints; });
}

std::string unknownPass(const std::string& name) {
  const std::vector<std::string> names = passNames();
  if (contains(names, name)) return "";
  std::string message = "there is no pass `" + name + "`";
  const std::string hint = diagnostics::didYouMean(name, names);
  if (!hint.empty()) return message + ": " + hint;
  message += "; the passes are ";
  for (size_t i = 0; i < names.size(); ++i) message += (i ? ", " : "") + names[i];
  return message;
}

PassReport runPasses(pdg::Graph& graph, const PassOptions& options) {
  for (const std::string& name : options.disabled)
    if (const std::string message = unknownPass(name); !message.empty())
      throw InternalError(message);
  pdg::noteOrigins(graph);
  notePastEnds(graph);
  computeFaultsWhereAsked(graph);
  PassReport report;
  for (const Pass& pass : pipeline()) {
    if (contains(options.disabled, pass.name)) continue;
    std::optional<pdg::Graph> before;
    if (options.observer) before = graph;
    PassRun run{.name = pass.name, .nodesBefore = graph.size(), .notes = {}};
    const auto start = std::chrono::steady_clock::now();
    pass.run(graph, run.notes);
    run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    run.nodesAfter = graph.size();
    if (options.verifyEach) pdg::verifyOrThrow(graph, "after " + std::string(pass.name));
    if (options.observer) options.observer(run, *before, graph);
    report.runs.push_back(std::move(run));
  }
  return report;
}

}  // namespace rlc::passes
