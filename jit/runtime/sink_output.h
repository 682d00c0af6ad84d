// What a run shows and how it is followed: the same for the interpreter, compiled code and built
// programs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "compiler/types/scalar.h"

namespace rlc::runtime {

enum class SinkKind : uint8_t { Print, Report, Save };

// What of a sink matters to those who show it.
struct SinkInfo {
  SinkKind kind = SinkKind::Print;
  std::string label;
  int iteration =
      0;  // a save's points along this dim overwrite each other; along others each has a file
};

// A sink's value at one point, as a tree: a tensor, the fields of a record, the parts of a tuple.
struct ShownValue {
  std::variant<DenseTensor, std::vector<std::pair<std::string, ShownValue>>,
               std::vector<ShownValue>>
      node;
};

// The names and coordinates of a sink's dims.
using SinkIndex = std::vector<std::pair<std::string, int64_t>>;

// Where the lines go.
class SinkOutput {
 public:
  virtual ~SinkOutput() = default;
  // The three kinds of sink come here alike; `number`: the sink's, in the program's order.
  virtual void show(const SinkInfo& sink, int number, const SinkIndex& index,
                    const ShownValue& value) = 0;
};

struct IndexProgress {
  std::string index;            // the outermost index of the reports: "i"
  int64_t done = 0, total = 0;  // points of it
};

struct RunControl {
  std::function<bool()> stop;  // asked between points; true: stop after what must be saved
  std::function<void(const IndexProgress&)>
      progress;  // after each point of the outermost index of reports
};

// What a run came to.
enum class RunEnd : uint8_t { Finished, Stopped };

}  // namespace rlc::runtime
