#include "tools/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace rlc::tools {

bool stdoutIsTerminal() { return isatty(STDOUT_FILENO) != 0; }
bool stderrIsTerminal() { return isatty(STDERR_FILENO) != 0; }

bool stderrHasColor() {
  const char* refused = std::getenv("NO_COLOR");
  if (refused && *refused) return false;
  const char* term = std::getenv("TERM");
  return stderrIsTerminal() && !(term && std::strcmp(term, "dumb") == 0);
}

int terminalWidth() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

}  // namespace rlc::tools
