#include "jit/host/place_reader.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "compiler/diagnostics/internal_error.h"

namespace rlc::host {

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
    case DType::U8:
      return Scalar::ofInt(type, loadAs<uint8_t>(place));
    case DType::I32:
      return Scalar::ofInt(type, loadAs<int32_t>(place));
    case DType::I64:
      return Scalar::ofInt(type, loadAs<int64_t>(place));
    case DType::BF16:
      return Scalar::ofFloat(type, std::bit_cast<float>(uint32_t{loadAs<uint16_t>(place)} << 16));
    case DType::F32:
      return Scalar::ofFloat(type, loadAs<float>(place));
    case DType::F64:
      return Scalar::ofFloat(type, loadAs<double>(place));
  }
  throw InternalError("unknown element type");
}

void storeScalar(const Scalar& value, std::byte* place) {
  switch (value.type) {
    case DType::Bool:
    case DType::U8:
      return storeAs(static_cast<uint8_t>(value.i), place);
    case DType::I32:
      return storeAs(static_cast<int32_t>(value.i), place);
    case DType::I64:
      return storeAs(value.i, place);
    case DType::BF16:
      return storeAs(
          static_cast<uint16_t>(std::bit_cast<uint32_t>(static_cast<float>(value.f)) >> 16), place);
    case DType::F32:
      return storeAs(static_cast<float>(value.f), place);
    case DType::F64:
      return storeAs(value.f, place);
  }
}

namespace {

// Where the elements are for one point.
struct Elements {
  int64_t base = 0;
  std::vector<int64_t> shape, stride;

  Elements(const Place& place, const Point& at) {
    for (const Place::Dim& dim : place.dims) {
      int64_t position = dim.position(at.data()) - dim.lo;
      if (dim.ring > 0) position = ((position % dim.ring) + dim.ring) % dim.ring;
      base += position * dim.stride;
    }
    for (const Place::Axis& axis : place.axes) {
      shape.push_back(std::max<int64_t>(axis.extent(at.data()), 0));
      stride.push_back(axis.stride);
    }
  }

  int64_t count() const {
    int64_t count = 1;
    for (int64_t extent : shape) count *= extent;
    return count;
  }

  runtime::ByteRange range(const Place& place) const {
    const auto size = static_cast<int64_t>(byteSize(place.type));
    int64_t first = base, last = base;
    for (size_t axis = 0; axis < shape.size(); ++axis)
      (stride[axis] < 0 ? first : last) += std::max<int64_t>(shape[axis] - 1, 0) * stride[axis];
    return {place.offset + first * size, count() == 0 ? 0 : (last - first + 1) * size};
  }
};

}  // namespace

runtime::ByteRange rangeOf(const Place& place, const Point& at) {
  return Elements(place, at).range(place);
}

DenseTensor readPlace(const Place& place, const Point& at, const runtime::ArenaView& arena) {
  const Elements elements(place, at);
  DenseTensor result;
  result.type = place.type;
  result.shape = elements.shape;
  const int64_t count = elements.count();
  if (count == 0) return result;
  const runtime::ByteRange range = elements.range(place);
  const std::byte* first = arena.bytes(range);
  result.elements.reserve(static_cast<size_t>(count));
  std::vector<int64_t> position(elements.shape.size());
  for (int64_t n = 0; n < count; ++n) {
    int64_t offset = elements.base;
    for (size_t axis = 0; axis < position.size(); ++axis)
      offset += position[axis] * elements.stride[axis];
    const int64_t byte =
        place.offset + offset * static_cast<int64_t>(byteSize(place.type)) - range.offset;
    result.elements.push_back(loadScalar(place.type, first + byte));
    for (size_t axis = position.size(); axis-- > 0;) {
      if (++position[axis] < elements.shape[axis]) break;
      position[axis] = 0;
    }
  }
  return result;
}

}  // namespace rlc::host
