// For tests: a graph's schedule and storage, and both as text.
#pragma once

#include <string>
#include <vector>

#include "compiler/pdg/testing.h"
#include "compiler/schedule/execution.h"
#include "compiler/schedule/printer.h"
#include "compiler/schedule/scheduler.h"
#include "compiler/schedule/storage.h"

namespace rlc::schedule::testing {

struct Planned {
  Statements statements;
  Schedule schedule;
  std::vector<Storage> storage;
  std::string text, memory;
};

inline Planned plan(pdg::testing::GraphBuilder& g, LaneKind lanes = LaneKind::Vectors) {
  Planned result;
  result.statements = makeStatements(g.graph());
  result.schedule =
      makeSchedule(g.graph(), result.statements, findDependences(g.graph(), result.statements));
  chooseExecution(g.graph(), result.statements, result.schedule, lanes);
  result.storage = chooseStorage(g.graph(), result.statements, result.schedule);
  result.text = print(g.graph(), result.statements, result.schedule);
  result.memory = print(g.graph(), result.storage);
  return result;
}

}  // namespace rlc::schedule::testing
