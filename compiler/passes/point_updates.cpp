#include "compiler/passes/point_updates.h"

#include <algorithm>
#include <optional>

#include "compiler/passes/rewrite.h"
#include "compiler/pdg/faults.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/requirements.h"
#include "compiler/pdg/shape.h"
#include "compiler/pdg/traversal.h"

namespace rlc::passes {

namespace {

using Key = pdg::PointUpdate::Key;

const pdg::Map* mapOf(const Node& node, ScalarOp op) {
  const auto* map = std::get_if<pdg::Map>(&node.op);
  return map && map->op == op ? map : nullptr;
}

// Evaluating it where the program does not raises no fault, and leaving it out hides none.
bool neverFaults(const Graph& graph, const Read& read, int depth = 0) {
  if (hasValues(read) || depth > 32) return false;
  const Node& node = graph.node(read.producer);
  const auto inputsNeverFault = [&] {
    return std::all_of(node.inputs.begin(), node.inputs.end(),
                       [&](const Read& input) { return neverFaults(graph, input, depth + 1); });
  };
  if (const auto* draw = std::get_if<pdg::Draw>(&node.op))
    return draw->kind == pdg::DrawKind::Uniform01 || draw->kind == pdg::DrawKind::StandardNormal;
  // Equations of several parts have a place of their own: they are computed in any case.
  if (const auto* merge = std::get_if<pdg::Merge>(&node.op)) return merge->pieces.size() > 1;
  if (std::holds_alternative<pdg::Detach>(node.op)) return inputsNeverFault();
  if (std::holds_alternative<pdg::Map>(node.op))
    return !pdg::mayFault(graph, node) && inputsNeverFault();
  return std::holds_alternative<pdg::Constant>(node.op) ||
         std::holds_alternative<pdg::IndexValue>(node.op) ||
         std::holds_alternative<pdg::Param>(node.op);
}

// One equation `owner = select(condition, value, owner before)` of a tensor.
class Candidate {
 public:
  Candidate(Graph& graph, NodeId owner, size_t piece)
      : graph_(graph),
        owner_(graph.node(owner)),
        through_(owner_.inputs[piece]),
        update_(graph.node(through_.producer)) {}

  NodeId update() const { return update_.id; }

  // Whether it has the form at all: a choice between what is there and something else.
  bool choosesWhatIsThere() {
    if (!mapOf(update_, ScalarOp::Select) || hasValues(through_)) return false;
    inverted_ = isBefore(update_.inputs[1]);
    return inverted_ != isBefore(update_.inputs[2]);
  }

  // Whether it has become the change of one element.
  bool change() {
    const Read condition = takeOperands();
    std::vector<Part> parts;
    split({condition, inverted_}, parts);
    chooseKeys(parts);
    if (keys().empty()) return false;
    dropUnusedInputs(update_);
    graph_.node(update_.id) = std::move(update_);
    return true;
  }

  // The indices and axes of which one position is chosen.
  std::string along() const {
    std::string text;
    for (const Key& key : std::get<pdg::PointUpdate>(graph_.node(through_.producer).op).keys)
      text += (text.empty() ? "" : " and ") + nameOf(key.own);
    return text;
  }
  // Why there is no key, though a position is compared with something; "" where none is.
  const std::string& reason() const { return reason_; }

 private:
  struct Part {  // of a conjunction
    Read read;
    bool inverted = false;
    bool guarded = false;  // only asked where parts before it hold
  };

  std::vector<Key>& keys() { return std::get<pdg::PointUpdate>(update_.op).keys; }

  std::string nameOf(Var var) const {
    return var.isElement() ? "axis " + std::to_string(var.elementAxis()) : graph_.dim(var).name;
  }

  // The same element of the owner one step before or behind; notes along which dim.
  bool isBefore(const Read& read) {
    if (read.producer != owner_.id || hasValues(read)) return false;
    const auto values = valuesOf(update_, through_);
    std::optional<Var> moved;
    for (size_t k = 0; k < owner_.dims.size(); ++k) {
      const auto shifted = read.at[k].substitute(values).asShifted();
      if (!shifted || shifted->var != owner_.dims[k]) return false;
      if (shifted->offset == 0) continue;
      if (moved) return false;
      moved = owner_.dims[k];
    }
    for (size_t k = 0; k < read.element.size(); ++k)
      if (!(read.element[k].substitute(values) == IndexExpr(Var::element(static_cast<int>(k)))))
        return false;
    moved_ = moved;
    return moved.has_value();
  }

