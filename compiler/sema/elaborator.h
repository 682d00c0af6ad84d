// The elaborator's state and its parts, one group of methods a file. Internal to compiler/sema.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/diagnostics/nearest.h"
#include "compiler/sema/elaborate.h"
#include "compiler/sema/place.h"

namespace rlc::sema {

using diagnostics::Diagnostic;
using diagnostics::Kind;
using pdg::Node;

struct Builtin;
class Elaborator {
 public:
  Elaborator(diagnostics::SourceMap& sources, const Options& options, polyhedral::Context& context,
             diagnostics::DiagnosticSink& sink);
  ~Elaborator();
  Elaborator(const Elaborator&) = delete;
  Elaborator& operator=(const Elaborator&) = delete;
  std::optional<Program> run(const syntax::File& entry);

  // ---- errors (blame.cpp, statics.cpp) ----
  // `suspect`: an expression whose value is what is wrong.
  void report(Diagnostic diagnostic, const Written& suspect = {});
  Span inProgram(Span span, const Written& suspect = {}) const;
  std::optional<size_t> callBehind(Span span) const;
  std::optional<Span> argumentOf(const std::shared_ptr<Symbol>& parameter, size_t call) const;
  std::optional<Span> argumentIn(const Written& written, size_t call) const;
  std::optional<Span> blamedArgument(const Written& suspect, size_t call) const;
  bool inLibrary(Span span) const;
  std::string comparedIn(const Expr& condition, const Place& place);
  ValueRef fail(Kind kind, Span span, std::string message, std::string hint = "");
  std::string show(const ValueRef& value) const;
  std::string show(const IndexExpr& expr) const;
  polyhedral::VarNamer namer() const;
  bool dry() const { return dry_ > 0; }
  void useStatically(const Tensor& tensor);
  std::optional<int64_t> staticInt(const ValueRef& value, Span span, const std::string& what);
  std::optional<std::vector<int64_t>> staticInts(const ValueRef& value, Span span,
                                                 const std::string& what);
  std::optional<bool> staticBool(const ValueRef& value, Span span, const std::string& what);
  std::optional<IndexExpr> affine(const ValueRef& value, Span span, const std::string& what);
  std::optional<IndexExpr> affine(const Expr& expr, const Place& place, const std::string& what);
  // Of a shape: not negative, and not made 0 by a param's value from outside.
  std::optional<std::string> settingOf(const Value& value) const;
  std::optional<ValueRef> paramList(const ValueRef& list, const ValueRef& byDefault,
                                    const syntax::ParamDecl& decl, std::optional<DType> declared,
                                    const Place& place);
  bool emptiedBySetting(const syntax::IndexItem& item, const pdg::Dim& dim, const Place& place);
  std::optional<IndexExpr> extent(const ValueRef& value, Span span);

  // ---- nodes (builder.cpp) ----
  NodeId addNode(Node node);
  View data(const Tensor& tensor, DType type, const Place& place);
  View data(const Tensor& tensor, const Place& place) { return data(tensor, tensor.type, place); }
  // `span`: where a value that does not fit is told of.
  Tensor cast(const Tensor& tensor, DType type, const Place& place, Span span = {});
  Tensor stored(const Tensor& tensor, const Place& place);  // with a view
  // Floats that are known become nodes of their own, and stay known: a derivative is by one of
  // them, and not by all constants of its value.
  ValueRef asVariables(const ValueRef& value, const Place& place);
  void attach(Node& node, const std::vector<View>& operands);
  std::vector<Var> dimsOf(const std::vector<View>& views, const Place& place,
                          const std::vector<Var>& also = {}) const;
  Tensor identity(NodeId node, const std::vector<Var>& dims, DType type,
                  std::vector<IndexExpr> shape) const;
  Tensor constant(DenseTensor value, Span span);
  Tensor map(ScalarOp op, std::vector<Tensor> operands, DType operandType, DType result,
             const Place& place, Span span);
  std::optional<std::vector<IndexExpr>> broadcast(const std::vector<std::vector<IndexExpr>>& shapes,
                                                  const Place& place, Span span);
  View broadcastTo(const Tensor& tensor, const View& view, size_t rank,
                   const std::vector<IndexExpr>& shape) const;
  Tensor expand(const Tensor& tensor, const std::vector<IndexExpr>& shape, const Place& place);
  bool sameExtent(const IndexExpr& a, const IndexExpr& b, const Place& place);
  DType common(const std::vector<Tensor>& tensors) const;
  DType floatType(const Tensor& tensor) const;
  Tensor mapUnary(ScalarOp op, const Tensor& a, const Place& place,
                  Span span);  // of floats: ints become F32
  Tensor select(const Tensor& condition, const Tensor& a, const Tensor& b, const Place& place,
                Span span);
  Tensor detach(const Tensor& a, const Place& place, Span span,
                pdg::Detach::Why why = pdg::Detach::Why::Asked);
  // A merge of tensors that hold on disjoint parts of the space; they have been elaborated there.
  Tensor mergeByPoint(const std::vector<std::pair<Set, Tensor>>& pieces,
                      const std::vector<Var>& conditionVars, const Place& place, Span span);
  std::optional<Tensor> stackedConstants(const std::vector<Tensor>& parts, DType type, Span span);
  Tensor stack(const std::vector<Tensor>& parts, int axis, const Place& place, Span span);
  Tensor concatenate(const std::vector<Tensor>& parts, int axis, const Place& place, Span span);

