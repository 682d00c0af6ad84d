#include "jit/native/host_values.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "compiler/diagnostics/internal_error.h"

namespace rlc::native {

namespace {

template <typename T>
T loadAs(const std::byte* place) {
  T value;
  std::memcpy(&value, place, sizeof value);
  return value;
}

template <typename T>
void storeAs(T value, std::byte* place) {
  std::memcpy(place, &value, sizeof value);
}

}  // namespace

Scalar loadScalar(DType type, const std::byte* place) {
  switch (type) {
    case DType::Bool:
    case DType::U8: return Scalar::ofInt(type, loadAs<uint8_t>(place));
    case DType::I32: return Scalar::ofInt(type, loadAs<int32_t>(place));
    case DType::I64: return Scalar::ofInt(type, loadAs<int64_t>(place));
    case DType::BF16: return Scalar::ofFloat(type, std::bit_cast<float>(uint32_t{loadAs<uint16_t>(place)} << 16));
    case DType::F32: return Scalar::ofFloat(type, loadAs<float>(place));
    case DType::F64: return Scalar::ofFloat(type, loadAs<double>(place));
  }
  throw InternalError("unknown element type");
}

void storeScalar(const Scalar& value, std::byte* place) {
  switch (value.type) {
    case DType::Bool:
    case DType::U8: return storeAs(static_cast<uint8_t>(value.i), place);
    case DType::I32: return storeAs(static_cast<int32_t>(value.i), place);
    case DType::I64: return storeAs(value.i, place);
    case DType::BF16:
      return storeAs(static_cast<uint16_t>(std::bit_cast<uint32_t>(static_cast<float>(value.f)) >> 16), place);
    case DType::F32: return storeAs(static_cast<float>(value.f), place);
    case DType::F64: return storeAs(value.f, place);
  }
}

int64_t HostValues::Layout::count() const {
  int64_t count = 1;
  for (int64_t extent : shape) count *= extent;
  return count;
}

ByteRange HostValues::Layout::range() const {
  const auto size = static_cast<int64_t>(byteSize(buffer->type));
  int64_t first = base, last = base;
  for (size_t axis = 0; axis < shape.size(); ++axis)
    (stride[axis] < 0 ? first : last) += std::max<int64_t>(shape[axis] - 1, 0) * stride[axis];
  return {buffer->offset + first * size, count() == 0 ? 0 : (last - first + 1) * size};
}

HostValues::Layout HostValues::layoutOf(const pdg::Read& read, const std::vector<pdg::Var>& dims, const Point& at) const {
  const auto id = static_cast<size_t>(read.producer);
  const pdg::Node& node = graph_.node(read.producer);
  const schedule::Storage& storage = lowered_.storage[id];
  if (storage.node < 0 || lowered_.bufferOf[id] < 0) throw InternalError("the host reads a tensor without storage");
  Layout layout;
  layout.buffer = &lowered_.program.buffers[static_cast<size_t>(lowered_.bufferOf[id])];

  const auto coordinate = [&](pdg::Var var) {
    return at.at(static_cast<size_t>(std::find(dims.begin(), dims.end(), var) - dims.begin()));
  };
  Point producerPoint;
  for (size_t k = 0; k < read.at.size(); ++k) {
    const schedule::DimStorage& dim = storage.dims[k];
    producerPoint.push_back(read.at[k].evaluate(coordinate));
    int64_t position = producerPoint.back() - dim.lo;
    if (dim.ring) position = ((position % dim.extent) + dim.extent) % dim.extent;
    layout.base += position * dim.stride;
  }
  const auto producerCoordinate = [&](pdg::Var var) {
    return producerPoint.at(static_cast<size_t>(std::find(node.dims.begin(), node.dims.end(), var) - node.dims.begin()));
  };
  for (size_t axis = 0; axis < node.shape.size(); ++axis) {
    layout.shape.push_back(std::max<int64_t>(node.shape[axis].evaluate(producerCoordinate), 0));
    layout.stride.push_back(storage.elementStride[axis]);
  }
  return layout;
}

ByteRange HostValues::rangeOf(const pdg::Read& read, const std::vector<pdg::Var>& dims, const Point& at) const {
  return layoutOf(read, dims, at).range();
}

DenseTensor HostValues::read(const pdg::Read& read, const std::vector<pdg::Var>& dims, const Point& at) const {
  const Layout layout = layoutOf(read, dims, at);
  const DType type = graph_.node(read.producer).type;
  DenseTensor result;
  result.type = type;
  result.shape = layout.shape;
  const int64_t count = layout.count();
  if (count == 0) return result;
  const ByteRange range = layout.range();
  const std::byte* first = arena_.bytes(range);
  result.elements.reserve(static_cast<size_t>(count));
  std::vector<int64_t> position(layout.shape.size());
  for (int64_t n = 0; n < count; ++n) {
    int64_t offset = layout.base;
    for (size_t axis = 0; axis < position.size(); ++axis) offset += position[axis] * layout.stride[axis];
    const int64_t place = layout.buffer->offset + offset * static_cast<int64_t>(byteSize(type)) - range.offset;
    result.elements.push_back(loadScalar(type, first + place));
    for (size_t axis = position.size(); axis-- > 0;) {
      if (++position[axis] < layout.shape[axis]) break;
      position[axis] = 0;
    }
  }
  return result;
}

}  // namespace rlc::native
