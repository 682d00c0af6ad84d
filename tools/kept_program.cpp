#include "tools/kept_program.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "jit/cpu/cache_key.h"
#include "jit/cpu/disk_cache.h"
#include "jit/host/machine_memory.h"
#include "jit/host/run.h"
#include "tools/native_device.h"
#include "tools/source_hash.h"

namespace rlc::tools {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

bool isFile(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool isUnchanged(const host::SourceText& source) {
  diagnostics::SourceMap now;
  std::string error;
  const auto read = isFile(source.path) ? now.load(source.path, error) : std::nullopt;
  return read && now.text(*read) == source.text;
}

bool areAbsent(const KeptProgram::Files& files) {
  return std::ranges::none_of(files.absent, isFile);
}

// Of a program that runs on the processor and is kept; else empty.
std::string codeKey(const Device& device) {
  if (device.native() == nullptr) return {};
  const auto* machine = dynamic_cast<const native::CpuMachine*>(&device.native()->machine());
  return machine != nullptr ? machine->executable().key() : std::string();
}

// Names of files are any bytes, which JSON's own text can't have.
std::string bytesOf(const Json& value) {
  std::string bytes;
  Json::to_cbor(value, bytes);
  return bytes;
}

}  // namespace

// Compiles the program when it is first asked, from its files' texts at the run's beginning; not
// where another file would be found first by now.
class KeptProgram::Compiler {
 public:
  explicit Compiler(const KeptProgram& kept) : kept_(kept) {}

  host::Insight insight() {
    host::Insight insight;
    insight.completed = [this](const runtime::Outcome& outcome, const runtime::Progress& progress) {
      const native::NativeProgram* program = compiled();
      return program != nullptr ? program->insight(false).completed(outcome, progress)
                                : std::vector<host::Insight::Shows>(kept_.built_.plan.sinks.size());
    };
    if (kept_.device_.findNan)
      insight.findNan = [this](const runtime::RunRequest& request) -> std::optional<std::string> {
        const native::NativeProgram* program = compiled();
        return program != nullptr ? program->insight(true).findNan(request) : std::nullopt;
      };
    return insight;
  }

 private:
  const native::NativeProgram* compiled() {
    if (!loaded_ && areAbsent(kept_.files_)) {
      loaded_ = loadProgram(kept_.program_, "", kept_.files_.read);
      if (loaded_->program) device_ = makeCpuDevice(loaded_->program->graph, kept_.device_);
      if (device_ && codeKey(*device_) != kept_.code_->key()) device_.reset();
    }
    return device_ ? device_->native() : nullptr;
  }

  const KeptProgram& kept_;
  std::unique_ptr<LoadedProgram> loaded_;
  std::unique_ptr<Device> device_;
};

KeptProgram::KeptProgram(host::BuiltProgram built, Files files,
                         std::unique_ptr<cpu::Executable> code, const ProgramOptions& program,
                         const DeviceOptions& device)
    : built_(std::move(built)),
      files_(std::move(files)),
      code_(std::move(code)),
      program_(program),
      device_(device) {
  for (const host::SourceText& source : built_.sources) sources_.add(source.path, source.text);
}

RunSummary KeptProgram::run(runtime::SinkOutput& output, const runtime::RunControl& control) const {
  const auto execution =
      host::makeExecution(code_->kernel(), built_.residentBytes, built_.scratchInFile);
  host::RunOptions options;
  options.seed = device_.seed;
  options.threads = threadsOf(device_);
  Compiler compiler(*this);
  const host::RunResult result =
      host::run(built_.plan, *execution, output, control, options, compiler.insight());
  return {result.end, result.firstNan};
}

ProgramKeeper::ProgramKeeper(const ProgramOptions& program, const std::string& deviceName,
                             const DeviceOptions& device)
    : program_(program), device_(device) {
  if (program.file == "-" || !isFile(program.file) || program.verify || device.verifyPasses ||
      device.timePasses || device.memoryLimit != 0)
    return;
  if (deviceName != "cpu" && (deviceName != "auto" || gpuIsThere())) return;
  std::error_code error;
  const Json described = {{"compiler", kSourceHash},
                          {"folder", fs::current_path(error).string()},
                          {"file", program.file},
                          {"params", paramOverrides(program)},
                          {"seeds", program.seeds},
                          {"library", libraryFolder(program)},
                          {"disabled", device.disabledPasses}};
  name_ = cpu::cacheKey(bytesOf(described), cpuOptions(device)) + ".plan";
}

std::unique_ptr<KeptProgram> ProgramKeeper::find() const {
  if (name_.empty()) return nullptr;
  const auto entry = cpu::DiskCache().find(name_);
  if (!entry) return nullptr;
  const Json kept = Json::from_cbor(*entry);
  host::BuiltProgram built = host::builtProgram(kept["program"].get_ref<const std::string&>());
  KeptProgram::Files files{{}, kept["absent"]};
  for (const diagnostics::FileId file : kept["read"].get<std::vector<diagnostics::FileId>>())
    files.read.push_back(built.sources.at(static_cast<size_t>(file)));
  if (!std::ranges::all_of(files.read, isUnchanged) || !areAbsent(files)) return nullptr;
  auto code = cpu::keptExecutable(kept["code"], built.arenaBytes, cpuOptions(device_));
  // One that does not fit is told by the compiler, with what needs how much.
  if (!code ||
      built.residentBytes + code->kernel().scratchOf(threadsOf(device_)) > host::machineMemory())
    return nullptr;
  return std::make_unique<KeptProgram>(std::move(built), std::move(files), std::move(code),
                                       program_, device_);
}

void ProgramKeeper::keep(const LoadedProgram& loaded, const Device& device) const {
  if (name_.empty() || !loaded.sink.empty() || codeKey(device).empty()) return;
  host::BuiltProgram built = device.native()->built();
  std::vector<diagnostics::FileId> read;
  for (diagnostics::FileId file = 0; file < loaded.sources.size(); ++file) {
    built.sources.push_back({loaded.sources.path(file), loaded.sources.text(file)});
    if (file == 0 || loaded.sources.isLoaded(file)) read.push_back(file);  // 0: the program itself
  }
  cpu::DiskCache().keep(name_, bytesOf({{"code", codeKey(device)},
                                        {"read", read},
                                        {"absent", loaded.program->absent},
                                        {"program", host::toBytes(built)}}));
}

}  // namespace rlc::tools
