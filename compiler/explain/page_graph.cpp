#include "compiler/explain/dot.h"
#include "compiler/explain/html.h"
#include "compiler/pdg/printer.h"

namespace rlc::explain {

namespace {

constexpr int kMostOperations = 500;  // Graphviz needs too long for more

const char* const kLegend =
    "<div class=\"legend\"><span><i style=\"background:#f8fafc\"></i>equation</span><span><i "
    "style=\"background:#fef3c7\"></i>recurrence: "
    "reads other points of itself</span><span><i "
    "style=\"background:#ede9fe\"></i>draw</span><span><i style=\"background:#fee2e2\"></i>"
    "gradient</span><span><i style=\"background:#e2e8f0\"></i>param of a run</span><span><i "
    "style=\"background:#dcfce7\"></i>sink</span>"
    "<span><i style=\"background:#d97706\"></i>dependence on another step</span></div>\n";

std::string aboutTensor(const Subject& subject, const Equations& equations, size_t k) {
  const Tensor& tensor = equations.tensors[k];
  const pdg::Printer printer(subject.graph);
  std::string html = "<h3>" + escaped(tensor.heading) + "</h3>" + placeLink(subject, tensor.span) +
                     "<p><code>" + escaped(lineText(subject, tensor.span)) + "</code></p>";
  std::string facts =
      tensor.domain.empty() ? "" : "Defined for <code>" + escaped(tensor.domain) + "</code>";
  if (!tensor.type.empty()) facts += (facts.empty() ? "" : "; ") + escaped(tensor.type);
  if (!facts.empty()) html += "<p>" + facts + "</p>";
  std::string reads, readBy;
  for (const TensorEdge& edge : equations.edges) {
    std::string at;
    for (const std::string& text : edge.reads) at += (at.empty() ? "" : " and ") + escaped(text);
    const auto nameOf = [&](int t) {
      return "<code>" + escaped(equations.tensors[static_cast<size_t>(t)].name);
    };
    if (edge.to == static_cast<int>(k)) reads += "<li>" + nameOf(edge.from) + at + "</code></li>";
    if (edge.from == static_cast<int>(k) && edge.to != edge.from)
      readBy += "<li>" + nameOf(edge.to) + "</code></li>";
  }
  if (!reads.empty()) html += "<p>Reads</p><ul>" + reads + "</ul>";
  if (!readBy.empty()) html += "<p>Is read by</p><ul>" + readBy + "</ul>";
  std::string text;
  for (pdg::NodeId id : tensor.members) text += printer.node(id);
  if (!text.empty())
    html += "<details><summary>" + std::to_string(tensor.members.size()) +
            " operations</summary><pre>" + escaped(text) + "</pre></details>";
  return html;
}

}  // namespace

Section graphSection(const Subject& subject) {
  const Equations equations = equationsOf(subject.graph, subject.places);
  std::string html =
      "<p class=\"lead\">Every tensor of the program, over the indices that it varies over. An "
      "arrow points from what is read to what "
      "reads it; its label says at which points, where these are not the same. Drag to move, turn "
      "the wheel to zoom, click on a tensor to see more of it.</p>\n";
  html += kLegend;
  html +=
      "<p><button data-switch=\"graphs graph-tensors\">tensors</button> <button "
      "data-switch=\"graphs graph-operations\">every "
      "operation</button></p>\n";
  html += "<div class=\"graphs split\" id=\"graph-tensors\">" +
          drawingHtml(tensorsDot(subject, equations), "tensors") +
          "<div class=\"side\"><p class=\"hint\">Click on a tensor.</p></div></div>\n";
  html += "<div class=\"graphs\" id=\"graph-operations\" hidden>";
  html += subject.graph.size() <= kMostOperations
              ? drawingHtml(operationsDot(subject), "operations")
              : "<p>The graph has " + std::to_string(subject.graph.size()) +
                    " operations, too many for a picture; <code>rlc explain graph FILE</code> "
                    "prints them.</p>";
  html += "</div>\n<div hidden>\n";
  for (size_t k = 0; k < equations.tensors.size(); ++k)
    html += "<div id=\"about-tensor-" + std::to_string(k) + "\">" +
            aboutTensor(subject, equations, k) + "</div>\n";
  return {"graph", "Graph", html + "</div>\n"};
}

}  // namespace rlc::explain
