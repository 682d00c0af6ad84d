#include "compiler/explain/dot.h"
#include "compiler/explain/html.h"
#include "compiler/explain/kernels.h"
#include "compiler/explain/memory.h"
#include "compiler/loops/printer.h"

namespace rlc::explain {

namespace {

constexpr size_t kMostText = 60000;  // of a kernel's loops

std::string chips(const Subject& subject, const std::vector<loops::BufferId>& buffers,
                  const std::vector<std::string>& names) {
  std::string html;
  for (loops::BufferId id : buffers) {
    const loops::Buffer& buffer =
        subject.program->lowered().program.buffers[static_cast<size_t>(id)];
    if (buffer.kind == loops::Buffer::Kind::Parameter) continue;
    html += "<span class=\"chip\">" + escaped(names[static_cast<size_t>(id)]) +
            " <span class=\"src\">" +
            bytesText(buffer.elements * static_cast<int64_t>(byteSize(buffer.type))) +
            "</span></span>";
  }
  return html.empty() ? "nothing" : html;
}

std::string card(const Subject& subject, const Kernel& kernel, size_t number,
                 const std::vector<std::string>& names) {
  const loops::Program& program = subject.program->lowered().program;
  std::string html = "<div class=\"card\"><h3>k" + std::to_string(number) + " · " +
                     escaped(kernel.shape.empty() ? "in order" : kernel.shape) + "</h3>";
  if (!kernel.loops.empty()) html += "<p>inside " + escaped(kernel.loops) + "</p>";
  html += "<p>" + shareText(kernel) + "; " + std::to_string(kernel.operations) + " operations, " +
          std::to_string(kernel.stores) + " stores" +
          (kernel.draws ? ", " + std::to_string(kernel.draws) + " draws" : "") +
          " in its text</p><p>Reads " + chips(subject, kernel.reads, names) + "</p><p>Writes " +
          chips(subject, kernel.writes, names) + "</p>";
  if (!kernel.spans.empty()) {
    html += "<details open><summary>" + std::to_string(kernel.spans.size()) +
            " source lines</summary><pre>";
    for (const auto& span : kernel.spans) {
      const std::string line = lineKey(subject, span);
      html += std::string(line.size() < 4 ? 4 - line.size() : 0, ' ') + escaped(line) + "  " +
              escaped(lineText(subject, span)) + "\n";
    }
    html += "</pre></details>";
  }
  std::string text;
  for (const loops::Stmt* statement : kernel.statements) text += loops::print(program, *statement);
  if (text.size() > kMostText) text = text.substr(0, text.rfind('\n', kMostText)) + "\n...";
  html += "<details><summary>its loops</summary><pre>" + escaped(text) + "</pre></details></div>\n";
  return html;
}

}  // namespace

Section kernelsSection(const Subject& subject) {
  const loops::Program& program = subject.program->lowered().program;
  const auto names = loops::bufferNames(program);
  const std::vector<Kernel> kernels = kernelsOf(subject);
  std::string html =
      "<p class=\"lead\">What native code is made from: each outermost parallel loop is one "
      "kernel, with everything inside it fused; "
      "between them stands what runs in order. <code>rlc explain kernels FILE</code> prints the "
      "optimized LLVM code, <code>rlc explain "
      "assembly FILE</code> the machine's.</p>\n" +
      drawingHtml(kernelsDot(subject), "kernel-graph");
  for (const Stretch& stretch : stretchesOf(kernels)) {
    if (stretch.passing)
      html += "<details><summary>" + stretch.title() + " · next to no time</summary>";
    for (size_t k = stretch.first; k < stretch.last; ++k)
      html += card(subject, kernels[k], k + 1, names);
    if (stretch.passing) html += "</details>\n";
  }
  return {"kernels", "Kernels", html};
}

}  // namespace rlc::explain