  // ---- reductions of element axes and of range variables (builder_reduce.cpp) ----
  Var freshDim(const std::string& name, Span span, IndexExpr lo, IndexExpr hi, bool isRange);
  Tensor reduceAxis(pdg::ReduceKind kind, const Tensor& a, int axis, bool keep, const Place& place,
                    Span span);
  Tensor reducePoints(pdg::ReduceKind kind, const Tensor& body, const std::vector<Var>& bound,
                      const Place& inner, const Place& place, const std::optional<Tensor>& filter,
                      Span span);
  Tensor prefixSum(const Tensor& a, int axis, const Place& place, Span span);
  Tensor sortAxis(const Tensor& a, int axis, bool positions, bool descending, const Place& place,
                  Span span);
  Tensor matmul(const Tensor& a, const Tensor& b, const Place& place, Span span);
  int64_t axisOf(const Tensor& a, int64_t axis, Span span);  // -1: reported

  // ---- operators (operators.cpp) ----
  ValueRef binary(syntax::BinaryOp op, const ValueRef& a, const ValueRef& b, const Place& place,
                  Span span);
  Tensor binaryTensors(syntax::BinaryOp op, const Tensor& a, const Tensor& b, const Place& place,
                       Span span);
  ValueRef unary(syntax::UnaryOp op, const ValueRef& a, const Place& place, Span span);
  ValueRef guessedBool() const;  // what takes only bools where its operand isn't inferred yet
  ValueRef lift(std::vector<ValueRef> values,
                const std::function<ValueRef(const std::vector<Tensor>&)>& f, const Place& place,
                Span span);
  std::optional<Tensor> toTensor(const ValueRef& value, const Place& place, Span span);
  std::optional<Tensor> boolTensor(const ValueRef& value, const Place& place, Span span,
                                   const std::string& what);
  std::optional<Tensor> oneBool(const ValueRef& value, const Place& place, Span span,
                                const std::string& what);
  // The set of points of the space where a static condition holds; nullopt: it is data.
  std::optional<Set> pointsWhere(const Tensor& condition, const Place& place, Span span,
                                 bool& failed);
  ValueRef mergeValues(const Set& where, const std::vector<Var>& vars, const ValueRef& yes,
                       const ValueRef& no, const Place& place, Span span);

  // ---- expressions (expressions.cpp) ----
  ValueRef eval(const Expr& expr, const Place& place);
  ValueRef evalName(const std::string& name, Span span, const Place& place);
  ValueRef valueOf(const std::shared_ptr<Symbol>& symbol, const std::string& name, Span span,
                   const Place& place);
  ValueRef evalIf(const syntax::IfExpr& e, Span span, const Place& place);
  void touchIndices(const syntax::Expr& unneeded, const Place& place);
  ValueRef evalBranch(const Expr& expr, const Place& place);
  ValueRef joinBranches(const syntax::IfExpr& e, const Place& place,
                        const std::function<ValueRef(const ValueRef&, const ValueRef&)>& join);
  ValueRef evalLogic(const syntax::BinaryExpr& e, Span span, const Place& place);
  ValueRef evalMember(const syntax::MemberExpr& e, Span span, const Place& place);
  ValueRef member(const ValueRef& object, const std::string& name, Span span, const Place& place);
  ValueRef evalList(const syntax::ListExpr& e, Span span, const Place& place);
  std::optional<IndexExpr> lookupIndex(Var index, Span span, const Place& place);

