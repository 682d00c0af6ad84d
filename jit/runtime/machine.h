// What runs a compiled program: one interface for the processor and for devices with memory of
// their own.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace rlc::runtime {

// The device can't run the program, or failed while it did: a sentence that says what to do.
class DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Outcome {
  enum class Kind : uint8_t { Ok, Fault, Stopped };
  Kind kind = Kind::Ok;
  int fault = -1;                    // number in Program::faults
  std::vector<int64_t> coordinates;  // what its Check passed
};

// How far the main function came: the schedule's root that was running, and its loop variable where
// that is a sequential loop.
struct Progress {
  int64_t root = -1;
  std::optional<int64_t> iteration;
};

struct ByteRange {
  int64_t offset = 0, size = 0;  // of the arena
};

// A run's arena, where the host can read it.
class ArenaView {
 public:
  virtual ~ArenaView() = default;
  // Valid until the next call; the bytes lie together.
  virtual const std::byte* bytes(const ByteRange& range) const = 0;
};

// What a run that is timed takes of a device with memory of its own.
struct DeviceUse {
  std::vector<int64_t> launches;             // [region]
  int64_t plannedBytes = 0, takenBytes = 0;  // of its memory
};

struct RunRequest {
  std::span<const std::byte> parameters;
  uint64_t seed = 0;
  int threads = 1;
  // A sink's point has been reached: it is read through the view before the call returns.
  std::function<void(int sink, std::span<const int64_t> at)> emit;
  // What that will read: a device fetches it while it goes on.
  std::function<std::vector<ByteRange>(int sink, std::span<const int64_t> at)> reads;
  std::vector<double>* regionSeconds =
      nullptr;                     // [region]: filled by machines that were made to time them
  DeviceUse* deviceUse = nullptr;  // with regionSeconds
  const std::atomic<bool>* stop = nullptr;
  Progress* progress = nullptr;
};

// The memory of one run, and the run itself.
class Execution {
 public:
  virtual ~Execution() = default;
  virtual Outcome run(const RunRequest& request) = 0;
  virtual const ArenaView& arena() const = 0;
  // The arena's memory that has been used, in whole pages; 0 where that isn't known.
  virtual int64_t touchedBytes() const { return 0; }
};

// A program made ready for a device.
class Machine {
 public:
  virtual ~Machine() = default;
  virtual std::unique_ptr<Execution> prepare() const = 0;
  virtual int64_t scratchBytes(int /*threads*/) const {
    return 0;
  }  // that a run takes beside the arena
  virtual int64_t fileScratchBytes(int /*threads*/) const { return 0; }  // and in a file
  virtual int64_t memoryBytes() const { return 0; }  // that the machine has; 0: not known
  // The room outside of that memory where the arena's end may be: a mapped file, or the host's
  // memory of a device; 0: nowhere.
  virtual int64_t overflowBytes() const { return 0; }
  // What to say where there is less room there than these bytes; empty: there is no such place.
  virtual std::string noOverflowRoom(int64_t /*bytes*/) const { return {}; }
  // Of `left` bytes of memory, those for copies of what is outside of it, ahead of their use.
  virtual int64_t transferBytes(int64_t /*left*/) const { return 0; }
  // How it adds up floats, where the program's loops leave that to the machine: by number of the
  // buffer, -1 for what has none, texts that two machines agree on if they add alike.
  virtual std::map<int, std::multiset<std::string>> sumOrders() const { return {}; }
};

}  // namespace rlc::runtime
