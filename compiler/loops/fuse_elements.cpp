#include "compiler/loops/fuse_elements.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "compiler/loops/effects.h"
#include "compiler/loops/expressions.h"
#include "compiler/loops/guards.h"
#include "compiler/loops/renaming.h"

namespace rlc::loops {

namespace {

constexpr size_t kMostStatements = 16;  // of a loop: their tensors are all read and written at once
constexpr size_t kFarthest = 64;        // statements back that a loop is looked for

// One element of a buffer.
struct Element {
  BufferId buffer = -1;
  Expr index;
};

struct Accesses {
  std::vector<Element> stores, loads;
};

// A loop nest that computes elements and nothing else, perhaps under a condition.
struct Nest {
  Stmt* guard = nullptr;
  std::vector<Stmt*> loops;  // outer ones first
  Block* body = nullptr;
};

bool isElementLoop(const Stmt& stmt) {
  return stmt.kind == Stmt::Kind::For && !stmt.descending && stmt.reductions.empty() &&
         (stmt.loop == Stmt::Loop::Lanes || (stmt.loop == Stmt::Loop::Sequential && stmt.elements));
}

bool loads(const Expr& e) {
  bool found = false;
  forEachNode(e, [&](const ExprNode& node) { found |= node.kind == ExprNode::Kind::Load; });
  return found;
}

std::optional<Nest> nestOf(Stmt& stmt) {
  Nest nest;
  Stmt* at = &stmt;
  if (at->kind == Stmt::Kind::If) {
    if (!at->otherwise.empty() || at->body.size() != 1 || loads(at->value)) return std::nullopt;
    nest.guard = at;
    at = at->body.front().get();
  }
  while (isElementLoop(*at)) {
    nest.loops.push_back(at);
    nest.body = &at->body;
    if (at->body.size() != 1) break;
    at = at->body.front().get();
  }
  const bool elements =
      !nest.loops.empty() && std::all_of(nest.body->begin(), nest.body->end(), [](const auto& s) {
        return s->kind == Stmt::Kind::Let || s->kind == Stmt::Kind::Store;
      });
  return elements ? std::optional(nest) : std::nullopt;
}

bool alike(const Nest& a, const Nest& b) {
  if ((a.guard == nullptr) != (b.guard == nullptr) || a.loops.size() != b.loops.size() ||
      (a.guard != nullptr && !sameExpr(a.guard->value, b.guard->value)))
    return false;
  for (size_t k = 0; k < a.loops.size(); ++k)
    if (a.loops[k]->loop != b.loops[k]->loop || !sameExpr(a.loops[k]->lo, b.loops[k]->lo) ||
        !sameExpr(a.loops[k]->hi, b.loops[k]->hi))
      return false;
  return true;
}

Accesses accessesOf(const Block& body, Renaming& renaming) {
  Accesses result;
  for (const StmtPtr& stmt : body) {
    if (stmt->kind == Stmt::Kind::Store)
      result.stores.push_back({stmt->buffer, renaming(stmt->index)});
    for (const Expr* e : {&stmt->value, &stmt->index})
      if (*e)
        forEachNode(*e, [&](const ExprNode& node) {
          if (node.kind == ExprNode::Kind::Load)
            result.loads.push_back({node.buffer, renaming(node.args[0])});
        });
  }
  return result;
}

// Whether what one writes the other accesses at the same element only; `shared`: it does access it.
// Alike written indices mean the same iteration: each iteration of an element loop stores elements
// of its own (Stmt::elements).
bool agree(const std::vector<Element>& written, const std::vector<Element>& others, bool& shared) {
  for (const Element& store : written)
    for (const Element& other : others) {
      if (store.buffer != other.buffer) continue;
      if (!sameExpr(store.index, other.index)) return false;
      shared = true;
    }
  return true;
}

bool isAmong(const std::vector<Element>& elements, BufferId buffer, const Expr& index) {
  return std::any_of(elements.begin(), elements.end(), [&](const Element& element) {
    return element.buffer == buffer && sameExpr(element.index, index);
  });
}

// Whether a body that does `b` may follow one that does `a` in one loop, and should.
bool join(const Accesses& a, const Accesses& b) {
  bool shared = std::any_of(a.loads.begin(), a.loads.end(),
                            [&](const Element& x) { return isAmong(b.loads, x.buffer, x.index); });
  return agree(a.stores, b.loads, shared) && agree(b.stores, a.loads, shared) &&
         agree(a.stores, b.stores, shared) && shared;
}

// What statements behind this body load of what it stores becomes a local, which `renaming` puts in
// the loads' places.
void forward(Block& body, const std::vector<Element>& loads, Renaming& renaming, int& variables) {
  Block result;
  for (StmtPtr& stmt : body) {
    if (stmt->kind == Stmt::Kind::Store && isAmong(loads, stmt->buffer, stmt->index)) {
      if (stmt->value->kind != ExprNode::Kind::Variable) {
        auto local = std::make_unique<Stmt>();
        local->kind = Stmt::Kind::Let;
        local->span = stmt->span;
        local->var = variables++;
        local->type = stmt->value->type;
        local->value = std::exchange(stmt->value, variable(local->var, local->type));
        result.push_back(std::move(local));
      }
      renaming.keepElements(stmt->buffer);  // this one is later
      renaming.replaceElement(stmt->buffer, stmt->index, stmt->value);
    }
    result.push_back(std::move(stmt));
  }
  body = std::move(result);
}

// The second statement's work goes into the first, where that is possible.
bool fuse(Stmt& first, Stmt& second, int& variables) {
  if (second.root >= 0) return false;
  const auto a = nestOf(first), b = nestOf(second);
  if (!a || !b || !alike(*a, *b) || a->body->size() + b->body->size() > kMostStatements)
    return false;
  Renaming same, renaming;
  for (size_t k = 0; k < a->loops.size(); ++k)
    renaming.replace(b->loops[k]->var, variable(a->loops[k]->var, DType::I64));
  const Accesses before = accessesOf(*a->body, same), behind = accessesOf(*b->body, renaming);
  if (!join(before, behind)) return false;
  forward(*a->body, behind.loads, renaming, variables);
  for (StmtPtr& stmt : *b->body) {
    stmt->value = renaming(stmt->value);
    stmt->index = renaming(stmt->index);
    if (stmt->kind == Stmt::Kind::Store) renaming.keepElements(stmt->buffer);
    a->body->push_back(std::move(stmt));
  }
  return true;
}

// A nest itself binds nothing that others use, so that one direction is enough.
bool bindsAny(const Effects& effects, const std::set<VarId>& variables) {
  return std::any_of(effects.binds.begin(), effects.binds.end(),
                     [&](VarId var) { return variables.contains(var); });
}

// The statements of a block that stay.
class Fused {
 public:
  explicit Fused(int& variables) : variables_(variables) {}

