#include "compiler/loops/printer.h"

#include <charconv>
#include <map>

namespace rlc::loops {

namespace {

std::string numberText(double value) {
  char text[40];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

// How tightly an expression's outermost operation binds.
int precedence(const ExprNode& e) {
  if (e.kind != ExprNode::Kind::Op) return 9;
  switch (e.op) {
    case ScalarOp::Or:
      return 1;
    case ScalarOp::And:
      return 2;
    case ScalarOp::Lt:
    case ScalarOp::Le:
    case ScalarOp::Eq:
    case ScalarOp::Ne:
      return 3;
    case ScalarOp::Add:
    case ScalarOp::Sub:
      return 4;
    case ScalarOp::Mul:
    case ScalarOp::Div:
    case ScalarOp::FloorDiv:
    case ScalarOp::Mod:
      return 5;
    case ScalarOp::Neg:
    case ScalarOp::Not:
      return 6;
    default:
      return 9;
  }
}

const char* infix(ScalarOp op) {
  switch (op) {
    case ScalarOp::Or:
      return " or ";
    case ScalarOp::And:
      return " and ";
    case ScalarOp::Lt:
      return " < ";
    case ScalarOp::Le:
      return " <= ";
    case ScalarOp::Eq:
      return " == ";
    case ScalarOp::Ne:
      return " != ";
    case ScalarOp::Add:
      return " + ";
    case ScalarOp::Sub:
      return " - ";
    case ScalarOp::Mul:
      return " * ";
    case ScalarOp::Div:
      return " / ";
    case ScalarOp::FloorDiv:
      return " // ";
    case ScalarOp::Mod:
      return " % ";
    default:
      return nullptr;
  }
}

class Printer {
 public:
  explicit Printer(const Program& program) : program_(program) { nameBuffers(); }

  std::string program() {
    for (size_t i = 0; i < program_.buffers.size(); ++i) {
      const Buffer& b = program_.buffers[i];
      const char* const kinds[] = {"arena",   "constant", "parameter",
                                   "private", "scratch",  "thread"};
      out_ += std::string(kinds[static_cast<size_t>(b.kind)]) + " " + buffers_[i] + ": " +
              std::string(name(b.type));
      if (b.kind != Buffer::Kind::Parameter) out_ += "[" + std::to_string(b.elements) + "]";
      if (b.offset >= 0) out_ += " at " + std::to_string(b.offset);
      out_ += "\n";
    }
    if (!program_.buffers.empty()) out_ += "\n";
    block(program_.body);
    return std::move(out_);
  }

  std::string expr(const Expr& e, int outer = 0) {
    if (!e) return "?";
    const int own = precedence(*e);
    std::string text = bare(*e, own);
    return own < outer ? "(" + text + ")" : text;
  }

  std::string only(const Stmt& s) {
    statement(s);
    return std::move(out_);
  }

  const std::vector<std::string>& buffers() const { return buffers_; }

 private:
  // Names are made unique by a number.
  void nameBuffers() {
    std::map<std::string, int> seen;
    for (size_t i = 0; i < program_.buffers.size(); ++i) {
      std::string base =
          program_.buffers[i].name.empty() ? "b" + std::to_string(i) : program_.buffers[i].name;
      const int repeated = seen[base]++;
      buffers_.push_back(repeated == 0 ? base : base + "." + std::to_string(repeated));
    }
  }

  std::string buffer(BufferId id) const {
    return id >= 0 && static_cast<size_t>(id) < buffers_.size() ? buffers_[static_cast<size_t>(id)]
                                                                : "?";
  }

  static std::string variable(VarId var) { return "v" + std::to_string(var); }

  std::string list(const std::vector<Expr>& args) {
    std::string text;
    for (size_t i = 0; i < args.size(); ++i) text += (i == 0 ? "" : ", ") + expr(args[i]);
    return text;
  }

  std::string bare(const ExprNode& e, int own) {
    switch (e.kind) {
      case ExprNode::Kind::Literal:
        if (e.type == DType::Bool) return e.literal.i != 0 ? "true" : "false";
        return e.literal.isFloating() ? numberText(e.literal.f) : std::to_string(e.literal.i);
      case ExprNode::Kind::Variable:
        return variable(e.var);
      case ExprNode::Kind::Load:
        return buffer(e.buffer) + "[" + list(e.args) + "]";
      case ExprNode::Kind::Fma:
        return "fma(" + list(e.args) + ")";
      case ExprNode::Kind::Factor:
        return "factor(" + list(e.args) + ")";
      case ExprNode::Kind::Pair:
        return "pair(" + list(e.args) + ")";
      case ExprNode::Kind::PairFma:
        return "pair_fma(" + list(e.args) + ")";
      case ExprNode::Kind::Random: {
        const char* const draws[] = {"uniform", "normal", "uniform_int", "gamma"};
        return std::string(draws[static_cast<size_t>(e.draw)]) + "(" + list(e.args) + ")";
      }
      case ExprNode::Kind::Op:
        break;
    }
    if (const char* sign = infix(e.op); sign != nullptr && e.args.size() == 2)
      return expr(e.args[0], own) + sign + expr(e.args[1], own + 1);
    if (e.op == ScalarOp::Neg) return "-" + expr(e.args[0], own);
    if (e.op == ScalarOp::Not) return "not " + expr(e.args[0], own);
    if (e.op == ScalarOp::Cast) return std::string(name(e.type)) + "(" + list(e.args) + ")";
    return std::string(name(e.op)) + "(" + list(e.args) + ")";
  }

  void line(const std::string& text) {
    out_ += std::string(static_cast<size_t>(2 * depth_), ' ') + text + "\n";
  }

  void block(const Block& statements) {
    for (const auto& stmt : statements) statement(*stmt);
  }

  void nested(const Block& statements) {
    ++depth_;
    block(statements);
    --depth_;
  }

  void statement(const Stmt& s) {
    static const char* const combines[] = {"sum", "prod", "max", "min", "all", "any"};
    switch (s.kind) {
      case Stmt::Kind::For: {
        const char* const loops[] = {"for", "parallel", "lanes"};
        std::string text = std::string(loops[static_cast<size_t>(s.loop)]) + " " + variable(s.var) +
                           " in " + expr(s.lo) + ".." + expr(s.hi) +
                           (s.descending ? " descending" : "") +
                           (s.elements ? " in any order" : "") + ":";
        if (s.besideLast) text += " beside the last";
        for (const auto& r : s.reductions)
          text += std::string(" ") + combines[static_cast<size_t>(r.combine)] + " into " +
                  (r.local >= 0 ? variable(r.local) : buffer(r.buffer));
        line(s.comment.empty() ? text : text + "  # " + s.comment);
        nested(s.body);
        break;
      }
      case Stmt::Kind::If:
        line("if " + expr(s.value) + ":");
        nested(s.body);
        if (s.otherwise.empty()) break;
        line("else:");
        nested(s.otherwise);
        break;
      case Stmt::Kind::Let:
        line("let " + variable(s.var) + ": " + std::string(name(s.type)) + " = " + expr(s.value));
        break;
      case Stmt::Kind::Declare:
        line("var " + variable(s.var) + ": " + std::string(name(s.type)) + " = " + expr(s.value));
        break;
      case Stmt::Kind::Assign:
        line(variable(s.var) + " = " + expr(s.value));
        break;
      case Stmt::Kind::Store:
        line(buffer(s.buffer) + "[" + expr(s.index) + "] = " + expr(s.value));
        break;
      case Stmt::Kind::Accumulate:
        line(buffer(s.buffer) + "[" + expr(s.index) + "] " +
             (s.combine == Combine::Sum ? "+"
                                        : std::string(combines[static_cast<size_t>(s.combine)])) +
             "= " + expr(s.value));
        break;
      case Stmt::Kind::Check:
        line("check " + expr(s.value) + " else fault " + std::to_string(s.fault) + "(" +
             list(s.args) + ")");
        break;
      case Stmt::Kind::Exit:
        line("exit " + variable(s.var) + " if " + expr(s.value));
        break;
      case Stmt::Kind::Emit:
        line("emit " + std::to_string(s.sink) + "(" + list(s.args) + ")");
        break;
      case Stmt::Kind::Call: {
        const char* const functions[] = {"sort",        "argsort", "permutation",
                                         "tree update", "product", "prefetch"};
        std::string text = list(s.args);
        for (const auto& place : s.places)
          text +=
              (text.empty() ? "&" : ", &") + buffer(place.buffer) + "[" + expr(place.index) + "]";
        line(std::string(functions[static_cast<size_t>(s.function)]) + "(" + text + ")");
        break;
      }
    }
  }

  const Program& program_;
  std::vector<std::string> buffers_;
  std::string out_;
  int depth_ = 0;
};

}  // namespace

std::string print(const Program& program) { return Printer(program).program(); }

std::string print(const Program& program, const Expr& e) { return Printer(program).expr(e); }

std::string print(const Program& program, const Stmt& statement) {
  return Printer(program).only(statement);
}

std::vector<std::string> bufferNames(const Program& program) { return Printer(program).buffers(); }

}  // namespace rlc::loops
