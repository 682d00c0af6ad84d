// Which position an entry of a subscript changes (docs/language.md, section 5). Sizes never decide.
#include <algorithm>

#include "compiler/sema/elaborator.h"
#include "compiler/sema/names.h"
#include "compiler/syntax/print.h"

namespace rlc::sema {

using syntax::Entry;

namespace {

// `x`, `s.x`, `p.a.b`: the name and the members.
const syntax::NameExpr* rootOf(const Expr& expr, std::vector<std::pair<std::string, Span>>& members,
                               Span& span) {
  if (const auto* name = expr.as<syntax::NameExpr>()) {
    span = expr.span;
    return name;
  }
  if (const auto* member = expr.as<syntax::MemberExpr>()) {
    const auto* root = rootOf(*member->object, members, span);
    members.emplace_back(member->member.text, expr.span);
    return root;
  }
  return nullptr;
}

bool sameRange(const syntax::Range& a, const syntax::Range& b) {
  return a.inclusive == b.inclusive && syntax::print(*a.lo) == syntax::print(*b.lo) &&
         syntax::print(*a.hi) == syntax::print(*b.hi);
}

}  // namespace

std::optional<Slot> Elaborator::slotOf(const Entry& entry, const Place& place) {
  Slot slot;
  slot.span = entry.span;
  if (entry.kind == Entry::Kind::Slice && entry.range) {
    if (entry.range->open) return std::nullopt;
    auto lo = affine(*entry.range->lo, place, "a slice's bound");
    auto hi = affine(*entry.range->hi, place, "a slice's bound");
    if (!lo || !hi) return std::nullopt;
    slot.kind = Slot::Kind::Slice;
    slot.at = *lo;
    slot.length = *hi - *lo + (entry.range->inclusive ? 1 : 0);
    if (auto length = slot.length.asConstant(); length && *length < 0) {
      fail(Kind::ShapeMismatch, entry.span, "this slice ends before it begins");
      return std::nullopt;
    }
    return slot;
  }
  if (!entry.value) return std::nullopt;
  ValueRef value = eval(*entry.value, place);
  if (value->isPoison() || value->isUnknown()) {
    if (value->isUnknown()) slot.kind = Slot::Kind::Gather, slot.tensor = intLiteral(0);
    return value->isUnknown() ? std::optional<Slot>(slot) : std::nullopt;
  }
  auto tensor = toTensor(value, place, entry.span);
  if (!tensor) return std::nullopt;
  if (tensor->index && tensor->shape.empty()) {
    useStatically(*tensor);
    slot.kind = Slot::Kind::Fixed;
    slot.at = *tensor->index;
    return slot;
  }
  if (!isInteger(tensor->type)) {
    fail(
        Kind::TypeMismatch, entry.span, "a subscript is an integer, not " + show(value),
        tensor->type == DType::Bool ? "select with `if` or with a filter" : "convert it: `i32(x)`");
    return std::nullopt;
  }
  slot.kind = Slot::Kind::Gather;
  slot.tensor = std::move(*tensor);
  return slot;
}

std::vector<int> Elaborator::mentionedPositions(const std::vector<Position>& positions,
                                                const Entry& entry, const Place& place) {
  std::set<std::string> names;
  collectNames(entry, names);
  std::set<int> direct, through;
  auto positionOf = [&](Var index) {
    for (size_t i = 0; i < positions.size(); ++i)
      if (positions[i].named && positions[i].index == index) return static_cast<int>(i);
    return -1;
  };
  auto withBounds = [&](const syntax::Range& range, std::set<int>& out) {
    for (size_t i = 0; i < positions.size(); ++i)
      for (size_t k = 0; k < indices_.size() && positions[i].named; ++k)
        if (indices_[k]->var == positions[i].index &&
            sameRange(indices_[k]->indexItem->range, range))
          out.insert(static_cast<int>(i));
  };
  for (const std::string& name : names) {
    auto symbol = place.scope->find(name);
    if (!symbol) continue;
    if (symbol->kind == Symbol::Kind::Index) {
      resolveIndex(*symbol, name, programScope_);
      if (int p = positionOf(symbol->var); p >= 0) direct.insert(p);
    } else if (symbol->kind == Symbol::Kind::Range) {
      const RangeVariable& range = symbol->range;
      std::set<int> found;
      for (Var index : range.mentions)
        if (int p = positionOf(index); p >= 0) found.insert(p);
      if (!range.range) {
        direct.insert(found.begin(), found.end());
      } else {
        if (found.empty()) withBounds(*range.range, found);
        through.insert(found.begin(), found.end());
      }
    }
  }
  if (direct.empty() && through.empty() && entry.kind == Entry::Kind::Slice && entry.range)
    withBounds(*entry.range, through);
  const std::set<int>& result = direct.empty() ? through : direct;
  return {result.begin(), result.end()};
}

namespace {

// The position of the index that has the name here, which may be another one's own name: a function
// over t calls what runs along the caller's n `t`. Else the one that is called so itself; -1: none.
int namedPosition(const std::vector<Position>& positions, const std::string& name,
                  const Scope& scope) {
  const auto numberOf = [&](const auto& isIt) {
    const auto found = std::find_if(positions.begin(), positions.end(), isIt);
    return found == positions.end() ? -1 : static_cast<int>(found - positions.begin());
  };
  if (const auto symbol = scope.find(name); symbol && symbol->kind == Symbol::Kind::Index) {
    const int own = numberOf([&](const Position& p) { return p.named && p.index == symbol->var; });
    if (own >= 0) return own;
  }
  return numberOf([&](const Position& p) { return p.named && p.name == name; });
}

}  // namespace

std::optional<std::vector<Slot>> Elaborator::resolveEntries(const std::string& name,
                                                            const std::vector<Position>& positions,
                                                            const std::vector<Entry>& entries,
                                                            Span span, const Place& place) {
  std::vector<Slot> slots(positions.size());
  size_t unnamed = 0;
  bool named = false, rest = false;
  for (const Entry& entry : entries) {
    if (entry.kind == Entry::Kind::Rest)
      rest = true;
    else if (entry.name)
      named = true;
    else
      ++unnamed;
  }
  std::string second;  // bracket
  for (const Entry& entry : entries)
    second += (second.empty() ? "`" + name + "[..][" : ", ") + syntax::print(entry);
  second += "]`";
  auto readings = [&](const Entry& entry) {
    std::string text = syntax::print(entry), list;
    for (const Position& p : positions)
      if (p.named) list += (list.empty() ? "`" : ", `") + name + "[" + p.name + ": " + text + "]`";
    return list;
  };
  const bool positional = !named && !rest && unnamed == positions.size();
  bool failed = false;
  size_t next = 0;
  for (const Entry& entry : entries) {
    if (entry.kind == Entry::Kind::Rest) continue;
    if (entry.kind == Entry::Kind::In) {
      fail(Kind::AmbiguousReading, entry.span, "`in` stands on the left of an equation only",
           "a slice is `t: lo..hi`");
      failed = true;
      continue;
    }
    int position = -1;
    if (positional) {
      position = static_cast<int>(next++);
    } else if (entry.name) {
      position = namedPosition(positions, entry.name->text, *place.scope);
      if (position < 0) {
        std::vector<std::string> names;
        for (const Position& p : positions) names.push_back(p.name);
        fail(Kind::AmbiguousReading, entry.name->span,
             "`" + name + "` does not vary over `" + entry.name->text + "`",
             diagnostics::didYouMean(entry.name->text, names));
      }
    } else {
      std::vector<int> mentioned = mentionedPositions(positions, entry, place);
      if (mentioned.size() == 1) {
        position = mentioned[0];
      } else if (positions.empty()) {
        fail(Kind::AmbiguousReading, entry.span, "`" + name + "` has no indices");
      } else if (unnamed > positions.size()) {
        fail(Kind::AmbiguousReading, entry.span,
             "`" + name + "` has " + std::to_string(positions.size()) +
                 (positions.size() == 1 ? " position" : " positions") + ", and here are " +
                 std::to_string(unnamed) + " entries",
             "elements are read in a second bracket: `x[..][0]`");
        return std::nullopt;
      } else {
        std::string many;
        for (int p : mentioned)
          many += (many.empty() ? "`" : " and `") + positions[static_cast<size_t>(p)].name + "`";
        std::string own;
        for (const Position& p : positions)
          if (p.named) own += (own.empty() ? "`" : ", `") + p.name + "`";
        fail(
            Kind::AmbiguousReading, span,
            "which position of `" + name + "` is `" + syntax::print(entry) + "`? " +
                (mentioned.empty() ? "it mentions none of " + own : "it could be " + many),
            "say which: " + readings(entry) + "; elements are read in a second bracket: " + second);
      }
    }
    if (position < 0) {
      failed = true;
      if (entry.value && !dry()) eval(*entry.value, place);
      continue;
    }
    Slot& slot = slots[static_cast<size_t>(position)];
    if (slot.kind != Slot::Kind::Keep) {
      fail(Kind::AmbiguousReading, entry.span,
           "two entries stand for the same position of `" + name + "`");
      failed = true;
      continue;
    }
    auto resolved = slotOf(entry, place);
    if (!resolved)
      failed = true;
    else
      slot = std::move(*resolved);
  }
  if (failed) return std::nullopt;
  return slots;
}

ValueRef Elaborator::evalSubscript(const syntax::SubscriptExpr& e, Span span, const Place& place) {
  std::vector<std::pair<std::string, Span>> members;
  Span rootSpan;
  if (const syntax::NameExpr* root = rootOf(*e.base, members, rootSpan)) {
    auto symbol = place.scope->find(root->name);
    if (symbol && symbol->kind == Symbol::Kind::Tensor) noteRead(*symbol->tensor);
    // Its positions are what was wrong with its equations.
    if (symbol && symbol->kind == Symbol::Kind::Tensor && !guessing_ &&
        std::ranges::any_of(symbol->tensor->targets,
                            [](const Target& t) { return t.equation->broken; }))
      return poison();
    const std::vector<Position>* positions = nullptr;
    if (symbol && symbol->kind == Symbol::Kind::Tensor && !symbol->tensor->let &&
        (!symbol->tensor->positions.empty() || !symbol->tensor->positionsKnown))
      positions = &symbol->tensor->positions;
    if (symbol && symbol->kind == Symbol::Kind::Over && !symbol->positions.empty())
      positions = &symbol->positions;
    if (positions) {
      if (symbol->kind == Symbol::Kind::Tensor && !symbol->tensor->positionsKnown) {
        for (const Entry& entry : e.entries)
          if (entry.value) eval(*entry.value, place);
        return unknown();
      }
      auto slots = resolveEntries(root->name, *positions, e.entries, span, place);
      if (!slots) return poison();
      ValueRef result;
      if (symbol->kind == Symbol::Kind::Tensor) {
        result = readAt(*positions, symbol->tensor->signature, symbol->tensor, root->name, *slots,
                        span, place);
      } else {
        result = readAt(*positions, symbol->value, nullptr, root->name, *slots, span, place);
        checkDerivedReads(result, root->name, span, place);
      }
      for (const auto& [name, at] : members) result = member(result, name, at, place);
      return result;
    }
    if (symbol && symbol->kind == Symbol::Kind::Tensor) {
      const ValueRef value = eval(*e.base, place);
      const Tensor* scalar = value->as<Tensor>();
      if (!scalar || !scalar->shape.empty()) return elementAccess(value, e.entries, span, place);
      return fail(Kind::ElementOutOfRange, span,
                  "`" + root->name + "` has no indices, and a scalar has no elements",
                  "`" + root->name + "` in its equation is one value for all points; with `" +
                      root->name + "[i]` there it is one for each point of an index `i`");
    }
  }
  ValueRef base = eval(*e.base, place);
  return elementAccess(base, e.entries, span, place);
}

ValueRef Elaborator::elementAccess(const ValueRef& value, const std::vector<Entry>& entries,
                                   Span span, const Place& place) {
  if (value->isPoison()) return poison();
  if (entries.size() == 1 && entries[0].kind == Entry::Kind::Rest) return value;
  if (value->isUnknown()) {
    for (const Entry& entry : entries)
      if (entry.value) eval(*entry.value, place);
    return unknown();
  }
  if (const Tuple* tuple = value->as<Tuple>()) {
    bool tensors = std::all_of(tuple->elements.begin(), tuple->elements.end(),
                               [](const ValueRef& v) { return v->as<Tensor>() || v->as<Tuple>(); });
    bool single = entries.size() == 1 && entries[0].kind == Entry::Kind::Point && !entries[0].name;
    std::optional<Slot> slot = single ? slotOf(entries[0], place) : std::nullopt;
    if (single && !slot) return poison();
    if (slot && slot->kind == Slot::Kind::Fixed && slot->at.asConstant()) {
      int64_t at = *slot->at.asConstant(), size = static_cast<int64_t>(tuple->elements.size());
      if (at >= 0 && at < size) return tuple->elements[static_cast<size_t>(at)];
      return fail(Kind::ElementOutOfRange, span,
                  "`" + syntax::collapse(sources_.text(span)) + "`: element " + std::to_string(at) +
                      " does not exist, there are " + std::to_string(size),
                  "positions count from 0, and none counts from the end");
    }
    if (!tuple->list || !tensors)
      return fail(Kind::TypeMismatch, span,
                  "an element of " + show(value) + " is chosen by a constant");
  }
  if (!value->as<Tensor>() && !value->as<Tuple>()) {
    if (value->as<Record>() || value->as<Instance>())
      return mapLeaves(value, [&](const Tensor& leaf, const std::string&) {
        return elementAccess(make(leaf), entries, span, place);
      });
    return fail(Kind::TypeMismatch, span, show(value) + " has no elements");
  }
  auto tensor = toTensor(value, place, span);
  if (!tensor) return poison();
  size_t rank = tensor->shape.size(), given = 0;
  for (const Entry& entry : entries) given += entry.kind != Entry::Kind::Rest;
  if (given > rank)
    return fail(Kind::ElementOutOfRange, span,
                rank == 0 ? "a scalar has no elements"
                          : show(value) + " has " + std::to_string(rank) +
                                (rank == 1 ? " axis" : " axes") + ", and here are " +
                                std::to_string(given) + " entries",
                rank == 0 ? "only a tensor that is defined by name over indices is read at other "
                            "points; give the expression a name"
                          : "");
  std::vector<Slot> slots(rank);
  std::vector<Var> vars;
  for (size_t i = 0; i < rank; ++i) vars.push_back(Var::element(static_cast<int>(i)));
  size_t axis = 0;
  for (const Entry& entry : entries) {
    if (entry.kind == Entry::Kind::Rest) {
      axis += rank - given;
      continue;
    }
    if (entry.name)
      return fail(Kind::AmbiguousReading, entry.span, "axes have no names",
                  "indices are read in the first bracket, elements in the second");
    auto slot = slotOf(entry, place);
    if (!slot) return poison();
    slot->span = span;
    if (slot->kind == Slot::Kind::Fixed) checkElement(slot->at, tensor->shape[axis], *slot, place);
    if (slot->kind == Slot::Kind::Slice) {
      if (slot->length.asConstant() != 0) {
        const Place within = whereNotEmpty(*slot, place);
        checkElement(slot->at, tensor->shape[axis], *slot, within);
        checkElement(slot->at + slot->length - 1, tensor->shape[axis], *slot, within);
      }
    }
    slots[axis++] = std::move(*slot);
  }
  return make(applySlots(*tensor, vars, slots, true, place));
}

}  // namespace rlc::sema
