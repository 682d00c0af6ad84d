#include "compiler/explain/text.h"

#include <cstdio>

#include "compiler/explain/learning.h"
#include "compiler/explain/memory.h"
#include "compiler/explain/reasons.h"
#include "compiler/schedule/printer.h"

namespace rlc::explain {

namespace {

std::string noteText(const Subject& subject, bool happened, const std::string& text,
                     diagnostics::Span span) {
  std::string line = std::string("  ") + (happened ? "+ " : "- ") + text + "\n";
  if (span.known())
    line += "      " + placeText(subject, span) + ": " + lineText(subject, span) + "\n";
  return line;
}

std::string orderText(const Subject& subject) {
  std::string text;
  for (const Reason& reason : vectorizationNotes(subject))
    text += noteText(subject, false, reason.text, reason.span);
  if (!text.empty()) text = "in order:\n" + text;
  const std::vector<Reason> copied = copiedUpdateNotes(subject);
  if (!copied.empty()) text += "not in place:\n";
  for (const Reason& reason : copied) text += noteText(subject, false, reason.text, reason.span);
  return text;
}

}  // namespace

std::string passesText(const Subject& subject) {
  std::string text;
  for (const PassStep& step : subject.passes) {
    char head[160];
    const std::string name = std::string(step.run.name) +
                             (step.repetition > 1 ? ":" + std::to_string(step.repetition) : "");
    std::snprintf(head, sizeof head, "%s: %d -> %d nodes (%d changed, %d new, %d gone)\n",
                  name.c_str(), step.run.nodesBefore, step.run.nodesAfter, step.change.changed,
                  step.change.added, step.change.removed);
    text += head;
    for (const passes::Note& note : step.notes)
      text += noteText(subject, note.happened, note.text, note.span);
  }
  return subject.program ? text + orderText(subject) : text;
}

std::string changesText(const Subject& subject) {
  std::string text;
  if (subject.passes.empty()) return text;
  for (const GraphChange::Line& line : subject.passes.back().change.lines) {
    const std::string sign = line.kind == GraphChange::Line::Kind::Removed ? "- " : "+ ";
    size_t start = 0;
    while (start < line.text.size()) {
      const size_t end = std::min(line.text.find('\n', start), line.text.size());
      text += sign + line.text.substr(start, end - start) + "\n";
      start = end + 1;
    }
  }
  return text;
}

std::string scheduleText(const Subject& subject) {
  const native::NativeProgram& program = *subject.program;
  std::string notes;
  for (const LearningNote& note : learningNotes(subject))
    notes += noteText(subject, note.during, note.reason.text, note.reason.span);
  if (!notes.empty()) notes = "learning:\n" + notes;
  notes += orderText(subject);
  return schedule::print(program.graph(), program.statements(), program.schedule()) +
         (notes.empty() ? "" : "\n" + notes);
}

std::string memoryText(const Subject& subject) {
  const native::NativeProgram& program = *subject.program;
  const MemoryPicture memory = memoryOf(subject);
  std::string text = schedule::print(program.graph(), program.lowered().storage);
  text += "arena: " + std::to_string(memory.arenaBytes) + " bytes\n";
  if (!memory.live.empty())
    text += "alive at most: " + std::to_string(memory.live[memory.peak]) + " bytes\n";
  const loops::Lowered& lowered = program.lowered();
  text +=
      "scratch of a thread: " +
      std::to_string(program.machine().scratchBytes(2) - program.machine().scratchBytes(1)) +
      " bytes, of all: " +
      std::to_string(2 * program.machine().scratchBytes(1) - program.machine().scratchBytes(2)) +
      " bytes\n";
  if (const int64_t file = program.machine().fileScratchBytes(1); file > 0)
    text += "in a mapped file for each thread: " + std::to_string(file) + " bytes\n";
  if (lowered.program.residentBytes < lowered.program.arenaBytes)
    text += "in memory: " + std::to_string(lowered.program.residentBytes) +
            " bytes, in a mapped file: " +
            std::to_string(lowered.program.arenaBytes - lowered.program.residentBytes) + " bytes\n";
  for (const Reason& reason : recomputedNotes(subject))
    text += noteText(subject, true, reason.text, reason.span);
  return text;
}

}  // namespace rlc::explain