  // ---- reading (reading.cpp, reading_resolve.cpp) ----
  ValueRef evalSubscript(const syntax::SubscriptExpr& e, Span span, const Place& place);
  ValueRef readTensor(TensorDef& tensor, Span span, const Place& place);  // bare
  ValueRef readAt(const std::vector<Position>& positions, const ValueRef& signature,
                  const TensorDef* checked, const std::string& name, const std::vector<Slot>& slots,
                  Span span, const Place& place);
  ValueRef readOver(const Symbol& symbol, const std::string& name, Span span, const Place& place);
  std::optional<std::vector<Slot>> resolveEntries(const std::string& name,
                                                  const std::vector<Position>& positions,
                                                  const std::vector<syntax::Entry>& entries,
                                                  Span span, const Place& place);
  std::optional<Slot> slotOf(const syntax::Entry& entry, const Place& place);
  std::vector<int> mentionedPositions(const std::vector<Position>& positions,
                                      const syntax::Entry& entry, const Place& place);
  ValueRef elementAccess(const ValueRef& value, const std::vector<syntax::Entry>& entries,
                         Span span, const Place& place);
  Tensor applySlots(const Tensor& tensor, const std::vector<Var>& vars,
                    const std::vector<Slot>& slots, bool elements, const Place& place);
  Tensor gatherLast(const Tensor& tensor, const Tensor& positions,
                    const Place& place);  // positions: the shape without the last axis
  std::string missingHint(const TensorDef& tensor, const std::vector<Var>& dims,
                          const std::vector<IndexExpr>& at, const Set& where,
                          const Set& exists) const;
  void checkRead(const TensorDef& tensor, const std::vector<Var>& dims,
                 const std::vector<IndexExpr>& at, const std::vector<IndexExpr>& leading, Span span,
                 const Place& place);
  void checkDerivedReads(const ValueRef& value, const std::string& name, Span span,
                         const Place& place);
  // Where a slice has elements.
  Place whereNotEmpty(const Slot& slice, const Place& place) const;
  void checkElement(const IndexExpr& at, const IndexExpr& extent, const Slot& slot,
                    const Place& place);

  // ---- indices, params, statics (statics.cpp) ----
  void declareParams(const syntax::ParamItem& item, const std::shared_ptr<Scope>& scope,
                     bool program);
  void resolveParam(Symbol& symbol);
  void resolveIndex(Symbol& symbol, const std::string& name, const std::shared_ptr<Scope>& scope);
  SpaceRef declaredSpace(std::vector<Var> indices);
  std::vector<Var> closeIndices(const std::set<Var>& touched)
      const;  // with the indices that their bounds mention, in declared order

  // ---- equations (equations.cpp, equations_left.cpp, signatures.cpp) ----
  std::shared_ptr<System> makeSystem(const std::vector<const syntax::Item*>& items,
                                     const std::shared_ptr<Scope>& scope, SpaceRef outer,
                                     std::vector<Var> over, bool program);
  void addTargets(System& system, EquationDef& equation, const syntax::Pattern& pattern,
                  std::vector<size_t> path);
  void elaborateSystem(System& system);
  void resolveLeft(System& system, EquationDef& equation);
  void orderGroups(System& system);
  void inferGroup(System& system, std::vector<TensorDef*>& group);
  // A right side over what is known of the tensors that it reads, and which these are: it is what
  // it was for as long as they are.
  struct Inferred {
    ValueRef value;
    SpaceRef space;
    std::set<Var> touched;
    std::vector<Var> outer;  // the dims of the space around the equations
    std::set<const TensorDef*> reads;
  };
  using Inferences = std::map<const EquationDef*, Inferred>;
  Inferred inferRight(System& system, EquationDef& equation);
  // Whether anything has changed. `known`: right sides of the passes before.
  bool inferOnce(System& system, std::vector<TensorDef*>& group, bool widen, Inferences& known);
  ValueRef settled(const ValueRef& value, bool keepConstants, const Place& place, Span span);
  bool selfDependent(System& system, TensorDef& tensor);
  void finishPositions(TensorDef& tensor);
  void defineEquationSpace(System& system, EquationDef& equation);
  std::optional<Var> unnamedIn(const ValueRef& value, System& system, const EquationDef& equation);
  void reportMissing(const EquationDef& equation, Var index);
  void nameDraws(EquationDef& equation, Space& space);
  void defineTensor(TensorDef& tensor);
  void checkOverlaps(TensorDef& tensor);
  void elaborateEquation(System& system, EquationDef& equation);
  void connect(TensorDef& tensor, Target& target, const ValueRef& value, const Place& place);
  // No equation and no sink is lost in silence (completeness.cpp).
  void checkComplete(const System& system);
  void lost(const void* item, const std::string& what);
  void reportLost();
  ValueRef evalRight(System& system, EquationDef& equation, const Place& place);
  ValueRef sampledTogether(const syntax::Pattern& names, const System& system,
                           const ValueRef& distribution, const Place& place, Span span);
  ValueRef sampled(const ValueRef& value, const Place& place, Span span, int64_t drawsBefore);
  ValueRef part(const ValueRef& value, const std::vector<size_t>& path, Span span,
                bool distributeScalars);
  bool namesAllParts(const syntax::Pattern& left, const ValueRef& value);
  ValueRef joinSignatures(const ValueRef& a, const ValueRef& b, bool widen, Span span);
  ValueRef letValue(TensorDef& tensor, Span span);
  Var ownVar(System& system, Var index);
  std::optional<IndexExpr> leftExpr(System& system, const Expr& expr);
  bool resolveTarget(System& system, TensorDef& tensor, Target& target);
  IndexExpr toOwn(System& system, const IndexExpr& declared);
  struct Inverse {
    std::map<Var, IndexExpr> of;  // the equation's variables as expressions of the tensor's dims
    Condition condition = Condition::always();
    std::vector<Var> undetermined;
  };
  Inverse inverse(const TensorDef& tensor, const Target& target) const;
  void createMerges(TensorDef& tensor);
  void finishMerges(TensorDef& tensor);
  ValueRef conform(const ValueRef& value, const ValueRef& signature, const std::string& name,
                   const Place& place, Span span);

