#include "tools/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>

#include "tools/scratch_folder.h"

extern char** environ;

namespace rlc::tools {

namespace {

using Clock = std::chrono::steady_clock;

// Whether it ended by then; its status as waitpid has it.
bool waitFor(pid_t child, int& status, Clock::time_point latest, bool limited) {
  while (true) {
    const pid_t ended = waitpid(child, &status, limited ? WNOHANG : 0);
    if (ended == child) return true;
    if (ended < 0 && errno != EINTR) return true;
    if (!limited) continue;
    if (Clock::now() >= latest) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace

ChildEnd runChild(const std::vector<std::string>& command, ChildErrors errors, double mostSeconds) {
  const ScratchFolder folder;
  const auto log = folder.path() / "output";
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (errors == ChildErrors::Joined)
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
  else
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int problem =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (problem != 0) return {127, std::strerror(problem)};
  constexpr double kForEver = 1e6;
  const bool limited = mostSeconds < kForEver;
  const auto latest =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(
                         std::chrono::duration<double>(limited ? mostSeconds : kForEver));
  ChildEnd end;
  int status = 0;
  end.late = !waitFor(child, status, latest, limited);
  if (end.late) {
    kill(child, SIGKILL);
    waitFor(child, status, latest, false);
  }
  std::ostringstream said;
  said << std::ifstream(log).rdbuf();
  end.output = said.str();
  end.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return end;
}

}  // namespace rlc::tools
