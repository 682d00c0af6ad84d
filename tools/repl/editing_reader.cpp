// Editing by libedit: Emacs keys, history with search, completion with Tab. Enter begins a new line
// of the same input while that is incomplete.
#include <histedit.h>

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "compiler/diagnostics/utf8.h"
#include "tools/repl/line_reader.h"
#include "tools/terminal.h"

namespace rlc::repl {

namespace {

constexpr int kHistorySize = 2000;
constexpr size_t kMostListed = 200;
constexpr char kAccept[] = "\x1c";  // what Enter becomes where the input is complete

class EditingReader : public LineReader {
 public:
  EditingReader(ReaderOptions options, EditLine* edit)
      : options_(std::move(options)), edit_(edit), history_(history_init()) {
    HistEvent event;
    history(history_, &event, H_SETSIZE, kHistorySize);
    history(history_, &event, H_SETUNIQUE, 1);
    if (!options_.historyFile.empty())
      history(history_, &event, H_LOAD, options_.historyFile.c_str());
    el_set(edit_, EL_CLIENTDATA, this);
    el_set(edit_, EL_PROMPT_ESC, promptText, '\1');
    el_set(edit_, EL_EDITOR, "emacs");
    el_set(edit_, EL_HIST, history, history_);
    el_set(edit_, EL_SETTY, "-d", "-isig", nullptr);  // Ctrl-C is a key here
    el_set(edit_, EL_ADDFN, "rl-enter", "end the input, or begin its next line", onEnter);
    el_set(edit_, EL_ADDFN, "rl-complete", "complete the word", onTab);
    el_set(edit_, EL_ADDFN, "rl-cancel", "give the input up", onCancel);
    el_set(edit_, EL_ADDFN, "rl-end", "end the session, or delete a character", onEnd);
    for (const char* enter : {"^M", "^J"}) el_set(edit_, EL_BIND, enter, "rl-enter", nullptr);
    el_set(edit_, EL_BIND, kAccept, "ed-newline", nullptr);
    el_set(edit_, EL_BIND, "^I", "rl-complete", nullptr);
    el_set(edit_, EL_BIND, "^C", "rl-cancel", nullptr);
    el_set(edit_, EL_BIND, "^D", "rl-end", nullptr);
    el_set(edit_, EL_BIND, "^R", "em-inc-search-prev", nullptr);
    el_set(edit_, EL_BIND, "^W", "ed-delete-prev-word", nullptr);
    el_set(edit_, EL_BIND, "\\e[3~", "ed-delete-next-char", nullptr);
    el_set(edit_, EL_BIND, "\\e[1;5C", "em-next-word", nullptr);
    el_set(edit_, EL_BIND, "\\e[1;5D", "ed-prev-word", nullptr);
  }
  ~EditingReader() override {
    history_end(history_);
    el_end(edit_);
  }

  Read read(const std::string& prompt, std::string& input) override {
    prompt_ = prompt;
    // libedit writes an escape sequence with the character after it.
    if (options_.color && prompt.ends_with(' '))
      prompt_ = "\1\x1b[1;32m\1" + prompt.substr(0, prompt.size() - 1) + "\1\x1b[0m\1 ";
    cancelled_ = ended_ = false;
    el_set(edit_, EL_PREP_TERM, 1);  // before the prompt: what is typed on seeing it is for us
    int count = 0;
    const char* line = el_gets(edit_, &count);
    if (cancelled_) {
      std::cout << "^C\n" << std::flush;
      return Read::Interrupted;
    }
    if (ended_ || line == nullptr || count <= 0) {
      std::cout << "\n" << std::flush;
      return Read::End;
    }
    input.assign(line, static_cast<size_t>(count));
    while (input.ends_with('\n') || input.ends_with('\r')) input.pop_back();
    remember(input);
    return Read::Input;
  }

 private:
  static EditingReader& self(EditLine* edit) {
    void* data = nullptr;
    el_get(edit, EL_CLIENTDATA, &data);
    return *static_cast<EditingReader*>(data);
  }
  static char* promptText(EditLine* edit) { return self(edit).prompt_.data(); }

