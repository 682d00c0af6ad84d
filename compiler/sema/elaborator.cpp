// The whole run: declare, resolve params and indices, elaborate the program's equations, then its
// sinks; check; hand over.
#include "compiler/sema/elaborator.h"

#include <algorithm>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/pdg/strong_components.h"
#include "compiler/polyhedral/checked_math.h"
#include "compiler/sema/ends.h"
#include "compiler/sema/names.h"
#include "compiler/syntax/parser.h"
#include "compiler/syntax/print.h"
#include "compiler/types/lists.h"

namespace rlc::sema {

Elaborator::Elaborator(diagnostics::SourceMap& sources, const Options& options,
                       polyhedral::Context& context, diagnostics::DiagnosticSink& sink)
    : sources_(sources), options_(options), context_(context), sink_(sink), graph_(context) {}

// Scopes and what they name point to one another.
Elaborator::~Elaborator() {
  auto clear = [](const std::shared_ptr<Scope>& scope) {
    if (!scope) return;
    scope->symbols.clear();
    scope->system.reset();
  };
  for (const auto& system : systems_) {
    auto scope = system->scope;
    clear(scope);
  }
  for (const auto& [path, scope] : files_) clear(scope);
  clear(programScope_);
  clear(prelude_);
  clear(builtins_);
  for (const auto& scope : blockScopes_) clear(scope);
}

std::optional<Program> Elaborator::run(const syntax::File& entry) {
  for (const auto& [name, text] : options_.params) overrides_[name] = text;
  entryFile_ = entry.id;
  programTargets_ = differentiatedBy(entry.items);
  builtinScope();
  for (const std::string& root : options_.libraryPath) {
    std::string path = root + "/std/prelude.rl";
    if (!isThere(path)) continue;
    prelude_ = loadFile(path, "std.prelude", {});
    break;
  }
  if (!prelude_) prelude_ = builtins_;
  programScope_ = childOf(prelude_, "");
  declareItems(entry.items, programScope_, true);
  for (const auto& [name, text] : overrides_) {
    std::vector<std::string> names;
    bool found = false;
    for (const Param& param : params_) {
      names.push_back(param.name);
      found |= param.name == name;
    }
    if (!found)
      report(Diagnostic(Kind::UnknownParam, {}, "the program has no param `" + name + "`")
                 .hint(diagnostics::didYouMean(name, names)));
  }
  for (size_t i = 0; i < params_.size(); ++i)
    resolveParam(*std::shared_ptr<Symbol>(params_[i].symbol));
  for (size_t i = 0; i < indices_.size(); ++i)
    resolveIndex(*indices_[i], indexNames_[i], programScope_);
  for (size_t i = 0; i < indices_.size(); ++i)
    if (indices_[i]->indexItem->until) untils_[indices_[i]->var].symbol = indices_[i];

  auto nowhere = std::make_shared<Space>();
  nowhere->domain = Set::universe(context_, {});
  auto system = makeSystem(equations_, programScope_, nowhere, {}, true);
  systems_.push_back(system);
  try {
    elaborateSystem(*system);
    for (const auto& [item, span] : sinkItems_) elaborateSink(*item, span, programScope_);
    for (const auto& [index, until] : untils_) recordEnd(index);
    checkNestedEnds();
    if (!sink_.hasErrors()) {
      // What has one of them as a part is not told of.
      const bool endless = std::ranges::any_of(uninferred_, &TensorDef::endless);
      for (TensorDef* tensor : uninferred_) {
        if (tensor->endless)
          fail(Kind::InstantCycle, tensor->span,
               "`" + tensor->name + "` is a part of itself, or has more parts than are counted");
        else if (!endless)
          fail(Kind::InstantCycle, tensor->span,
               "the type of `" + tensor->name + "` can't be found: it depends only on itself");
      }
    }
    reportLost();
    checkCycles();
    if (!sink_.hasErrors()) checkConditions(graph_, sink_);
  } catch (const polyhedral::OperationLimit&) {
    report(Diagnostic(Kind::StaticLimit, {}, "the program's domains are too complex to check")
               .hint("use simpler ranges and conditions"));
  }
  if (sink_.hasErrors()) return std::nullopt;
  return finish(*system);
}

// Nodes that nothing shown or named depends on are left out.
Program Elaborator::finish(System& system) {
  followEnds(graph_);
  std::vector<bool> live(static_cast<size_t>(graph_.size()), false);
  std::vector<NodeId> work;
  auto mark = [&](NodeId id) {
    if (id >= 0 && !live[static_cast<size_t>(id)]) {
      live[static_cast<size_t>(id)] = true;
      work.push_back(id);
    }
  };
  for (const auto& tensor : system.tensors)
    for (NodeId leaf : tensor->leaves) mark(leaf);
  for (const pdg::Sink& sink : graph_.sinks()) {
    pdg::forEachLeaf(sink.value, [&](const Read& read) { mark(read.producer); });
    if (sink.where) mark(sink.where->producer);
  }
  for (int i = 0; i < graph_.dimCount(); ++i) mark(graph_.dim(Var::dim(i)).end);
  while (!work.empty()) {
    NodeId id = work.back();
    work.pop_back();
    for (const Read& read : graph_.node(id).inputs) mark(read.producer);
  }
  pdg::Graph graph(context_);
  std::vector<NodeId> number(live.size(), -1);
  NodeId next = 0;
  for (size_t i = 0; i < live.size(); ++i)
    if (live[i]) number[i] = next++;
  auto moved = [&](NodeId id) { return id < 0 ? id : number[static_cast<size_t>(id)]; };
  for (int i = 0; i < graph_.dimCount(); ++i) {
    pdg::Dim dim = graph_.dim(Var::dim(i));
    dim.end = moved(dim.end);
    graph.addDim(std::move(dim));
  }
  for (const pdg::ParamInfo& param : graph_.params()) graph.addParam(param);
  for (size_t i = 0; i < live.size(); ++i) {
    if (!live[i]) continue;
    Node node = std::move(graph_.node(static_cast<NodeId>(i)));
    for (Read& read : node.inputs) read.producer = moved(read.producer);
    graph.add(std::move(node));
  }
  for (pdg::Sink& sink : graph_.sinks()) {
    pdg::forEachLeaf(sink.value, [&](Read& read) { read.producer = moved(read.producer); });
    if (sink.where) sink.where->producer = moved(sink.where->producer);
    graph.sinks().push_back(std::move(sink));
  }
  Program program{std::move(graph),  {}, {}, {}, std::move(parts_), std::move(names_),
                  std::move(absent_)};
  for (const Param& param : params_)
    program.params.push_back({param.name, param.doc, param.span, param.type, param.text,
                              param.overridden, param.baked, param.givesOthers});
  for (size_t i = 0; i < indices_.size(); ++i) {
    const pdg::Dim& dim = program.graph.dim(indices_[i]->var);
    auto namer = program.graph.namer();
    program.indices.push_back({dim.name, indexDocs_[i], dim.span,
                               dim.lo.toString(namer) + ".." + dim.hi.toString(namer),
                               indices_[i]->var});
  }
  for (const auto& tensor : system.tensors) {
    TensorFact fact;
    fact.name = tensor->name;
    fact.span = tensor->span;
    auto namer = program.graph.namer();
    for (const Position& p : tensor->positions) fact.dims.push_back(p.name);
    fact.type = describe(tensor->signature, namer);
    fact.domain = tensor->domain.toString(namer);
    for (NodeId leaf : tensor->leaves) fact.leaves.push_back(moved(leaf));
    for (const Target& target : tensor->targets) fact.equations.push_back(target.pattern->span);
    program.tensors.push_back(std::move(fact));
  }
  return program;
}

// end(s) of an index that ends on a condition: the first point at which it holds, plus 1; hi where
// there is none.
ValueRef Elaborator::endOf(Var index, Span span, const Place& place) {
  Until& until = untils_.at(index);
  if (until.busy)
    return fail(Kind::InstantCycle, span,
                "the end of `" + graph_.dim(index).name + "` depends on itself");
  until.busy = true;
  const pdg::Dim dim = graph_.dim(index);
  const syntax::IndexItem& item = *until.symbol->indexItem;
  std::vector<Var> vars;
  dim.lo.collectVariables(vars);
  dim.hi.collectVariables(vars);
  std::map<Var, IndexExpr> current;
  for (Var var : vars)
    if (auto at = lookupIndex(var, span, place)) current[var] = *at;
  IndexExpr lo = dim.lo.substitute(current), hi = dim.hi.substitute(current);
  Var bound = freshDim(dim.name, dim.span, lo, hi, true);
  auto inner = place.space->extend(bound, lo, hi);
  inner->index[index] = IndexExpr(bound);
  Place within{programScope_, inner};
  ValueRef value = eval(*item.until, within);
  until.busy = false;
  if (value->isUnknown() || value->isPoison()) return value;
  auto test = oneBool(value, within, item.until->span, "the condition of `until`");
  if (!test) return poison();
  boundDependences_.clear();
  boundDependences_.insert(vars.begin(), vars.end());
  firstTrueOtherwise_ = hi;
  Tensor result = reducePoints(pdg::ReduceKind::FirstTrue, stored(*test, within), {bound}, within,
                               place, std::nullopt, span);
  result.range = ValueRange{IndexExpr::min(lo + 1, hi), hi + 1};
  return make(std::move(result));
}

void Elaborator::recordEnd(Var index) {
  std::set<Var> touched;
  auto open = std::make_shared<Space>();
  open->open = true;
  open->touched = &touched;
  {
    DryRun quiet(*this);
    endOf(index, {}, Place{programScope_, open});
  }
  touched.erase(index);
  ValueRef end = endOf(index, graph_.dim(index).span,
                       Place{programScope_, declaredSpace(closeIndices(touched))});
  if (const Tensor* t = end->as<Tensor>()) graph_.dim(index).end = t->view.producer;
}

// Whether a point of an index is there is told by the ends of those before it: they are nested.
void Elaborator::checkNestedEnds() {
  std::vector<Var> ending;
  for (const auto& [index, until] : untils_)
    if (graph_.dim(index).end >= 0) ending.push_back(index);
  std::vector<std::vector<int>> over(ending.size());
  for (size_t k = 0; k < ending.size(); ++k)
    for (size_t other = 0; other < ending.size(); ++other)
      if (contains(graph_.node(graph_.dim(ending[k]).end).dims, ending[other]))
        over[k].push_back(static_cast<int>(other));
  const pdg::StrongComponents found = pdg::findStrongComponents(over);
  std::vector<std::optional<size_t>> first(static_cast<size_t>(found.count));
  for (size_t k = 0; k < ending.size(); ++k) {
    auto& other = first[static_cast<size_t>(found.of[k])];
    if (!other) {
      other = k;
      continue;
    }
    const auto conditionOf = [&](size_t i) {
      return untils_.at(ending[i]).symbol->indexItem->until->span;
    };
    const std::string name = graph_.dim(ending[k]).name, before = graph_.dim(ending[*other]).name;
    report(Diagnostic(Kind::InstantCycle, conditionOf(k),
                      "`" + name + "` and `" + before +
                          "` end on conditions that run over each other, so that where each ends "
                          "depends on where the other does")
               .label(conditionOf(*other), "the condition of `" + before + "`")
               .hint("let one of them end on a condition that does not run over the other, such "
                     "as `any(... for " +
                     name + ")` for `" + before + "`"));
    return;
  }
}

std::optional<Program> elaborate(diagnostics::SourceMap& sources, const syntax::File& entry,
                                 const Options& options, polyhedral::Context& context,
                                 diagnostics::DiagnosticSink& sink) {
  Elaborator elaborator(sources, options, context, sink);
  try {
    return elaborator.run(entry);
  } catch (const polyhedral::IndexOverflow&) {
    if (sink.hasErrors()) return std::nullopt;  // a consequence of what was reported
    sink.report(
        Diagnostic(Kind::StaticLimit, Span{entry.id, 0, 0}, "an index expression overflows 64 bits")
            .hint("ranges and subscripts are computed exactly; use smaller ones"));
    return std::nullopt;
  } catch (const InternalError&) {
    if (sink.hasErrors()) return std::nullopt;
    throw;
  }
}

std::optional<Program> elaborate(diagnostics::SourceMap& sources, diagnostics::FileId entry,
                                 const Options& options, polyhedral::Context& context,
                                 diagnostics::DiagnosticSink& sink) {
  syntax::File file = syntax::parse(sources, entry, sink);
  return elaborate(sources, file, options, context, sink);
}

}  // namespace rlc::sema
