// How far variables go along indices that end on a condition, at the points of a node that anything
// asks for: `s < end(s)` of what runs along `s`, and what filters and conditions say of ranges.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "compiler/pdg/ends.h"
#include "compiler/pdg/graph.h"

namespace rlc::passes {

// var < end[at] + beyond.
struct EndBound {
  pdg::Var var;
  pdg::NodeId end = -1;            // the node with the value of an index's end
  std::vector<pdg::IndexExpr> at;  // over the variables of the node that the bound is of
  int64_t beyond = 0;

  friend bool operator==(const EndBound&, const EndBound&) = default;
};

// The value of an end at some point, and a constant.
struct EndValue {
  pdg::NodeId end = -1;
  std::vector<pdg::IndexExpr> at;
  int64_t offset = 0;
};

class EndBounds {
 public:
  explicit EndBounds(const pdg::Graph& graph);

  // Of the node's dims, at the points that anything asks for; none: only gradients ask for it,
  // which read nothing past an end.
  const std::optional<std::vector<EndBound>>& asked(const pdg::Node& node) const;
  // Of the node's variables, by the condition or filter under which it reads the input.
  std::vector<EndBound> conditionsOf(const pdg::Node& node, size_t input) const;
  // Of the variables that the read of the input may mention (pdg::readVariables), where it is read.
  std::vector<EndBound> whereRead(const pdg::Node& node, size_t input) const;
  // What the read takes, if it is an end, or so much before or behind it.
  std::optional<EndValue> endValue(const pdg::Read& read) const;

 private:
  struct Use {
    pdg::NodeId reader;
    size_t input;
  };
  void addSink(const pdg::Sink& sink);
  void follow();
  std::vector<EndBound> own(const pdg::Node& node) const;
  std::optional<std::vector<EndBound>> ofReaders(pdg::NodeId id) const;
  static std::vector<EndBound> inDimsOf(const pdg::Node& producer, const pdg::Read& read,
                                        const std::vector<EndBound>& bounds);
  void addCondition(const pdg::Read& condition, std::vector<EndBound>& bounds) const;
  void addExistence(const pdg::Read& read, std::vector<EndBound>& bounds) const;
  void addComparison(const pdg::Read& read, std::vector<EndBound>& bounds) const;

  const pdg::Graph& graph_;
  std::vector<bool> isEnd_;
  std::vector<pdg::EndingIndex> indices_;
  std::vector<std::vector<Use>> readers_;                            // [node]
  std::map<pdg::NodeId, std::vector<std::vector<EndBound>>> shown_;  // by each sink's leaves
  std::vector<std::optional<std::vector<EndBound>>> bounds_;         // [node] of its dims
};

}  // namespace rlc::passes
