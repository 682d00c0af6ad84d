// rlc bench start: what a user waits for before the first result.
#include <filesystem>
#include <fstream>
#include <map>

#include "tools/bench.h"
#include "tools/child_process.h"
#include "tools/program.h"
#include "tools/scratch_folder.h"

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
  arguments.insert(arguments.begin(), fs::read_symlink("/proc/self/exe").string());
  if (runChild(arguments, ChildErrors::Apart).status != 0)
    throw UsageError("`rlc " + arguments.at(1) + " " + arguments.at(2) + "` failed");
}

// A program whose wait is measured, with as little to do as shows it.
struct Started {
  std::string name, file;
  std::vector<std::string> params;
  // Seconds from its text to the end, by docs/performance.md's aims, for the first time and later;
  // 0: none.
  double most = 0, mostAgain = 0;
};

double startRow(const BenchSettings& settings, const Started& program, BenchTable& table) {
  const ScratchFolder scratch;
  int number = 0;
  std::vector<std::string> command = {"run", program.file};
  command.insert(command.end(), program.params.begin(), program.params.end());
  for (const std::string& option :
       {std::string("--quiet"), std::string("--threads"), std::to_string(settings.threads)})
    command.push_back(option);
  if (!settings.stdlib.empty()) command.insert(command.end(), {"--stdlib", settings.stdlib});
  const double cold = median(timesOf(settings.repeats, [&] {
    runProcess(command, (scratch.path() / std::to_string(++number)).string());
  }));
  const double warm = median(
      timesOf(settings.repeats, [&] { runProcess(command, (scratch.path() / "0").string()); }));
  const auto aim = [](double most) {
    return most > 0 ? "at most " + digits(most, 1) + " s" : std::string();
  };
  table.row({program.name, digits(cold, 3) + " s", aim(program.most), digits(warm, 3) + " s",
             aim(program.mostAgain)},
            {{"cold_seconds", cold},
             {"warm_seconds", warm},
             {"cold_aim_seconds", program.most},
             {"warm_aim_seconds", program.mostAgain}});
  return cold;
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
  BenchTable table(out, settings, "A process that runs once",
                   {"program", "empty cache", "aim", "from the cache", "aim"});
  const ScratchFolder scratch;
  const std::string many = (scratch.path() / "equations.rl").string();
  {
    std::ofstream file(many);
    file << generated(200);
    for (int k = 0; k < 200; ++k) file << "print \"d" << k << "\", d" << k << "[n-1]\n";
  }
  const std::string trivial = (fs::path(settings.folder) / "ppo_trivial.rl").string();
  const std::string ppo =
      (fs::path(settings.folder) / "../../examples/ppo_cartpole.rl").lexically_normal().string();
  const std::vector<std::string> small = {"iterations=1", "envs=64", "steps=10"};
  const auto withLayers = [&](int layers) {
    std::vector<std::string> params = small;
    params.push_back("layers=" + std::to_string(layers));
    return params;
  };
  std::map<std::string, double> cold;
  for (const Started& program : {Started{"reinforce_cartpole", example, {"iterations=1"}, 1, 0.1},
                                 Started{"ppo_cartpole", ppo, {"total_timesteps=512"}, 1, 0.1},
                                 Started{"ppo_trivial", trivial, small, 1, 0.1},
                                 Started{"ppo_trivial, 4 layers", trivial, withLayers(4)},
                                 Started{"ppo_trivial, 16 layers", trivial, withLayers(16)},
                                 Started{"1,000 equations", many, {}, 5}})
    if (wanted(settings, program.name)) cold[program.name] = startRow(settings, program, table);
  if (cold.contains("ppo_trivial, 4 layers") && cold.contains("ppo_trivial, 16 layers")) {
    const double ratio = cold["ppo_trivial, 16 layers"] / cold["ppo_trivial, 4 layers"];
    table.row({"16 layers beside 4", digits(ratio, 3) + "x", "at most 4x", "", ""},
              {{"ratio", ratio}, {"aim", 4}});
  }
}

}  // namespace rlc::tools
