// Orders statements into loops: strongly connected statements share a loop along which every
// dependence between them runs forward (after shifting them against each other), what that loop
// does not order is ordered inside it, and neighbours are fused where their dependences allow it
// (Allen and Kennedy 1987, with shifts as in Darte and Vivien 1997, over exact dependence
// distances).
#pragma once

#include "compiler/diagnostics/internal_error.h"
#include "compiler/schedule/tree.h"

namespace rlc::schedule {

// No loops over single indices, nor isl's, order some statements that depend on each other,
// `statement` among them; finer statements may have an order, or isl may find one in place of loops
// further out.
class NoOrder : public InternalError {
 public:
  NoOrder(const std::string& message, int which, bool late = false)
      : InternalError(message), statement(which), outOfTime(late) {}
  int statement;
  bool outOfTime;  // there may be one
};

// What an order was not found for in time, and what to do about it.
class OrderLimit : public polyhedral::OperationLimit {
 public:
  explicit OrderLimit(std::string message) : message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

// With `scanWider`, where isl finds no order within a loop it orders what that loop would hold.
// Throws NoOrder.
Schedule makeSchedule(const Graph& graph, const Statements& statements,
                      const std::vector<Dependence>& dependences, bool scanWider = false);

}  // namespace rlc::schedule
