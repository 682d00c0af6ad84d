// Programs that were compiled before, as a run needs them: their plan, and where their code lies. A
// run finds one on disk where nothing has changed that its compilation depends on, and neither
// elaborates nor schedules again.
#pragma once

#include <memory>
#include <string>

#include "jit/cpu/executable.h"
#include "jit/host/built_program.h"
#include "tools/device.h"
#include "tools/program.h"

namespace rlc::tools {

class KeptProgram {
 public:
  // What the program was compiled from, itself first, and paths at which there was no file.
  struct Files {
    std::vector<host::SourceText> read;
    std::vector<std::string> absent;
  };

  KeptProgram(host::BuiltProgram built, Files files, std::unique_ptr<cpu::Executable> code,
              const ProgramOptions& program, const DeviceOptions& device);

  const diagnostics::SourceMap& sources() const { return sources_; }
  // As Device::run. What only the compiler can tell of a run's end, it compiles the program for.
  RunSummary run(runtime::SinkOutput& output, const runtime::RunControl& control) const;

 private:
  class Compiler;

  host::BuiltProgram built_;
  Files files_;
  std::unique_ptr<cpu::Executable> code_;
  diagnostics::SourceMap sources_;
  ProgramOptions program_;
  DeviceOptions device_;
};

// The entry of one run's program, by its file, params and options, this processor and this version
// of the compiler; with it, what the files were that it was compiled from.
class ProgramKeeper {
 public:
  // Keeps nothing, and finds nothing, of runs that read a stream, check or time passes, have a
  // memory limit, or are not on the processor.
  ProgramKeeper(const ProgramOptions& program, const std::string& deviceName,
                const DeviceOptions& device);

  std::unique_ptr<KeptProgram> find() const;
  // Programs with warnings are compiled each time, and say them each time.
  void keep(const LoadedProgram& loaded, const Device& device) const;

 private:
  ProgramOptions program_;
  DeviceOptions device_;
  std::string name_;  // of the entry; empty: none
};

}  // namespace rlc::tools
