// Built without libedit.
#include "tools/repl/line_reader.h"

namespace rlc::repl {

std::unique_ptr<LineReader> makeEditingReader(ReaderOptions) { return nullptr; }

}  // namespace rlc::repl
