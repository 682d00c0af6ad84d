#include <algorithm>

#include "compiler/diagnostics/excerpt.h"
#include "compiler/diagnostics/render.h"

namespace rlc::diagnostics {
namespace {

constexpr const char* kBold = "\033[1m";
constexpr const char* kRed = "\033[1;31m";
constexpr const char* kYellow = "\033[1;33m";
constexpr const char* kBlue = "\033[1;34m";
constexpr const char* kGreen = "\033[1;32m";
constexpr const char* kReset = "\033[0m";

class Renderer {
 public:
  Renderer(const SourceMap& sources, const RenderOptions& options)
      : sources_(sources), options_(options) {}

  std::string run(const Diagnostic& diagnostic) {
    const bool warning = diagnostic.severity == Severity::Warning;
    const char* color = warning ? kYellow : kRed;
    place(diagnostic.span);
    paint(color, std::string(warning ? "warning[" : "error[") +
                     std::string(info(diagnostic.kind).code) + "]: ");
    paint(kBold, diagnostic.message);
    out_ += '\n';
    showLine(diagnostic.span, color, '^', diagnostic.caret);
    for (const Label& label : diagnostic.labels) showLabel(diagnostic.span, label);
    for (const Label& note : diagnostic.notes) {
      if (note.span.known()) {
        place(note.span);
      } else {
        out_ += "  ";
      }
      paint(kBlue, "note: ");
      out_ += note.message + '\n';
      showLine(note.span, kBlue, '^', "");
    }
    showWitness(diagnostic);
    if (!diagnostic.hint_text.empty()) {
      out_ += "  ";
      paint(kGreen, "hint: ");
      out_ += diagnostic.hint_text + '\n';
    }
    return std::move(out_);
  }

 private:
  void paint(const char* color, const std::string& text) {
    out_ += options_.color ? color + text + kReset : text;
  }

  void place(Span span) {
    if (!span.known()) return;
    const Position at = sources_.begin(span);
    paint(kBold, sources_.path(span.file) + ":" + std::to_string(at.line) + ":" +
                     std::to_string(at.column) + ":");
    out_ += ' ';
  }

  void showCarets(const Excerpt& shown, size_t gutter, const char* color, char mark,
                  const std::string& words) {
    out_ += std::string(gutter + 2, ' ') + " | " +
            std::string(static_cast<size_t>(shown.caret_begin), ' ');
    paint(color, std::string(static_cast<size_t>(shown.caret_width), mark) +
                     (words.empty() ? "" : " " + words));
    out_ += '\n';
  }

  void showLine(Span span, const char* color, char mark, const std::string& words) {
    if (!span.known()) return;
    const std::string number = std::to_string(sources_.begin(span).line);
    const Excerpt shown =
        excerpt(sources_, span, options_.width - static_cast<int>(number.size()) - 5);
    out_ += "  " + number + (shown.line.empty() ? " |" : " | ") + shown.line + '\n';
    showCarets(shown, number.size(), color, mark, words);
  }

  // On the line of the diagnostic: a second row of marks. Elsewhere: its own line.
  void showLabel(Span primary, const Label& label) {
    if (!label.span.known()) return;
    const int line = sources_.begin(label.span).line;
    const int width = options_.width - static_cast<int>(std::to_string(line).size()) - 5;
    const bool same_line =
        primary.known() && primary.file == label.span.file &&
        sources_.begin(primary).line == line &&
        excerpt(sources_, primary, width).line == excerpt(sources_, label.span, width).line;
    if (same_line) {
      showCarets(excerpt(sources_, label.span, width), std::to_string(line).size(), kBlue, '-',
                 label.message);
    } else {
      showLine(label.span, kBlue, '-', label.message);
    }
  }

  void showWitness(const Diagnostic& diagnostic) {
    if (diagnostic.witness.empty()) return;
    out_ += "  at ";
    for (size_t i = 0; i < diagnostic.witness.size(); ++i) {
      const auto& [index, value] = diagnostic.witness[i];
      out_ += (i > 0 ? ", " : "") + index + " = " + std::to_string(value);
    }
    out_ += '\n';
  }

  const SourceMap& sources_;
  const RenderOptions& options_;
  std::string out_;
};

}  // namespace

std::string render(const Diagnostic& diagnostic, const SourceMap& sources,
                   const RenderOptions& options) {
  return Renderer(sources, options).run(diagnostic);
}

std::string render(const DiagnosticSink& sink, const SourceMap& sources,
                   const RenderOptions& options) {
  std::string out;
  for (const Diagnostic& diagnostic : sink.sorted()) out += render(diagnostic, sources, options);
  if (sink.droppedCount() > 0) out += "... and " + std::to_string(sink.droppedCount()) + " more\n";
  return out;
}

}  // namespace rlc::diagnostics
