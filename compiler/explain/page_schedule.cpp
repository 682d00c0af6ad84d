#include <algorithm>
#include <map>
#include <set>

#include "compiler/explain/html.h"
#include "compiler/explain/learning.h"
#include "compiler/explain/memory.h"
#include "compiler/explain/reasons.h"
#include "compiler/schedule/work.h"

namespace rlc::explain {

namespace {

using schedule::ScheduleNode;
using schedule::Statement;

constexpr size_t kMostReasons = 3;  // at a loop
constexpr double kShort = 0.002;    // of the program's points: a loop with fewer is closed at first

class Nest {
 public:
  explicit Nest(const Subject& subject)
      : subject_(subject),
        program_(*subject.program),
        equations_(equationsOf(program_.graph(), subject.places)),
        reasons_(orderReasons(subject)) {}

  std::string html() {
    for (const auto& root : program_.schedule().roots) all_ += pointsOf(*root);
    return children(program_.schedule().roots);
  }
  const std::set<std::string>& lines() const { return lines_; }

 private:
  // What computes the same line's tensor between two loops makes one row.
  struct Row {
    int tensor = -1, sink = -1;
    diagnostics::Span span;
    int leaves = 0, helpers = 0, starts = 0, sums = 0;
  };

  std::string children(const std::vector<schedule::ScheduleNodePtr>& nodes) {
    std::string html;
    std::vector<Row> rows;
    for (const auto& node : nodes) {
      if (node->kind == ScheduleNode::Kind::Statement) {
        addRow(rows, node->statement);
        continue;
      }
      html += flush(rows);
      if (node->kind == ScheduleNode::Kind::Scan) {
        for (int s : node->statements) addRow(rows, s);
        html +=
            "<div class=\"loop order\"><div class=\"head\">along several indices at once<span "
            "class=\"badge order\">in order</span>"
            "<span class=\"why\">no single index orders these equations: " +
            foundOrder(*node) + "</span></div>" + flush(rows) + "</div>\n";
      } else {
        html += loop(*node);
      }
    }
    return html + flush(rows);
  }

  static std::string foundOrder(const ScheduleNode& scan) {
    switch (scan.order) {
      case ScheduleNode::Order::Good:
        return "isl found a skewed order";
      case ScheduleNode::Order::Wavefront:
        return "they run along a sum of the indices";
      case ScheduleNode::Order::Any:
        return "isl found some order, and gave up the search for a good one";
    }
    return "";
  }

  std::string loop(const ScheduleNode& node) {
    using Execution = ScheduleNode::Execution;
    if (node.children.size() > 0 && schedule::tripCount(node, program_.schedule()) == 1)
      return children(node.children);
    std::string kind = node.parallel ? "any" : "order";
    if (node.execution == Execution::Lanes) kind = "lanes";
    if (node.execution == Execution::Threads) kind = "threads";
    if (node.execution == Execution::ThreadedLanes) kind = "both";
    // What takes next to no time, as initial weights do, does not stand in the way of the rest.
    const bool closed = depth_ == 0 && pointsOf(node) < kShort * all_;
    const std::string element = closed ? "details" : "div";
    std::string html = "<" + element + " class=\"loop " + kind + "\"><" +
                       (closed ? "summary" : "div") + " class=\"head\">for " + escaped(node.name) +
                       " in " + escaped(node.lo.toString(namer())) + ".." +
                       escaped(node.hi.toString(namer())) + (node.descending ? ", downward" : "") +
                       "<span class=\"badge " + kind + "\">" + executionText(node) + "</span>";
    if (const auto found = reasons_.find(&node); found != reasons_.end()) {
      for (size_t k = 0; k < found->second.size() && k < kMostReasons; ++k)
        html += "<span class=\"why\">" + marked(found->second[k].brief) + "</span>";
      if (found->second.size() > kMostReasons)
        html += "<span class=\"why\">and " + std::to_string(found->second.size() - kMostReasons) +
                " more</span>";
    }
    ++depth_;
    html += (closed ? "</summary>" : "</div>") + children(node.children) + "</" + element + ">\n";
    --depth_;
    return html;
  }

  // How many points of statements it runs, about.
  double pointsOf(const ScheduleNode& node) const {
    if (node.kind != ScheduleNode::Kind::Loop) return 1.0;
    double points = 0.0;
    for (const auto& child : node.children) points += pointsOf(*child);
    return points * static_cast<double>(schedule::tripCount(node, program_.schedule()));
  }

