// Where the inputs of a session come from: a terminal with editing, history and completion; a dumb
// terminal; a pipe.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rlc::repl {

struct Completions {
  size_t begin = 0;  // of the word, in the text before the cursor
  std::vector<std::string> words;
};

struct ReaderOptions {
  std::string historyFile;  // empty: none
  bool echo = false;        // from a pipe: prompts and inputs are written, as on a terminal
  bool color = false;
  std::function<bool(const std::string&)> incomplete;              // whether more lines follow
  std::function<Completions(const std::string& before)> complete;  // at the end of this text
};

enum class Read { Input, Interrupted, End };

class LineReader {
 public:
  virtual ~LineReader() = default;
  // A whole input, of several lines where the first are incomplete; without the last line break.
  virtual Read read(const std::string& prompt, std::string& input) = 0;
};

// By what the standard input is. Without libedit every terminal is a dumb one.
std::unique_ptr<LineReader> makeLineReader(ReaderOptions options);

std::unique_ptr<LineReader> makePlainReader(ReaderOptions options);
// Null where the terminal can't be edited on.
std::unique_ptr<LineReader> makeEditingReader(ReaderOptions options);

// $RLC_HISTORY, or a file in the user's folder for such; empty: none.
std::string historyPath();

}  // namespace rlc::repl
