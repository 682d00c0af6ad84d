#include "jit/gpu/swapping.h"

#include "jit/gpu/module.h"

namespace rlc::gpu {

namespace {

bool overlap(const Swapping::Range& a, const Swapping::Range& b) {
  return a.host < b.host + b.bytes && b.host < a.host + a.bytes;
}

}  // namespace

Swapping::Swapping(const Device& device, int64_t bytes, CUstream stream)
    : device_(device),
      api_(device.api()),
      stream_(stream),
      in_(device),
      out_(device),
      begun_(device),
      halfBytes_(static_cast<size_t>(transferHalf(bytes))),
      memory_(device, 2 * halfBytes_, "copies of tensors"),
      halves_{Half(device), Half(device)} {
  for (size_t k : {0, 1}) halves_[k].at = memory_.at(k * halfBytes_);
}

// What the stream is given from here on waits for what `first` has been given.
void Swapping::follow(CUstream stream, CUevent event, CUstream first) const {
  check(api_.cuEventRecord(event, first));
  check(api_.cuStreamWaitEvent(stream, event, 0));
}

std::vector<CUdeviceptr> Swapping::copyIn(const std::vector<Range>& ranges) {
  if (settled_) {
    follow(in_, begun_, stream_);
    check(api_.cuStreamWaitEvent(out_, begun_, 0));
    settled_ = false;
    forked_ = true;
  }
  turn_ = 1 - turn_;
  Half &half = halves_[turn_], &other = halves_[1 - turn_];
  // The half is free when its last kernel is over and what that has made is back. What the kernel
  // just before this one makes of the same elements has to come back first.
  if (half.busy)
    check(api_.cuStreamWaitEvent(in_, half.returning ? half.returned : half.computed, 0));
  bool again = false;
  for (const Range& range : ranges)
    for (const Range& made : other.ranges) again |= made.written && overlap(range, made);
  if (again) check(api_.cuStreamWaitEvent(in_, other.returned, 0));
  std::vector<CUdeviceptr> places;
  size_t offset = 0;
  for (const Range& range : ranges) {
    places.push_back(half.at + offset);
    if (range.bytes > 0)
      check(api_.cuMemcpyHtoDAsync_v2(places.back(), range.host, range.bytes, in_));
    offset += static_cast<size_t>(transferSize(static_cast<int64_t>(range.bytes)));
  }
  follow(stream_, half.copied, in_);
  half.ranges = ranges;
  half.busy = true;
  half.returning = false;
  return places;
}

void Swapping::copyBack() {
  Half& half = halves_[turn_];
  check(api_.cuEventRecord(half.computed, stream_));
  size_t offset = 0;
  for (const Range& range : half.ranges) {
    if (range.written && range.bytes > 0) {
      if (!half.returning) check(api_.cuStreamWaitEvent(out_, half.computed, 0));
      half.returning = true;
      check(api_.cuMemcpyDtoHAsync_v2(range.host, half.at + offset, range.bytes, out_));
    }
    offset += static_cast<size_t>(transferSize(static_cast<int64_t>(range.bytes)));
  }
  if (half.returning) check(api_.cuEventRecord(half.returned, out_));
}

void Swapping::settle() {
  for (Half& half : halves_) {
    if (half.returning) check(api_.cuStreamWaitEvent(stream_, half.returned, 0));
    half.returning = half.busy = false;
    half.ranges.clear();
  }
  settled_ = true;
}

void Swapping::beginGraph() {
  settle();
  forked_ = false;
}

void Swapping::endGraph() {
  settle();
  if (!forked_) return;
  for (const DeviceStream* own : {&in_, &out_}) follow(stream_, begun_, *own);
}

}  // namespace rlc::gpu
