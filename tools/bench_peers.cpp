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
#include "tools/resident.h"
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
      const auto& python = pythonWith(name.ends_with("_jax.py") ? "jax" : "torch");
      if (python) result = {*python, (scripts_ / name).string()};
    } else if (fs::exists(programs_ / name)) {
      result = {(programs_ / name).string()};
    }
    if (result.empty()) {
      missing.insert(systemOf(run));
      return {};
    }
    for (size_t k = 1; k < run.size(); ++k) result.push_back(run.at(k).get<std::string>());
    return result;
  }

  // What a peer is written in, as far as that is known without it.
  static std::string systemOf(const Json& run) {
    const std::string name = run.at(0).get<std::string>();
    if (name.ends_with("_jax.py")) return "JAX";
    if (name.ends_with(".py")) return "PyTorch";
    return "`" + name + "` (the target rlc_benchmarks, and the library that it measures)";
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

// What a peer printed: one line, a JSON object with its rate or, under "needs", what this machine
// lacks.
std::optional<Json> saidBy(const ChildEnd& end) {
  if (end.status != 0 || end.late) return std::nullopt;
  const Json said = Json::parse(end.output, nullptr, false);
  const bool tells = said.is_object() && (said.contains("rate") || said.contains("needs"));
  return tells ? std::optional(said) : std::nullopt;
}

// "C++, 16 lanes, Philox" -> "C++, Philox": what tells peers apart.
std::string shortName(const std::string& version) {
  const size_t comma = version.find(", ");
  if (comma == std::string::npos) return version.substr(0, version.find(' '));
  const size_t last = version.rfind(", ");
  return version.substr(0, comma) + (last > comma ? version.substr(last) : "");
}

std::string asRatio(double ratio) { return digits(ratio, 2) + "x"; }

std::string atLeast(double aim) { return aim > 0 ? "at least " + asRatio(aim) : ""; }

// A workload whose runs take turns with those of its peers, and what they gave.
class Turns {
 public:
  Turns(const BenchSettings& settings, const Json& row)
      : settings_(settings), workload_(settings, row) {
    workload_.seconds(settings.threads);  // warms up
  }

  struct Sides {
    std::vector<double> ours, theirs;  // seconds, units a second
    double bytes = 0;                  // by which our process grew, or what a run allocates
    Json said;                         // by the peer
    bool late = false;
  };

  // `command`: of the peer; empty: there is none.
  Sides with(const std::vector<std::string>& command, double most) const {
    Sides sides;
    sides.bytes = workload_.memoryBytes(settings_.threads);
    for (int turn = 0; turn < settings_.repeats; ++turn) {
      awaitNearThreads(settings_.threads);
      const ResidentGrowth growth;
      const double seconds = workload_.usualSeconds(settings_.threads);
      sides.bytes = std::max(sides.bytes, static_cast<double>(growth.bytes()));
      std::optional<Json> said;
      if (!command.empty()) {
        const ChildEnd end = runChild(command, ChildErrors::Apart, most);
        sides.late = end.late;
        said = saidBy(end);
        if (!said) break;
        sides.said = *said;
        if (!said->contains("rate")) break;
        sides.theirs.push_back(said->at("rate").get<double>());
      }
      sides.ours.push_back(seconds);
    }
    return sides;
  }

  const Workload& workload() const { return workload_; }

 private:
  const BenchSettings& settings_;
  Workload workload_;
};

// What of a row is the same whichever peer it stands beside.
struct Row {
  const BenchSettings& settings;
  std::string name, unit;
  BenchTable& table;
};

// A rate that was published is what every turn is compared with.
void measurePublished(const Row& row, const Turns& turns, const Json& peer) {
  const Turns::Sides sides = turns.with({}, 0);
  const double units = turns.workload().units();
  const Spread seconds = spreadOf(sides.ours);
  const double rate = units / seconds.median, other = peer.at("rate").get<double>(),
               aim = peer.value("aim", 0.0);
  const Spread ratio{rate / other, units / seconds.most / other, units / seconds.least / other,
                     seconds.count};
  row.table.row(
      {row.name, "published: " + peer.at("published").get<std::string>(),
       withPrefix(rate) + row.unit, withPrefix(other) + row.unit,
       asRatio(ratio.median) + " " + spreadText(ratio, 1, "turn"), atLeast(aim), "", "", "", ""},
      {{"ours", rate}, {"theirs", other}, {"ratio", ratio.median}, {"aim", aim}});
}

void measure(const Row& row, const Turns& turns, const Json& peer,
             std::vector<std::string> command) {
  const BenchSettings& settings = row.settings;
  if (!command.at(command.size() > 1 ? 1 : 0).ends_with("_jax.py"))
    for (const std::string& option : {std::string("--threads"), std::to_string(settings.threads)})
      command.push_back(option);
  command.insert(command.end(), {"--repeats", "1"});
  const double most = std::min(settings.seconds, kMostSeconds), aim = peer.value("aim", 0.0);
  const Turns::Sides sides = turns.with(command, most);
  const std::string memory = mebibytes(sides.bytes);
  if (sides.theirs.empty()) {
    const std::string why = sides.late ? "not within " + digits(most, 2) + " s"
                            : sides.said.contains("needs")
                                ? "not measured: needs " + sides.said.at("needs").get<std::string>()
                                : "failed";
    row.table.row({row.name, fs::path(peer.at("run").at(0).get<std::string>()).stem().string(), "",
                   why, "", atLeast(aim), memory, "", "", ""});
    return;
  }
  std::vector<double> ours, ratios;
  for (size_t turn = 0; turn < sides.ours.size(); ++turn) {
    ours.push_back(turns.workload().units() / sides.ours[turn]);
    ratios.push_back(ours.back() / sides.theirs[turn]);
  }
  const double rate = spreadOf(ours).median, other = spreadOf(sides.theirs).median;
  const Spread ratio = spreadOf(ratios);
  const double theirBytes = sides.said.value("bytes", 0.0),
               share = theirBytes > 0 ? sides.bytes / theirBytes : 0.0,
               mostShare = peer.value("memory", 0.0);
  row.table.row(
      {row.name, shortName(sides.said.value("version", "")), withPrefix(rate) + row.unit,
       withPrefix(other) + row.unit, asRatio(ratio.median) + " " + spreadText(ratio, 1, "turn"),
       atLeast(aim), memory, theirBytes > 0 ? mebibytes(theirBytes) : "",
       share > 0 ? digits(share, 2) + "x" : "",
       mostShare > 0 ? "at most " + digits(mostShare, 2) + "x" : ""},
      {{"ours", rate},
       {"theirs", other},
       {"ratio", ratio.median},
       {"least_ratio", ratio.least},
       {"most_ratio", ratio.most},
       {"turns", ratio.count},
       {"aim", aim},
       {"memory_ratio", share},
       {"memory_aim", mostShare}});
}

// What is aimed at beside a peer is said without it, too.
void sayMissing(const Row& row, const Json& peer) {
  const double aim = peer.value("aim", 0.0);
  if (aim > 0)
    row.table.row({row.name, Peers::systemOf(peer.at("run")), "", "not measured: it is not here",
                   "", atLeast(aim), "", "", "", ""},
                  {{"aim", aim}});
}

}  // namespace

