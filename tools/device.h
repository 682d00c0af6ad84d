// What a program runs on. The command line knows devices by name only; each is made by a function
// of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compiler/interpreter/sink_driver.h"
#include "compiler/pdg/graph.h"
#include "tools/run_session.h"

namespace rlc::native {
class NativeProgram;
}

namespace rlc::tools {

// What the factors of products of f32 may be rounded to; a device that multiplies those of the type
// no faster takes the next one that is more exact.
enum class MatmulPrecision : uint8_t { F32, Tf32, Bf16 };
// By its name. Throws UsageError.
MatmulPrecision parseMatmulPrecision(const std::string& name);

struct DeviceOptions {
  uint64_t seed = 0;
  int threads = 0;                          // 0: as many as there are cores
  std::vector<std::string> disabledPasses;  // devices that transform nothing ignore them
  bool verifyPasses = false;                // the graph's invariants, after each
  bool timePasses = false;                  // a table on stderr
  int vectorWidth = 0;                      // lanes of a block: 1, 4, 8, 16, 32; 0: by the host
  bool findNan = true;                      // say where a NaN that was reported came up
  int64_t memoryLimit = 0;                  // bytes; 0: the machine's memory
  MatmulPrecision matmul = MatmulPrecision::F32;
};

// A device that a program has been prepared for.
class Device {
 public:
  virtual ~Device() = default;
  // Runs the program and shows what its sinks show. Throws runtime::RuntimeFault.
  // `control.stop` is asked at least once an iteration; a stopped run writes what is to be saved.
  virtual RunSummary run(runtime::SinkOutput& output, const runtime::RunControl& control) = 0;
  virtual std::string description() const = 0;  // "interpreter", "cpu (2 threads)"
  virtual const native::NativeProgram* native() const { return nullptr; }  // where it compiles
};

// The graph outlives the device; a compiling device may transform a copy. Throws
// runtime::DeviceError where the device is not there, saying what was looked for.
std::unique_ptr<Device> makeInterpreterDevice(const pdg::Graph& graph,
                                              const DeviceOptions& options);
std::unique_ptr<Device> makeCpuDevice(const pdg::Graph& graph, const DeviceOptions& options);
std::unique_ptr<Device> makeGpuDevice(const pdg::Graph& graph, const DeviceOptions& options);
// The GPU where there is one and the program is worth it, else the processor.
std::unique_ptr<Device> makeAutoDevice(const pdg::Graph& graph, const DeviceOptions& options);

bool gpuIsThere();

// By the name that --device gives: interp, cpu, gpu, auto.
std::unique_ptr<Device> makeDevice(const std::string& name, const pdg::Graph& graph,
                                   const DeviceOptions& options);

}  // namespace rlc::tools
