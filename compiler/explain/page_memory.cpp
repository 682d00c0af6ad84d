#include <algorithm>
#include <cstdio>

#include "compiler/explain/html.h"
#include "compiler/explain/memory.h"
#include "compiler/explain/reasons.h"

namespace rlc::explain {

namespace {

constexpr double kWidth = 1180, kLeft = 84, kRight = 20, kCurve = 120, kMap = 420, kGap = 34,
                 kTop = 24, kWider = 9;

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

std::string rect(double x, double y, double w, double h, const std::string& rest,
                 const std::string& title) {
  return "<rect x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" + number(w) +
         "\" height=\"" + number(h) + "\" " + rest + "><title>" + escaped(title) +
         "</title></rect>";
}

std::string label(double x, double y, const std::string& rest, const std::string& text) {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" " + rest + ">" + escaped(text) +
         "</text>";
}

class Picture {
 public:
  Picture(const Subject& subject, const MemoryPicture& memory)
      : moments_(subject.program->lowered().memory.moments), memory_(memory) {
    // Moments at which more is alive are wider: what begins a program has many that hold little.
    const auto most = static_cast<double>(
        std::max<int64_t>(memory.live.empty() ? 1 : memory.live[memory.peak], 1));
    begins_.push_back(0);
    for (int64_t bytes : memory.live)
      begins_.push_back(begins_.back() + 1 + kWider * static_cast<double>(bytes) / most);
    const double scale = (kWidth - kLeft - kRight) / std::max(begins_.back(), 1.0);
    for (double& begin : begins_) begin = kLeft + begin * scale;
  }

  std::string svg() const {
    const double height = kTop + kCurve + kGap + kMap + kGap;
    return "<svg viewBox=\"0 0 " + number(kWidth) + " " + number(height) +
           "\" xmlns=\"http://www.w3.org/2000/svg\" font-family=\"system-ui, Helvetica, "
           "sans-serif\" font-size=\"11\">" +
           curve() + map() + loopsAxis() + peak() + "</svg>\n";
  }

 private:
  double x(int64_t moment) const { return begins_[static_cast<size_t>(moment)]; }
  double mapY(int64_t byte) const {
    return kTop + kCurve + kGap +
           kMap * static_cast<double>(byte) /
               static_cast<double>(std::max<int64_t>(memory_.arenaBytes, 1));
  }

  // Bytes alive over time.
  std::string curve() const {
    const double base = kTop + kCurve;
    const auto most = static_cast<double>(
        std::max<int64_t>(memory_.live.empty() ? 1 : memory_.live[memory_.peak], 1));
    std::string points = number(x(0)) + "," + number(base);
    for (size_t k = 0; k < memory_.live.size(); ++k) {
      const std::string y =
          number(base - kCurve * 0.9 * static_cast<double>(memory_.live[k]) / most);
      points += " " + number(x(static_cast<int64_t>(k))) + "," + y + " " +
                number(x(static_cast<int64_t>(k) + 1)) + "," + y;
    }
    points += " " + number(x(static_cast<int64_t>(memory_.live.size()))) + "," + number(base);
    return label(8, kTop + 12, "fill=\"#64748b\"", "alive") + "<polygon points=\"" + points +
           "\" fill=\"#bae6fd\" stroke=\"#0284c7\" stroke-width=\"1\"/>";
  }

  // Which bytes belong to whom, and when.
  std::string map() const {
    static constexpr const char* kColours[] = {"#93c5fd", "#fcd34d", "#86efac", "#fca5a5",
                                               "#c4b5fd", "#f9a8d4", "#7dd3fc", "#fdba74",
                                               "#a7f3d0", "#d8b4fe", "#bef264", "#fda4af"};
    std::string svg =
        label(8, mapY(0) + 12, "fill=\"#64748b\"", "arena") +
        label(8, mapY(memory_.arenaBytes), "fill=\"#64748b\"", bytesText(memory_.arenaBytes));
    svg += rect(kLeft, mapY(0), kWidth - kLeft - kRight, kMap,
                "fill=\"#f8fafc\" stroke=\"#e2e8f0\"", "free");
    size_t colour = 0;
    for (const StoredTensor& tensor : memory_.tensors) {
      if (tensor.perLane) continue;
      const double top = mapY(tensor.offset), height = mapY(tensor.offset + tensor.bytes) - top;
      const double left = x(tensor.first), width = x(tensor.last + 1) - left;
      svg += rect(left, top, width, std::max(height, 0.4),
                  "fill=\"" + std::string(kColours[colour++ % std::size(kColours)]) +
                      "\" stroke=\"#ffffff\" stroke-width=\"0.6\"",
                  tensor.name + "\n" + bytesText(tensor.bytes) + "\n" + tensor.windows);
      if (height < 13) continue;
      const std::string text = tensor.name + "  " + bytesText(tensor.bytes);
      if (width > 6.0 * static_cast<double>(text.size()))
        svg +=
            label(left + 6, top + height / 2 + 4, "fill=\"#0f172a\" pointer-events=\"none\"", text);
    }
    return svg;
  }

