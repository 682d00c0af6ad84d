// The generator's working state, shared by partition.cpp (which code becomes which kernel),
// private_storage.cpp, staging.cpp, expressions.cpp, thread_code.cpp (code of one thread), jam.cpp
// (its contractions), contraction.cpp (those of a warp), team.cpp (code of one block),
// transfers.cpp (what lies in the host's memory) and generate.cpp (kernels as a whole).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "jit/gpu/module.h"
#include "jit/gpu/windows.h"

namespace rlc::gpu {

constexpr int kPollEvery = 1024;  // iterations between looks at the stop flag

using loops::Block;
using loops::Buffer;
using loops::BufferId;
using loops::Combine;
using loops::Expr;
using loops::ExprNode;
using loops::Program;
using loops::Stmt;
using loops::VarId;

class Generator {
 public:
  Generator(const Program& program, const GenerateOptions& options);
  Module run();

 private:
  using Guards = std::vector<Expr>;

  // What a block adds up apart from the others: `window` of a buffer, or a local's one value.
  struct Copy {
    Stmt::Reduction reduction;
    Window window;
    int64_t offset = 0;  // of block 0's copy in the scratch memory, bytes
    std::set<VarId> bound;
  };
  // One kernel before it is written.
  struct Plan {
    enum class Kind : uint8_t {
      Team,        // statements of the host's level, in one block
      Lanes,       // a loop, a thread an iteration
      Iterations,  // a loop, a block an iteration
      Product,     // says where the matrices of a product are, which is a library's to compute
      Combine,     // adds up the copies of the plan `of`
    };
    Kind kind = Kind::Team;
    std::vector<const Stmt*> statements;  // of a loop plan: the loop
    std::vector<const Stmt*> parts;       // Kernel::parts
    Expr lo, hi;                          // of the loop
    const Stmt* body = nullptr;           // the loop whose body the threads run
    Guards guards;
    std::vector<VarId> hostLoops;  // around it
    std::vector<Copy> copies;
    int64_t perBlock = 1, mostBlocks = 1;
    int64_t blocksAtATime = 0;  // Lanes: as Kernel has it
    bool outputs = false;       // Lanes: threads are the outputs, a block has `perBlock` lanes
    int of = -1;
  };

  // Where a private buffer lives.
  struct Storage {
    enum class Home : uint8_t {
      Lane,     // in the thread that runs the lane: registers or local memory
      Scratch,  // a slice of the scratch memory for each thread
      Block,    // a slice of the scratch memory for each block
      Program,  // in the scratch memory
    };
    Home home = Home::Program;
    int64_t offset = 0, elements = 0;  // Scratch, Block, Program: bytes; of each thread, block
  };

  // How an accumulation in code of many threads reaches memory.
  enum class Sum : uint8_t {
    Own,       // no other thread adds to the element
    Register,  // a partial result of the thread, added up after the loop
    Block,     // the block's values are added up where they come up
    Turns,     // one thread after the other: the elements are unrelated
  };

  struct Variable {
    enum class Home : uint8_t { Local, Shared, Frame } home = Home::Local;
    DType type = DType::I64;
    int slot = -1;
  };

  // ---- partition.cpp
  void hostBlock(const Block& block, Guards guards, std::vector<VarId> loops,
                 std::vector<Step>& out);
  void flush(std::vector<const Stmt*>& group, const Guards& guards, const std::vector<VarId>& loops,
             std::vector<Step>& out);
  bool needsHost(const Stmt& stmt) const;
  bool worthGrid(const Stmt& stmt) const;
  void gridLoop(const Stmt& loop, const Guards& guards, const std::vector<VarId>& loops,
                std::vector<Step>& out);
  bool addCopies(Plan& plan, const Stmt& loop);
  void placeCopies();
  void addLaunch(Plan plan, std::vector<Step>& out);
  Expr guardOf(const Stmt& condition, std::vector<const Stmt*>& group);
  std::optional<int64_t> mostIterations(const Stmt& loop) const;
  double operationsOf(const Stmt& loop) const;  // of all of its iterations
  const Stmt& own(loops::StmtPtr stmt);
  void chooseFrame();
  void noteUses(const Stmt& stmt, int place, std::map<VarId, std::set<int>>& uses) const;
  int64_t scratch(int64_t bytes);

  // ---- private_storage.cpp
  void placePrivates();
  void limitLaunches(const std::map<const Stmt*, int>& planOfLane, int64_t threadBytes);
  struct LanePrivate {
    Window window;
    std::shared_ptr<const std::set<VarId>> bound;
    bool whole = false;  // the index as it is
  };
  std::map<BufferId, LanePrivate> lanePrivates(const Stmt& loop) const;
  void openPrivates(const Stmt& loop);  // declares them
  std::optional<std::string> privateAccess(BufferId buffer, const Expr& index);
  bool privateStore(BufferId buffer, const Expr& index, const std::string& value);

