#include "compiler/loops/verifier.h"

#include <algorithm>
#include <map>
#include <set>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/loops/printer.h"

namespace rlc::loops {

namespace {

class Verifier {
 public:
  explicit Verifier(const Program& program) : program_(program) {}

  std::vector<std::string> run() {
    for (const Buffer& buffer : program_.buffers) checkBuffer(buffer);
    block(program_.body);
    for (BufferId id : inLanes_)
      require(!outsideLanes_.contains(id), "`" + program_.buffers[static_cast<size_t>(id)].name +
                                               "` is private to lanes and used outside of them");
    return std::move(problems_);
  }

 private:
  struct Local {
    DType type;
    bool assignable;
  };
  struct OpenLoop {
    VarId var;
    Stmt::Loop kind;
  };

  void require(bool condition, const std::string& what) {
    if (!condition) problems_.push_back(what);
  }

  void checkBuffer(const Buffer& b) {
    const int64_t bytes = b.elements * static_cast<int64_t>(byteSize(b.type));
    const std::string what = "buffer `" + b.name + "` ";
    require(b.elements >= 0, what + "has a negative length");
    switch (b.kind) {
      case Buffer::Kind::Arena:
        require(b.offset >= 0 && b.offset % 64 == 0, what + "is not at a multiple of 64 bytes");
        require(b.offset + bytes <= program_.arenaBytes, what + "ends past the arena");
        break;
      case Buffer::Kind::Parameter:
        require(b.offset >= 0 &&
                    b.offset + static_cast<int64_t>(byteSize(b.type)) <= program_.parameterBytes,
                what + "lies outside of the parameter block");
        break;
      case Buffer::Kind::Constant:
        require(static_cast<int64_t>(b.data.size()) == b.elements,
                what + "has data of another length");
        break;
      case Buffer::Kind::Private:
      case Buffer::Kind::Scratch:
      case Buffer::Kind::Thread:
        break;
    }
  }

  const Buffer* bufferAt(BufferId id) {
    const bool known = id >= 0 && static_cast<size_t>(id) < program_.buffers.size();
    require(known, "buffer " + std::to_string(id) + " does not exist");
    if (!known) return nullptr;
    const Buffer& buffer = program_.buffers[static_cast<size_t>(id)];
    if (buffer.kind == Buffer::Kind::Private) (isInLanes() ? inLanes_ : outsideLanes_).insert(id);
    return &buffer;
  }

  void expr(const Expr& e, const char* what) {
    if (!e) return require(false, std::string("no ") + what);
    for (const Expr& arg : e->args) expr(arg, "operand");
    switch (e->kind) {
      case ExprNode::Kind::Literal:
        require(e->literal.type == e->type, "a literal of another type");
        break;
      case ExprNode::Kind::Variable: {
        const auto found = locals_.find(e->var);
        require(found != locals_.end(),
                "v" + std::to_string(e->var) + " is read where it is not defined");
        if (found != locals_.end())
          require(found->second.type == e->type,
                  "v" + std::to_string(e->var) + " is read as another type");
        break;
      }
      case ExprNode::Kind::Load:
        if (const Buffer* b = bufferAt(e->buffer))
          require(b->type == e->type, "`" + b->name + "` is read as another type");
        require(e->args.size() == 1 && e->args[0]->type == DType::I64,
                "an index that is not one i64");
        break;
      case ExprNode::Kind::Op:
        op(*e);
        break;
      case ExprNode::Kind::Fma:
        require(e->args.size() == 3 && isFloat(e->type), "fma of other than three floats");
        for (const Expr& arg : e->args) require(arg->type == e->type, "fma of different types");
        break;
      case ExprNode::Kind::Factor:
        require(e->args.size() == 1 && e->args[0]->type == DType::F32 && e->type == DType::BF16,
                "a factor of other than one f32");
        break;
      case ExprNode::Kind::Pair:
        require(e->args.size() == 2 && e->args[0]->type == DType::BF16 &&
                    e->args[1]->type == DType::BF16 && e->type == DType::I32,
                "a pair of other than two bf16");
        break;
      case ExprNode::Kind::PairFma:
        require(e->args.size() == 3 && e->args[0]->type == DType::I32 &&
                    e->args[1]->type == DType::I32 && e->args[2]->type == DType::F32 &&
                    e->type == DType::F32,
                "fma of other than two pairs and an f32");
        break;
      case ExprNode::Kind::Random: {
        const size_t extra = e->draw == ExprNode::Draw::UniformInt      ? 2
                             : e->draw == ExprNode::Draw::StandardGamma ? 1
                                                                        : 0;
        require(e->args.size() == static_cast<size_t>(e->coordinates) + 1 + extra,
                "a draw with a wrong number of operands");
        for (size_t i = 0; i <= static_cast<size_t>(e->coordinates) && i < e->args.size(); ++i)
          require(e->args[i]->type == DType::I64, "a draw at a coordinate that is no i64");
        break;
      }
    }
  }

