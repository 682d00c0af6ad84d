#include "compiler/explain/kernels.h"

#include <algorithm>
#include <map>

#include "compiler/loops/work.h"
#include "compiler/types/lists.h"

namespace rlc::explain {

namespace {

using loops::Expr;
using loops::ExprNode;
using loops::Stmt;

constexpr double kPassing = 0.002;  // of the program's work

class KernelFinder {
 public:
  explicit KernelFinder(const Subject& subject)
      : subject_(subject), equations_(equationsOf(subject.program->graph(), subject.places)) {
    for (const pdg::Node& node : subject.program->graph().nodes())
      if (const int tensor = equations_.tensorOf[static_cast<size_t>(node.id)]; tensor >= 0)
        ownPlace_.emplace(std::pair{node.span.file, node.span.begin},
                          equations_.tensors[static_cast<size_t>(tensor)].span);
  }

  std::vector<Kernel> find() {
    block(subject_.program->lowered().program.body, "");
    std::erase_if(kernels_, [](const Kernel& kernel) { return kernel.stores == 0; });
    weigh();
    return std::move(kernels_);
  }

 private:
  void block(const loops::Block& statements, const std::string& around) {
    bool running = false;  // the last kernel takes in what runs in order here
    for (const auto& statement : statements) {
      const bool loop = statement->kind == Stmt::Kind::For;
      if (loop && statement->loop == Stmt::Loop::Sequential && holdsParallel(statement->body)) {
        block(statement->body,
              around + (around.empty() ? "" : " > ") + "for " + statement->comment);
        running = false;
        continue;
      }
      const bool parallel =
          loop && (statement->loop != Stmt::Loop::Sequential || holdsParallel(statement->body));
      if (parallel || !running) {
        kernels_.emplace_back();
        kernels_.back().loops = around;
        if (parallel) kernels_.back().shape = shapeOf(*statement);
      }
      running = !parallel;
      kernels_.back().statements.push_back(statement.get());
      visit(*statement, kernels_.back());
    }
  }

  void weigh() {
    const loops::WorkCount count(subject_.program->lowered().program);
    const auto weight = [](const loops::Work& work) {
      return work.flops + (work.loadBytes + work.storeBytes) / 4;
    };
    const double all = weight(count.total());
    if (all <= 0) return;
    for (Kernel& kernel : kernels_)
      for (const Stmt* statement : kernel.statements)
        kernel.share += weight(count.of(*statement)) / all;
    // What stands in one outermost loop is brief only as a whole.
    std::map<std::string, double> shareOf;
    for (const Kernel& kernel : kernels_) shareOf[outermost(kernel)] += kernel.share;
    for (Kernel& kernel : kernels_)
      kernel.passing =
          kernel.loops.empty() ? kernel.share < kPassing : shareOf[outermost(kernel)] < kPassing;
  }
  static std::string outermost(const Kernel& kernel) {
    return kernel.loops.substr(0, kernel.loops.find(" > "));
  }

  static bool holdsParallel(const loops::Block& block) {
    return std::any_of(block.begin(), block.end(), [](const auto& s) {
      const bool index =
          s->kind == Stmt::Kind::For && (!s->comment.empty() || s->loop == Stmt::Loop::Parallel);
      return (index && s->loop != Stmt::Loop::Sequential) || holdsParallel(s->body);
    });
  }

  static std::string shapeOf(const Stmt& outer) {
    static constexpr const char* kKinds[] = {"for ", "threads ", "lanes "};
    std::string text;
    for (const Stmt* s = &outer; s->kind == Stmt::Kind::For;) {
      text += (text.empty() ? "" : " > ") + std::string(kKinds[static_cast<size_t>(s->loop)]) +
              (s->comment.empty() ? "an axis" : s->comment);
      if (s->body.size() != 1) break;
      s = s->body.front().get();
    }
    return text;
  }

  void visit(const Stmt& s, Kernel& kernel) {
    addSpan(s.span, kernel);
    for (const Expr* e : {&s.lo, &s.hi, &s.value, &s.index}) visit(*e, kernel);
    for (const Expr& e : s.args) visit(e, kernel);
    for (const auto& place : s.places) write(place.buffer, kernel);
    if (s.buffer >= 0) write(s.buffer, kernel);
    for (const auto& inner : s.body) visit(*inner, kernel);
    for (const auto& inner : s.otherwise) visit(*inner, kernel);
  }

  void visit(const Expr& e, Kernel& kernel) {
    if (!e) return;
    if (e->kind == ExprNode::Kind::Load) addOnce(kernel.reads, e->buffer);
    kernel.draws += e->kind == ExprNode::Kind::Random;
    kernel.operations += e->kind == ExprNode::Kind::Op || e->kind == ExprNode::Kind::Fma;
    for (const Expr& arg : e->args) visit(arg, kernel);
  }

  void write(loops::BufferId buffer, Kernel& kernel) {
    addOnce(kernel.writes, buffer);
    ++kernel.stores;
  }

  static void addOnce(std::vector<loops::BufferId>& list, loops::BufferId buffer) {
    if (!contains(list, buffer)) list.push_back(buffer);
  }

  void addSpan(diagnostics::Span span, Kernel& kernel) {
    if (!span.known()) return;
    if (const auto own = ownPlace_.find({span.file, span.begin}); own != ownPlace_.end())
      span = own->second;
    const std::string key = lineKey(subject_, span);
    if (key.empty()) return;
    for (const auto& other : kernel.spans)
      if (lineKey(subject_, other) == key) return;
    kernel.spans.push_back(span);
  }

  const Subject& subject_;
  Equations equations_;
  std::map<std::pair<int, uint32_t>, diagnostics::Span>
      ownPlace_;  // of a library's place: the equation that it serves
  std::vector<Kernel> kernels_;
};

}  // namespace

std::vector<Kernel> kernelsOf(const Subject& subject) { return KernelFinder(subject).find(); }

std::string shareText(const Kernel& kernel) {
  const auto percent = static_cast<int>(kernel.share * 100.0 + 0.5);
  return (percent == 0 ? "less than 1" : "about " + std::to_string(percent)) + " % of the work";
}

std::vector<Stretch> stretchesOf(const std::vector<Kernel>& kernels) {
  std::vector<Stretch> result;
  for (size_t k = 0; k < kernels.size(); ++k) {
    const bool passing = kernels[k].passing;
    if (passing && !result.empty() && result.back().passing)
      result.back().last = k + 1;
    else
      result.push_back({k, k + 1, passing});
  }
  return result;
}

std::string Stretch::title() const {
  const std::string from = "k" + std::to_string(first + 1);
  return last == first + 1 ? from : from + " to k" + std::to_string(last);
}

}  // namespace rlc::explain
