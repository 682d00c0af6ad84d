#include "compiler/pdg/graph.h"

namespace rlc::pdg {

int Node::dataInputs() const {
  struct Count {
    const Node& node;
    int operator()(const Constant&) const { return 0; }
    int operator()(const IndexValue&) const { return 0; }
    int operator()(const Param&) const { return 0; }
    int operator()(const Map& map) const { return arity(map.op); }
    int operator()(const Detach&) const { return 1; }
    int operator()(const Reduce& reduce) const { return reduce.hasFilter ? 2 : 1; }
    int operator()(const Merge& merge) const { return static_cast<int>(merge.pieces.size()); }
    int operator()(const Draw& draw) const {
      switch (draw.kind) {
        case DrawKind::Uniform01:
        case DrawKind::StandardNormal:
        case DrawKind::Permutation:
          return 0;
        case DrawKind::Categorical:
        case DrawKind::StandardGamma:
          return 1;
        case DrawKind::UniformInt:
          return 2;
      }
      return 0;
    }
    int operator()(const Sort&) const { return 1; }
    int operator()(const TreeUpdate&) const { return 3; }
    int operator()(const TreeFind&) const { return 2; }
    int operator()(const PointUpdate&) const { return 2; }
    int operator()(const Grad&) const { return 2; }
  };
  return std::visit(Count{*this}, op);
}

std::vector<Var> Node::variables() const {
  std::vector<Var> vars = dims;
  if (const Reduce* reduce = std::get_if<Reduce>(&op))
    vars.insert(vars.end(), reduce->bound.begin(), reduce->bound.end());
  for (size_t axis = 0; axis < shape.size(); ++axis)
    vars.push_back(Var::element(static_cast<int>(axis)));
  return vars;
}

Var Graph::addDim(Dim dim) {
  dims_.push_back(std::move(dim));
  return Var::dim(static_cast<int32_t>(dims_.size()) - 1);
}

NodeId Graph::add(Node node) {
  node.id = static_cast<NodeId>(nodes_.size());
  nodes_.push_back(std::move(node));
  return nodes_.back().id;
}

ParamId Graph::addParam(ParamInfo param) {
  params_.push_back(std::move(param));
  return static_cast<ParamId>(params_.size()) - 1;
}

polyhedral::VarNamer Graph::namer() const {
  return [this](Var var) {
    if (var.isElement()) return "e" + std::to_string(var.elementAxis());
    const std::string& name = dim(var).name;
    return name.empty() ? std::string("_") : name;
  };
}

namespace {

template <typename Value, typename Visit>
void visitLeaves(Value& value, const Visit& visit) {
  if (auto* read = std::get_if<0>(&value.node)) {
    visit(*read);
  } else if (auto* fields = std::get_if<1>(&value.node)) {
    for (auto& [name, field] : *fields) visitLeaves(field, visit);
  } else {
    for (auto& part : std::get<2>(value.node)) visitLeaves(part, visit);
  }
}

}  // namespace

void forEachLeaf(const SinkValue& value, const std::function<void(const Read&)>& visit) {
  visitLeaves(value, visit);
}
void forEachLeaf(SinkValue& value, const std::function<void(Read&)>& visit) {
  visitLeaves(value, visit);
}

}  // namespace rlc::pdg
