#include "compiler/passes/structural_key.h"

#include <algorithm>
#include <cstring>

#include "compiler/pdg/reads.h"
#include "compiler/pdg/requirements.h"

namespace rlc::passes {

namespace {

constexpr size_t kMostCompared = 1024;  // larger literals are not compared

class KeyWriter {
 public:
  KeyWriter(const Graph& graph, const Node& node) : graph_(graph), node_(node) {
    for (Var var : node.dims) number(var);
    for (Var var : pdg::boundVariables(node)) number(var);
  }

  std::optional<std::string> write() {
    put(static_cast<int64_t>(node_.op.index()));
    put(static_cast<int64_t>(node_.type));
    put(static_cast<int64_t>(node_.dims.size()));
    for (Var dim : node_.dims) put(graph_.dim(dim).end);  // what lies behind an end has no value
    put(node_.shape);
    if (!std::visit([this](const auto& op) { return writeOp(op); }, node_.op)) return std::nullopt;
    writeInputs();
    return std::move(key_);
  }

 private:
  void number(Var var) { numbers_.emplace(var, static_cast<int>(numbers_.size())); }

  void put(int64_t value) { key_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void put(const std::string& text) {
    put(static_cast<int64_t>(text.size()));
    key_ += text;
  }
  void put(Var var) {
    auto own = numbers_.find(var);
    put(own != numbers_.end() ? own->second : (int64_t{1} << 40) + var.id);
  }
  void put(const std::vector<IndexExpr>& exprs) {
    put(static_cast<int64_t>(exprs.size()));
    for (const IndexExpr& e : exprs) put(e);
  }
  void put(const IndexExpr& e) {
    put(e.constantTerm());
    // Terms are sorted by variable, which renaming upsets: sort them by what is written.
    std::vector<std::string> terms;
    for (const IndexExpr::Term& term : e.terms()) {
      std::string outer = std::move(key_);
      key_.clear();
      put(term.coefficient);
      put(*term.atom);
      terms.push_back(std::move(key_));
      key_ = std::move(outer);
    }
    std::sort(terms.begin(), terms.end());
    put(static_cast<int64_t>(terms.size()));
    for (const std::string& term : terms) key_ += term;
  }
  void put(const pdg::TreeShape& tree) { put(tree.capacity), put(tree.fanout); }
  void put(const IndexExpr::Atom& atom) {
    put(static_cast<int64_t>(atom.kind));
    if (atom.kind == IndexExpr::AtomKind::Variable) return put(atom.var);
    put(atom.input);
    put(atom.divisor);
    for (const auto& bound : {atom.lo, atom.hi}) {
      put(bound ? 1 : 0);
      if (bound) put(*bound);
    }
    put(atom.args);
  }

  bool writeOp(const pdg::Constant& constant) {
    const auto& elements = constant.value.elements;
    if (elements.size() > kMostCompared) return false;
    for (const Scalar& element : elements) put(element.i);
    return true;
  }
  bool writeOp(const pdg::IndexValue& value) {
    put(value.expr);
    put(pdg::requirementText(node_).value_or(""));
    return true;
  }
  bool writeOp(const pdg::Param& param) { return put(param.param), true; }
  bool writeOp(const pdg::Map& map) {
    put(static_cast<int64_t>(map.op));
    return put(static_cast<int64_t>(map.fits)), true;
  }
  bool writeOp(const pdg::Detach&) { return true; }
  bool writeOp(const pdg::Reduce& reduce) {
    put(static_cast<int64_t>(reduce.kind));
    put(reduce.hasFilter);
    put(reduce.otherwise);
    for (const auto& key : reduce.keys) put(key.own), put(key.expr);
    put(static_cast<int64_t>(reduce.bound.size()));
    // Which variables the range is over, in this order.
    for (Var var : reduce.domain.vars()) put(var);
    return true;
  }
  bool writeOp(const pdg::Merge& merge) {
    for (const auto& piece : merge.pieces)
      if (piece.element.kind() != pdg::Condition::Kind::True) return false;
    return !merge.pieces.empty();
  }
  bool writeOp(const pdg::Draw& draw) {
    put(static_cast<int64_t>(draw.kind));
    put(draw.stream);
    put(draw.part);
    put(draw.parts);
    put(draw.categories);
    for (Var var : node_.dims) put(var.id);  // the coordinates of these indices
    return true;
  }
  bool writeOp(const pdg::Sort& sort) {
    put(sort.axis);
    put(sort.positions);
    put(sort.descending);
    return true;
  }
  bool writeOp(const pdg::TreeUpdate& update) {
    return put(update.tree), put(update.entries), true;
  }
  bool writeOp(const pdg::TreeFind& find) { return put(find.tree), true; }
  bool writeOp(const pdg::PointUpdate& update) {
    for (const auto& key : update.keys) put(key.own), put(key.expr);
    return true;
  }
  bool writeOp(const pdg::Grad&) { return true; }

  void writeInputs() {
    std::vector<std::string> inputs;
    for (const Read& read : node_.inputs) {
      std::string outer = std::move(key_);
      key_.clear();
      put(read.producer);
      put(read.at);
      put(read.element);
      for (const pdg::PastEnd& past : read.past) put(past.where);
      inputs.push_back(std::move(key_));
      key_ = std::move(outer);
    }
    if (isCommutative()) std::sort(inputs.begin(), inputs.begin() + 2);
    for (const std::string& input : inputs) put(input);
  }

  bool isCommutative() const {
    const auto* map = std::get_if<pdg::Map>(&node_.op);
    if (!map) return false;
    switch (map->op) {
      case ScalarOp::Add:
      case ScalarOp::Mul:
      case ScalarOp::And:
      case ScalarOp::Or:
      case ScalarOp::Eq:
      case ScalarOp::Ne:
        return true;
      default:
        return false;
    }
  }

  const Graph& graph_;
  const Node& node_;
  std::map<Var, int> numbers_;
  std::string key_;
};

std::map<Var, Var> renaming(const Node& from, const Node& to) {
  std::map<Var, Var> names;
  const auto fromBound = pdg::boundVariables(from), toBound = pdg::boundVariables(to);
  for (size_t k = 0; k < from.dims.size(); ++k) names[from.dims[k]] = to.dims[k];
  for (size_t k = 0; k < fromBound.size(); ++k) names[fromBound[k]] = toBound[k];
  return names;
}

}  // namespace

std::optional<std::string> structuralKey(const Graph& graph, const Node& node) {
  return KeyWriter(graph, node).write();
}

bool covers(const Node& larger, const Node& smaller) {
  const std::map<Var, Var> names = renaming(smaller, larger);
  const pdg::Set points = smaller.domain.rename(names);
  if (!points.isSubset(larger.domain)) return false;
  auto agree = [&](const pdg::Set& own, const pdg::Set& others) {
    const pdg::Set renamed = others.rename(names);
    return own.intersect(points.extendTo(own.vars()))
        .isEqual(renamed.intersect(points.extendTo(renamed.vars())));
  };
  if (const auto* reduce = std::get_if<pdg::Reduce>(&larger.op))
    return agree(reduce->domain, std::get<pdg::Reduce>(smaller.op).domain);
  if (const auto* merge = std::get_if<pdg::Merge>(&larger.op)) {
    const auto& others = std::get<pdg::Merge>(smaller.op).pieces;
    if (merge->pieces.size() != others.size()) return false;
    for (size_t k = 0; k < others.size(); ++k)
      if (!agree(merge->pieces[k].domain, others[k].domain)) return false;
  }
  return true;
}

}  // namespace rlc::passes
