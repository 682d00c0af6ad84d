#include "jit/native/nan_watch.h"

#include "jit/runtime/format.h"

namespace rlc::native {

std::optional<std::string> findFirstNan(const pdg::Graph& graph,
                                        const schedule::Statements& statements,
                                        const schedule::Schedule& schedule,
                                        const std::vector<schedule::Storage>& storage,
                                        const MachineMaker& make, RunRequest request) {
  const loops::Lowered watching =
      loops::lower(graph, statements, schedule, storage, {.findNan = true});
  const std::unique_ptr<Machine> machine = make(watching.program);
  request.emit = [](int, std::span<const int64_t>) {};
  request.reads = [](int, std::span<const int64_t>) { return std::vector<ByteRange>(); };
  request.progress = nullptr;
  const auto outcome = machine->prepare()->run(request);
  if (outcome.kind != runtime::Outcome::Kind::Fault) return std::nullopt;
  const loops::Fault& fault = watching.program.faults.at(static_cast<size_t>(outcome.fault));
  if (!fault.watch) return std::nullopt;
  std::vector<std::pair<std::string, int64_t>> point;
  for (size_t k = 0; k < fault.coordinateNames.size(); ++k)
    point.emplace_back(fault.coordinateNames[k], outcome.coordinates.at(k));
  return runtime::placeText(fault.tensor, point);
}

}  // namespace rlc::native
