#include "tools/repl/line_reader.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "compiler/syntax/parser.h"
#include "tools/interrupt.h"
#include "tools/terminal.h"

namespace rlc::repl {

namespace {

// No prompt from a pipe, unless the session is to read like a transcript.
class PlainReader : public LineReader {
 public:
  explicit PlainReader(ReaderOptions options)
      : options_(std::move(options)),
        terminal_(isatty(STDIN_FILENO) != 0),
        prompts_(terminal_ || options_.echo) {}
  ~PlainReader() override { std::free(line_); }

  Read read(const std::string& prompt, std::string& input) override {
    input.clear();
    std::string shown = prompt;
    const std::string more = std::string(prompt.size() > 2 ? prompt.size() - 2 : 0, '.') + "> ";
    do {
      if (prompts_) std::cout << shown << std::flush;
      std::string line;
      const Read got = readLine(line);
      if (got == Read::Interrupted) {
        std::cout << "\n";
        return got;
      }
      // The end in the middle of an input: it is judged as it is.
      if (got == Read::End) {
        if (terminal_) std::cout << "\n";
        return input.empty() ? Read::End : Read::Input;
      }
      if (options_.echo && !terminal_) std::cout << line << "\n" << std::flush;
      if (!input.empty()) input += "\n";
      input += line;
      shown = more;
    } while (options_.incomplete(input));
    return Read::Input;
  }

 private:
  Read readLine(std::string& line) {
    if (terminal_ && !waitForLine()) return Read::Interrupted;
    const ssize_t length = ::getline(&line_, &capacity_, stdin);
    if (length < 0) {
      clearerr(stdin);
      return Read::End;
    }
    // A byte more than the parser takes, so that it says so.
    line.assign(line_, std::min(static_cast<size_t>(length), syntax::kMaxFileBytes + 1));
    while (line.ends_with('\n') || line.ends_with('\r')) line.pop_back();
    return Read::Input;
  }

  // False: Ctrl-C, now or since the last line; it comes through nowhere but while this waits.
  static bool waitForLine() {
    sigset_t interrupt, before;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigprocmask(SIG_BLOCK, &interrupt, &before);
    sigset_t open = before;
    sigdelset(&open, SIGINT);
    pollfd input{STDIN_FILENO, POLLIN, 0};
    while (!tools::interrupted() && ppoll(&input, 1, nullptr, &open) < 0 && errno == EINTR) {
    }
    const bool stopped = tools::interrupted();
    tools::clearInterrupt();
    sigprocmask(SIG_SETMASK, &before, nullptr);
    return !stopped;
  }

  ReaderOptions options_;
  const bool terminal_, prompts_;
  char* line_ = nullptr;
  size_t capacity_ = 0;
};

bool editable() {
  const char* term = std::getenv("TERM");
  return isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0 && term != nullptr && *term &&
         std::strcmp(term, "dumb") != 0;
}

}  // namespace

std::unique_ptr<LineReader> makePlainReader(ReaderOptions options) {
  return std::make_unique<PlainReader>(std::move(options));
}

std::unique_ptr<LineReader> makeLineReader(ReaderOptions options) {
  if (editable()) {
    if (auto editing = makeEditingReader(options)) return editing;
  }
  return makePlainReader(std::move(options));
}

std::string historyPath() {
  if (const char* given = std::getenv("RLC_HISTORY")) return given;
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  std::filesystem::path folder;
  if (state != nullptr && *state)
    folder = state;
  else if (home != nullptr && *home)
    folder = std::filesystem::path(home) / ".local" / "state";
  else
    return "";
  return (folder / "rlc" / "history").string();
}

}  // namespace rlc::repl