  void op(const ExprNode& e) {
    const std::string what(name(e.op));
    if (static_cast<int>(e.args.size()) != arity(e.op))
      return require(false, "wrong operands of " + what);
    if (e.op == ScalarOp::Cast) return;
    const bool select = e.op == ScalarOp::Select;
    if (select) require(e.args[0]->type == DType::Bool, "a selection by another type than bool");
    for (size_t i = select ? 2 : 1; i < e.args.size(); ++i)
      require(e.args[i]->type == e.args[i - 1]->type, what + " of different types");
    const bool test = isComparison(e.op) || (e.op >= ScalarOp::IsNan && e.op <= ScalarOp::Not);
    require(e.type == (test ? DType::Bool : e.args.back()->type), what + " with a wrong type");
  }

  void block(const Block& statements) {
    const auto outer = locals_;
    for (const auto& stmt : statements) {
      const size_t before = problems_.size();
      statement(*stmt);
      for (size_t i = before; i < problems_.size(); ++i)
        if (problems_[i].find("\n") == std::string::npos) problems_[i] += "\n  " + headOf(*stmt);
    }
    locals_ = outer;
  }

  std::string headOf(const Stmt& stmt) const {
    switch (stmt.kind) {
      case Stmt::Kind::For:
        return "in the loop over v" + std::to_string(stmt.var) +
               (stmt.comment.empty() ? "" : " (" + stmt.comment + ")");
      case Stmt::Kind::Store:
      case Stmt::Kind::Accumulate:
        return "in the statement that writes " +
               (stmt.index ? print(program_, stmt.index) : std::string("?")) + " of buffer " +
               std::to_string(stmt.buffer);
      default:
        return stmt.value ? "in the statement with " + print(program_, stmt.value)
                          : "in a statement without a value";
    }
  }

  void define(const Stmt& stmt, bool assignable) {
    require(stmt.var >= 0 && stmt.var < program_.variables, "a variable's number is out of range");
    expr(stmt.value, "value");
    if (stmt.value) require(stmt.value->type == stmt.type, "a local is given another type");
    locals_[stmt.var] = {stmt.type, assignable};
  }

  void write(BufferId id, const Expr& index, const Expr* value) {
    expr(index, "index");
    if (index) require(index->type == DType::I64, "an index that is no i64");
    if (value != nullptr) expr(*value, "value");
    const Buffer* b = bufferAt(id);
    if (b == nullptr) return;
    require(b->kind != Buffer::Kind::Constant && b->kind != Buffer::Kind::Parameter,
            "`" + b->name + "` is read-only");
    if (value != nullptr && *value)
      require((*value)->type == b->type, "`" + b->name + "` is given another type");
  }

  bool isInLanes() const {
    return std::any_of(open_.begin(), open_.end(),
                       [](const OpenLoop& loop) { return loop.kind == Stmt::Loop::Lanes; });
  }

