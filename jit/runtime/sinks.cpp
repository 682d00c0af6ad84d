#include "jit/runtime/sinks.h"

#include <utility>

namespace rlc::runtime {
namespace {

constexpr size_t kFlushAt = 1 << 16;

// Appends axis `axis` of the tensor from `position` on, and returns the position after it.
int64_t appendAxis(std::string& out, const Value& value, size_t axis, int64_t position,
                   Notation notation) {
  if (axis == value.shape.size()) {
    if (value.data) {
      const size_t offset = static_cast<size_t>(position) * byteSize(value.type);
      appendElement(out, value.type, static_cast<const char*>(value.data) + offset, notation);
    } else {
      appendScalar(out, value.scalars[position], notation);
    }
    return position + 1;
  }
  out += '[';
  for (int64_t i = 0; i < value.shape[axis]; ++i) {
    if (i > 0) out += ", ";
    position = appendAxis(out, value, axis + 1, position, notation);
  }
  out += ']';
  return position;
}

void appendChildren(std::string& out, const Value& value, Notation notation) {
  const bool record = value.kind == Value::Kind::Record;
  const bool json = notation == Notation::Json;
  out += record ? '{' : json ? '[' : '(';
  for (size_t i = 0; i < value.children.size(); ++i) {
    if (i > 0) out += ", ";
    if (record) {
      if (json) {
        appendJsonString(out, value.children[i].field);
      } else {
        out += value.children[i].field;
      }
      out += ": ";
    }
    appendValue(out, value.children[i], notation);
  }
  out += record ? '}' : json ? ']' : ')';
}

}  // namespace

Value Value::tensor(DType type, std::vector<int64_t> shape, const void* data) {
  Value value;
  value.type = type;
  value.shape = std::move(shape);
  value.data = data;
  return value;
}

Value Value::tensor(const DenseTensor& tensor) {
  Value value;
  value.type = tensor.type;
  value.shape = tensor.shape;
  value.scalars = tensor.elements.data();
  return value;
}

void appendValue(std::string& out, const Value& value, Notation notation) {
  switch (value.kind) {
    case Value::Kind::Tensor:
      appendAxis(out, value, 0, 0, notation);
      return;
    case Value::Kind::Record:
    case Value::Kind::Tuple:
      appendChildren(out, value, notation);
      return;
  }
}

void SinkWriter::print(std::string_view label, std::span<const IndexValue> point,
                       const Value& value) {
  line("print", label, point, value);
}

void SinkWriter::report(std::string_view name, std::span<const IndexValue> point,
                        const Value& value) {
  line("report", name, point, value);
}

void SinkWriter::line(std::string_view kind, std::string_view label,
                      std::span<const IndexValue> point, const Value& value) {
  const bool json = notation_ == Notation::Json;
  if (json) {
    buffer_.append("{\"").append(kind).append("\": ");
    appendJsonString(buffer_, label);
    buffer_ += ", \"index\": {";
  } else {
    buffer_ += label;
    if (!point.empty()) buffer_ += '[';
  }
  for (size_t i = 0; i < point.size(); ++i) {
    if (i > 0) buffer_ += ", ";
    // Positions that constants alone name are told by their number.
    if (json) {
      appendJsonString(buffer_, point[i].name.empty() ? std::to_string(i) : point[i].name);
      buffer_ += ": ";
    } else if (!point[i].name.empty()) {
      buffer_.append(point[i].name).append(1, '=');
    }
    appendInt(buffer_, point[i].value);
  }
  if (json) {
    buffer_ += "}, \"value\": ";
  } else {
    buffer_ += point.empty() ? " = " : "] = ";
  }
  appendValue(buffer_, value, notation_);
  if (json) buffer_ += '}';
  buffer_ += '\n';
  if (buffer_.size() >= kFlushAt) flush();
}

void SinkWriter::flush() {
  if (!buffer_.empty()) out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  buffer_.clear();
  out_.flush();
}

}  // namespace rlc::runtime
