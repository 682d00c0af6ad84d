#include "jit/native/nan_watch.h"

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
  std::string text = "`" + fault.tensor + "`";
  for (size_t k = 0; k < fault.coordinateNames.size(); ++k)
    text += (k ? ", " : " at ") + fault.coordinateNames[k] + " = " +
            std::to_string(outcome.coordinates.at(k));
  return text;
}

}  // namespace rlc::native