  // ---- calls (calls.cpp) ----
  ValueRef evalCall(const syntax::CallExpr& e, Span span, const Place& place);
  ValueRef boundOf(const std::string& name, bool end, Span span, const Place& place);
  ValueRef endOf(Var index, Span span, const Place& place);
  ValueRef call(const ValueRef& callee, std::vector<CallArgs::Arg> args, Span span,
                const Place& place, const Expr* written = nullptr);
  ValueRef callFunction(const Function& f, std::vector<CallArgs::Arg> args,
                        const std::shared_ptr<Scope>& scope, Span span, const Place& place);
  ValueRef evalBody(const syntax::Body& body, const std::shared_ptr<Scope>& scope,
                    const Place& place, Span span);
  ValueRef evalBlock(const syntax::Block& items, const std::shared_ptr<Scope>& scope,
                     const Place& place, Span span, bool needResult);
  ValueRef leaving(ValueRef value, const std::vector<Var>& own, Span span, const Place& place);
  bool bindParameters(const std::string& what, const std::vector<syntax::Parameter>& parameters,
                      std::vector<CallArgs::Arg> args, Scope& scope, Span span, const Place& place,
                      std::vector<std::pair<std::string, ValueRef>>* bound,
                      const std::set<std::string>& variables = {});
  ValueRef callReduction(const std::string& name, const syntax::CallExpr& e, Span span,
                         const Place& place);
  ValueRef annotated(const ValueRef& value, const syntax::TypeExpr& type, Scope& scope,
                     const std::string& what, const Place& place, Span span);
  ValueRef withinRange(const Tensor& value, const ValueRange& range, std::string what,
                       const Place& place, Span span);
  struct Requirement {
    std::string words, wayOut;
  };
  Tensor readWithin(const Tensor& value, const ValueRange& range, Requirement required,
                    const Place& place, Span span);
  ValueRef required(const ValueRef& x, const Tensor& condition, Requirement what,
                    const Place& place, Span span);
  ValueRef callType(DType type, const CallArgs& args);
  ValueRef makeRecord(const RecordType& type, const CallArgs& args);
  // `for` clauses: the inner place, the bound variables, the filter.
  struct Binding {
    Place place;
    std::vector<Var> bound;
    std::vector<std::pair<IndexExpr, IndexExpr>> bounds;
    std::optional<Tensor> filter;  // data
    std::set<Var> dependences;     // what bounds and lazy filters depend on
    bool open = false;             // a bound is not known yet
    bool failed = false;
  };
  Binding bindRanges(const syntax::Comprehension& comprehension, const Place& place,
                     bool withFilter);
  Tensor logSumExpPoints(const Tensor& t, Binding& binding, const Place& place, Span span);
  ValueRef unroll(const Expr& body, const syntax::Comprehension& comprehension, Span span,
                  const Place& place);

