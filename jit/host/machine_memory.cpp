#include "jit/host/machine_memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace rlc::host {

namespace {

namespace fs = std::filesystem;

// A mounted tree of control groups: the group `root` is the folder `at`.
struct Tree {
  std::string root, at;
};

bool lists(std::string_view names, std::string_view name) {
  return ("," + std::string(names) + ",").find("," + std::string(name) + ",") != std::string::npos;
}

// The tree of version 2, or the one of version 1 that limits memory.
std::optional<Tree> treeOf(const fs::path& mounts, bool unified) {
  std::ifstream file(mounts);
  for (std::string line; std::getline(file, line);) {
    // 35 31 0:32 ROOT AT rw,relatime [more] - TYPE SOURCE OPTIONS
    const size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::istringstream before(line.substr(0, dash)), after(line.substr(dash + 3));
    std::string skipped, type, options;
    Tree tree;
    before >> skipped >> skipped >> skipped >> tree.root >> tree.at;
    after >> type >> skipped >> options;
    if (unified ? type == "cgroup2" : type == "cgroup" && lists(options, "memory")) return tree;
  }
  return std::nullopt;
}

// The process's group in that tree.
std::optional<std::string> groupOf(const fs::path& groups, bool unified) {
  std::ifstream file(groups);
  for (std::string line; std::getline(file, line);) {
    // 4:cpu,memory:/group, and 0::/group of version 2
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (unified ? controllers.empty() : lists(controllers, "memory"))
      return line.substr(second + 1);
  }
  return std::nullopt;
}

// Nothing where there is no such file, or no limit in it ("max").
std::optional<int64_t> numberIn(const fs::path& path) {
  int64_t number = 0;
  if (std::ifstream(path) >> number) return number;
  return std::nullopt;
}

void takeLeast(std::optional<int64_t>& least, std::optional<int64_t> other) {
  if (other) least = std::min(least.value_or(*other), *other);
}

std::optional<int64_t> limitIn(const fs::path& root, bool unified) {
  const auto tree = treeOf(root / "proc/self/mountinfo", unified);
  const auto group = groupOf(root / "proc/self/cgroup", unified);
  if (!tree || !group) return std::nullopt;
  // A container may see the names of the groups around it, and of their folders its own alone.
  const std::string top = tree->root == "/" ? "" : tree->root;
  const bool below = group->starts_with(top + "/") || *group == top;
  fs::path rest = below ? group->substr(top.size()) : "";
  const fs::path folder = root / fs::path(tree->at).relative_path();
  std::optional<int64_t> least;
  for (rest = rest.relative_path();; rest = rest.parent_path()) {
    takeLeast(least, numberIn(folder / rest / (unified ? "memory.max" : "memory.limit_in_bytes")));
    if (rest.empty()) return least;
  }
}

// What the process has of its own, beside pages of files; those can be dropped.
int64_t ownBytes() {
  std::ifstream file("/proc/self/statm");
  int64_t addresses = 0, resident = 0, shared = 0;
  file >> addresses >> resident >> shared;
  return (resident - shared) * sysconf(_SC_PAGESIZE);
}

}  // namespace

std::optional<int64_t> controlGroupLimit(const fs::path& root) {
  std::optional<int64_t> least;
  for (const bool unified : {true, false}) takeLeast(least, limitIn(root, unified));
  return least;
}

int64_t machineMemory() {
  const int64_t page = sysconf(_SC_PAGESIZE);
  int64_t bytes = static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * page;
  if (const auto limit = controlGroupLimit())
    bytes = std::min(bytes, std::max(page, *limit - ownBytes()));
  struct rlimit addresses;
  if (getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY)
    bytes = std::min(bytes, static_cast<int64_t>(addresses.rlim_cur));
  return bytes;
}

}  // namespace rlc::host
