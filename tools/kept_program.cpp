#include "tools/kept_program.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "jit/cpu/cache_key.h"
#include "jit/cpu/disk_cache.h"
#include "jit/host/arena.h"
#include "jit/host/run.h"
#include "tools/native_device.h"
#include "tools/source_hash.h"

namespace rlc::tools {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

bool areUnchanged(const host::BuiltProgram& built, const std::vector<diagnostics::FileId>& files) {
  return std::ranges::all_of(files, [&](diagnostics::FileId file) {
    const host::SourceText& source = built.sources.at(static_cast<size_t>(file));
    diagnostics::SourceMap now;
    std::string error;
    const auto read = now.load(source.path, error);
    return read && now.text(*read) == source.text;
  });
}

bool isAbsent(const std::string& path) {
  std::error_code error;
  return !fs::is_regular_file(path, error);
}

}  // namespace

// Compiles the program when it is first asked; not where its files have changed since.
class KeptProgram::Compiler {
 public:
  explicit Compiler(const KeptProgram& kept) : kept_(kept) {}

  host::Insight insight() {
    host::Insight insight;
    insight.completed = [this](const runtime::Outcome& outcome, const runtime::Progress& progress) {
      const native::NativeProgram* program = compiled();
      return program != nullptr ? program->insight(false).completed(outcome, progress)
                                : std::vector<host::Insight::Shows>();
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
    if (!device_ && areUnchanged(kept_.built_, kept_.files_)) {
      loaded_ = loadProgram(kept_.program_);
      if (loaded_->program) device_ = makeCpuDevice(loaded_->program->graph, kept_.device_);
    }
    return device_ ? device_->native() : nullptr;
  }

  const KeptProgram& kept_;
  std::unique_ptr<LoadedProgram> loaded_;
  std::unique_ptr<Device> device_;
};

KeptProgram::KeptProgram(host::BuiltProgram built, std::vector<diagnostics::FileId> files,
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
  if (program.file == "-" || program.verify || device.verifyPasses || device.timePasses ||
      device.memoryLimit != 0)
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
  name_ = cpu::cacheKey(described.dump(-1, ' ', false, Json::error_handler_t::replace),
                        cpuOptions(device)) +
          ".plan";
}

std::unique_ptr<KeptProgram> ProgramKeeper::find() const {
  if (name_.empty()) return nullptr;
  const auto entry = cpu::DiskCache().find(name_);
  if (!entry) return nullptr;
  const size_t line = entry->find('\n');
  const Json head = Json::parse(entry->substr(0, line));
  host::BuiltProgram built = host::builtProgram(std::string_view(*entry).substr(line + 1));
  const auto files = head["files"].get<std::vector<diagnostics::FileId>>();
  if (!areUnchanged(built, files) ||
      !std::ranges::all_of(head["absent"].get<std::vector<std::string>>(), isAbsent))
    return nullptr;
  auto code = cpu::keptExecutable(head["code"], built.arenaBytes, cpuOptions(device_));
  // One that does not fit is told by the compiler, with what needs how much.
  if (!code ||
      built.residentBytes + code->kernel().scratchOf(threadsOf(device_)) > host::machineMemory())
    return nullptr;
  return std::make_unique<KeptProgram>(std::move(built), files, std::move(code), program_, device_);
}

void ProgramKeeper::keep(const LoadedProgram& loaded, const Device& device) const {
  if (name_.empty() || !loaded.sink.empty() || device.native() == nullptr) return;
  const auto* machine = dynamic_cast<const native::CpuMachine*>(&device.native()->machine());
  if (machine == nullptr || machine->executable().key().empty()) return;
  host::BuiltProgram built = device.native()->built();
  std::vector<diagnostics::FileId> files;
  for (diagnostics::FileId file = 0; file < loaded.sources.size(); ++file) {
    built.sources.push_back({loaded.sources.path(file), loaded.sources.text(file)});
    if (file == 0 || loaded.sources.isLoaded(file)) files.push_back(file);  // 0: the program itself
  }
  const Json head = {
      {"code", machine->executable().key()}, {"files", files}, {"absent", loaded.program->absent}};
  // A line, then the built program.
  cpu::DiskCache().keep(name_, head.dump() + "\n" + host::toBytes(built));
}

}  // namespace rlc::tools
