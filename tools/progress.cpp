#include "tools/progress.h"

#include <cstdio>

#include "tools/terminal.h"

namespace rlc::tools {

std::string clockText(double seconds) {
  if (!(seconds < 360000)) return "more than 100 h";
  const long total = static_cast<long>(seconds + 0.5);
  char text[32];
  if (total >= 3600) {
    std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", total / 3600, total / 60 % 60, total % 60);
  } else {
    std::snprintf(text, sizeof text, "%ld:%02ld", total / 60, total % 60);
  }
  return text;
}

std::string ProgressLine::text(const runtime::IndexProgress& progress, double seconds) const {
  std::string line =
      progress.index + " " + std::to_string(progress.done) + "/" + std::to_string(progress.total);
  if (seconds > 0 && progress.done > 0) {
    const double rate = static_cast<double>(progress.done) / seconds;
    char rateText[32];
    std::snprintf(rateText, sizeof rateText, rate < 100 ? "  %.1f/s" : "  %.0f/s", rate);
    line += rateText;
    line += "  " + clockText(static_cast<double>(progress.total - progress.done) / rate) + " left";
  }
  for (const auto& [name, value] : metrics_) line += "  " + name + " " + value;
  return line;
}

void ProgressLine::update(const runtime::IndexProgress& progress) {
  if (!enabled_) return;
  const auto now = Clock::now();
  if (now - drawn_ < std::chrono::milliseconds(100)) return;
  drawn_ = now;
  std::string line = text(progress, std::chrono::duration<double>(now - start_).count());
  const size_t width = static_cast<size_t>(terminalWidth()) - 1;
  if (line.size() > width) {
    // Not in the middle of a character.
    size_t end = width;
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
    line.resize(end);
  }
  std::fprintf(stderr, "\r\033[K%s", line.c_str());
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::metric(const std::string& name, std::string value) {
  metrics_[name] = std::move(value);
}

void ProgressLine::hide() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace rlc::tools
