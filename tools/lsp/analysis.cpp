#include "tools/lsp/analysis.h"

#include "compiler/autodiff/gradients.h"
#include "compiler/diagnostics/diagnostic.h"
#include "compiler/interpreter/known_requirements.h"
#include "compiler/polyhedral/cancel.h"
#include "compiler/polyhedral/set.h"
#include "compiler/sema/elaborate.h"
#include "tools/lsp/fixes.h"

namespace rlc::lsp {
namespace {

using diagnostics::Diagnostic;
using diagnostics::FileId;
using diagnostics::SourceMap;
using diagnostics::Span;

class Analysis {
 public:
  explicit Analysis(const AnalysisJob& job) : job_(job) {}

  AnalysisResult run() {
    AnalysisResult result;
    result.uri = job_.uri;
    result.version = job_.version;
    result.files.insert(canonicalPath(job_.file->path()));
    entry_ = sources_.add(job_.file->path(), job_.file->text());
    for (const auto& [path, file] : job_.open) sources_.add(path, file->text());
    diagnostics::DiagnosticSink sink;
    try {
      result.facts = elaborate(sink);
    } catch (const polyhedral::OperationLimit&) {
      sink.report(Diagnostic(diagnostics::Kind::StaticLimit, Span{entry_, 0, 0},
                             "the index domains of this program are too complex"));
    } catch (const std::exception& error) {
      // A mistake of the compiler's: the editor goes on without its judgement.
      sink.report(Diagnostic(diagnostics::Kind::StaticLimit, Span{entry_, 0, 0},
                             std::string("this program can't be checked: ") + error.what(),
                             diagnostics::Severity::Warning));
    }
    for (const Diagnostic& diagnostic : sink.sorted())
      result.findings.push_back(finding(diagnostic));
    for (FileId file = 0; file < sources_.size(); ++file)
      result.files.insert(canonicalPath(sources_.path(file)));
    // What stands behind the last operation on sets would not have noticed.
    if (job_.cancelled && *job_.cancelled) throw polyhedral::Cancelled();
    return result;
  }

 private:
  std::shared_ptr<const Facts> elaborate(diagnostics::DiagnosticSink& sink) {
    polyhedral::Context context;
    if (job_.cancelled) polyhedral::cancelWhen(context, *job_.cancelled);
    sema::Options options;
    options.libraryPath = job_.library;
    const FilePtr parsed = job_.file->parsed();
    for (const Diagnostic& diagnostic : parsed->sink.sorted()) sink.report(diagnostic);
    auto program = sema::elaborate(sources_, parsed->tree, options, context, sink);
    if (program && !sink.hasErrors()) interpreter::checkKnownRequirements(program->graph, sink);
    if (program) autodiff::expandGradients(program->graph, sink);
    if (!program) return nullptr;
    auto facts = std::make_shared<Facts>();
    for (const auto& tensor : program->tensors)
      facts->tensors[tensor.name] = {tensor.dims, tensor.type, tensor.domain};
    for (const auto& param : program->params)
      facts->params[param.name] = param.type + " = " + param.value;
    for (const auto& index : program->indices) facts->indices[index.name] = index.range;
    return facts;
  }

  const TextLines& lines(FileId file) {
    auto& entry = lines_[file];
    if (!entry) entry = std::make_unique<TextLines>(sources_.text(file));
    return *entry;
  }
  Json range(Span span) {
    const std::string& text = sources_.text(span.file);
    uint32_t begin = std::min(span.begin, static_cast<uint32_t>(text.size()));
    return rangeJson(text, lines(span.file), begin,
                     std::min(span.end, static_cast<uint32_t>(text.size())));
  }
  std::string uriOf(FileId file) const {
    return file == entry_ ? job_.uri : uriOfPath(canonicalPath(sources_.path(file)));
  }
  Json location(Span span) { return {{"uri", uriOf(span.file)}, {"range", range(span)}}; }

  // Where another file is at fault, the document shows it at what brought that file in.
  Span placeInDocument() const {
    for (const syntax::Item& item : job_.file->parsed()->tree.items) {
      if (item.as<syntax::UseItem>()) return item.span;
    }
    return {entry_, 0, 0};
  }

  Finding finding(const Diagnostic& diagnostic) {
    const bool elsewhere = diagnostic.span.known() && diagnostic.span.file != entry_;
    const Span place = elsewhere || !diagnostic.span.known() ? placeInDocument() : diagnostic.span;
    std::string message = diagnostic.message;
    Json related = Json::array();
    const auto relate = [&](Span span, const std::string& words) {
      if (span.known()) related.push_back({{"location", location(span)}, {"message", words}});
    };
    if (elsewhere) {
      const auto at = sources_.begin(diagnostic.span);
      message =
          sources_.path(diagnostic.span.file) + ":" + std::to_string(at.line) + ": " + message;
      relate(diagnostic.span, diagnostic.message);
    }
    if (!diagnostic.caret.empty()) message += "\n" + diagnostic.caret;
    for (const auto& label : diagnostic.labels) relate(label.span, label.message);
    for (const auto& note : diagnostic.notes) {
      if (note.span.known())
        relate(note.span, note.message);
      else
        message += "\nnote: " + note.message;
    }
    if (!diagnostic.witness.empty()) {
      message += "\nat";
      for (const auto& [name, value] : diagnostic.witness)
        message += " " + name + " = " + std::to_string(value);
    }
    if (!diagnostic.hint_text.empty()) message += "\nhint: " + diagnostic.hint_text;
    const auto& info = diagnostics::info(diagnostic.kind);
    Finding result;
    result.diagnostic = {
        {"range", range(place)},
        {"severity", diagnostic.severity == diagnostics::Severity::Warning ? 2 : 1},
        {"code", std::string(info.code)},
        {"source", "rlc"},
        {"message", message}};
    if (job_.related_information && !related.empty())
      result.diagnostic["relatedInformation"] = related;
    if (!elsewhere) {
      for (const diagnostics::QuickFix& fix :
           fixesFor(diagnostic, sources_, job_.file->parsed()->tree)) {
        Json edits = Json::array();
        bool here = true;
        for (const diagnostics::Edit& edit : fix.edits) {
          here = here && edit.span.file == entry_;
          edits.push_back({{"range", range(edit.span)}, {"newText", edit.replacement}});
        }
        if (here) result.fixes.push_back({fix.title, std::move(edits), result.fixes.empty()});
      }
    }
    return result;
  }

  const AnalysisJob& job_;
  SourceMap sources_;
  FileId entry_ = -1;  // the first, as in the parsed file's own map: its spans hold here
  std::map<FileId, std::unique_ptr<TextLines>> lines_;
};

}  // namespace

AnalysisResult analyze(const AnalysisJob& job) { return Analysis(job).run(); }

}  // namespace rlc::lsp