  static unsigned char onEnter(EditLine* edit, int) {
    const LineInfo* line = el_line(edit);
    const std::string text(line->buffer, line->lastchar);
    const bool atEnd = line->cursor == line->lastchar;
    if (atEnd && self(edit).options_.incomplete(text)) {
      el_insertstr(edit, "\n    ");
      return CC_REFRESH;
    }
    el_push(edit, kAccept);
    return CC_NORM;
  }

  static unsigned char onCancel(EditLine* edit, int) {
    self(edit).cancelled_ = true;
    return CC_EOF;
  }

  static unsigned char onEnd(EditLine* edit, int) {
    const LineInfo* line = el_line(edit);
    if (line->buffer == line->lastchar) {
      self(edit).ended_ = true;
      return CC_EOF;
    }
    if (line->cursor == line->lastchar) return CC_ERROR;
    // Deletes the character at the cursor, of several bytes perhaps.
    el_push(edit, "\x1b[3~");
    return CC_NORM;
  }

  static unsigned char onTab(EditLine* edit, int) {
    EditingReader& reader = self(edit);
    const LineInfo* line = el_line(edit);
    const std::string before(line->buffer, line->cursor);
    const Completions found = reader.options_.complete(before);
    if (found.words.empty()) return CC_ERROR;
    std::string common = found.words.front();
    for (const std::string& word : found.words) {
      const auto [mine, other] =
          std::mismatch(common.begin(), common.end(), word.begin(), word.end());
      common.erase(mine, common.end());
    }
    while (!common.empty() && !endsCharacter(common, found.words)) common.pop_back();
    const std::string typed = before.substr(found.begin);
    if (common.size() > typed.size()) {
      el_insertstr(edit, common.c_str() + typed.size());
      return CC_REFRESH;
    }
    if (found.words.size() == 1) return CC_NORM;
    list(found.words);
    return CC_REDISPLAY;
  }

  // The words may part in the middle of a character.
  static bool endsCharacter(const std::string& common, const std::vector<std::string>& words) {
    return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
      return word.size() == common.size() ||
             (static_cast<unsigned char>(word[common.size()]) & 0xC0) != 0x80;
    });
  }

  static void list(const std::vector<std::string>& words) {
    size_t width = 0;
    for (const std::string& word : words) width = std::max(width, word.size());
    const size_t columns =
        std::max<size_t>(1, static_cast<size_t>(tools::terminalWidth()) / (width + 2));
    const size_t shown = std::min(words.size(), kMostListed);
    std::cout << "\n";
    for (size_t i = 0; i < shown; ++i) {
      const bool last = (i + 1) % columns == 0 || i + 1 == shown;
      std::cout << words[i] << (last ? "\n" : std::string(width + 2 - words[i].size(), ' '));
    }
    if (shown < words.size()) std::cout << "... " << words.size() - shown << " more\n";
    std::cout << std::flush;
  }

  void remember(const std::string& input) {
    if (input.find_first_not_of(" \t\n") == std::string::npos) return;
    HistEvent event;
    history(history_, &event, H_ENTER, input.c_str());
    if (options_.historyFile.empty()) return;
    std::error_code code;
    std::filesystem::create_directories(std::filesystem::path(options_.historyFile).parent_path(),
                                        code);
    history(history_, &event, H_SAVE, options_.historyFile.c_str());
  }

  ReaderOptions options_;
  EditLine* edit_;
  History* history_;
  std::string prompt_;
  bool cancelled_ = false, ended_ = false;
};

// libedit decodes what is typed by the locale.
void useUtf8() {
  const char* given = std::setlocale(LC_CTYPE, "");
  const bool utf8 = given != nullptr && (std::strstr(given, "UTF-8") || std::strstr(given, "utf8"));
  if (!utf8) std::setlocale(LC_CTYPE, "C.UTF-8");
}

}  // namespace

std::unique_ptr<LineReader> makeEditingReader(ReaderOptions options) {
  useUtf8();
  EditLine* edit = el_init("rlc", stdin, stdout, stderr);
  if (edit == nullptr) return nullptr;
  return std::make_unique<EditingReader>(std::move(options), edit);
}

}  // namespace rlc::repl
