// Types, shapes and indices of tensors: the least fixpoint of evaluating right sides over unknown
// values, one group of mutually dependent tensors at a time, so that the order of equations never
// matters.
#include <algorithm>
#include <functional>
#include <utility>

#include "compiler/sema/elaborator.h"
#include "compiler/sema/names.h"
#include "compiler/types/lists.h"

namespace rlc::sema {

namespace {

constexpr int kMaxPasses = 24;
constexpr int kWidenAfter = 2;  // then ranges that still grow are given up
constexpr size_t kMostParts =
    1 << 17;  // of a value; what has itself as a part gets more in some passes

std::string keyOf(const ValueRef& value, const polyhedral::VarNamer& namer) {
  std::string key = describe(value, namer);
  forEachTensor(value, [&](const Tensor& t, const std::string& path) {
    key += ";" + path + ":" + describe(t, namer) + std::to_string(static_cast<int>(t.weak));
    if (t.range) key += "[" + t.range->lo.toString(namer) + "," + t.range->hi.toString(namer) + ")";
    for (const IndexExpr& e : t.view.at) key += "@" + e.toString(namer);
    if (t.constant()) key += "=" + std::to_string(*t.constant());
  });
  return key;
}

// An argument of a module that all equations give the same integer: it serves as a size wherever
// the module is.
ValueRef sharedArgument(const ValueRef& a, const ValueRef& b, const ValueRef& joined) {
  const Tensor *x = a->as<Tensor>(), *y = b->as<Tensor>(), *both = joined->as<Tensor>();
  if (!x || !y || !both || !x->constant() || x->constant() != y->constant()) return joined;
  Tensor result = *both;
  result.index = x->index;
  result.params = x->params;
  result.params.insert(y->params.begin(), y->params.end());
  return make(std::move(result));
}

// `signature` with the integers that are known of the arguments of the modules in `value`.
ValueRef withArguments(const ValueRef& signature, const ValueRef& value) {
  const Instance *of = value->as<Instance>(), *instance = signature->as<Instance>();
  if (!of || !instance) return signature;
  Instance result = *instance;
  for (size_t i = 0; i < result.fields.size(); ++i) {
    ValueRef& field = result.fields[i].second;
    const ValueRef& known = of->fields[i].second;
    const Tensor* t = known->as<Tensor>();
    if (!t || !t->constant()) {
      field = withArguments(field, known);
      continue;
    }
    Tensor leaf = *field->as<Tensor>();
    leaf.weak = Weak::No;
    leaf.index = t->index;
    leaf.params = t->params;
    field = make(std::move(leaf));
  }
  return make(std::move(result));
}

// Names that a definition's functions read, so that a tensor used inside a function counts as a
// dependence of its callers.
class Dependences {
 public:
  explicit Dependences(const std::shared_ptr<Scope>& scope) : scope_(scope) {}

  std::set<TensorDef*> of(const System& system, const syntax::EquationItem& item) {
    std::set<std::string> names;
    collectNames(*item.value, names);
    return resolve(system, names);
  }

 private:
  // A function's names are looked up where it was written.
  std::set<TensorDef*> resolve(const System& system, const std::set<std::string>& names) {
    struct Place {
      const Scope* scope;
      std::string name;
      bool ends;  // beside it stands `end`
      auto operator<=>(const Place&) const = default;
    };
    std::set<TensorDef*> result;
    std::set<Place> seen;
    std::vector<Place> work;
    const auto add = [&](const Scope& scope, const std::set<std::string>& more) {
      for (const std::string& name : more) work.push_back({&scope, name, more.contains("end")});
    };
    add(*scope_, names);
    while (!work.empty()) {
      const Place place = std::move(work.back());
      work.pop_back();
      if (!seen.insert(place).second) continue;
      const auto symbol = place.scope->find(place.name);
      if (!symbol) continue;
      // end(s) is known by the condition on which s ends.
      if (symbol->kind == Symbol::Kind::Index && place.ends && symbol->indexItem &&
          symbol->indexItem->until)
        add(*scope_, namesOf(symbol->indexItem,
                             [&](auto& out) { collectNames(*symbol->indexItem->until, out); }));
      if (symbol->kind == Symbol::Kind::Tensor && symbol->tensor->system == &system)
        result.insert(symbol->tensor);
      if (symbol->kind != Symbol::Kind::Value || !symbol->value) continue;
      if (const Function* f = symbol->value->as<Function>())
        add(*f->scope, namesOf(f->item, [&](auto& out) { collectNames(*f->item, out); }));
      if (const Class* c = symbol->value->as<Class>())
        add(*c->scope, namesOf(c->item, [&](auto& out) { collectNames(*c->item, out); }));
    }
    return result;
  }