  // ---- modules, policies, envs (modules.cpp, envs.cpp) ----
  // The equations of a block of an env. Those of `renew` draw from the streams of `reset`: what is
  // drawn as an episode begins does not depend on whether an env says what the new one keeps.
  struct BlockEquations {
    std::vector<const syntax::Item*> items;
    bool renews = false;
  };
  ValueRef instantiate(const std::shared_ptr<const Class>& c, std::vector<CallArgs::Arg> args,
                       Span span, const Place& place);
  std::shared_ptr<Scope> memberScope(const Class& c,
                                     const std::vector<std::pair<std::string, ValueRef>>& bound,
                                     const ValueRef& self, const BlockEquations& block,
                                     const Place& place, const Instance* made = nullptr);
  std::shared_ptr<Scope> instanceScope(const Instance& instance, const Place& place);
  ValueRef callMethod(const ValueRef& object, const std::string& method,
                      std::vector<CallArgs::Arg> args, Span span, const Place& place);
  ValueRef callInstance(const ValueRef& object, std::vector<CallArgs::Arg> args, Span span,
                        const Place& place);
  ValueRef initWeights(const Instance& instance, Span span, const Place& place);
  // The function that a call runs, where the callee is one of the program's; else null.
  const syntax::FnItem* calledBody(const ValueRef& callee) const;
  ValueRef withWeights(const Instance& instance, const ValueRef& weights);
  bool hasMethod(const ValueRef& object, const std::string& method) const;
  ValueRef callPolicy(const Class& c, std::vector<CallArgs::Arg> args, Span span,
                      const Place& place);
  ValueRef callEnv(const Instance& env, const std::string& method, std::vector<CallArgs::Arg> args,
                   Span span, const Place& place);
  ValueRef actionSpace(const Instance& env, const Place& place);
  bool acceptsAction(const Instance& env, const CallArgs::Arg& action, const Place& place);

  // ---- draws (draws.cpp) ----
  Tensor draw(pdg::DrawKind kind, DType type, std::vector<IndexExpr> shape,
              const std::vector<View>& inputs, const Place& place, Span span, Var category = {},
              int64_t categories = 0);
  ValueRef sample(const ValueRef& distribution, const std::vector<IndexExpr>& shape,
                  bool reparameterized, const Place& place, Span span);
  ValueRef gradient(const ValueRef& loss, const ValueRef& wrt, const Place& place, Span span);

  // ---- files (files.cpp) ----
  // What a name that nothing has may stand for: the library's own, of other languages; or empty.
  std::string libraryHint(const std::string& name) const;
  bool isThere(const std::string& path);  // a file; that there is none is noted
  std::shared_ptr<Scope> loadFile(const std::string& path, const std::string& modulePath, Span use);
  void declareItems(const syntax::Block& items, const std::shared_ptr<Scope>& scope, bool program);
  void declareUse(const syntax::UseItem& use, Span span, const std::shared_ptr<Scope>& scope);
  void declare(const std::shared_ptr<Scope>& scope, const syntax::Name& name,
               std::shared_ptr<Symbol> symbol);
  std::shared_ptr<Scope> builtinScope();

  // ---- sinks (sinks.cpp) ----
  void elaborateSink(const syntax::SinkItem& sink, Span span, const std::shared_ptr<Scope>& scope);
  bool isNewFile(const pdg::Sink& save);  // says so if not
  pdg::SinkValue sinkValue(const ValueRef& value, const Place& place, Span span,
                           const std::vector<Var>& dims, bool& ok);

  // ---- the end (elaborator.cpp) ----
  Program finish(System& system);
  void recordEnd(Var index);
  void checkNestedEnds();  // reports an end that depends on itself through another

  // ---- cycles (cycles.cpp) ----
  void checkCycles();
  void reportCycle(const std::vector<std::pair<NodeId, polyhedral::Point>>& cycle);

  pdg::Graph& graph() { return graph_; }
  int64_t draws = 0;              // draw sites made so far
  bool reparameterized_ = false;  // the right side being elaborated used `reparam`

  class DrawPath {  // a part of the stream's name, while it lives
   public:
    DrawPath(Elaborator& elaborator, const std::string& name);
    ~DrawPath();

   private:
    Elaborator& elaborator_;
    std::string saved_;
  };

