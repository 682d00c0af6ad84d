#include "compiler/explain/layout.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

extern char** environ;

namespace rlc::explain {

namespace {

constexpr auto kPatience = std::chrono::seconds(20);

// A folder that goes when this does.
class Scratch {
 public:
  Scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "rlc-explain-XXXXXX").string();
    if (const char* made = mkdtemp(pattern.data())) folder_ = made;
  }
  ~Scratch() {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  bool usable() const { return !folder_.empty(); }
  std::string file(const char* name) const { return folder_ + "/" + name; }

 private:
  std::string folder_;
};

// "" or what went wrong.
std::string runDot(const std::string& source, const std::string& target) {
  std::string arguments[] = {"dot", "-Tsvg", "-o" + target, source};
  char* argv[] = {arguments[0].data(), arguments[1].data(), arguments[2].data(),
                  arguments[3].data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY,
                                   0);  // warnings about fonts
  pid_t child = 0;
  const int failed = posix_spawnp(&child, "dot", &actions, nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0)
    return "Graphviz is not installed: the `dot` command of the package graphviz draws this "
           "picture";
  const auto start = std::chrono::steady_clock::now();
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() - start > kPatience) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return "the graph is too large for Graphviz to draw in " + std::to_string(kPatience.count()) +
             " seconds";
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return "Graphviz is not installed: the `dot` command of the package graphviz draws this "
           "picture";
  return status == 0 ? "" : "Graphviz failed to draw it";
}

}  // namespace

Drawing draw(const std::string& dot) {
  const Scratch scratch;
  if (!scratch.usable()) return {"", "there is no folder for temporary files"};
  const std::string source = scratch.file("graph.dot"), target = scratch.file("graph.svg");
  std::ofstream(source) << dot;
  if (const std::string problem = runDot(source, target); !problem.empty()) return {"", problem};
  std::ostringstream text;
  text << std::ifstream(target).rdbuf();
  const std::string svg = text.str();
  const size_t start = svg.find("<svg");
  if (start == std::string::npos) return {"", "Graphviz failed to draw it"};
  return {svg.substr(start), ""};
}

}  // namespace rlc::explain
