#include "tools/repl/gnuplot.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace rlc::repl {

namespace {

constexpr size_t kMostMarked = 100;  // points of a curve; of longer ones just the line is drawn
constexpr size_t kMostNamed = 16;    // curves; the names of more would take the picture's place
constexpr int kNotFound = 127;

// As gnuplot quotes: single quotes, doubled inside.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\n') continue;
    result += c;
    if (c == '\'') result += c;
  }
  return result + "'";
}

std::string script(std::span<const Curve> curves, const std::string& xName,
                   const std::string& title, const std::string& path) {
  const bool svg = path.ends_with(".svg");
  std::string text = svg ? "set terminal svg size 800,500 background rgb 'white'\n"
                         : "set terminal png size 800,500\n";
  text += "set output " + quoted(path) + "\nset title " + quoted(title) +
          " noenhanced\nset xlabel " + quoted(xName) +
          " noenhanced\nset grid\nset offsets graph 0, 0, 0.03, 0.03\n" +
          (curves.size() > 1 && curves.size() <= kMostNamed ? "set key outside\n" : "unset key\n") +
          "plot ";
  for (size_t c = 0; c < curves.size(); ++c)
    text += (c > 0 ? ", " : "") + std::string("'-' using 1:2 with ") +
            (curves[c].y.size() > kMostMarked ? "lines" : "linespoints pointsize 0.4") + " title " +
            quoted(curves[c].name) + " noenhanced";
  text += "\n";
  for (const Curve& curve : curves) {
    for (size_t i = 0; i < curve.y.size(); ++i) {
      char line[80];
      if (std::isfinite(curve.y[i]))
        std::snprintf(line, sizeof line, "%.9g %.9g\n", curve.x[i], curve.y[i]);
      else
        std::snprintf(line, sizeof line, "\n");
      text += line;
    }
    text += "e\n";
  }
  return text;
}

// Writing to a program that has ended is an error then, not the end of this one.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    struct sigaction ignore{};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &ignore, &before_);
  }
  ~NoPipeSignal() { sigaction(SIGPIPE, &before_, nullptr); }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;

 private:
  struct sigaction before_{};
};

constexpr const char* kNotInstalled =
    "gnuplot is not installed, and a file needs it: on Debian, `apt-get install gnuplot-nox`";

bool isNotFound(int status) { return WIFEXITED(status) && WEXITSTATUS(status) == kNotFound; }

}  // namespace

std::string plotterProblem() {
  return isNotFound(std::system("gnuplot --version >/dev/null 2>&1")) ? kNotInstalled : "";
}

std::string plotToFile(std::span<const Curve> curves, const std::string& xName,
                       const std::string& title, const std::string& path) {
  if (!path.ends_with(".svg") && !path.ends_with(".png"))
    return "`" + path + "` is neither an .svg nor a .png file";
  FILE* pipe = popen("gnuplot 2>/dev/null", "w");
  if (pipe == nullptr) return "gnuplot can't be started";
  const std::string text = script(curves, xName, title, path);
  const NoPipeSignal guard;
  std::fwrite(text.data(), 1, text.size(), pipe);
  const int status = pclose(pipe);
  if (isNotFound(status)) return kNotInstalled;
  std::error_code code;
  const bool written = status == 0 && std::filesystem::file_size(path, code) > 0 && !code;
  return written ? "" : "gnuplot could not write `" + path + "`";
}

}  // namespace rlc::repl
