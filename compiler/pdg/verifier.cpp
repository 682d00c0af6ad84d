#include "compiler/pdg/verifier.h"

#include <algorithm>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"
#include "compiler/pdg/verifier_internal.h"
#include "compiler/polyhedral/variables.h"

namespace rlc::pdg {

namespace verifying {

namespace {

bool sameVars(const std::vector<Var>& a, const std::vector<Var>& b) {
  return a.size() == b.size() && std::is_permutation(a.begin(), a.end(), b.begin());
}

class StructureCheck {
 public:
  StructureCheck(const Graph& graph, const Node& node, Messages& messages)
      : graph_(graph), node_(node), messages_(messages) {}

  bool run() {
    checkDims();
    const size_t data = static_cast<size_t>(node_.dataInputs());
    if (node_.inputs.size() < data) {
      fail("has " + std::to_string(node_.inputs.size()) + " inputs, its op needs " +
           std::to_string(data));
      return false;
    }
    const std::vector<Var> scope = readVariables(node_);
    for (const Read& read : node_.inputs) checkRead(read, scope);
    for (const IndexExpr& extent : node_.shape) checkScope(extent, node_.dims, "an extent");
    checkOp();
    return sound_;
  }

 private:
  void fail(const std::string& what) {
    messages_.report(node_, what);
    sound_ = false;
  }

  void checkDims() {
    for (size_t i = 0; i < node_.dims.size(); ++i) {
      const Var dim = node_.dims[i];
      if (dim.isElement() || dim.id >= graph_.dimCount()) fail("has an unknown dim");
      if (std::find(node_.dims.begin(), node_.dims.begin() + static_cast<long>(i), dim) !=
          node_.dims.begin() + static_cast<long>(i))
        fail("has the dim " + graph_.namer()(dim) + " twice");
    }
    if (!sameVars(node_.domain.vars(), node_.dims)) fail("its domain is not over its dims");
  }

  void checkScope(const IndexExpr& expr, const std::vector<Var>& scope, const std::string& what) {
    std::vector<Var> used;
    expr.collectVariables(used);
    for (Var var : used)
      if (!contains(scope, var))
        fail(what + " mentions a variable that is not in scope: " + messages_.printer().expr(expr));
    for (int input : valueInputs(expr)) checkValueInput(input);
  }

  void checkValueInput(int input) {
    if (input < 0 || input >= static_cast<int>(node_.inputs.size())) {
      fail("takes a value from input " + std::to_string(input) + ", which it does not have");
      return;
    }
    const NodeId producer = node_.inputs[static_cast<size_t>(input)].producer;
    if (producer >= 0 && producer < graph_.size() && !isInteger(graph_.node(producer).type))
      fail("uses a value that is not an integer as a subscript: input " + std::to_string(input));
  }

  void checkRead(const Read& read, const std::vector<Var>& scope) {
    if (read.producer < 0 || read.producer >= graph_.size()) {
      fail("reads node " + std::to_string(read.producer) + ", which does not exist");
      return;
    }
    const Node& producer = graph_.node(read.producer);
    const std::string text = messages_.printer().read(node_, read);
    if (read.at.size() != producer.dims.size())
      fail(text + " has " + std::to_string(read.at.size()) + " subscripts for " +
           std::to_string(producer.dims.size()) + " dims");
    if (read.element.size() != producer.shape.size())
      fail(text + " has " + std::to_string(read.element.size()) + " element subscripts for " +
           std::to_string(producer.shape.size()) + " axes");
    for (const IndexExpr& expr : read.at) checkScope(expr, scope, text);
    for (const IndexExpr& expr : read.element) checkScope(expr, scope, text);
    checkOrigin(read.origin.get(), scope, text);
    for (const PastEnd& past : read.past) {
      for (const IndexExpr& expr : past.where) checkScope(expr, scope, "the end of " + text);
      checkOrigin(past.origin.get(), scope, text);
    }
  }

  void checkOrigin(const ReadOrigin* origin, const std::vector<Var>& scope,
                   const std::string& read) {
    if (!origin) return;
    for (const auto& [name, value] : origin->point)
      checkScope(value, scope, "what " + read + " tells of `" + name + "`");
  }

  void checkOp() {
    if (const Reduce* reduce = std::get_if<Reduce>(&node_.op)) {
      const std::vector<Var> scope = readVariables(node_);
      for (Var var : reduce->domain.vars())
        if (!contains(scope, var))
          fail("its reduction's domain has a variable that is not in scope");
      for (Var bound : reduce->bound)
        if (!contains(reduce->domain.vars(), bound))
          fail("its reduction's domain lacks " + graph_.namer()(bound));
      for (const Reduce::Key& key : reduce->keys) {
        checkScope(key.expr, scope, "a key");
        if (key.expr.mentions(key.own)) fail("a key depends on the variable that it sets");
      }
      checkScope(reduce->otherwise, node_.dims, "otherwise");
    } else if (const PointUpdate* update = std::get_if<PointUpdate>(&node_.op)) {
      std::vector<Var> scope = readVariables(node_);
      // A key stands on what earlier keys have chosen, not on what it or later ones choose.
      for (const PointUpdate::Key& key : update->keys)
        if (std::erase(scope, key.own) != 1) fail("a key sets no variable of its own");
      for (const PointUpdate::Key& key : update->keys) {
        checkScope(key.expr, scope, "a key");
        scope.push_back(key.own);
      }
    } else if (const Merge* merge = std::get_if<Merge>(&node_.op)) {
      std::vector<Var> scope = node_.dims;
      for (Var element : elementVars(node_)) scope.push_back(element);
      for (const Merge::Piece& piece : merge->pieces) {
        if (!sameVars(piece.domain.vars(), node_.dims))
          fail("a piece's domain is not over the dims");
        std::vector<Var> used;
        piece.element.collectVariables(used);
        for (Var var : used)
          if (!contains(scope, var))
            fail("a piece's element condition mentions a variable that is not in scope");
      }
    } else if (const IndexValue* value = std::get_if<IndexValue>(&node_.op)) {
      checkScope(value->expr, readVariables(node_), "its value");
    } else if (const Sort* sort = std::get_if<Sort>(&node_.op)) {
      if (sort->axis < 0 || sort->axis >= static_cast<int>(node_.shape.size()))
        fail("sorts along an axis that it lacks");
    }
  }

  const Graph& graph_;
  const Node& node_;
  Messages& messages_;
  bool sound_ = true;
};

}  // namespace

bool checkStructure(const Graph& graph, const Node& node, Messages& messages) {
  return StructureCheck(graph, node, messages).run();
}

}  // namespace verifying

std::vector<std::string> verify(const Graph& graph) {
  verifying::Messages messages(graph);
  bool sound = true;
  for (const Node& node : graph.nodes())
    sound = verifying::checkStructure(graph, node, messages) && sound;
  if (!sound) return messages.take();
  for (const Node& node : graph.nodes()) {
    verifying::checkTypes(graph, node, messages);
    verifying::checkDomains(graph, node, messages);
  }
  verifying::checkSinks(graph, messages);
  return messages.take();
}

void verifyOrThrow(const Graph& graph, const std::string& when) {
  const std::vector<std::string> messages = verify(graph);
  if (messages.empty()) return;
  std::string text = "the graph is unsound " + when + ":";
  for (const std::string& message : messages) text += "\n  " + message;
  throw InternalError(text);
}

}  // namespace rlc::pdg
