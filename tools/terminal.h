// What the terminal can show.
#pragma once

namespace rlc::tools {

bool stdoutIsTerminal();
bool stderrIsTerminal();
bool stderrHasColor();  // a terminal, and NO_COLOR is not set
int terminalWidth();    // columns of stderr; 80 where unknown

}  // namespace rlc::tools