  // Makes the choice the update of nothing yet: before, value, and what serves subscripts. Returns
  // the condition, which is no longer an input.
  Read takeOperands() {
    std::vector<Read> inputs = update_.inputs;
    for (Read& read : inputs) read = pdg::renumbered(read, [](int input) { return input - 1; });
    const Read condition = inputs.front();
    inputs.erase(inputs.begin());
    if (!inverted_) std::swap(inputs[0], inputs[1]);
    update_.inputs = std::move(inputs);
    update_.op = pdg::PointUpdate{};
    return condition;
  }

  // What has to hold for the value to be taken, in the order of evaluation.
  void split(const Part& part, std::vector<Part>& parts) {
    const Node& node = graph_.node(part.read.producer);
    const auto operand = [&](size_t k, bool inverted, bool guarded) {
      split({compose(graph_, update_, part.read, node.inputs[k]), inverted, guarded}, parts);
    };
    if (mapOf(node, ScalarOp::Not)) return operand(0, !part.inverted, part.guarded);
    if (mapOf(node, part.inverted ? ScalarOp::Or : ScalarOp::And)) {
      operand(0, part.inverted, part.guarded);
      return operand(1, part.inverted, part.guarded);
    }
    // `a and b` where b may only be asked if a holds; `a or b` where it may only if it does not.
    if (mapOf(node, ScalarOp::Select)) {
      const auto known = pdg::splatValue(graph_.node(node.inputs[part.inverted ? 1 : 2].producer));
      if (known && (known->i != 0) == part.inverted) {
        operand(0, part.inverted, part.guarded);
        return operand(part.inverted ? 2 : 1, part.inverted, true);
      }
    }
    parts.push_back(part);
  }

  // The comparisons with positions are asked once, not at each element, the rest at the one element
  // that they name: so the rest must not fault, nor must a comparison that was guarded.
  void chooseKeys(const std::vector<Part>& parts) {
    std::vector<Part> rest;
    bool mayFault = false;
    for (const Part& part : parts) {
      if (auto key = keyOf(part)) {
        keys().push_back(std::move(*key));
        continue;
      }
      rest.push_back(part);
      mayFault = mayFault || !neverFaults(graph_, part.read);
    }
    if (keys().empty()) return;
    if (mayFault) {
      reason_ = "what is asked beside the comparison with " + nameOf(keys().front().own) +
                " may raise a fault, at other elements too";
      keys().clear();
      return;
    }
    for (size_t k = rest.size(); k-- > 0;) update_.inputs[1] = chosen(rest[k]);
  }

  // The value where the rest of the condition holds.
  Read chosen(const Part& part) {
    Node choice = update_;
    choice.name.clear();
    choice.op = pdg::Map{ScalarOp::Select};
    const Read before = update_.inputs[0], value = update_.inputs[1];
    choice.inputs = {part.read, part.inverted ? before : value, part.inverted ? value : before};
    choice.inputs.insert(choice.inputs.end(), update_.inputs.begin() + 2, update_.inputs.end());
    for (Read& read : choice.inputs)
      read = pdg::renumbered(read, [](int input) { return input + 1; });
    dropUnusedInputs(choice);
    return pdg::identityRead(graph_.node(graph_.add(std::move(choice))));
  }

  // own == something that does not vary with it.
  std::optional<Key> keyOf(const Part& part) {
    const Node& node = graph_.node(part.read.producer);
    if (!mapOf(node, part.inverted ? ScalarOp::Ne : ScalarOp::Eq)) return std::nullopt;
    for (size_t side = 0; side < 2; ++side) {
      const auto index = indexOf(compose(graph_, update_, part.read, node.inputs[side]));
      const auto own = index ? index->asShifted() : std::nullopt;
      if (!own || !isFree(own->var)) continue;
      const Read other = compose(graph_, update_, part.read, node.inputs[1 - side]);
      const auto known = indexOf(other);
      if (known ? known->mentions(own->var) : varies(other, own->var)) {
        reason_ = nameOf(own->var) + " is compared with a value that varies along it";
        continue;
      }
      if (!known && !isInteger(graph_.node(other.producer).type)) continue;
      if (part.guarded && !neverFaults(graph_, other)) continue;
      if (known ? variesInElements(*known) : variesInElements(other)) continue;
      const IndexExpr at = known ? *known : value(other);
      return Key{own->var, at - IndexExpr(own->offset)};
    }
    return std::nullopt;
  }

