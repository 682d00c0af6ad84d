// One GPU through the driver API: errors as sentences, memory and handles that free themselves.
#pragma once

#include <memory>
#include <string>

#include "jit/gpu/entry_points.h"

namespace rlc::gpu {

class Device {
 public:
  // The first device, with its primary context made current. Throws runtime::DeviceError.
  Device();
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  // Throws runtime::DeviceError where `result` is a failure; `what` was being done.
  void check(CUresult result, const std::string& what) const;
  void makeCurrent() const;  // in this thread

  const Cuda& api() const { return api_; }
  const std::string& name() const { return name_; }
  int capability() const { return capability_; }        // 10 * major + minor
  int driverVersion() const { return driverVersion_; }  // 1000 * major + 10 * minor
  int driverMajor() const { return driverVersion_ / 1000; }
  int mostThreads() const { return mostThreads_; }  // of a block
  int processors() const { return processors_; }
  // What its clocks allow in a second: FMA of f32 outside tensor cores (two operations each), those
  // of tensor cores with bf16 (tf32 has half of that), and bytes of its memory. 0: not known.
  double peakFlops() const;
  double peakTensorFlops() const;
  double peakBytes() const;
  size_t freeBytes() const;
  size_t freeAtFirst() const { return freeAtFirst_; }  // when the context had been made
  size_t totalBytes() const { return totalBytes_; }

 private:
  int attribute(int which) const;

  const Cuda& api_;
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
  std::string name_;
  int capability_ = 0, driverVersion_ = 0, mostThreads_ = 0, processors_ = 0;
  size_t totalBytes_ = 0, freeAtFirst_ = 0;
};

// Memory of the device.
class DeviceBytes {
 public:
  DeviceBytes(const Device& device, size_t bytes, const std::string& what);
  ~DeviceBytes();
  DeviceBytes(const DeviceBytes&) = delete;
  DeviceBytes& operator=(const DeviceBytes&) = delete;
  CUdeviceptr at(size_t offset = 0) const { return pointer_ + offset; }
  size_t size() const { return size_; }

 private:
  const Device& device_;
  CUdeviceptr pointer_ = 0;
  size_t size_ = 0;
};

// A point in a stream's work. `flags`: cuda.h's; most events tell no times.
class DeviceEvent {
 public:
  static constexpr unsigned kTimed = 0, kUntimed = 2;
  explicit DeviceEvent(const Device& device, unsigned flags = kUntimed);
  ~DeviceEvent();
  DeviceEvent(const DeviceEvent&) = delete;
  DeviceEvent& operator=(const DeviceEvent&) = delete;
  operator CUevent() const { return event_; }

 private:
  const Device& device_;
  CUevent event_ = nullptr;
};

// Work in its order, beside other streams'.
class DeviceStream {
 public:
  explicit DeviceStream(const Device& device);
  ~DeviceStream();
  DeviceStream(const DeviceStream&) = delete;
  DeviceStream& operator=(const DeviceStream&) = delete;
  operator CUstream() const { return stream_; }

 private:
  const Device& device_;
  CUstream stream_ = nullptr;
};

// Memory of the host that the device reads and writes.
class PinnedBytes {
 public:
  PinnedBytes(const Device& device, size_t bytes);
  ~PinnedBytes();
  PinnedBytes(const PinnedBytes&) = delete;
  PinnedBytes& operator=(const PinnedBytes&) = delete;
  std::byte* data() const { return static_cast<std::byte*>(pointer_); }
  CUdeviceptr onDevice() const;
  size_t size() const { return size_; }

 private:
  const Device& device_;
  void* pointer_ = nullptr;
  size_t size_ = 0;
};

}  // namespace rlc::gpu
