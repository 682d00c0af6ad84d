// Loop IR to LLVM IR. One class, its methods split over files by aspect: emit_expr (expressions),
// emit_op (scalar operations), emit_memory (loads, stores), emit_stmt (statements), emit_loop
// (sequential loops and masks), emit_lanes (Lanes loops and their reductions), emit_outer (products
// summed over lanes), emit_rows and emit_transposed (rows of memory, read and written by lanes),
// emit_units (vectors of units, where lanes are few), emit_pairs (products of pairs of factors),
// emit_bands and emit_fetches (mapped files), emit_parallel, emit_random, emit_kept_draw, formulas.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "jit/cpu/early_draws.h"
#include "jit/cpu/executable.h"
#include "jit/cpu/plan.h"
#include "jit/cpu/scaled_draws.h"
#include "jit/cpu/unit_vectors.h"

namespace rlc::cpu {

// A value of an expression. In a block of lanes it is the same for all of them (Uniform), advances
// by a constant from lane to lane (Linear: `v` is lane 0's, I64 only), or is a vector (Varying).
// BF16 is held as a rounded float, Bool as i1.
struct Value {
  enum class Shape : uint8_t { Uniform, Linear, Varying };
  llvm::Value* v = nullptr;
  Shape shape = Shape::Uniform;
  int64_t stride = 0;
  bool uniform() const { return shape == Shape::Uniform; }
};

class Emitter {
 public:
  Emitter(const loops::Program& program, const Plan& plan, llvm::Module& module,
          const TargetDescription& target);
  void emitProgram();

  static constexpr const char* kEntry = "rlc_main";
  static constexpr const char* kThreadScratch =
      "rlc_thread_scratch_bytes";  // exported i64 constants
  static constexpr const char* kScratch = "rlc_scratch_bytes";

 private:
  using B = llvm::IRBuilder<>;
  using V = llvm::Value;

  static constexpr int64_t kStackLimit =
      256 << 10;  // bytes of one function's buffers; larger ones live in scratch memory

  // ---- state ------------------------------------------------------------------------------------
  struct Variable {
    Value value;                       // a Let or a loop's variable
    llvm::AllocaInst* slot = nullptr;  // a mutable local
    bool varying = false;              // of the slot
    bool partial =
        false;  // the slot holds a Lanes loop's partial results: inactive lanes must stay out of it
  };
  struct KeptBlock {  // the last block of random words of a stream, kept while a loop runs
    uint64_t stream = 0;
    loops::ExprNode::Draw draw{};  // what its words become
    DType type{};
    llvm::BasicBlock* before = nullptr;  // of that loop
    int lanes = 1;                       // 1: shared by all
    std::vector<loops::Expr> outer;      // coordinates that the loop does not change
    bool asked = false;                  // computed for the lanes that ask for it, not for all
    bool numbers = false;                // what the words make, in the place of the first of them
    llvm::AllocaInst *number = nullptr, *words = nullptr,
                     *drawn = nullptr;  // drawn: bits of the lanes whose words are there
  };
  struct ScratchPiece {
    int64_t offset, bytes;
  };
  struct Function {  // the LLVM function being emitted
    llvm::Function* function = nullptr;
    llvm::BasicBlock* allocas = nullptr;
    llvm::BasicBlock* leave = nullptr;
    V* context = nullptr;
    V* arena = nullptr;
    V* scratch = nullptr;
    V* chunk = nullptr;          // its number; null outside of a parallel loop
    V* threadScratch = nullptr;  // null in the main function: it uses the shared scratch
    std::unordered_map<loops::BufferId, V*> privates;
    std::unordered_map<loops::BufferId, V*> copies;  // a chunk's own copies of what it reduces into
    std::unordered_map<uint64_t, V*> streamKeys;     // computed at the function's start
    std::vector<KeptBlock> keptBlocks;
    int64_t stackBytes = 0;
    std::vector<ScratchPiece> freed;  // of its scratch
    bool parallel = false;
  };
  struct Lanes {  // the block of lanes being emitted; width 1: none
    int width = 1;
    V* mask = nullptr;         // active lanes; null: all
    bool conditional = false;  // the mask is more than the loop's end
    V* any = nullptr;          // whether a lane is active; null: known to be
    V* asked = nullptr;  // those whose draws matter in the expression being emitted; null: all
    const loops::Stmt* loop = nullptr;
    const LanesPlan* plan = nullptr;
  };
  struct OpenLoop {  // a sequential loop that an Exit may leave
    loops::VarId var = -1;
    llvm::BasicBlock* exit = nullptr;
    llvm::AllocaInst* alive = nullptr;  // lanes that have not left it; null: all leave together
    const loops::Stmt* loop = nullptr;
    llvm::BasicBlock* before = nullptr;
    llvm::BasicBlock* inside = nullptr;  // where an iteration begins
  };

