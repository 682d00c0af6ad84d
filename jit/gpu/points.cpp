#include "jit/gpu/points.h"

#include <cstring>

namespace rlc::gpu {

using runtime::ByteRange;

namespace {

constexpr size_t kMostPending = 64;

}  // namespace

const std::byte* Point::find(const ByteRange& range) const {
  for (size_t k = 0; k < ranges_.size(); ++k) {
    const ByteRange& have = ranges_[k];
    if (range.offset >= have.offset && range.offset + range.size <= have.offset + have.size)
      return bytes_->data() + places_[k] + (range.offset - have.offset);
  }
  return nullptr;
}

bool Point::behindFault() const {
  int32_t state = 0;
  std::memcpy(&state, bytes_->data(), sizeof state);
  return state != 0;
}

bool Points::full() const { return pending_.size() >= kMostPending; }

void Points::fetch(int sink, std::vector<int64_t> at, std::vector<ByteRange> ranges,
                   CUdeviceptr fault, const std::function<CUdeviceptr(int64_t offset)>& place) {
  Point point;
  if (!free_.empty()) {
    point = std::move(free_.back());
    free_.pop_back();
  }
  point.sink = sink;
  point.at = std::move(at);
  point.ranges_ = std::move(ranges);
  point.places_.clear();
  size_t size = 16;
  for (const ByteRange& range : point.ranges_) {
    point.places_.push_back(size);
    size += (static_cast<size_t>(range.size) + 15) / 16 * 16;
  }
  if (!point.bytes_ || point.bytes_->size() < size)
    point.bytes_ = std::make_unique<PinnedBytes>(device_, size);
  if (!point.arrived_) point.arrived_ = std::make_unique<DeviceEvent>(device_);
  const auto copy = [&](size_t to, CUdeviceptr from, size_t bytes) {
    device_.check(
        device_.api().cuMemcpyDtoHAsync_v2(point.bytes_->data() + to, from, bytes, stream_),
        "reading results");
  };
  copy(0, fault, sizeof(int32_t));
  for (size_t k = 0; k < point.ranges_.size(); ++k)
    if (point.ranges_[k].size > 0)
      copy(point.places_[k], place(point.ranges_[k].offset),
           static_cast<size_t>(point.ranges_[k].size));
  device_.check(device_.api().cuEventRecord(*point.arrived_, stream_), "reading results");
  pending_.push_back(std::move(point));
}

const Point& Points::take() {
  free_.push_back(std::move(pending_.front()));
  pending_.pop_front();
  return free_.back();
}

}  // namespace rlc::gpu
