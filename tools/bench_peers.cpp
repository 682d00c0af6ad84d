// rlc bench peers: workloads beside the same ones in other systems (benchmarks/peers), each in a
// process of its own.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "tools/child_process.h"
#include "tools/workloads.h"

namespace rlc::tools {

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr double kMostSeconds = 25;  // of a peer's run, warming up included

// What runs the peers, and which of them are here.
class Peers {
 public:
  explicit Peers(const BenchSettings& settings)
      : scripts_((fs::path(settings.folder) / "../peers").lexically_normal()),
        programs_(fs::read_symlink("/proc/self/exe").parent_path() / "benchmarks") {}

  // The command but for its options; empty: it is not here, and `missing` says what that takes.
  std::vector<std::string> command(const Json& run) {
    const std::string name = run.at(0).get<std::string>();
    std::vector<std::string> result;
    if (name.ends_with(".py")) {
      const std::string module = name.ends_with("_jax.py") ? "jax" : "torch";
      const auto& python = pythonWith(module);
      if (!python) {
        missing.insert(module == "jax" ? "JAX" : "PyTorch");
        return {};
      }
      result = {*python, (scripts_ / name).string()};
    } else {
      result = {(programs_ / name).string()};
      if (!fs::exists(result.front())) {
        missing.insert("`" + name +
                       "` (the target rlc_benchmarks, and the library that it measures)");
        return {};
      }
    }
    for (size_t k = 1; k < run.size(); ++k) result.push_back(run.at(k).get<std::string>());
    return result;
  }

  std::set<std::string> missing;

 private:
  // $RLC_PEER_PYTHON, the first on PATH, or the system's.
  const std::optional<std::string>& pythonWith(const std::string& module) {
    auto [found, fresh] = pythons_.try_emplace(module);
    if (!fresh) return found->second;
    const char* given = std::getenv("RLC_PEER_PYTHON");
    for (const char* python : {given, "python3", "/usr/bin/python3"})
      if (python != nullptr && !found->second &&
          runChild({python, "-c", "import " + module}, ChildErrors::Apart).status == 0)
        found->second = python;
    return found->second;
  }

  fs::path scripts_, programs_;
  std::map<std::string, std::optional<std::string>> pythons_;
};

// What a peer printed: one line, a JSON object.
std::optional<Json> saidBy(const ChildEnd& end) {
  if (end.status != 0 || end.late) return std::nullopt;
  const Json said = Json::parse(end.output, nullptr, false);
  return said.is_object() && said.contains("rate") ? std::optional(said) : std::nullopt;
}

// "C++, 16 lanes, Philox" -> "C++, Philox": what tells peers apart.
std::string shortName(const std::string& version) {
  const size_t comma = version.find(", ");
  if (comma == std::string::npos) return version.substr(0, version.find(' '));
  const size_t last = version.rfind(", ");
  return version.substr(0, comma) + (last > comma ? version.substr(last) : "");
}

std::string asRatio(double ratio) { return digits(ratio, 2) + "x"; }

std::string asMebibytes(const Json& said) {
  return said.contains("bytes") ? digits(said.at("bytes").get<double>() / 1048576.0, 3) + " MiB"
                                : "";
}

void measure(const BenchSettings& settings, const Json& row, const std::string& unit,
             const Json& peer, std::vector<std::string> command, BenchTable& table) {
  const std::string name = row.at("name").get<std::string>();
  if (!command.at(command.size() > 1 ? 1 : 0).ends_with("_jax.py"))
    for (const std::string& option : {std::string("--threads"), std::to_string(settings.threads)})
      command.push_back(option);
  command.insert(command.end(), {"--repeats", "1"});
  std::vector<double> ours, theirs;
  WorkloadTime time;
  Json said;
  bool late = false;
  const int turns = std::max(1, std::min(settings.repeats, 3));
  const double most = std::min(settings.seconds, kMostSeconds);
  for (int turn = 0; turn < turns; ++turn) {
    time = timeWorkload(settings, row);
    ours.push_back(time.unitsPerSecond);
    const ChildEnd end = runChild(command, ChildErrors::Apart, most);
    late = end.late;
    const auto one = saidBy(end);
    if (!one) break;
    said = *one;
    theirs.push_back(said.at("rate").get<double>());
    if (said.value("seconds", 0.0) > 3) break;  // one is as good
  }
  std::sort(ours.begin(), ours.end());
  std::sort(theirs.begin(), theirs.end());
  const double rate = median(ours), aim = peer.value("aim", 0.0);
  const std::string wanted = aim > 0 ? "at least " + asRatio(aim) : "";
  const std::string memory = digits(time.arenaBytes / 1048576.0, 3) + " MiB";
  if (theirs.empty()) {
    table.row({name, fs::path(peer.at("run").at(0).get<std::string>()).stem().string(),
               withPrefix(rate) + unit, late ? "not within " + digits(most, 2) + " s" : "failed",
               "", wanted, memory, ""});
    return;
  }
  const double other = median(theirs);
  table.row({name, shortName(said.value("version", "")), withPrefix(rate) + unit,
             withPrefix(other) + unit, asRatio(rate / other), wanted, memory, asMebibytes(said)},
            {{"ours", rate}, {"theirs", other}, {"ratio", rate / other}, {"aim", aim}});
}

}  // namespace

void benchPeers(const BenchSettings& settings, std::ostream& out) {
  Peers peers(settings);
  BenchTable table(
      out, settings, "Beside others",
      {"workload", "peer", "rlc", "the peer", "ratio", "aim", "memory of rlc", "of the peer"});
  forEachWorkload(settings, [&](const Json& each, const Json& row) {
    for (const Json& peer : row.value("peers", Json::array()))
      if (auto command = peers.command(peer.at("run")); !command.empty())
        measure(settings, row, each.at("unit").get<std::string>(), peer, std::move(command), table);
  });
  if (settings.json || peers.missing.empty()) return;
  out << "\nNot here, so without rows:";
  for (const std::string& each : peers.missing)
    out << (each == *peers.missing.begin() ? " " : ", ") << each;
  out << "." << std::endl;
}

}  // namespace rlc::tools