  // ---- types (emitter.cpp) ----------------------------------------------------------------------
  llvm::Type* registerType(DType type);  // f32 for BF16, i1 for Bool
  llvm::Type* memoryType(DType type);    // i16 for BF16, i8 for Bool
  llvm::Type* vectorOf(llvm::Type* element) {
    return llvm::FixedVectorType::get(element, static_cast<unsigned>(lanes_.width));
  }
  llvm::Constant* constant(const Scalar& value);  // of register type
  llvm::ConstantInt* i64(int64_t value) { return b_.getInt64(static_cast<uint64_t>(value)); }
  V* splat(V* scalar) {
    return lanes_.width == 1 ? scalar
                             : b_.CreateVectorSplat(static_cast<unsigned>(lanes_.width), scalar);
  }
  V* iota(llvm::Type* element);
  V* vectorValue(const Value& value);  // as a vector, whatever its shape
  V* scalarValue(const Value& value);  // of a uniform value; lane 0's of a linear one
  Value varyingOf(V* v) { return {v, Value::Shape::Varying, 0}; }
  llvm::AllocaInst* newSlot(llvm::Type* type, const char* name);
  llvm::BasicBlock* newBlock(const char* name);
  V* contextField(int number, llvm::Type* type);
  const loops::Buffer& bufferAt(loops::BufferId id) const {
    return program_.buffers[static_cast<size_t>(id)];
  }
  llvm::FunctionCallee runtimeFunction(const char* name, llvm::Type* result,
                                       std::vector<llvm::Type*> args);
  V* coordinateArray(const std::vector<V*>& values);

  // ---- masks (emit_loop.cpp) --------------------------------------------------------------------
  V* anyOf(V* mask);     // i1
  V* laneBits(V* mask);  // iW
  void setMask(V* mask, bool conditional);
  V* andMask(V* mask);  // the active lanes among `mask`
  void refreshMask();   // lanes that have left an open loop are no longer active
  V* activeOr(V* vector,
              V* inactive);  // inactive lanes replaced; the vector itself where all are active