void benchPeers(const BenchSettings& settings, std::ostream& out) {
  Peers peers(settings);
  BenchTable table(out, settings, "Beside others",
                   {"workload", "peer", "rlc", "the peer", "ratio", "aim", "memory of rlc",
                    "of the peer", "rlc's share", "aim for memory"});
  forEachWorkload(settings, [&](const Json& each, const Json& row) {
    const Row shown{settings, row.at("name").get<std::string>(), each.at("unit").get<std::string>(),
                    table};
    std::optional<Turns> turns;  // made for the first peer that is here
    for (const Json& peer : row.value("peers", Json::array())) {
      const bool published = peer.contains("published");
      const auto command = published ? std::vector<std::string>() : peers.command(peer.at("run"));
      if (!published && command.empty()) {
        sayMissing(shown, peer);
        continue;
      }
      if (!turns) turns.emplace(settings, row);
      if (published)
        measurePublished(shown, *turns, peer);
      else
        measure(shown, *turns, peer, command);
    }
  });
  if (settings.json || peers.missing.empty()) return;
  out << "\nNot here, so not measured:";
  for (const std::string& each : peers.missing)
    out << (each == *peers.missing.begin() ? " " : ", ") << each;
  out << "." << std::endl;
}

}  // namespace rlc::tools
