#include "jit/gpu/device.h"

#include <algorithm>

#include "jit/runtime/machine.h"

namespace rlc::gpu {

namespace {

using runtime::DeviceError;

constexpr int kOldestCapability = 75;  // the oldest that CUDA 13 has code for
constexpr int kOldestDriver = 12000;

// Codes and attributes of cuda.h.
enum Code {
  kOutOfMemory = 2,
  kDriverTooOld = 35,
  kUnavailable = 46,
  kNoDevice = 100,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kNoBinary = 209,
  kEccError = 214,
  kInvalidPtx = 218,
  kLinkError = 220,
  kUnsupportedPtx = 222,
  kIllegalAddress = 700,
  kLaunchTimeout = 702,
  kStackError = 714,
  kIllegalInstruction = 715,
  kMisalignedAddress = 716,
  kInvalidAddressSpace = 717,
  kInvalidPc = 718,
  kLaunchFailed = 719,
  kMismatch = 803,
  kUnknown = 999
};
enum Attribute {
  kMaxThreadsPerBlock = 1,
  kClock = 13,  // kHz
  kProcessors = 16,
  kMemoryClock = 36,  // kHz, of two transfers each
  kBusWidth = 37,     // bits
  kMajor = 75,
  kMinor = 76
};

std::string versionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string adviceFor(int code, int driverVersion) {
  switch (code) {
    case kOutOfMemory:
      return "the GPU is out of memory: run with fewer environments or steps, or end other "
             "programs that use it";
    case kDriverTooOld:
    case kMismatch:
      return "the NVIDIA driver is too old for its own library: update it, or restart the machine "
             "after an update";
    case kNoDevice:
      return "there is no NVIDIA GPU (or CUDA_VISIBLE_DEVICES hides it); --device cpu runs the "
             "program without one";
    case kInvalidImage:
    case kNoBinary:
    case kInvalidPtx:
    case kUnsupportedPtx:
      return "the driver (for CUDA " + versionText(driverVersion) +
             ") can't load the compiled kernels: update the driver, or install an NVRTC that is "
             "not newer than it";
    case kIllegalAddress:
    case kStackError:
    case kIllegalInstruction:
    case kMisalignedAddress:
    case kInvalidAddressSpace:
    case kInvalidPc:
    case kLaunchFailed:
      return "a kernel failed; this is a bug in rlc: please report the program";
    case kLaunchTimeout:
      return "a kernel ran too long for a GPU that also drives a display: run with fewer steps in "
             "an iteration";
    case kUnavailable:
    case kInvalidDevice:
    case kEccError:
    case kLinkError:
    case kUnknown:
      return "the GPU was lost while it worked: look at the system's log (dmesg), restart the "
             "machine";
    default:
      return "the GPU failed: look at the system's log (dmesg) and at what else uses the GPU; "
             "--device cpu runs the program without it";
  }
}

}  // namespace

Device::Device() : api_(cuda()) {
  check(api_.cuInit(0), "starting the NVIDIA driver");
  check(api_.cuDriverGetVersion(&driverVersion_), "asking the driver's version");
  if (driverVersion_ < kOldestDriver)
    throw DeviceError("the NVIDIA driver is for CUDA " + versionText(driverVersion_) +
                      ", and rlc needs one for CUDA " + versionText(kOldestDriver) +
                      " or later: update the driver");
  int count = 0;
  check(api_.cuDeviceGetCount(&count), "counting the GPUs");
  if (count == 0) check(kNoDevice, "looking for a GPU");
  check(api_.cuDeviceGet(&device_, 0), "opening the GPU");
  char name[256] = "";
  check(api_.cuDeviceGetName(name, sizeof name, device_), "asking the GPU's name");
  name_ = name;
  int major = 0, minor = 0;
  check(api_.cuDeviceGetAttribute(&major, kMajor, device_), "asking the GPU's capability");
  check(api_.cuDeviceGetAttribute(&minor, kMinor, device_), "asking the GPU's capability");
  check(api_.cuDeviceGetAttribute(&mostThreads_, kMaxThreadsPerBlock, device_),
        "asking the GPU's limits");
  check(api_.cuDeviceGetAttribute(&processors_, kProcessors, device_), "asking the GPU's size");
  check(api_.cuDeviceTotalMem_v2(&totalBytes_, device_), "asking the GPU's memory");
  capability_ = 10 * major + minor;
  if (capability_ < kOldestCapability)
    throw DeviceError("the GPU " + name_ + " is too old: its compute capability is " +
                      std::to_string(major) + "." + std::to_string(minor) +
                      ", and rlc needs 7.5 or later; --device cpu runs the program without it");
  check(api_.cuDevicePrimaryCtxRetain(&context_, device_), "making a context on the GPU");
  makeCurrent();
  freeAtFirst_ = freeBytes();
}

Device::~Device() {
  if (context_ != nullptr) api_.cuDevicePrimaryCtxRelease_v2(device_);
}

void Device::makeCurrent() const { check(api_.cuCtxSetCurrent(context_), "using the GPU"); }

void Device::check(CUresult result, const std::string& what) const {
  if (result == 0) return;
  const char *code = nullptr, *text = nullptr;
  api_.cuGetErrorName(result, &code);
  api_.cuGetErrorString(result, &text);
  throw DeviceError(adviceFor(result, driverVersion_) + " (" + what + ": " +
                    (code ? code : "error " + std::to_string(result)) +
                    (text ? std::string(", ") + text : "") + ")");
}

// What a driver does not tell of its speed is 0: nothing but estimates and profiles asks.
int Device::attribute(int which) const {
  int value = 0;
  return api_.cuDeviceGetAttribute(&value, which, device_) == 0 ? value : 0;
}

double Device::peakFlops() const {
  const int lanes = capability_ <= 80 ? 64 : 128;  // of f32 in a processor
  return 2.0 * lanes * processors_ * 1e3 * attribute(kClock);
}

// Dense products with sums in f32, of a processor in a clock, by NVIDIA's data sheets.
double Device::peakTensorFlops() const {
  const int flops = capability_ == 80                          ? 2048
                    : capability_ == 86 || capability_ == 89   ? 512
                    : capability_ == 90                        ? 4096
                    : capability_ == 100 || capability_ == 103 ? 8192
                    : capability_ == 120                       ? 512
                                                               : 0;
  return 1e3 * flops * processors_ * attribute(kClock);
}

double Device::peakBytes() const {
  return 2.0 * 1e3 * attribute(kMemoryClock) * attribute(kBusWidth) / 8;
}

size_t Device::freeBytes() const {
  size_t free = 0, total = 0;
  check(api_.cuMemGetInfo_v2(&free, &total), "asking the GPU's free memory");
  return free;
}

DeviceBytes::DeviceBytes(const Device& device, size_t bytes, const std::string& what)
    : device_(device), size_(std::max<size_t>(bytes, 64)) {
  const size_t free = device.freeBytes();
  if (size_ > free)
    throw DeviceError("the program needs " + std::to_string(size_) +
                      " bytes of the GPU's memory for " + what + ", and " + std::to_string(free) +
                      " of " + std::to_string(device.totalBytes()) + " are free on the " +
                      device.name() +
                      ": run with fewer environments or steps, or with --memory-limit, under which "
                      "what is more stays in the host's memory");
  device.check(device.api().cuMemAlloc_v2(&pointer_, size_),
               "allocating " + std::to_string(size_) + " bytes for " + what);
}

DeviceBytes::~DeviceBytes() { device_.api().cuMemFree_v2(pointer_); }

DeviceEvent::DeviceEvent(const Device& device, unsigned flags) : device_(device) {
  device.check(device.api().cuEventCreate(&event_, flags), "making an event");
}

DeviceEvent::~DeviceEvent() { device_.api().cuEventDestroy_v2(event_); }

DeviceStream::DeviceStream(const Device& device) : device_(device) {
  constexpr unsigned kNonBlocking = 1;
  device.check(device.api().cuStreamCreate(&stream_, kNonBlocking), "making a stream");
}

DeviceStream::~DeviceStream() { device_.api().cuStreamDestroy_v2(stream_); }

PinnedBytes::PinnedBytes(const Device& device, size_t bytes)
    : device_(device), size_(std::max<size_t>(bytes, 64)) {
  constexpr unsigned kMapped = 2;
  device.check(device.api().cuMemHostAlloc(&pointer_, size_, kMapped),
               "allocating " + std::to_string(size_) + " bytes that the GPU can reach");
}

PinnedBytes::~PinnedBytes() { device_.api().cuMemFreeHost(pointer_); }

CUdeviceptr PinnedBytes::onDevice() const {
  CUdeviceptr pointer = 0;
  device_.check(device_.api().cuMemHostGetDevicePointer_v2(&pointer, pointer_, 0),
                "mapping memory for the GPU");
  return pointer;
}

}  // namespace rlc::gpu