  template <typename Collect>
  const std::set<std::string>& namesOf(const void* item, const Collect& collect) {
    auto it = memo_.find(item);
    if (it == memo_.end()) {
      it = memo_.emplace(item, std::set<std::string>{}).first;
      collect(it->second);
    }
    return it->second;
  }

  std::shared_ptr<Scope> scope_;
  std::map<const void*, std::set<std::string>> memo_;
};

}  // namespace

// Tarjan's algorithm without recursion: groups come out dependences first.
void Elaborator::orderGroups(System& system) {
  const size_t n = system.tensors.size();
  std::map<TensorDef*, size_t> number;
  for (size_t i = 0; i < n; ++i) number[system.tensors[i].get()] = i;
  std::vector<std::vector<size_t>> edges(n);
  Dependences dependences(system.scope);
  for (const auto& equation : system.equations) {
    std::set<TensorDef*> reads = dependences.of(system, *equation->item);
    for (TensorDef* defined : equation->defines) {
      for (TensorDef* read : reads) edges[number[defined]].push_back(number[read]);
      for (TensorDef* sibling : equation->defines)
        edges[number[defined]].push_back(number[sibling]);
    }
  }
  constexpr size_t kNone = static_cast<size_t>(-1);
  std::vector<size_t> order(n, kNone), low(n, 0), stack;
  std::vector<bool> onStack(n, false);
  size_t counter = 0;
  struct Frame {
    size_t node, edge;
  };
  for (size_t root = 0; root < n; ++root) {
    if (order[root] != kNone) continue;
    std::vector<Frame> frames{{root, 0}};
    while (!frames.empty()) {
      Frame& frame = frames.back();
      size_t v = frame.node;
      if (frame.edge == 0 && order[v] == kNone) {
        order[v] = low[v] = counter++;
        stack.push_back(v);
        onStack[v] = true;
      }
      if (frame.edge < edges[v].size()) {
        size_t w = edges[v][frame.edge++];
        if (order[w] == kNone)
          frames.push_back({w, 0});
        else if (onStack[w])
          low[v] = std::min(low[v], order[w]);
        continue;
      }
      if (low[v] == order[v]) {
        std::vector<size_t> members;
        size_t w;
        do {
          w = stack.back();
          stack.pop_back();
          onStack[w] = false;
          members.push_back(w);
        } while (w != v);
        std::sort(members.begin(), members.end());
        std::vector<TensorDef*> group;
        for (size_t member : members) {
          system.tensors[member]->group = static_cast<int>(system.groups.size());
          group.push_back(system.tensors[member].get());
        }
        system.groups.push_back(std::move(group));
      }
      frames.pop_back();
      if (!frames.empty()) low[frames.back().node] = std::min(low[frames.back().node], low[v]);
    }
  }
}

ValueRef Elaborator::joinSignatures(const ValueRef& a, const ValueRef& b, bool widen, Span span) {
  if (!a || a->isUnknown()) return b;
  if (!b || b->isUnknown()) return a;
  if (a->isPoison()) return b;
  if (b->isPoison()) return a;
  if (const Tuple *x = a->as<Tuple>(), *y = b->as<Tuple>();
      x && y && x->elements.size() == y->elements.size()) {
    Tuple result{{}, x->list && y->list};
    for (size_t i = 0; i < x->elements.size(); ++i)
      result.elements.push_back(joinSignatures(x->elements[i], y->elements[i], widen, span));
    return make(std::move(result));
  }
  if (const Record *x = a->as<Record>(), *y = b->as<Record>(); x && y) {
    Record result{x->type.empty() ? y->type : x->type, {}};
    for (const auto& [name, field] : x->fields) {
      const ValueRef* other = y->field(name);
      result.fields.emplace_back(name, other ? joinSignatures(field, *other, widen, span) : field);
    }
    return make(std::move(result));
  }
  if (const Instance *x = a->as<Instance>(), *y = b->as<Instance>();
      x && y && x->of->item == y->of->item) {
    Instance result = *x;
    for (size_t i = 0; i < result.fields.size() && i < y->fields.size(); ++i)
      result.fields[i].second =
          sharedArgument(x->fields[i].second, y->fields[i].second,
                         joinSignatures(x->fields[i].second, y->fields[i].second, widen, span));
    if (x->weights && y->weights)
      result.weights = joinSignatures(x->weights, y->weights, widen, span);
    return make(std::move(result));
  }
  const Tensor *x = a->as<Tensor>(), *y = b->as<Tensor>();
  if (!x || !y) return a;
  Tensor result = *x;
  result.type = common({*x, *y});
  result.weak = x->weak == Weak::No || y->weak == Weak::No
                    ? Weak::No
                    : (x->weak == Weak::Float || y->weak == Weak::Float ? Weak::Float : Weak::Int);
  if (y->shape.size() > x->shape.size()) result.shape = y->shape;
  for (size_t i = 0; i < result.shape.size() && x->shape.size() == y->shape.size(); ++i)
    if (result.shape[i].asConstant() == 1) result.shape[i] = y->shape[i];
  result.view = View{};
  result.index.reset();
  result.number.reset();
  result.condition.reset();
  result.function.reset();
  result.range.reset();
  if (x->range && y->range) {
    const ValueRange &r = *x->range, &s = *y->range;
    if (r.lo == s.lo && r.hi == s.hi)
      result.range = r;
    else if (!widen)
      result.range = ValueRange{IndexExpr::min(r.lo, s.lo), IndexExpr::max(r.hi, s.hi)};
  }
  return make(std::move(result));
}

// Lists of tensors become tensors, but for constants, which may serve as sizes.
ValueRef Elaborator::settled(const ValueRef& value, bool keepConstants, const Place& place,
                             Span span) {
  if (const Tuple* tuple = value->as<Tuple>()) {
    bool tensors = tuple->list && !tuple->elements.empty(), fixed = keepConstants;
    std::optional<size_t> length;
    forEachTensor(value, [&](const Tensor& t, const std::string&) {
      fixed &= t.constant() || t.constantBool();
    });
    for (const ValueRef& element : tuple->elements) {  // rows of one length
      const Tuple* row = element->as<Tuple>();
      size_t here = row ? row->elements.size() + 1 : 0;
      keepConstants &= !length || *length == here;
      length = here;
    }
    fixed &= keepConstants;
    Tuple result{{}, tuple->list};
    for (const ValueRef& element : tuple->elements) {
      result.elements.push_back(settled(element, keepConstants, place, span));
      tensors &= result.elements.back()->as<Tensor>() != nullptr;
    }
    ValueRef list = make(std::move(result));
    if (fixed) return value;
    if (!tensors) return list;
    auto tensor = toTensor(list, place, span);
    return tensor ? make(*tensor) : poison();
  }
  if (const Record* record = value->as<Record>()) {
    Record result{record->type, {}};
    for (const auto& [name, field] : record->fields)
      result.fields.emplace_back(name, settled(field, keepConstants, place, span));
    return make(std::move(result));
  }
  return value;
}

Elaborator::Inferred Elaborator::inferRight(System& system, EquationDef& equation) {
  Inferred result;
  const auto space = std::make_shared<Space>();
  space->open = true;
  space->dims = result.outer = system.outer->dims;
  space->index = system.outer->index;
  for (Var index : system.ownIndices)
    if (!system.program) space->index[index] = IndexExpr(ownVar(system, index));
  space->touched = &result.touched;
  result.space = space;
  const ReadsNoted reads(*this, result.reads);
  const void* inferred = std::exchange(inferring_, equation.item);
  unsaid_.erase(equation.item);
  const int errorsBefore = unsaidErrors_;
  const int depth = std::exchange(inferringAt_, callDepth_);
  result.value = evalRight(system, equation, Place{system.scope, space});
  inferringAt_ = depth;
  if (guessing_ && unsaidErrors_ != errorsBefore) result.value = poison();
  inferring_ = inferred;
  space->touched = nullptr;
  return result;
}

bool Elaborator::inferOnce(System& system, std::vector<TensorDef*>& group, bool widen,
                           Inferences& known) {
  bool changed = false;
  std::vector<EquationDef*> equations;
  for (TensorDef* tensor : group)
    for (Target& target : tensor->targets)
      if (!contains(equations, target.equation)) equations.push_back(target.equation);
  std::map<TensorDef*, ValueRef> joined;
  std::set<const TensorDef*> changedTensors;
  for (EquationDef* equation : equations) {
    if (equation->broken) continue;
    auto found = known.find(equation);
    if (found == known.end() || found->second.outer != system.outer->dims)
      found = known.insert_or_assign(equation, inferRight(system, *equation)).first;
    const ValueRef& value = found->second.value;
    const std::set<Var>& touched = found->second.touched;
    const SpaceRef& space = found->second.space;
    std::vector<Var> used;
    collectDims(value, used);
    if (system.program) {
      for (Var var : touched) changed |= equation->touched.insert(var).second;
    } else {
      for (Var var : touched)
        if (system.outer->touched) system.outer->touched->insert(var);
      for (Var index : system.ownIndices)
        if (contains(used, ownVar(system, index)))
          changed |= equation->touched.insert(index).second;
    }
    for (TensorDef* tensor : group) {
      if (!system.program) {
        for (Var var : used) {
          if (var.isElement()) continue;
          bool own = false;
          for (Var index : system.ownIndices) own |= ownVar(system, index) == var;
          bool known = contains(tensor->hidden, var);
          if (!own && !known && (system.outer->open || contains(system.outer->dims, var))) {
            tensor->hidden.push_back(var);
            changedTensors.insert(tensor);
          }
        }
        tensor->hidden = system.outer->order(tensor->hidden);
      }
      for (Target& target : tensor->targets) {
        if (target.equation != equation) continue;
        ValueRef here =
            settled(part(value, target.path, target.pattern->span, false),
                    tensor->targets.size() == 1 && target.bare() && equation->touched.empty(),
                    Place{system.scope, space}, target.pattern->span);
        // Own variables become positions, where they are known.
        if (tensor->positionsKnown && !tensor->failed) {
          DryRun quiet(*this);
          equation->own.clear();
          for (Var index : equation->named) equation->own.push_back(ownVar(system, index));
          if (resolveTarget(system, *tensor, target))
            here = substitute(here, inverse(*tensor, target).of);
        }
        joined[tensor] = joinSignatures(joined[tensor], here, widen, target.pattern->span);
      }
    }
  }
  for (TensorDef* tensor : group) {
    std::vector<Position> before = tensor->positions;
    bool knew = tensor->positionsKnown;
    finishPositions(*tensor);
    if (!knew || before.size() != tensor->positions.size()) changedTensors.insert(tensor);
    ValueRef value = joined[tensor] ? joined[tensor] : unknown();
    tensor->endless |= hasMoreParts(value, kMostParts);
    if (tensor->endless) value = unknown();
    tensor->doubtful = guessing_ && anyPoison(value);
    if (tensor->doubtful)
      value = anyUnknown(tensor->signature) || anyPoison(tensor->signature) ? unknown()
                                                                            : tensor->signature;
    if (value->isUnknown() && assumed_.count(tensor))
      value = make(identity(kDryNode, {}, DType::F32, {}));
    bool fixed = tensor->targets.size() == 1 && tensor->targets[0].bare() &&
                 tensor->positions.empty() && tensor->hidden.empty();
    std::vector<Var> dims = tensor->dims();
    if (!widen) tensor->unranged.clear();
    std::map<std::string, std::string> ranges;  // of the last pass; empty: none
    if (widen && tensor->signature)
      forEachTensor(tensor->signature, [&](const Tensor& t, const std::string& path) {
        ranges[path] =
            t.range ? t.range->lo.toString(namer()) + ".." + t.range->hi.toString(namer()) : "";
      });
    ValueRef signature = mapLeaves(value, [&](const Tensor& t, const std::string& path) {
      Tensor leaf = identity(kDryNode, dims, t.type, t.shape);
      leaf.weak = t.weak;
      if (t.range) {
        std::vector<Var> vars;
        t.range->lo.collectVariables(vars);
        t.range->hi.collectVariables(vars);
        bool over = !t.range->lo.hasValue() && !t.range->hi.hasValue();
        for (Var var : vars) over &= !var.isElement() && contains(dims, var);
        // What was not known yet may come; what has changed is given up.
        if (widen && over && ranges.count(path) && !ranges[path].empty() &&
            ranges[path] != t.range->lo.toString(namer()) + ".." + t.range->hi.toString(namer()))
          tensor->unranged.insert(path);
        if (over && !tensor->unranged.contains(path)) leaf.range = t.range;
      }
      if (fixed && (t.index || t.condition)) {
        leaf.weak = Weak::No;
        leaf.index = t.index;
        leaf.condition = t.condition;
        leaf.params = t.params;
      }
      return make(std::move(leaf));
    });
    signature = withArguments(signature, value);
    std::string key = keyOf(signature, namer());
    if (!tensor->signature || keyOf(tensor->signature, namer()) != key)
      changedTensors.insert(tensor);
    tensor->signature = signature;
  }
  // Only what reads one of these is evaluated again.
  std::erase_if(known, [&](const auto& each) {
    return std::ranges::any_of(
        each.second.reads, [&](const TensorDef* read) { return changedTensors.contains(read); });
  });
  return changed || !changedTensors.empty();
}

void Elaborator::inferGroup(System& system, std::vector<TensorDef*>& group) {
  DryRun quiet(*this);
  const bool guessed = guessing_;
  guessing_ |= group.size() > 1 || selfDependent(system, *group[0]);
  for (TensorDef* tensor : group) {
    if (!tensor->signature) tensor->signature = unknown();
    bool rest = false, bare = false;
    for (Target& target : tensor->targets) {
      bare |= target.bare();
      for (const LeftEntry& left : target.entries) rest |= left.rest;
    }
    if (!rest && !bare) finishPositions(*tensor);  // known from the left sides alone
  }
  auto settle = [&] {
    int pass = 0;
    Inferences known;
    while (inferOnce(system, group, pass >= kWidenAfter, known) && ++pass < kMaxPasses) {
      if (group.size() == 1 && pass == 1 && !anyUnknown(group[0]->signature) &&
          !selfDependent(system, *group[0]))
        break;
    }
  };
  // First what follows from the equations that know their types: a guess too early can confirm
  // itself around a cycle.
  const bool waited = std::exchange(waiting_, guessing_);
  settle();
  waiting_ = waited;
  const bool open = std::ranges::any_of(
      group, [this](const TensorDef* tensor) { return anyUnknown(tensor->signature); });
  if (open && !waiting_) {
    settle();
    // What depends on itself alone is taken for a float, so that what is wrong with it can be said;
    // not where it may be unknown for what has been said.
    const bool mayBeSaid = sink_.hasErrors() && std::ranges::any_of(group, &TensorDef::doubtful);
    if (!mayBeSaid) {
      for (TensorDef* tensor : group)
        if (tensor->signature->isUnknown() && !tensor->endless && assumed_.insert(tensor).second)
          settle();
    }
  }
  guessing_ = guessed;
  for (TensorDef* tensor : group) {
    tensor->signature = mapLeaves(tensor->signature, [&](const Tensor& t, const std::string&) {
      Tensor leaf = t;
      if (!leaf.isStatic()) leaf.weak = Weak::No;
      return make(std::move(leaf));
    });
  }
}

bool Elaborator::selfDependent(System& system, TensorDef& tensor) {
  Dependences dependences(system.scope);
  for (const Target& target : tensor.targets)
    if (dependences.of(system, *target.equation->item).count(&tensor)) return true;
  return tensor.targets.size() > 1;
}

}  // namespace rlc::sema