  // ---- expressions.cpp
  std::string expr(const Expr& e);   // may write definitions of shared parts first
  std::string whole(const Expr& e);  // without parentheses around it
  std::string opText(const ExprNode& e);
  std::string indexText(const ExprNode& e);
  bool fitsInt(const Expr& e) const;
  std::string counterType(VarId var) const;       // of a variable that counts
  std::string localType(const Stmt& stmt) const;  // of a Let or Declare
  std::string castText(DType from, DType to, const std::string& value) const;
  std::string randomText(const ExprNode& e);
  std::string literalText(const Scalar& value) const;
  std::string loadText(BufferId buffer, const Expr& index);
  std::string elementText(BufferId buffer, const Expr& index);  // an lvalue
  void countUses(const Expr& e);
  void beginStatement(const Stmt& stmt);    // of its expressions: what is shared among them
  static std::string typeName(DType type);  // in registers
  static std::string memoryTypeName(DType type);
  static std::string combineName(Combine combine, DType type);
  std::string identityText(Combine combine, DType type) const;
  std::string variableName(VarId var) const;

  // ---- thread_code.cpp
  void plainBlock(const Block& block);
  void plain(const Stmt& stmt);
  void plainFor(const Stmt& stmt);
  void openFor(const Stmt& stmt);
  void openCount(const Stmt& stmt, const std::string& lo, const std::string& hi);  // its heading
  void writeUnrolling(const Stmt& stmt);
  void defineVariable(const Stmt& stmt);  // Let, Declare
  void writeAccumulate(const Stmt& stmt, const std::string& value);
  void writeCheck(const Stmt& stmt);
  void writeProgress(const Stmt& stmt, const std::string& only);
  void threadLoop(const Stmt& loop, const Expr& lo, const Expr& hi, bool wholeGrid);
  void sharedBlock(const Block& block);  // with barriers inside
  void sharedRun(const std::vector<const Stmt*>& run);
  void shared(const Stmt& stmt);
  void sharedFor(const Stmt& stmt);
  void sharedAccumulate(const Stmt& stmt);
  bool hasBarriers(const Stmt& stmt) const;
  bool hasChecks(const Block& block) const;
  void chooseSums(const Stmt& loop);
  void chooseUniform(const Stmt& loop);
  bool uniform(const Expr& e) const;
  std::string maskText() const;

  // ---- staging.cpp
  struct Staged {
    BufferId buffer;
    Window window;
    std::set<VarId> bound;
  };
  std::vector<Staged> chooseStaged(const Plan& plan) const;
  int64_t readsOf(const Block& block, BufferId id) const;
  void stage(const Plan& plan);  // copies to shared memory what all threads read alike

  // ---- contraction.cpp
  struct Tiled {
    std::string arithmetic;         // of device/contraction.h
    Expr left, right;               // factors
    const Stmt* along = nullptr;    // the loop over summands; sums over lanes may have none
    const Stmt* columns = nullptr;  // of sums over lanes
    const Stmt* sum = nullptr;
  };
  std::string tileArithmetic(DType type, bool rounded) const;
  bool sameForLanes(const Expr& e, const std::set<BufferId>& written) const;
  std::optional<Tiled> matchLaneOutputs(const Stmt& loop, const std::set<BufferId>& written) const;
  std::optional<Tiled> matchSums(const Stmt& rows) const;
  std::optional<Tiled> matchLaneSums(const Stmt& rows) const;
  bool onTensorCores(const Stmt& lanes, const std::vector<const Stmt*>& axes) const;
  void chooseTiled(const Stmt& lanes, int threads);
  std::string factorText(const Expr& e, const std::map<VarId, std::string>& at);
  void writeTiled(const Stmt& loop);
  void writeLaneOutputs(const Stmt& loop, const Tiled& tiled);
  void writeLaneSums(const Stmt& rows, const Tiled& tiled);

  // ---- jam.cpp
  bool jam(const Stmt& loop);  // writes the loop if it can
  int64_t jamWidth(const Stmt& loop) const;
  bool canJam(const Stmt& stmt, const std::set<VarId>& own) const;

