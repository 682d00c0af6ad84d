#include <cstdio>

#include "compiler/explain/html.h"
#include "compiler/explain/reasons.h"

namespace rlc::explain {

namespace {

constexpr size_t kMostLines = 200;

std::string changeHtml(const GraphChange& change) {
  if (change.lines.empty()) return "";
  std::string html = "<details><summary>" + std::to_string(change.changed) + " changed, " +
                     std::to_string(change.added) + " new, " + std::to_string(change.removed) +
                     " gone</summary><pre>";
  size_t shown = 0;
  for (const GraphChange::Line& line : change.lines) {
    if (++shown > kMostLines) {
      html += "... and " + std::to_string(change.lines.size() - kMostLines) + " more\n";
      break;
    }
    const bool removed = line.kind == GraphChange::Line::Kind::Removed;
    html += "<span class=\"" + std::string(removed ? "del" : "ins") + "\">" +
            (removed ? "- " : "+ ") + escaped(line.text) + "</span>";
  }
  return html + "</pre></details>";
}

}  // namespace

Section passesSection(const Subject& subject) {
  std::string html =
      "<p class=\"lead\">What each pass did to the graph, in order, and what it looked for but had "
      "to leave: ✓ it happened, ✗ it did not, "
      "and why.</p>\n<table><tr><th>pass</th><th class=\"n\">operations</th><th "
      "class=\"n\">time</th><th>what happened</th></tr>\n";
  for (const PassStep& step : subject.passes) {
    std::string why;
    for (const passes::Pass& pass : passes::pipeline())
      if (pass.name == step.run.name && why.empty()) why = pass.why;
    char time[32];
    std::snprintf(time, sizeof time, "%.1f ms", step.run.seconds * 1e3);
    html += "<tr><td><b>" + escaped(std::string(step.run.name)) + "</b>" +
            (step.repetition > 1 ? " (run " + std::to_string(step.repetition) + ")" : "") +
            "<br><span class=\"src\">" + escaped(why) + "</span></td><td class=\"n\">" +
            std::to_string(step.run.nodesBefore) + " → " + std::to_string(step.run.nodesAfter) +
            "</td><td class=\"n\">" + time + "</td><td>";
    for (const passes::Note& note : step.notes)
      html += noteHtml(subject, note.happened, note.text, note.span);
    html += changeHtml(step.change) + "</td></tr>\n";
  }
  html += "</table>\n";
  if (subject.program) {
    html +=
        "<h3>What stays in order</h3>\n<p class=\"lead\">The scheduler computes all points of an "
        "index at once where nothing forbids it. "
        "Here something does:</p>\n";
    for (const Reason& reason : vectorizationNotes(subject))
      html += noteHtml(subject, false, reason.text, reason.span);
    const std::vector<Reason> copied = copiedUpdateNotes(subject);
    if (!copied.empty()) html += "<h3>What does not stay in place</h3>\n";
    for (const Reason& reason : copied) html += noteHtml(subject, false, reason.text, reason.span);
  }
  return {"passes", "Passes", html};
}

}  // namespace rlc::explain
