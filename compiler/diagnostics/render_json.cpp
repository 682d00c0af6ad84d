#include <nlohmann/json.hpp>

#include "compiler/diagnostics/render.h"

namespace rlc::diagnostics {
namespace {

using Json = nlohmann::ordered_json;

const char* severityName(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return "error";
    case Severity::Warning:
      return "warning";
    case Severity::Fault:
      return "fault";
  }
  return "";
}

void addPlace(Json& object, Span span, const SourceMap& sources) {
  if (!span.known()) return;
  const Position begin = sources.begin(span), end = sources.end(span);
  object["file"] = sources.path(span.file);
  object["line"] = begin.line;
  object["column"] = begin.column;
  object["end_line"] = end.line;
  object["end_column"] = end.column;
}

Json labelsJson(const std::vector<Label>& labels, const SourceMap& sources) {
  Json list = Json::array();
  for (const Label& label : labels) {
    Json object{{"message", label.message}};
    addPlace(object, label.span, sources);
    list.push_back(std::move(object));
  }
  return list;
}

Json fixesJson(const std::vector<QuickFix>& fixes, const SourceMap& sources) {
  Json list = Json::array();
  for (const QuickFix& fix : fixes) {
    Json edits = Json::array();
    for (const Edit& edit : fix.edits) {
      Json object = Json::object();
      addPlace(object, edit.span, sources);
      object["replacement"] = edit.replacement;
      edits.push_back(std::move(object));
    }
    list.push_back(Json{{"title", fix.title}, {"edits", std::move(edits)}});
  }
  return list;
}

}  // namespace

std::string renderJson(const Diagnostic& diagnostic, const SourceMap& sources) {
  const KindInfo& kind = info(diagnostic.kind);
  Json object;
  object["code"] = kind.code;
  object["kind"] = kind.name;
  object["severity"] = severityName(diagnostic.severity);
  object["message"] = diagnostic.message;
  addPlace(object, diagnostic.span, sources);
  if (!diagnostic.caret.empty()) object["caret"] = diagnostic.caret;
  if (!diagnostic.labels.empty()) object["labels"] = labelsJson(diagnostic.labels, sources);
  if (!diagnostic.notes.empty()) object["notes"] = labelsJson(diagnostic.notes, sources);
  if (!diagnostic.witness.empty()) {
    object["witness"] = Json::object();
    for (const auto& [index, value] : diagnostic.witness) object["witness"][index] = value;
  }
  if (!diagnostic.hint_text.empty()) object["hint"] = diagnostic.hint_text;
  if (!diagnostic.fixes.empty()) object["fixes"] = fixesJson(diagnostic.fixes, sources);
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string renderJson(const DiagnosticSink& sink, const SourceMap& sources) {
  std::string out;
  for (const Diagnostic& diagnostic : sink.sorted()) out += renderJson(diagnostic, sources) + "\n";
  return out;
}

}  // namespace rlc::diagnostics
