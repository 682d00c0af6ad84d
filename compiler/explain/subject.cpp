#include "compiler/explain/subject.h"

#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "compiler/types/lists.h"

namespace rlc::explain {

Subject::Subject(const diagnostics::SourceMap& sources, diagnostics::FileId entry,
                 EquationPlaces places, const pdg::Graph& graph)
    : sources(&sources),
      entry(entry),
      places(std::move(places)),
      files{entry},
      elaborated(graph),
      graph(graph) {
  for (const auto& [name, spans] : this->places)
    for (const diagnostics::Span& span : spans)
      if (span.known() && !shows(span.file)) files.push_back(span.file);
}

bool Subject::shows(diagnostics::FileId file) const { return contains(files, file); }

namespace {

struct RunName {
  std::string pass;
  int repetition = 1;
  bool operator==(const RunName&) const = default;
};

std::optional<RunName> parse(const std::string& text) {
  const size_t colon = text.find(':');
  if (colon == std::string::npos) return RunName{text, 1};
  const std::string number = text.substr(colon + 1);
  if (number.empty() || number.size() > 3 ||
      number.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  return RunName{text.substr(0, colon), std::stoi(number)};
}

std::string checked(const std::string& text, const std::vector<std::string>& disabled) {
  if (text.empty()) return "";
  const auto name = parse(text);
  if (!name)
    return "`" + text +
           "` is not a run of a pass: write `simplify`, or `simplify:2` for its second run";
  if (const std::string unknown = passes::unknownPass(name->pass); !unknown.empty()) return unknown;
  if (contains(disabled, name->pass)) return "the pass `" + name->pass + "` is disabled";
  int runs = 0;
  for (const passes::Pass& pass : passes::pipeline()) runs += pass.name == name->pass;
  if (name->repetition < 1 || name->repetition > runs)
    return "the pass `" + name->pass + "` runs " + std::to_string(runs) +
           (runs == 1 ? " time" : " times");
  return "";
}

}  // namespace

std::string runPasses(Subject& subject, const Moment& moment,
                      const std::vector<std::string>& disabled, bool compare) {
  for (const std::string& name : disabled)
    if (const std::string problem = passes::unknownPass(name); !problem.empty()) return problem;
  for (const std::string& text : {moment.before, moment.after})
    if (const std::string problem = checked(text, disabled); !problem.empty()) return problem;
  const auto before = moment.before.empty() ? std::nullopt : parse(moment.before);
  const auto after = moment.after.empty() ? std::nullopt : parse(moment.after);

  std::map<std::string, int> runs;
  std::set<std::string> said;
  std::optional<pdg::Graph> stopped;
  passes::PassOptions options;
  options.disabled = disabled;
  options.observer = [&](const passes::PassRun& run, const pdg::Graph& from, const pdg::Graph& to) {
    if (stopped) return;
    const RunName name{std::string(run.name), ++runs[std::string(run.name)]};
    if (name == before) {
      stopped = from;
      return;
    }
    subject.passes.push_back(
        {run, name.repetition, compare ? changeBetween(from, to) : GraphChange(), {}});
    // A pass that runs again is kept from the same things again: once is enough.
    for (const passes::Note& note : run.notes.list())
      if (note.happened || said.insert(note.text).second)
        subject.passes.back().notes.push_back(note);
    if (name == after) stopped = to;
  };
  subject.graph = subject.elaborated;
  passes::runPasses(subject.graph, options);
  if (stopped) subject.graph = std::move(*stopped);
  return "";
}

namespace {

// Native code that is made when something asks about it: most of what is explained is known before.
class LaterMachine : public runtime::Machine {
 public:
  explicit LaterMachine(const loops::Program& program) : program_(program) {}
  std::unique_ptr<runtime::Execution> prepare() const override { return now().prepare(); }
  int64_t scratchBytes(int threads) const override { return now().scratchBytes(threads); }
  int64_t fileScratchBytes(int threads) const override { return now().fileScratchBytes(threads); }
  int64_t memoryBytes() const override {
    return 0;
  }  // no limit: what does not fit this machine is explained all the same
  int64_t overflowBytes() const override { return now().overflowBytes(); }
  std::string noOverflowRoom(int64_t bytes) const override { return now().noOverflowRoom(bytes); }

 private:
  const native::CpuMachine& now() const {
    if (!machine_) machine_ = std::make_unique<native::CpuMachine>(program_, cpu::CompileOptions{});
    return *machine_;
  }

  const loops::Program& program_;
  mutable std::unique_ptr<native::CpuMachine> machine_;
};

}  // namespace

void compile(Subject& subject, const native::MemoryLimit& limit, const native::MachineMaker& make) {
  if (limit.bytes > 0 && make.make) {
    subject.program = std::make_unique<native::NativeProgram>(make, subject.graph, limit);
    return;
  }
  if (limit.bytes > 0) {
    subject.program =
        std::make_unique<native::NativeProgram>(subject.graph, cpu::CompileOptions{}, limit);
    return;
  }
  const native::MachineMaker later{
      [](const loops::Program& program) { return std::make_unique<LaterMachine>(program); },
      make.lanes};
  subject.program = std::make_unique<native::NativeProgram>(later, subject.graph);
}

diagnostics::Span spanOf(const Subject& subject, const Equations& equations,
                         const schedule::Statement& statement) {
  const pdg::Graph& graph = subject.program->graph();
  if (statement.role == schedule::Statement::Role::Emit)
    return graph.sinks()[static_cast<size_t>(statement.sink)].span;
  const pdg::Node& node = graph.node(statement.node);
  const int tensor = equations.tensorOf[static_cast<size_t>(node.id)];
  const bool leaf = !node.name.empty() || tensor < 0;
  if (statement.piece >= 0 && leaf) {
    const auto piece = static_cast<size_t>(statement.piece);
    const auto& pieces = std::get<pdg::Merge>(node.op).pieces;
    if (tensor >= 0) {
      const auto own = subject.places.find(equations.tensors[static_cast<size_t>(tensor)].name);
      if (own != subject.places.end() && own->second.size() == pieces.size())
        return own->second[piece];
    }
    const diagnostics::Span span = graph.node(node.inputs[piece].producer).span;
    if (subject.shows(span.file)) return span;
  }
  if (subject.shows(node.span.file) || tensor < 0) return node.span;
  return equations.tensors[static_cast<size_t>(tensor)].span;
}

std::string placeText(const Subject& subject, diagnostics::Span span) {
  if (!span.known()) return "";
  const std::string path = subject.sources->path(span.file);
  const size_t library = path.rfind("/std/");
  const std::string shown = span.file == subject.entry
                                ? std::filesystem::path(path).filename().string()
                            : library != std::string::npos ? path.substr(library + 1)
                                                           : path;
  return shown + ":" + std::to_string(subject.sources->begin(span).line);
}

std::string lineKey(const Subject& subject, diagnostics::Span span) {
  if (!span.known() || !subject.shows(span.file)) return "";
  return span.file == subject.entry ? std::to_string(subject.sources->begin(span).line)
                                    : placeText(subject, span);
}

std::string lineText(const Subject& subject, diagnostics::Span span) {
  if (!span.known()) return "";
  std::string text(subject.sources->lineText(span.file, subject.sources->begin(span).line));
  const size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

}  // namespace rlc::explain
