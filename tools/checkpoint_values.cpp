#include "tools/checkpoint_values.h"

#include <bit>
#include <cstring>

namespace rlc::tools {

namespace {

template <typename T>
void append(std::vector<std::byte>& out, T value) {
  const size_t at = out.size();
  out.resize(at + sizeof value);
  std::memcpy(out.data() + at, &value, sizeof value);
}

void appendElement(std::vector<std::byte>& out, const Scalar& element) {
  switch (element.type) {
    case DType::Bool:
    case DType::U8:
      return append(out, static_cast<uint8_t>(element.i));
    case DType::I32:
      return append(out, static_cast<int32_t>(element.i));
    case DType::I64:
      return append(out, element.i);
    case DType::BF16:
      return append(
          out, static_cast<uint16_t>(std::bit_cast<uint32_t>(static_cast<float>(element.f)) >> 16));
    case DType::F32:
      return append(out, static_cast<float>(element.f));
    case DType::F64:
      return append(out, element.f);
  }
}

}  // namespace

void CheckpointValues::add(const std::string& name, const runtime::ShownValue& value) {
  if (const auto* tensor = std::get_if<DenseTensor>(&value.node)) {
    std::vector<std::byte>& bytes = bytes_.emplace_back();
    for (const Scalar& element : tensor->elements) appendElement(bytes, element);
    tensors_.push_back({name, tensor->type, tensor->shape, bytes.data()});
  } else if (const auto* fields = std::get_if<1>(&value.node)) {
    for (const auto& [field, part] : *fields) add(name + "." + field, part);
  } else {
    const auto& parts = std::get<2>(value.node);
    for (size_t i = 0; i < parts.size(); ++i) add(name + "." + std::to_string(i), parts[i]);
  }
}

}  // namespace rlc::tools