 private:
  friend class DrawPath;
  class SavedTogether;
  friend void addRandom(std::vector<struct Builtin>& table);
  struct ReadsNoted {  // the tensors that are read, as long as it lives
    Elaborator& e;
    ReadsNoted(Elaborator& elaborator, std::set<const TensorDef*>& reads) : e(elaborator) {
      e.noting_.push_back(&reads);
    }
    ~ReadsNoted() { e.noting_.pop_back(); }
  };
  void noteRead(const TensorDef& tensor) {
    for (auto* reads : noting_) reads->insert(&tensor);
  }
  struct DryRun {
    Elaborator& e;
    explicit DryRun(Elaborator& elaborator) : e(elaborator) { ++e.dry_; }
    ~DryRun() { --e.dry_; }
  };

  diagnostics::SourceMap& sources_;
  const Options& options_;
  polyhedral::Context& context_;
  diagnostics::DiagnosticSink& sink_;
  pdg::Graph graph_;
  std::map<std::string, std::vector<Span>> parts_;
  std::vector<NameFact> names_;
  std::set<std::string> absent_;
  int dry_ = 0;
  std::vector<std::set<const TensorDef*>*> noting_;
  int dryDims_ = 0;
  const char* stackBase_ = nullptr;  // of the outermost expression
  int callDepth_ = 0, callCount_ = 0;
  bool callLimitReported_ = false;
  diagnostics::FileId entryFile_ = -1;
  std::set<std::string> programTargets_;  // names that gradients of the program are by
  std::vector<CallFrame> calls_;          // being inlined, outermost first
  std::set<std::pair<uint32_t, uint32_t>> faultyCalls_;  // in the program, of the library: reported
  std::string drawPath_;
  struct Together {          // the names of one `(x, v) ~ D`: they share the first one's streams
    std::string first, own;  // paths: of the first of them, and of the one that is being drawn
    int64_t part = 0, parts = 1;
  };
  Together together_;
  std::map<std::string, int> drawCounts_;
  std::vector<IndexExpr> targetShape_;  // of the draw being made: `weight W: f32[m, n] ~ D`
  std::vector<Param> params_;
  std::map<std::string, std::string> overrides_;
  std::vector<std::shared_ptr<Symbol>> indices_;
  std::vector<std::string> indexNames_;
  std::shared_ptr<Scope> builtins_, prelude_, programScope_;
  std::map<std::string, std::shared_ptr<Scope>> files_;
  std::vector<std::shared_ptr<syntax::File>> trees_;
  std::vector<std::shared_ptr<System>> systems_;
  std::map<std::pair<int, std::string>, NodeId> constants_;
  std::map<NodeId, const TensorDef*> owners_;  // merges of tensors
  std::vector<const syntax::ParamDecl*> paramDecls_;
  std::vector<syntax::ExprPtr> keptExprs_;
  std::set<Var> brokenIndices_;
  bool emptied_ = false;  // an index has no point for a setting, and was given one to go on with
  std::vector<std::pair<std::shared_ptr<Scope>, syntax::Name>>
      brokenNames_;                     // of lines that could not be parsed
  std::set<const TensorDef*> assumed_;  // f32, for want of anything that says otherwise
  std::vector<const syntax::Item*> equations_;
  std::vector<std::pair<const syntax::SinkItem*, Span>> sinkItems_;
  std::vector<std::string> indexDocs_;
  std::set<const Scope*> loaded_;
  std::vector<std::shared_ptr<Scope>> blockScopes_;
  IndexExpr firstTrueOtherwise_;
  std::vector<std::pair<std::string, Var>>
      overArguments_;             // of the call being made: `over t`, bound
  std::vector<Var> overIndices_;  // of the body about to be elaborated
  struct Until {
    std::shared_ptr<Symbol> symbol;
    bool busy = false;
  };
  std::map<Var, Until> untils_;
  std::set<Var> boundDependences_;  // variables that the bounds and lazy filters of the reduction
                                    // being built depend on
  std::vector<TensorDef*> uninferred_;
  // Inference of tensors that depend on themselves is under way: what fails may do so because a
  // type is still a guess.
  bool guessing_ = false;
  int inferringAt_ = 0;    // how deep in calls the equation stands whose type is inferred
  bool touching_ = false;  // only the indices of an expression are of interest
  bool waiting_ = false;   // and what is computed from an unknown type is unknown, not a guess
  int unsaidErrors_ = 0;   // of inference so far; a guess that has one is none
  // What inference last found wrong, by equation or sink: said if elaboration finds nothing to say.
  std::map<const void*, Diagnostic> unsaid_;
  const void* inferring_ = nullptr;
  std::vector<std::pair<const void*, std::string>> lost_;
  std::map<std::vector<Var>, SpaceRef> declaredSpaces_;
};

}  // namespace rlc::sema
