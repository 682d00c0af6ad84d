// rlc_many: runs many command lines of rlc, one behind the other, in one process. A test that makes
// hundreds of runs does without what each start repeats (loading, static objects, the grammar's
// tables, page faults: three fifths of a short run), and what one run leaves behind would show in
// the next ones, as it would in the language server and the prompt.
//
// With arguments it is rlc. Without, each line of stdin is a run, a JSON object: "arguments", the
// "folder" to run in and the files "stdout" and "stderr" to write; each line of stdout is a run's
// exit status. A run that ends the process has no answer.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "jit/host/out_of_memory.h"
#include "tools/command_line.h"

namespace {

[[gnu::constructor(101)]] void beforeStaticObjects() { rlc::host::sayWhenOutOfMemory("rlc"); }

struct Run {
  std::vector<std::string> arguments;
  std::string folder, stdoutFile, stderrFile;
};

Run readRun(const std::string& line) {
  const nlohmann::json json = nlohmann::json::parse(line);
  return {json.at("arguments"), json.at("folder"), json.at("stdout"), json.at("stderr")};
}

void openAs(int descriptor, const std::string& file, int flags) {
  const int opened = ::open(file.c_str(), flags | O_CLOEXEC, 0666);
  if (opened < 0 || ::dup2(opened, descriptor) < 0) throw std::runtime_error("cannot open " + file);
  ::close(opened);
}

int execute(Run run) {
  openAs(STDOUT_FILENO, run.stdoutFile, O_WRONLY | O_CREAT | O_TRUNC);
  openAs(STDERR_FILENO, run.stderrFile, O_WRONLY | O_CREAT | O_TRUNC);
  if (::chdir(run.folder.c_str()) != 0) throw std::runtime_error("no folder " + run.folder);
  std::cout.clear();
  run.arguments.insert(run.arguments.begin(), "rlc");
  std::vector<char*> argv;
  for (std::string& argument : run.arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const int status = rlc::tools::commandLine(static_cast<int>(run.arguments.size()), argv.data());
  std::cout.flush();
  std::fflush(nullptr);
  return status;
}

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// Another descriptor for what `descriptor` is, so that the runs can have that one.
File movedAway(int descriptor, const char* mode) {
  return {::fdopen(::fcntl(descriptor, F_DUPFD_CLOEXEC, 3), mode), std::fclose};
}

bool readLine(std::FILE* file, std::string& line) {
  line.clear();
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) {
    if (c == '\n') return true;
    line += static_cast<char>(c);
  }
  return false;
}

void serve() {
  const File runs = movedAway(STDIN_FILENO, "r"), answers = movedAway(STDOUT_FILENO, "w");
  openAs(STDIN_FILENO, "/dev/null", O_RDONLY);
  for (std::string line; readLine(runs.get(), line);) {
    std::fprintf(answers.get(), "%d\n", execute(readRun(line)));
    std::fflush(answers.get());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) return rlc::tools::commandLine(argc, argv);
  serve();
  return 0;
}
