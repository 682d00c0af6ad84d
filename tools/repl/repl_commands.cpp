// What the longer commands do.
#include <chrono>
#include <cstdio>
#include <iostream>

#include "jit/runtime/fault.h"
#include "tools/repl/gnuplot.h"
#include "tools/repl/repl.h"
#include "tools/terminal.h"

namespace rlc::repl {

namespace {

constexpr int kPlotHeight = 16, kPlotWidth = 72;

std::string milliseconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g ms", seconds * 1e3);
  return text;
}

}  // namespace

void Repl::timeExpression(const std::string& text) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto loaded = programOf(text);
  if (!loaded) return;
  const double front = std::chrono::duration<double>(Clock::now() - start).count();
  std::cout << "front end    " << milliseconds(front) << "\n";
  for (const char* device : {"interp", "cpu"}) {
    EvaluateOptions options = options_.evaluate;
    options.device = device;
    Recording recording;
    const Evaluation evaluation = evaluate(loaded->program->graph, options, recording);
    const bool stopped = evaluation.end == runtime::RunEnd::Stopped;
    std::cout << (device == std::string("interp") ? "interpreter  " : "native code  ")
              << (stopped ? "stopped after " : "") << milliseconds(evaluation.seconds) << std::endl;
  }
}

void Repl::plot(const std::string& text) {
  // `> FILE` at the end: no comparison has a file's name on its right.
  std::string expression = text, path;
  const size_t arrow = text.rfind('>');
  if (arrow != std::string::npos) {
    std::string after = text.substr(arrow + 1);
    after.erase(0, after.find_first_not_of(' '));
    if (after.ends_with(".svg") || after.ends_with(".png")) {
      path = after;
      expression = text.substr(0, arrow);
    }
  }
  const auto loaded = programOf(expression);
  if (!loaded) return;
  Recording recording;
  if (!compute(loaded->program->graph, recording)) return;
  std::string xName, problem;
  const std::vector<Curve> curves = curvesOf(recording, xName, problem);
  if (!problem.empty()) return complain(problem);
  if (path.empty()) {
    const int width = terminal_ ? std::min(tools::terminalWidth() - 1, 120) : kPlotWidth;
    std::cout << textPlot(curves, xName, width, kPlotHeight);
    return;
  }
  problem = plotToFile(curves, xName, expression, path);
  if (!problem.empty()) complain(problem);
}

void Repl::setParam(const std::string& text) {
  if (text.empty()) {
    for (const auto& [name, value] : session_.params()) std::cout << name << " = " << value << "\n";
    return;
  }
  const size_t equals = text.find('=');
  if (equals == std::string::npos) return complain("`:set` takes NAME=VALUE, not `" + text + "`");
  const auto strip = [](std::string part) {
    part.erase(0, part.find_first_not_of(" \t"));
    part.erase(part.find_last_not_of(" \t") + 1);
    return part;
  };
  const std::string name = strip(text.substr(0, equals)), value = strip(text.substr(equals + 1));
  const std::string first = name.substr(0, name.find('.'));
  if (!session_.defines(first)) return complain("there is no param `" + name + "`");
  std::string before;
  for (const auto& param : session_.params())
    if (param.first == name) before = param.second;
  session_.setParam(name, value);
  const auto loaded = session_.whole();
  if (!loaded->sink.hasErrors()) return;
  show(loaded->sink, loaded->sources);
  session_.setParam(name, before);
}

}  // namespace rlc::repl
