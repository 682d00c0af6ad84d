#include <algorithm>
#include <map>
#include <set>

#include "compiler/explain/html.h"
#include "compiler/explain/memory.h"
#include "compiler/explain/reasons.h"

namespace rlc::explain {

namespace {

using schedule::ScheduleNode;
using schedule::Statement;

constexpr size_t kMostReasons = 3;  // at a loop

class Nest {
 public:
  explicit Nest(const Subject& subject)
      : subject_(subject),
        program_(*subject.program),
        equations_(equationsOf(program_.graph(), subject.places)),
        reasons_(orderReasons(subject)) {}

  std::string html() { return children(program_.schedule().roots); }
  const std::set<int>& lines() const { return lines_; }

 private:
  // Neighbours that compute the same tensor make one row.
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
        html += "<div class=\"loop order\"><div class=\"head\">along several indices at once<span class=\"badge order\">in order</span>"
                "<span class=\"why\">no single index orders these equations: isl found " +
                std::string(node->hurried ? "some order, and gave up the search for a good one" : "a skewed order") + "</span></div>" + flush(rows) + "</div>\n";
      } else {
        html += loop(*node);
      }
    }
    return html + flush(rows);
  }

  std::string loop(const ScheduleNode& node) {
    using Execution = ScheduleNode::Execution;
    std::string kind = node.parallel ? "any" : "order";
    if (node.execution == Execution::Lanes) kind = "lanes";
    if (node.execution == Execution::Threads) kind = "threads";
    if (node.execution == Execution::ThreadedLanes) kind = "both";
    std::string html = "<div class=\"loop " + kind + "\"><div class=\"head\">for " + escaped(node.name) + " in " +
                       escaped(node.lo.toString(namer())) + ".." + escaped(node.hi.toString(namer())) +
                       (node.descending ? ", downward" : "") + "<span class=\"badge " + kind + "\">" + executionText(node) + "</span>";
    if (const auto found = reasons_.find(&node); found != reasons_.end()) {
      for (size_t k = 0; k < found->second.size() && k < kMostReasons; ++k)
        html += "<span class=\"why\">" + escaped(found->second[k].brief) + "</span>";
      if (found->second.size() > kMostReasons)
        html += "<span class=\"why\">and " + std::to_string(found->second.size() - kMostReasons) + " more</span>";
    }
    return html + "</div>" + children(node.children) + "</div>\n";
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
    if (row.span.file != subject_.entry && row.tensor >= 0) row.span = equations_.tensors[static_cast<size_t>(row.tensor)].span;
    if (rows.empty() || lineOf(rows.back().span) != lineOf(row.span) || rows.back().tensor != row.tensor || rows.back().sink != row.sink) rows.push_back(row);
    if (statement.node < 0) return;
    Row& last = rows.back();
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

  int lineOf(diagnostics::Span span) const { return span.known() ? subject_.sources->begin(span).line : 0; }

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
      const bool own = span.known() && span.file == subject_.entry;
      const int line = own ? subject_.sources->begin(span).line : 0;
      if (own) lines_.insert(line);
      html += "<div class=\"run\"" + (own ? " data-line=\"" + std::to_string(line) + "\"" : "") + "><span class=\"line\">" +
              (own ? std::to_string(line) : "") + "</span><b>" + escaped(name) + "</b><span class=\"what\">" + what + "</span></div>\n";
    }
    rows.clear();
    return html;
  }

  static std::string summary(const Row& row) {
    std::string text;
    const auto add = [&](int count, const char* one, const char* many) {
      if (count > 0) text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + (count == 1 ? one : many);
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
      return !var.isElement() && number >= 0 && number < static_cast<int32_t>(names.size()) ? names[static_cast<size_t>(number)]
                                                                                            : program_.graph().namer()(var);
    };
  }

  const Subject& subject_;
  const native::NativeProgram& program_;
  Equations equations_;
  std::map<const ScheduleNode*, std::vector<Reason>> reasons_;
  std::set<int> lines_;  // of the program's file that something runs
};

}  // namespace

Section scheduleSection(const Subject& subject) {
  Nest nest(subject);
  const std::string loops = nest.html();
  std::string source;
  for (int line = 1; line <= subject.sources->lineCount(subject.entry); ++line) {
    const bool used = nest.lines().contains(line);
    source += "<div class=\"" + std::string(used ? "used" : "idle") + "\"" +
              (used ? " data-line=\"" + std::to_string(line) + "\"" : "") + "><b>" + std::to_string(line) + "</b>" +
              escaped(std::string(subject.sources->lineText(subject.entry, line))) + "</div>";
  }
  return {"schedule", "Schedule",
          "<p class=\"lead\">The loops that the compiler found, on the right, beside the lines that they run; the program states no "
          "order. Point at a line or at a row to see where it runs. Under a loop that goes in order stands why it must.</p>\n"
          "<div class=\"beside\"><div class=\"source\">" + source + "</div><div>" + loops + "</div></div>\n"};
}

}  // namespace rlc::explain