  // ---- expressions ------------------------------------------------------------------------------
  Value expr(const loops::Expr& e);
  Value exprUncached(const loops::ExprNode& e);
  Value opExpr(const loops::ExprNode& e);
  Value arm(const loops::Expr& e, const Value& condition, bool chosen);
  std::optional<Value> linearOp(ScalarOp op, const Value& a, const Value& b);
  V* apply(ScalarOp op, DType operand, DType result, const std::vector<V*>& args);  // emit_op.cpp
  V* integerOp(ScalarOp op, DType type, V* a, V* b);
  V* integerPower(DType type, V* base, V* exponent);
  V* truncatedQuotient(V* a, V* b);  // of signed integers; b is neither 0 nor -1
  V* floatOp(ScalarOp op, DType type, V* a, V* b);
  V* remainder(V* a, V* b);  // of floats, as C's fmod
  V* quotient(V* a, V* b);   // of floats
  V* comparison(ScalarOp op, DType type, V* a, V* b);
  V* castTo(DType from, DType to, V* v);
  V* saturated(V* v, llvm::Type* integers);  // a vector of floats
  V* roundToBf16(V* v);
  V* combine(loops::Combine combine, DType type, V* a, V* b);
  Scalar identity(loops::Combine combine, DType type);
  V* formula(ScalarOp op, DType type, V* a, V* b);  // formulas.cpp
  Value factor(const loops::ExprNode& e);           // emit_pairs.cpp
  Value pair(const loops::ExprNode& e);
  std::optional<Value> loadedPair(const loops::ExprNode& e);
  Value pairFma(const loops::ExprNode& e);
  V* multipliedPairs(V* x, V* y, V* sum);
  Value random(const loops::ExprNode& e);  // emit_random.cpp
  V* gamma(const loops::ExprNode& e, const std::vector<Value>& args);
  llvm::Function* sharedDraw(const loops::ExprNode& e, int words);
  V* streamKey(uint64_t stream);
  // emit_kept_draw.cpp
  std::optional<Value> keptDraw(const loops::ExprNode& e, const std::vector<Value>& args,
                                const ScaledDraw* scaled = nullptr);
  std::optional<Value> scaledKeptDraw(const loops::ExprNode& e);
  bool staysBelow(const loops::Expr& e, int64_t limit) const;
  const OpenLoop* keepingLoop(const loops::ExprNode& e) const;
  KeptBlock& keptBlock(const loops::ExprNode& e, const OpenLoop& loop, int lanes);
  // The block of a lane, or of some; null: of all.
  using Blocks = std::function<std::vector<V*>(V* lane)>;
  void drawForAsked(const KeptBlock& kept, V* number, const Blocks& blockOf, bool gathers);
  void drawOneByOne(const KeptBlock& kept, V* missing, const Blocks& blockOf,
                    llvm::BasicBlock* drawn);
  // Some of the lanes that draw, moved to the front of a vector: their numbers, and the way back.
  struct Gathered {
    V* lanes;                // <n x i64>
    std::vector<V*> places;  // of each register's lanes among the gathered ones, <16 x i32>
    V* chosen;               // the lanes that are among them, as bits
    V* rest;                 // those that are left
  };
  Gathered gatherByRegisters(V* left);
  Gathered gatherByBytes(V* left);
  void drawGathered(const KeptBlock& kept, V* missing, const Blocks& blockOf,
                    llvm::BasicBlock* drawn);
  void spreadGathered(const KeptBlock& kept, const Gathered& gathered, const std::vector<V*>& own,
                      V* chosen);
  // emit_early_draws.cpp
  struct Early {  // the draws for the next iteration that are being emitted
    enum class Stage : uint8_t { None, Most, Rest };
    Stage stage = Stage::None;
    uint64_t stream = 0;
    V* rest = nullptr;                      // bits of the lanes that are left
    std::vector<llvm::Instruction*> chain;  // what draws for most
  };
  void iterationWithDraws(const EarlyDraws& draws, const loops::Stmt& loop);
  void drawNext(const EarlyDraws& draws, const loops::Stmt& loop, V* asked, Early::Stage stage);
  void drawMost(const KeptBlock& kept, V* asked, const Blocks& blockOf);
  void drawRest(const KeptBlock& kept, const Blocks& blockOf);

  // ---- memory (emit_memory.cpp) -----------------------------------------------------------------
  V* base(loops::BufferId id);  // of element 0
  bool laneOwned(loops::BufferId id) const {
    return lanes_.width > 1 &&
           plan_.privates[static_cast<size_t>(id)].owner == PrivatePlan::Owner::Lane;
  }
  V* address(loops::BufferId id, V* index);  // of an element; lane-owned: of lane 0's
  V* whereAsked(V* index);
  V* lanePointers(loops::BufferId id, const Value& index);
  V* blockPointer(loops::BufferId id, const loops::Expr& indexExpr, const Value& index);
  Value load(loops::BufferId id, const loops::Expr& index);
  Value loadLaneOwned(loops::BufferId id, const Value& index);
  void store(loops::BufferId id, const loops::Expr& index, const Value& value);
  void storeLaneOwned(loops::BufferId id, const Value& index, V* value);
  V* toMemory(DType type, V* v);
  V* fromMemory(DType type, V* v);
  void tag(llvm::Instruction* instruction, loops::BufferId id);  // alias scopes
  template <class I>
  I* tagged(I* instruction, loops::BufferId id) {
    tag(instruction, id);
    return instruction;
  }
  void makeScopes();

  // ---- bands (emit_bands.cpp) -------------------------------------------------------------------
  const Bands& bandsOf(loops::BufferId id) const { return plan_.bands.of[static_cast<size_t>(id)]; }
  V* inBands(const Bands& bands, V* element);  // a number, or one for each lane
  V* inBands(const Bands& bands, V* row, V* lane);
  void fetchBand(const loops::Stmt& loop, V* lane);  // of the tensors that the loop fetches ahead
  void fetchNextBand(const loops::Stmt& loop, V* lane, V* end);