  // The outermost loops, under the map.
  std::string loopsAxis() const {
    std::string svg;
    const double y = kTop + kCurve + kGap + kMap + 6;
    for (size_t k = 0; k < moments_.size();) {
      size_t end = k + 1;
      while (end < moments_.size() && moments_[end].loop == moments_[k].loop) ++end;
      const double left = x(static_cast<int64_t>(k)), width = x(static_cast<int64_t>(end)) - left;
      const bool loop = moments_[k].loop >= 0;
      const std::string text = loop ? "for " + moments_[k].loopName : "once";
      svg += rect(left + 0.5, y, width - 1, 16,
                  "rx=\"3\" fill=\"" + std::string(loop ? "#fef3c7" : "#f1f5f9") + "\"", text);
      if (width > 40)
        svg += label(left + 5, y + 12, "fill=\"#92400e\" pointer-events=\"none\"", text);
      k = end;
    }
    return svg;
  }

  std::string peak() const {
    if (memory_.live.empty()) return "";
    const auto moment = static_cast<int64_t>(memory_.peak);
    const double at = (x(moment) + x(moment + 1)) / 2, bottom = kTop + kCurve + kGap + kMap;
    const bool right = at > kWidth * 0.6;
    return "<line x1=\"" + number(at) + "\" x2=\"" + number(at) + "\" y1=\"" + number(kTop - 8) +
           "\" y2=\"" + number(bottom) +
           "\" stroke=\"#dc2626\" stroke-dasharray=\"4 3\" stroke-width=\"1.4\"/>" +
           label(at + (right ? -6 : 6), kTop - 4,
                 std::string("fill=\"#dc2626\" font-weight=\"600\"") +
                     (right ? " text-anchor=\"end\"" : ""),
                 "peak: " + bytesText(memory_.live[memory_.peak]));
  }

  const std::vector<loops::Moment>& moments_;
  const MemoryPicture& memory_;
  std::vector<double> begins_;  // of the moments, and the last one's end
};

std::string row(const Subject& subject, const StoredTensor& tensor) {
  return "<tr><td><b>" + escaped(tensor.name) + "</b></td><td class=\"n\">" +
         bytesText(tensor.bytes) + "</td><td>" + escaped(tensor.windows) + "</td><td>" +
         placeLink(subject, tensor.span) + "</td></tr>\n";
}

}  // namespace

Section memorySection(const Subject& subject) {
  const MemoryPicture memory = memoryOf(subject);
  std::string html = "<p class=\"lead\">The program needs <b>" + bytesText(memory.arenaBytes) +
                     "</b> in one arena, known before it runs. Of a tensor only the points that "
                     "will still be read are kept: along an "
                     "index that is a ring, or all of them. Tensors that are never alive at once "
                     "share bytes. From left to right: the "
                     "program's statements, in time, wider where more is alive; from top to "
                     "bottom: the arena's bytes.</p>\n<div class=\"memory\">" +
                     Picture(subject, memory).svg() + "</div>\n<h3>In the arena</h3>\n";
  const std::string head =
      "<table><tr><th>tensor</th><th class=\"n\">size</th><th>kept along its "
      "indices</th><th>source</th></tr>\n";
  std::string arena, lanes;
  for (const StoredTensor& tensor : memory.tensors)
    (tensor.perLane ? lanes : arena) += row(subject, tensor);
  html += head + arena + "</table>\n";
  if (!lanes.empty())
    html += "<h3>Kept by a lane, in registers or on its thread's stack</h3>\n" + head + lanes +
            "</table>\n";
  const std::vector<Reason> again = recomputedNotes(subject);
  if (!again.empty()) html += "<h3>Computed twice, to keep less</h3>\n";
  for (const Reason& reason : again) html += noteHtml(subject, true, reason.text, reason.span);
  return {"memory", "Memory", html};
}

}  // namespace rlc::explain