  IndexExpr value(const Read& read) {
    for (size_t k = 2; k < update_.inputs.size(); ++k)
      if (sameRead(update_.inputs[k], read))
        return IndexExpr::value(static_cast<int>(k), nullptr, nullptr);
    update_.inputs.push_back(read);
    return IndexExpr::value(static_cast<int>(update_.inputs.size()) - 1, nullptr, nullptr);
  }

  // The value of a read as an expression of the update's own variables, where it is one.
  std::optional<IndexExpr> indexOf(const Read& read) {
    const Node& node = graph_.node(read.producer);
    if (mapOf(node, ScalarOp::Cast) && node.type == DType::I64)
      return indexOf(compose(graph_, update_, read, node.inputs[0]));
    const auto* index = std::get_if<pdg::IndexValue>(&node.op);
    if (!index || index->expr.hasValue() || hasValues(read) || pdg::requirementOf(node))
      return std::nullopt;
    return index->expr.substitute(valuesOf(node, read));
  }

  // Whether a key may choose the variable's value: all elements along it lie at the same points.
  bool isFree(Var var) {
    for (const Key& key : keys())
      if (key.own == var || variesIn(key.expr, var)) return false;
    if (var.isElement())
      return through_.element[static_cast<size_t>(var.elementAxis())] == IndexExpr(var);
    const auto& dims = update_.dims;
    const auto at = std::find(dims.begin(), dims.end(), var);
    return at != dims.end() && var != moved_ &&
           through_.at[static_cast<size_t>(at - dims.begin())] == IndexExpr(var);
  }

  bool varies(const Read& read, Var var) const {
    const auto in = [&](const IndexExpr& e) { return variesIn(e, var); };
    return std::any_of(read.at.begin(), read.at.end(), in) ||
           std::any_of(read.element.begin(), read.element.end(), in);
  }
  bool variesIn(const IndexExpr& e, Var var) const {
    if (e.mentions(var)) return true;
    const std::vector<int> inputs = pdg::valueInputs(e);
    return std::any_of(inputs.begin(), inputs.end(), [&](int input) {
      return varies(update_.inputs[static_cast<size_t>(input)], var);
    });
  }

  // Along an axis of which no earlier key has chosen a position.
  template <typename Expression>
  bool variesInElements(const Expression& e) {
    for (Var element : pdg::elementVars(update_)) {
      if (pdg::isKeyed(update_, element)) continue;
      if constexpr (std::is_same_v<Expression, Read>) {
        if (varies(e, element)) return true;
      } else {
        if (variesIn(e, element)) return true;
      }
    }
    return false;
  }

  Graph& graph_;
  const Node owner_;
  const Read through_;
  Node update_;
  bool inverted_ = false;
  std::optional<Var> moved_;
  std::string reason_;
};

std::vector<int> countUses(const Graph& graph) {
  std::vector<int> uses = pdg::readCounts(graph);
  for (NodeId root : pdg::roots(graph)) ++uses[static_cast<size_t>(root)];
  return uses;
}

}  // namespace

void pointUpdates(pdg::Graph& graph, Notes& notes) {
  const std::vector<int> uses = countUses(graph);
  const std::vector<std::string> names = pdg::displayNames(graph);
  const int count = graph.size();
  for (NodeId id = 0; id < count; ++id) {
    const auto* merge = std::get_if<pdg::Merge>(&graph.node(id).op);
    if (!merge) continue;
    const std::vector<pdg::Merge::Piece> pieces = merge->pieces;
    for (size_t k = 0; k < pieces.size(); ++k) {
      Candidate candidate(graph, id, k);
      if (pieces[k].element.kind() != pdg::Condition::Kind::True ||
          uses[static_cast<size_t>(candidate.update())] != 1 || !candidate.choosesWhatIsThere())
        continue;
      const diagnostics::Span span = graph.node(candidate.update()).span;
      if (candidate.change())
        notes.did(span, called(names, id) + " changes in one position along " + candidate.along());
      else if (!candidate.reason().empty())
        notes.didNot(span, called(names, id) +
                               " is computed at all positions at each step: " + candidate.reason());
    }
  }
}

}  // namespace rlc::passes