  // ---- fetches (emit_fetches.cpp) ---------------------------------------------------------------
  void tellOfBytes(const char* function, V* from, V* bytes);  // calls (pointer, i64)
  void fetchAhead(V* from, V* bytes);
  void adviseFetched(V* from, int64_t bytes);  // that nothing there is touched without that
  void adviseArena();
  void dropLeftOver(const loops::Stmt& lanes);
  const LoopFetches* fetchesOf(const loops::Stmt& loop) const;  // null: none
  void fetchStrips(const loops::Stmt& loop, const LoopFetches& fetches, V* lo, V* hi, V* done);
  void fetchIterations(const Fetch& fetch, const loops::Stmt& loop, V* first, V* number);
  V* fetchedAddress(const Fetch& fetch, const loops::Stmt& loop, V* iteration);  // an i64

  // ---- statements -------------------------------------------------------------------------------
  void block(const loops::Block& block);
  void statement(const loops::Stmt& stmt, const loops::Stmt* beside = nullptr);
  void enterRegion(int64_t region);  // tells the clock; -1: none
  void ifStmt(const loops::Stmt& stmt);
  void assign(const loops::Stmt& stmt);
  void declare(const loops::Stmt& stmt);
  void accumulate(const loops::Stmt& stmt);
  void accumulateDirect(const loops::Stmt& stmt, const Value& value);
  void check(const loops::Stmt& stmt);
  void exitStmt(const loops::Stmt& stmt);
  void emit(const loops::Stmt& stmt);
  void call(const loops::Stmt& stmt);
  void prefetch(const loops::Stmt& stmt);
  void forEachActiveLane(const std::function<void(V* lane)>& body);
  V* laneOf(const Value& value, V* lane);  // its scalar in one lane

  // ---- loops ------------------------------------------------------------------------------------
  void forStmt(const loops::Stmt& stmt);
  void sequential(const loops::Stmt& stmt);
  void sequentialMasked(const loops::Stmt& stmt, const Value& lo, const Value& hi);
  void markProgress(size_t offset, V* value);  // stores to the context
  // for (i = lo; i < hi; i += step) body(i), or from hi - step downward; `check` emits a test that
  // enters no empty loop.
  void countedLoop(V* lo, V* hi, int64_t step, bool descending, llvm::BasicBlock* exit,
                   const std::function<void(V*)>& body, bool vectorizable = true);
  // The same for a loop that may have to look whether to stop, or to fetch ahead what it goes
  // through.
  void stripLoop(const loops::Stmt& stmt, V* lo, V* hi, int64_t step, bool descending,
                 llvm::BasicBlock* exit, const std::function<void(V*)>& body,
                 bool vectorizable = true);
  void pollStop(const loops::Stmt& stmt,
                V* next);  // `next`: the iteration that is not completed yet
  void lanes(const loops::Stmt& stmt, const LanesPlan& plan);
  void laneBlock(const loops::Stmt& stmt, V* first, V* mask);
  void laneBlocks(const loops::Stmt& stmt, const LanesPlan& plan, V* lo, V* hi);
  void beginPartials(const loops::Stmt& stmt, const LanesPlan& plan);
  void endPartials(const loops::Stmt& stmt);
  static bool runsAlways(const loops::Stmt& loop, const loops::Stmt& accumulate);
  void ifAnyAdded(const loops::Stmt& accumulate, V* lanes, const std::function<void()>& body);
  LaneSum laneSum(const loops::Stmt& accumulate) const;
  V* reduceLanes(loops::Combine combine, DType type, V* vector);
  V* valueOrZeros(const loops::Expr& e);  // f32 of the block's lanes, 0 of inactive ones
  void whereAnyIsActive(const std::function<void()>& body);
  bool outerProduct(const loops::Stmt& stmt);  // emit_outer.cpp
  bool rowSums(const loops::Stmt& stmt);       // emit_row_sums.cpp
  bool loopOverRows(const loops::Stmt& stmt);  // emit_rows.cpp
  std::vector<V*> transposedRows(loops::BufferId id, V* first, int64_t length);
  bool unitVectors(const loops::Stmt& stmt);  // emit_units.cpp
  bool emitsUnits(const UnitLoop& units) const;
  void unitTile(const UnitLoop& units, const std::function<V*(V*)>& first, int64_t vectors,
                int64_t length, int64_t lanes);
  void forUnits(const UnitExpr& e, const UnitLoop& units, const std::vector<V*>& first,
                int64_t length, int64_t lanes, const std::function<V*(size_t, size_t)>& sum,
                const std::function<void(size_t, size_t, V*)>& use);
  std::vector<V*> ofLanes(const loops::Expr& e, int64_t lanes);
  bool transposedStore(const loops::Stmt& stmt);  // emit_transposed.cpp
  // column(j), j below count, holds element j of all lanes; use(lane, v) gets a lane's elements,
  // laneVector() of them with zeros behind the last.
  void transposed(int64_t count, const std::function<V*(int64_t)>& column,
                  const std::function<void(int64_t, V*)>& use);
  // laneVector() f32 of a buffer that lie side by side; without those that a mask leaves out.
  V* loadRow(loops::BufferId id, V* place, V* mask);
  void storeRow(loops::BufferId id, V* row, V* place, V* mask);
  V* maskOfFirst(int64_t count);  // of them; null: of all
  int64_t laneVector() const {
    return std::min<int64_t>(lanes_.width, vectorBytes_ / 4);
  }  // f32 of a register, no more than lanes
  void parallel(const loops::Stmt& stmt, const ParallelPlan& plan);  // emit_parallel.cpp
  // Of a parallel loop whose chunks threads may share; null: none.
  const ParallelPlan* sharedPlan(const loops::Stmt& stmt) const;
  bool runsBeside(const loops::Stmt& first, const loops::Stmt& second) const;
  void sideBySide(const loops::Stmt& first, const loops::Stmt& second);
  llvm::Value* closureOf(const loops::Stmt& stmt, const ParallelPlan& plan);
  void callChunks(llvm::Function* body, llvm::Value* closure, int64_t chunks,
                  const ParallelPlan& plan);
  llvm::Constant* extentsOf(const std::vector<loops::BufferId>& buffers);
  llvm::Function* chunkFunction(const loops::Stmt& stmt, const ParallelPlan& plan);
  void chunk(const loops::Stmt& stmt, const ParallelPlan& plan);  // the function's body
  void combineCopies(const loops::Stmt& stmt, const ParallelPlan& plan);
  V* sumOfCopies(loops::Combine how, DType type, const std::vector<V*>& places);
  llvm::Function* copiesAdder(loops::Combine how, DType type, int64_t chunks);
  void inFunction(llvm::Function* function,
                  const std::function<void()>& body);  // emits another function and comes back
  void beginFunction(llvm::Function* function);
  void endFunction();
  void leaveIfOver();  // after calls that may have faulted
  V* scratchPiece(
      int64_t bytes);  // of the function's scratch: the thread's in a chunk, the shared one else
  int64_t takeScratch(int64_t bytes);  // where such a piece begins
  V* scratchAt(int64_t offset);
  // A piece for what a few statements work with. The next ones get the same, which is in the
  // caches.
  class Temporary {
   public:
    Temporary(Emitter& emitter, int64_t bytes);
    ~Temporary();
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    V* place() const { return place_; }

