// What `print` and `report` write, from the interpreter and from compiled code alike:
//   x[t=3] = 0.25                         {"print": "x", "index": {"t": 3}, "value": 0.25}
//   p = {x: 1.0, v: [0.5, 2.0]}           {"print": "p", "index": {}, "value": {"x": 1.0, "v":
//   [0.5, 2.0]}} episode return[i=3] = 21.5            {"report": "episode return", "index": {"i":
//   3}, "value": 21.5}
#pragma once

#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/types/scalar.h"
#include "jit/runtime/format.h"

namespace rlc::runtime {

// A printed value: a tensor, or a record or tuple of values. Its form is made once; the pointers
// change with the point.
struct Value {
  enum class Kind : uint8_t { Tensor, Record, Tuple };
  Kind kind = Kind::Tensor;
  std::string field;                // its name in the record around it
  DType type = DType::F32;          // Tensor
  std::vector<int64_t> shape;       // Tensor; empty: a scalar
  const void* data = nullptr;       // Tensor: row-major elements in the layout of compiled code,
  const Scalar* scalars = nullptr;  // or, where `data` is null, as scalars
  std::vector<Value> children;      // Record, Tuple

  static Value tensor(DType type, std::vector<int64_t> shape, const void* data);
  static Value tensor(const DenseTensor& tensor);  // refers to the tensor's elements
};

struct IndexValue {
  std::string_view name;
  int64_t value = 0;
};

void appendValue(std::string& out, const Value& value, Notation notation);

// Writes lines to a stream through a buffer that is kept, so that nothing is allocated once it has
// grown. Not synchronized: lines are in program order, so one thread writes them.
class SinkWriter {
 public:
  SinkWriter(std::ostream& out, Notation notation) : out_(out), notation_(notation) {}
  ~SinkWriter() { flush(); }
  SinkWriter(const SinkWriter&) = delete;
  SinkWriter& operator=(const SinkWriter&) = delete;

  void print(std::string_view label, std::span<const IndexValue> point, const Value& value);
  void report(std::string_view name, std::span<const IndexValue> point, const Value& value);
  void flush();
  bool failed() const {
    return !out_.good();
  }  // the stream refused a write (a full disk, a closed pipe)

 private:
  void line(std::string_view kind, std::string_view label, std::span<const IndexValue> point,
            const Value& value);

  std::ostream& out_;
  Notation notation_;
  std::string buffer_;
};

}  // namespace rlc::runtime