  void addRow(std::vector<Row>& rows, int s) const {
    const Statement& statement = program_.statements().list[static_cast<size_t>(s)];
    Row row;
    if (statement.role == Statement::Role::Emit) {
      row.sink = statement.sink;
    } else {
      row.tensor = equations_.tensorOf[static_cast<size_t>(statement.node)];
    }
    row.span = spanOf(subject_, equations_, statement);
    if (!subject_.shows(row.span.file) && row.tensor >= 0)
      row.span = equations_.tensors[static_cast<size_t>(row.tensor)].span;
    auto own = std::find_if(rows.begin(), rows.end(), [&](const Row& other) {
      return lineKey(subject_, other.span) == lineKey(subject_, row.span) &&
             other.tensor == row.tensor && other.sink == row.sink;
    });
    if (own == rows.end()) own = rows.insert(own, row);
    if (statement.node < 0) return;
    Row& last = *own;
    if (statement.role == Statement::Role::Init) {
      ++last.starts;
    } else if (statement.role == Statement::Role::Update) {
      ++last.sums;
    } else if (program_.graph().node(statement.node).name.empty()) {
      ++last.helpers;
    } else {
      ++last.leaves;
    }
  }

  std::string flush(std::vector<Row>& rows) {
    std::string html;
    for (const Row& row : rows) {
      std::string name, what;
      const diagnostics::Span span = row.span;
      if (row.sink >= 0) {
        const pdg::Sink& sink = program_.graph().sinks()[static_cast<size_t>(row.sink)];
        name = sink.label;
        what = "goes out";
      } else if (row.tensor >= 0) {
        const Tensor& tensor = equations_.tensors[static_cast<size_t>(row.tensor)];
        name = tensor.heading;
        what = summary(row);
      }
      const std::string line = lineKey(subject_, span);
      if (!line.empty()) lines_.insert(line);
      html += "<div class=\"run\"" + (line.empty() ? "" : " data-line=\"" + escaped(line) + "\"") +
              "><span class=\"line\">" + escaped(line.substr(line.rfind('/') + 1)) + "</span><b>" +
              escaped(name) + "</b><span class=\"what\">" + what + "</span></div>\n";
    }
    rows.clear();
    return html;
  }

  static std::string summary(const Row& row) {
    std::string text;
    const auto add = [&](int count, const char* one, const char* many) {
      if (count > 0)
        text +=
            (text.empty() ? "" : ", ") + std::to_string(count) + " " + (count == 1 ? one : many);
    };
    add(row.leaves, "equation", "equations");
    add(row.helpers, "intermediate value", "intermediate values");
    add(row.starts, "sum starts", "sums start");
    add(row.sums, "sum adds up", "sums add up");
    return text;
  }

  polyhedral::VarNamer namer() const {
    return [this](pdg::Var var) {
      const int32_t number = var.id - program_.graph().dimCount();
      const auto& names = program_.schedule().loopNames;
      return !var.isElement() && number >= 0 && number < static_cast<int32_t>(names.size())
                 ? names[static_cast<size_t>(number)]
                 : program_.graph().namer()(var);
    };
  }

  const Subject& subject_;
  const native::NativeProgram& program_;
  Equations equations_;
  std::map<const ScheduleNode*, std::vector<Reason>> reasons_;
  double all_ = 0.0;             // points of the whole program
  int depth_ = 0;                // loops around
  std::set<std::string> lines_;  // by their keys: those that something runs
};

}  // namespace

namespace {

// Of a library's file only the part that something runs, with the comments before and between.
std::string listing(const Subject& subject, diagnostics::FileId file,
                    const std::set<std::string>& used) {
  const auto keyOf = [&](int line) {
    const uint32_t begin = subject.sources->lineStart(file, line);
    return lineKey(subject, {file, begin, begin});
  };
  int first = 1, last = subject.sources->lineCount(file);
  const bool own = file == subject.entry;
  if (!own) {
    while (last > 0 && !used.contains(keyOf(last))) --last;
    while (first < last && !used.contains(keyOf(first))) ++first;
    if (last == 0) return "";
  }
  std::string html;
  if (subject.files.size() > 1) {
    const std::string key = own ? "" : keyOf(1);
    html += "<h4>" + escaped(own ? "the program" : key.substr(0, key.rfind(':'))) + "</h4>";
  }
  for (int line = first; line <= last; ++line) {
    const std::string key = keyOf(line);
    const bool runs = used.contains(key);
    html += "<div class=\"" + std::string(runs ? "used" : "idle") + "\"" +
            (runs ? " data-line=\"" + escaped(key) + "\"" : "") + "><b>" + std::to_string(line) +
            "</b>" + escaped(std::string(subject.sources->lineText(file, line))) + "</div>";
  }
  return html;
}

}  // namespace

Section scheduleSection(const Subject& subject) {
  Nest nest(subject);
  const std::string loops = nest.html();
  std::string source;
  for (diagnostics::FileId file : subject.files) source += listing(subject, file, nest.lines());
  std::string learning;
  for (const LearningNote& note : learningNotes(subject))
    learning += noteHtml(subject, note.during, note.reason.text, note.reason.span);
  return {"schedule", "Schedule",
          "<p class=\"lead\">The loops that the compiler found, beside the lines "
          "that they run (below them on a narrow screen); the program states no "
          "order. Point at a line or at a row to see where it runs. Under a loop that goes in "
          "order stands why it must. Loops "
          "that take next to no time are closed: click to open one.</p>\n" +
              learning + "<div class=\"beside\"><div class=\"source\">" + source + "</div><div>" +
              loops + "</div></div>\n"};
}

}  // namespace rlc::explain