   private:
    Emitter& emitter_;
    ScratchPiece piece_;
    V* place_;
  };

  const loops::Program& program_;
  const std::set<uint64_t> scaledStreams_;  // whose draws all stand in one scaled form
  const Plan& plan_;
  llvm::Module& module_;
  llvm::LLVMContext& llvm_;
  int vectorBytes_, vectorRegisters_;
  bool compressesBytes_, multipliesPairs_;
  B b_;
  Function f_;
  Lanes lanes_;
  Early early_;
  std::vector<Variable> vars_;
  std::vector<OpenLoop> open_;
  std::unordered_map<const loops::ExprNode*, Value> cache_;  // of the statement being emitted
  std::vector<loops::Expr> kept_;  // what the program does not have, and the cache may
  std::unordered_map<const loops::ExprNode*, V*>
      rowElements_;  // what loads of rows yield at the step being emitted (emit_rows.cpp)
  std::unordered_map<loops::BufferId, llvm::GlobalVariable*> constants_;
  std::unordered_map<const loops::Stmt*, V*>
      partials_;                                 // Register and Expanded sums of the Lanes loop
  std::vector<llvm::MDNode*> scopes_, noalias_;  // by BufferId, null: none
  std::map<std::string, llvm::Function*> formulas_;
  int64_t scratchBytes_ = 0;        // shared scratch in use
  int64_t threadScratchBytes_ = 0;  // the most that any chunk uses
  int64_t functionScratch_ = 0;     // of the chunk being emitted
  int loopDepth_ = 0;
};

}  // namespace rlc::cpu
