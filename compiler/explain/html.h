// Self-contained pages: no network, no libraries; they read without their script, too.
#pragma once

#include <string>
#include <vector>

#include "compiler/explain/subject.h"

namespace rlc::explain {

std::string escaped(const std::string& text);  // for HTML and SVG
std::string marked(const std::string& text);   // for HTML: what stands in backticks as code

struct Section {
  std::string id, title;
  std::string body;  // HTML
};

// A page with a tab for each section.
std::string page(const std::string& title, const std::string& subtitle,
                 const std::vector<Section>& sections);

// ---- the sections ----
Section graphSection(const Subject& subject);
Section passesSection(const Subject& subject);
Section scheduleSection(const Subject& subject);
Section memorySection(const Subject& subject);
Section kernelsSection(const Subject& subject);

// Parts of several sections.
std::string placeLink(const Subject& subject,
                      diagnostics::Span span);  // `<code class=place>file:12</code>`
// What happened, or did not, and its line.
std::string noteHtml(const Subject& subject, bool happened, const std::string& text,
                     diagnostics::Span span);
std::string drawingHtml(
    const std::string& dot,
    const std::string& id);  // the picture, or why there is none and the source of it

extern const char* const kStyle;
extern const char* const kScript;

}  // namespace rlc::explain
