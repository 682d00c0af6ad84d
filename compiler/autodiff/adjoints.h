// The adjoints of one group of gradients.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/autodiff/paths.h"
#include "compiler/autodiff/rules.h"

namespace rlc::autodiff {

class Adjoints {
 public:
  // `lossName`: for the names of the nodes made.
  Adjoints(Tools& tools, const Group& group, const Paths& paths, std::string lossName);

  // Makes the adjoint of every node on a path.
  void run();
  // Turns a Grad node of the group into the equation of its value.
  void replace(NodeId grad);

 private:
  // A part of an adjoint: zero outside `domain` (over the adjoint's dims) and `element`.
  struct Part {
    Set domain;
    Condition element = Condition::always();
    Source source;
  };

  void chooseParams();
  void findGuarded();
  void findLacking();
  bool mayEnd(const Node& node) const;  // along an index that ends on a condition
  std::vector<Var> dimsOf(const Node& node) const;
  Set reachOf(const Node& node) const;
  Set shapeSet(const Node& node, const Set& domain) const;

  void finish(NodeId node, bool declared);
  void makeAdjoint(NodeId node, bool declared);
  void declare(NodeId node);
  std::vector<Part> seeds(const Node& node);
  std::optional<Part> partOf(const Edge& edge);
  std::optional<Source> operandAdjoint(const Edge& edge, const Node& consumer,
                                       const Adjoint& adjoint);
  // `lacking`: where the source is zero there may be no data to say which element.
  std::optional<Part> chosenElement(const Node& node, const Inverse& inverse, const Source& source,
                                    const std::vector<Read>& values, bool lacking);
  void recordLike(NodeId node, NodeId first);
  int64_t pointsPastEnd(const Node& node, Var dim) const;
  std::optional<int64_t> aheadOfLoss(const Node& node, Var dim) const;
  Source untilEnd(const Node& node, const Space& space, Source source);
  Part part(const Node& node, const Set& points, const Source& source);
  Part sum(const Node& node, Inverse inverse, const Source& source, const std::vector<Read>& values,
           const std::optional<Source>& filter);

  std::vector<Part> addEqual(const Node& node, std::vector<Part> parts);
  // The node's adjoint as one source; made into `target` if there is one.
  Source combine(const Node& node, const Set& domain, std::vector<Part> parts, NodeId target);
  Source mergeRow(const Node& node, const Set& domain, const std::vector<Part>& row, NodeId target);
  NodeId add(const Node& like, const Set& domain, pdg::Op op, std::vector<Read> inputs,
             NodeId target);
  void nameAfter(const Source& adjoint, const Node& node);
  std::string nameOf(const Node& node) const;
  Adjoint padded(const Node& node, const Adjoint& adjoint);

  Tools& tools_;
  Graph& graph_;
  const Group& group_;
  const Paths& paths_;
  std::string loss_name_;
  NodeId first_made_;  // nodes from here on are ours

  Substitution renamed_;         // the group's dims to variables of no other node
  std::vector<Var> params_;      // those that adjoints are over
  std::vector<Var> param_dims_;  // the group's dims that they stand for
  Set points_;                   // the group's domain, renamed
  struct Eliminated {
    Var dim;  // of the group, renamed
    const Axis* axis;
    int64_t offset;  // position = dim + offset
  };
  std::vector<Eliminated> eliminated_;
  std::optional<std::vector<std::pair<int64_t, int64_t>>> box_;  // of points_, if it is one

  std::vector<std::optional<Adjoint>> adjoints_;  // by node
  std::vector<bool> guarded_;                     // values that a selection may discard
  std::vector<bool> lacking_;  // nodes that read, where their adjoint is zero, what a tensor past
                               // the end of an index does not have
};

}  // namespace rlc::autodiff