  void add(StmtPtr stmt) {
    if (!nestOf(*stmt) || !joinsEarlier(*stmt)) block_.push_back(std::move(stmt));
    effects_.resize(block_.size());
  }

  Block take() { return std::move(block_); }

 private:
  bool joinsEarlier(Stmt& nest) {
    const Effects own = effectsOf(nest);
    for (size_t back = 1; back <= std::min(kFarthest, block_.size()); ++back) {
      const size_t at = block_.size() - back;
      std::optional<Effects>& effects = effects_[at];
      if (fuse(*block_[at], nest, variables_)) {
        effects.reset();
        return true;
      }
      if (!effects) effects = effectsOf(*block_[at]);
      if (!commute(*effects, own) && (effects->barrier || bindsAny(*effects, own.uses) ||
                                      !excludeEachOther(*block_[at], nest)))
        return false;
    }
    return false;
  }

  int& variables_;
  Block block_;
  std::vector<std::optional<Effects>> effects_;  // where they were asked for
};

}  // namespace

void fuseElements(Block& block, int& variables) {
  Fused result(variables);
  for (StmtPtr& stmt : block) {
    const bool orders = stmt->kind == Stmt::Kind::If ||
                        (stmt->kind == Stmt::Kind::For && stmt->loop == Stmt::Loop::Sequential);
    if (orders && !nestOf(*stmt)) {
      fuseElements(stmt->body, variables);
      fuseElements(stmt->otherwise, variables);
    }
    result.add(std::move(stmt));
  }
  block = result.take();
}

void fuseElements(Program& program) { fuseElements(program.body, program.variables); }

}  // namespace rlc::loops
