// rlc bench start: what a user waits for before the first result.
#include <spawn.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>

#include "tools/bench.h"
#include "tools/program.h"
#include "tools/scratch_folder.h"

extern char** environ;

namespace rlc::tools {

namespace {

namespace fs = std::filesystem;

// Lines as programs have them, over and over: a recurrence, a function's call, conditions, a sum
// over a range.
std::string generated(int groups) {
  std::string text =
      "param n = 100\nindex t in 0..n\nfn blend(x: f32, y: f32) -> f32 = 0.9 * x + 0.1 * y\n";
  for (int k = 0; k < groups; ++k) {
    const std::string i = std::to_string(k), before = std::to_string(k > 0 ? k - 1 : 0);
    text += "a" + i + "[0] = " + i + ".0\n" + "a" + i + "[t+1] = 0.5 * a" + i + " + 1.0\n" + "b" +
            i + " = blend(a" + i + ", tanh(a" + before + "))\n" + "c" + i + " = if b" + i +
            " > 0.0 then b" + i + " else -b" + i + "\n" + "d" + i + " = sum(c" + i +
            "[k] for k in 0..t+1)\n";
  }
  return text;
}

double checkSeconds(const BenchSettings& settings, const std::string& file,
                    const std::vector<std::string>& params) {
  ProgramOptions options;
  options.file = file;
  options.library = settings.stdlib;
  options.assignments = params;
  return median(timesOf(settings.repeats, [&] {
    const auto loaded = loadProgram(options);
    if (loaded->program) return;
    showDiagnostics(*loaded);
    throw UsageError("`" + file + "` is wrong");
  }));
}

int linesOf(const std::string& path) {
  std::ifstream in(path);
  int lines = 0;
  for (std::string line; std::getline(in, line);) ++lines;
  return lines;
}

// This program again, as a process of its own with its cache in `cache`; the output goes nowhere.
void runProcess(std::vector<std::string> arguments, const std::string& cache) {
  setenv("RLC_CACHE_DIR", cache.c_str(), 1);
  const std::string self = fs::read_symlink("/proc/self/exe").string();
  arguments.insert(arguments.begin(), self);
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", 1, 0);
  pid_t child = 0;
  const int problem = posix_spawn(&child, self.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = -1;
  if (problem != 0 || waitpid(child, &status, 0) != child || status != 0)
    throw UsageError("`rlc " + arguments.at(1) + " " + arguments.at(2) + "` failed");
}

void startRows(const BenchSettings& settings, const std::string& name, const std::string& file,
               BenchTable& table) {
  const ScratchFolder scratch;
  int number = 0;
  const std::vector<std::string> command = {
      "run", file, "iterations=1", "--quiet", "--threads", std::to_string(settings.threads)};
  const double cold = median(timesOf(settings.repeats, [&] {
    runProcess(command, (scratch.path() / std::to_string(++number)).string());
  }));
  const double warm = median(
      timesOf(settings.repeats, [&] { runProcess(command, (scratch.path() / "0").string()); }));
  table.row({name, digits(cold, 3) + " s", digits(warm, 3) + " s"},
            {{"cold_seconds", cold}, {"warm_seconds", warm}});
}

}  // namespace

void benchStart(const BenchSettings& settings, std::ostream& out) {
  const std::string example = (fs::path(settings.folder) / "../../examples/reinforce_cartpole.rl")
                                  .lexically_normal()
                                  .string();
  {
    BenchTable table(out, settings, "Parse and check", {"program", "lines", "time", "rate"});
    const ScratchFolder scratch;
    const std::string path = (scratch.path() / "generated.rl").string();
    std::ofstream(path) << generated(2000);
    for (const auto& [name, file] :
         {std::pair{"generated equations", path}, {"reinforce_cartpole", example}}) {
      if (!wanted(settings, name)) continue;
      const double seconds = checkSeconds(settings, file, {});
      const int lines = linesOf(file);
      table.row({name, std::to_string(lines), digits(seconds * 1e3, 3) + " ms",
                 withPrefix(lines / seconds) + "lines/s"},
                {{"seconds", seconds}});
    }
  }
  BenchTable table(out, settings, "A process that runs one iteration",
                   {"program", "empty object cache", "code from the cache"});
  if (wanted(settings, "reinforce_cartpole"))
    startRows(settings, "reinforce_cartpole", example, table);
}

}  // namespace rlc::tools
