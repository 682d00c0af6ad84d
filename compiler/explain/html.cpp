#include "compiler/explain/html.h"

#include <algorithm>

#include "compiler/explain/layout.h"

namespace rlc::explain {

std::string escaped(const std::string& text) {
  std::string result;
  for (char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string marked(const std::string& text) {
  std::string result;
  bool code = false;
  for (size_t start = 0; start <= text.size();) {
    const size_t end = std::min(text.find('`', start), text.size());
    const std::string part = escaped(text.substr(start, end - start));
    result += code && !part.empty() ? "<code>" + part + "</code>" : part;
    code = !code;
    start = end + 1;
  }
  return result;
}

std::string page(const std::string& title, const std::string& subtitle,
                 const std::vector<Section>& sections) {
  std::string html =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" +
      escaped(title) +
      "</title>\n<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<style>\n" +
      kStyle + "</style>\n</head>\n<body>\n<header><h1>" + escaped(title) + "</h1><p>" +
      escaped(subtitle) + "</p><nav>";
  for (const Section& section : sections)
    html += "<a href=\"#" + section.id + "\">" + escaped(section.title) + "</a>";
  html += "</nav></header>\n<main>\n";
  for (const Section& section : sections)
    html += "<section id=\"" + section.id + "\">\n<h2>" + escaped(section.title) + "</h2>\n" +
            section.body + "</section>\n";
  return html + "</main>\n<script>\n" + kScript + "</script>\n</body>\n</html>\n";
}

std::string placeLink(const Subject& subject, diagnostics::Span span) {
  const std::string place = placeText(subject, span);
  if (place.empty()) return "";
  const std::string key = lineKey(subject, span);
  const std::string line = key.empty() ? "" : " data-line=\"" + escaped(key) + "\"";
  return "<code class=\"place\"" + line + ">" + escaped(place) + "</code>";
}

std::string noteHtml(const Subject& subject, bool happened, const std::string& text,
                     diagnostics::Span span) {
  std::string html =
      "<div class=\"note " + std::string(happened ? "yes" : "no") + "\">" + marked(text);
  if (span.known())
    html += " " + placeLink(subject, span) + " <code class=\"src\">" +
            escaped(lineText(subject, span)) + "</code>";
  return html + "</div>";
}

std::string drawingHtml(const std::string& dot, const std::string& id) {
  const Drawing drawing = draw(dot);
  if (drawing.problem.empty())
    return "<div class=\"drawing\" id=\"" + id +
           "\"><div class=\"zoom\"><button data-zoom=\"in\" title=\"larger\">+</button>"
           "<button data-zoom=\"out\" title=\"smaller\">−</button><button data-zoom=\"fit\" "
           "title=\"all of it\">fit</button></div>" +
           drawing.svg + "</div>\n";
  return "<div class=\"drawing none\"><p>No picture: " + escaped(drawing.problem) +
         ".</p><details><summary>Its source, for "
         "Graphviz</summary><pre>" +
         escaped(dot) + "</pre></details></div>\n";
}

}  // namespace rlc::explain