  bool isSequential() const {
    for (const OpenLoop& loop : open_)
      if (loop.kind != Stmt::Loop::Sequential) return false;
    return true;
  }

  void statement(const Stmt& s) {
    switch (s.kind) {
      case Stmt::Kind::For:
        loop(s);
        break;
      case Stmt::Kind::If:
        condition(s);
        block(s.body);
        block(s.otherwise);
        break;
      case Stmt::Kind::Let:
        define(s, false);
        break;
      case Stmt::Kind::Declare:
        define(s, true);
        break;
      case Stmt::Kind::Assign: {
        expr(s.value, "value");
        const auto found = locals_.find(s.var);
        require(found != locals_.end() && found->second.assignable,
                "v" + std::to_string(s.var) + " cannot be assigned here");
        if (found != locals_.end() && s.value)
          require(s.value->type == found->second.type, "an assignment of another type");
        break;
      }
      case Stmt::Kind::Store:
      case Stmt::Kind::Accumulate:
        write(s.buffer, s.index, &s.value);
        break;
      case Stmt::Kind::Check:
        condition(s);
        require(s.fault >= 0 && static_cast<size_t>(s.fault) < program_.faults.size(),
                "an unknown fault");
        if (s.fault >= 0 && static_cast<size_t>(s.fault) < program_.faults.size())
          require(
              program_.faults[static_cast<size_t>(s.fault)].coordinateNames.size() <= s.args.size(),
              "a fault without its coordinates");
        integers(s.args);
        break;
      case Stmt::Kind::Exit:
        exit(s);
        break;
      case Stmt::Kind::Emit:
        require(isSequential(), "a value is emitted by parallel code");
        integers(s.args);
        break;
      case Stmt::Kind::Call:
        integers(s.args);
        for (size_t i = 0; i < s.places.size(); ++i) {
          const bool source = s.function != Stmt::Function::Permutation && i + 1 < s.places.size();
          if (source)
            expr(s.places[i].index, "index");
          else
            write(s.places[i].buffer, s.places[i].index, nullptr);
        }
        break;
    }
  }

  void condition(const Stmt& s) {
    expr(s.value, "condition");
    if (s.value) require(s.value->type == DType::Bool, "a condition that is no bool");
  }

  void integers(const std::vector<Expr>& args) {
    for (const Expr& arg : args) {
      expr(arg, "coordinate");
      if (arg) require(arg->type == DType::I64, "a coordinate that is no i64");
    }
  }

  void exit(const Stmt& s) {
    condition(s);
    for (auto loop = open_.rbegin(); loop != open_.rend(); ++loop) {
      if (loop->kind != Stmt::Loop::Sequential) break;
      if (loop->var == s.var) return;
    }
    require(false, "an exit from no sequential loop around it");
  }

  void loop(const Stmt& s) {
    integers({s.lo, s.hi});
    for (const auto& reduction : s.reductions) {
      if (reduction.local < 0)
        bufferAt(reduction.buffer);
      else
        require(locals_.count(reduction.local) != 0, "a loop reduces into an undefined local");
    }
    require(s.var >= 0 && s.var < program_.variables, "a variable's number is out of range");
    const auto outer = locals_;
    locals_[s.var] = {DType::I64, false};
    open_.push_back({s.var, s.loop});
    block(s.body);
    open_.pop_back();
    locals_ = outer;
  }

  const Program& program_;
  std::map<VarId, Local> locals_;
  std::vector<OpenLoop> open_;
  std::set<BufferId> inLanes_, outsideLanes_;  // private buffers, by where they are used
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> verify(const Program& program) { return Verifier(program).run(); }

void requireValid(const Program& program) {
  const std::vector<std::string> problems = verify(program);
  if (!problems.empty()) throw InternalError("loop IR: " + problems.front());
}

}  // namespace rlc::loops