  // ---- team.cpp
  void teamBlock(const std::vector<const Stmt*>& statements);
  void solo(const std::vector<const Stmt*>& run);
  void teamStatement(const Stmt& stmt);
  void teamFor(const Stmt& stmt);
  void teamLoopBody(const Stmt& loop);
  void teamCall(const Stmt& stmt);
  void treeCall(const Stmt& stmt);
  struct Outputs {
    Guards guards;
    std::vector<const Stmt*> axes;
    const Stmt* accumulate = nullptr;
    int64_t count = 0;
  };
  std::optional<Outputs> matchOutputs(const Stmt& loop) const;
  // Threads are outputs instead of lanes; `wholeGrid`: the block's lanes are first..last.
  bool outputLoop(const Stmt& loop, const Expr& lo, const Expr& hi, bool wholeGrid);
  Expr known(const Expr& e);
  bool isSolo(const Stmt& stmt) const;
  bool isTeamLoop(const Stmt& stmt) const;
  bool soloBlock(const Block& block) const;
  bool fixedInKernel(const Expr& e) const;
  std::string broadcast(const Expr& e);
  void chooseShared(const std::vector<const Stmt*>& statements);
  void noteSegments(const std::vector<const Stmt*>& statements, int& segment,
                    std::map<VarId, int>& definition, std::set<VarId>& shared) const;
  int64_t sortBytes(const Stmt& call) const;

  // ---- generate.cpp
  void writeKernel(int number);
  void writeHead(const Plan& plan, Kernel& kernel);
  void writeBody(const Plan& plan);
  void writeCopyBegin(const Plan& plan);
  void writeRoot(const Plan& plan);
  void writeCombine(const Plan& plan);
  loops::Work combineWork(const Plan& plan) const;
  std::optional<DType> tensorCoresOf(const Kernel& kernel, size_t body) const;
  Product writeProduct(const Stmt& call);
  void writeConstants();
  std::string bufferName(BufferId buffer) const;
  bool isSwapped(const Buffer& buffer) const;  // in the host's memory
  void comment(const Stmt& stmt);

  // ---- transfers.cpp
  std::set<BufferId> buffersOf(const Plan& plan, std::set<BufferId>& written) const;
  Transfer transferOf(const Plan& plan, BufferId id, bool written) const;
  void chooseTransfers(const Plan& plan, Kernel& kernel) const;

  // ---- text
  void line(const std::string& text);
  void open(const std::string& text) { line(text + " {"), ++depth_; }
  void close(const std::string& after = "") { --depth_, line("}" + after); }
  std::string fresh(const std::string& stem) { return stem + std::to_string(++names_); }
  const Buffer& buffer(BufferId id) const { return program_.buffers[static_cast<size_t>(id)]; }
  Variable& variable(VarId var) { return variables_[static_cast<size_t>(var)]; }
  const Variable& variable(VarId var) const { return variables_[static_cast<size_t>(var)]; }

  const Program& program_;
  GenerateOptions options_;
  Module module_;
  std::vector<Plan> plans_;
  int64_t copiesBytes_ = 0;  // of the launch that has most
  cpu::Ranges ranges_;
  std::vector<Variable> variables_;
  std::vector<Storage> privates_;
  std::map<VarId, const Stmt*> rootOfLoop_;  // the schedule's roots that are loops of the host

  // ---- of the kernel being written
  std::string out_;
  int depth_ = 0;
  int names_ = 0;
  const Plan* plan_ = nullptr;
  bool whole_ = false;             // one thread runs it all
  std::string onFault_;            // what leaves the code after a fault
  std::vector<std::string> mask_;  // of shared code: conditions that all hold for active threads
  std::map<VarId, std::string> loopMask_;  // shared loops that threads leave one by one
  std::map<VarId, std::string> partial_;   // locals of which the thread has a partial result
  std::unordered_map<const Stmt*, Sum> sums_;
  std::unordered_map<const Stmt*, std::string> registers_;  // Register: the partial result's name
  std::set<VarId> uniform_;  // of thread code: the same for all threads of the block
  std::map<BufferId, const Copy*> redirected_;  // buffers of which the block adds to its own copy
  struct OpenPrivate {
    LanePrivate layout;
    std::string name;
    enum class Form : uint8_t { Scalar, Ring, Array, Slice } form = Form::Scalar;
  };
  std::map<BufferId, OpenPrivate> open_;
  std::map<BufferId, Staged> staged_;             // in shared memory
  std::unordered_map<const Stmt*, Tiled> tiled_;  // loops that a warp's threads run together
  std::unordered_map<const ExprNode*, int> uses_;
  std::unordered_map<const ExprNode*, std::string> shared_names_;
  std::string lastComment_;
  bool barriers_ = false;
  int loopDepth_ = 0;
  std::vector<VarId> teamLoops_;  // whose bodies the block runs, around what is being written
};

}  // namespace rlc::gpu
