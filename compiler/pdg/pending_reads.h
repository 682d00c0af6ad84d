// Reads that a walk has still to follow: each once, however many ways lead to it.
#pragma once

#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/pdg/graph.h"

namespace rlc::pdg {

class PendingReads {
 public:
  explicit PendingReads(Read first) { add(std::move(first)); }

  void add(Read read) {
    if (seen_.emplace(read.producer, read.at, read.element).second)
      pending_.push_back(std::move(read));
  }
  // The last one added; none: all have been followed.
  std::optional<Read> next() {
    if (pending_.empty()) return std::nullopt;
    Read read = std::move(pending_.back());
    pending_.pop_back();
    return read;
  }

 private:
  std::set<std::tuple<NodeId, std::vector<IndexExpr>, std::vector<IndexExpr>>> seen_;
  std::vector<Read> pending_;
};

}  // namespace rlc::pdg
