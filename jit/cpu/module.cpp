#include "jit/cpu/module.h"

#include <llvm/Analysis/InlineCost.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Inliner.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>

#include <chrono>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/loops/regions.h"
#include "jit/cpu/align_stack.h"
#include "jit/cpu/bands.h"
#include "jit/cpu/batch_products.h"
#include "jit/cpu/blocks.h"
#include "jit/cpu/branches.h"
#include "jit/cpu/choices.h"
#include "jit/cpu/emitter.h"
#include "jit/cpu/factor_pairs.h"
#include "jit/cpu/flatten_elements.h"
#include "jit/cpu/formula_value.h"
#include "jit/cpu/hoist_conditions.h"
#include "jit/cpu/join_blocks.h"
#include "jit/cpu/merge_equal.h"
#include "jit/cpu/pack.h"
#include "jit/cpu/panels.h"
#include "jit/cpu/plan.h"
#include "jit/cpu/products.h"
#include "jit/cpu/promote.h"
#include "jit/cpu/rewrite.h"
#include "jit/cpu/sections.h"
#include "jit/cpu/share_elements.h"
#include "jit/cpu/side_by_side.h"
#include "jit/cpu/split.h"
#include "jit/cpu/split_loops.h"
#include "jit/cpu/sum_orders.h"
#include "jit/cpu/target.h"
#include "jit/cpu/tile.h"
#include "jit/cpu/unit_vectors.h"
#include "jit/cpu/units_as_lanes.h"
#include "jit/cpu/walk.h"

namespace rlc::cpu {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::unique_ptr<llvm::TargetMachine> makeTargetMachine(const TargetDescription& target,
                                                       int optimization) {
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  const auto level = optimization == 0   ? llvm::CodeGenOptLevel::None
                     : optimization == 1 ? llvm::CodeGenOptLevel::Less
                     : optimization == 2 ? llvm::CodeGenOptLevel::Default
                                         : llvm::CodeGenOptLevel::Aggressive;
  std::unique_ptr<llvm::TargetMachine> machine(lookUpTarget().createTargetMachine(
      llvm::sys::getProcessTriple(), target.cpu, target.features, options, llvm::Reloc::PIC_,
      llvm::CodeModel::Small, level, true));
  if (!machine) throw InternalError("LLVM has no code generator for this machine");
  return machine;
}

namespace {

// A program as code is generated for it, and how.
struct Prepared {
  loops::Program program;
  Plan plan;
};

Prepared prepare(const loops::Program& program, const CompileOptions& options,
                 const TargetDescription& target) {
  PlanOptions planOptions;
  planOptions.width = options.vectorWidth > 0 ? options.vectorWidth : target.defaultWidth();
  planOptions.forceWidth = options.vectorWidth > 0;
  planOptions.vectorBytes = target.vectorBytes;
  planOptions.maximumChunks = options.maximumChunks;
  planOptions.timeRegions = options.timeRegions;
  planOptions.cheapMasks = target.vectorBytes == 64;
  planOptions.joinedBlocks =
      options.vectorWidth == 0 && target.vectorBytes == 64 && target.vectorRegisters >= 32;
  Prepared result{copyProgram(program), {}};
  if (options.tileContractions) {
    loops::Program& prepared = result.program;
    splitLoops(prepared);
    hoistConditions(prepared);
    const TileOptions tiles{planOptions.width, target.vectorBytes, target.vectorRegisters,
                            planOptions.forceWidth, planOptions.joinedBlocks};
    if (planOptions.width > 1) {
      computeBothSides(prepared);
      exchangeUnits(prepared, tiles, Batches::Small);
      separateBranches(prepared);
      multiplyBatches(prepared);
      packPanels(prepared, tiles);
      runProductsAlongRows(prepared);
      if (planOptions.joinedBlocks) joinBlocks(prepared, planOptions.width);
      separateLastBlocks(prepared);
      exchangeUnits(prepared, tiles, Batches::Large);
    }
    shareElements(prepared);
    packGathers(prepared, tiles);
    if (options.roundFactors && target.multipliesPairs && planOptions.width > 1) {
      pairFactors(prepared);
      shareElements(prepared);  // what is rounded for all lanes
    }
    if (planOptions.width > 1) vectorizeUnits(prepared, tiles);
    prepared = tileContractions(prepared, tiles);
    makeSections(prepared);
    runSideBySide(prepared);  // nothing moves statements behind it
    if (planOptions.width > 1) flattenElements(prepared);
  }
  result.plan = makePlan(result.program, planOptions);
  result.plan.bands = planBands(result.program, result.plan);
  result.plan.fetches = planFetches(result.program, result.plan);
  return result;
}

// A loop that runs beside another one is timed with that.
void noteBeside(const Block& block, std::vector<RegionCode>& code) {
  const Stmt* first = nullptr;
  for (const StmtPtr& stmt : block) {
    if (stmt->besideLast && first != nullptr && first->region >= 0 && stmt->region >= 0)
      code[static_cast<size_t>(stmt->region)].timedWith = first->region;
    first = stmt.get();
    noteBeside(stmt->body, code);
    noteBeside(stmt->otherwise, code);
  }
}

bool multipliesPairs(const Stmt& stmt) {
  bool found = false;
  const auto look = [&](const Stmt& inner) {
    forEachExpr(inner, [&](const Expr& e) {
      forEachNode(e, [&](const ExprNode& node) { found |= node.kind == ExprNode::Kind::PairFma; });
    });
  };
  look(stmt);
  forEachStmt(stmt.body, look);
  forEachStmt(stmt.otherwise, look);
  return found;
}

}  // namespace

SumOrders sumOrders(const loops::Program& program, const CompileOptions& options) {
  const Prepared prepared = prepare(program, options, targetOf(options));
  return sumOrders(prepared.program, prepared.plan);
}

std::vector<RegionCode> codeOfRegions(const loops::Program& program,
                                      const CompileOptions& options) {
  std::vector<RegionCode> code(loops::regionsOf(program).size());
  for (size_t region = 0; region < code.size(); ++region)
    code[region].timedWith = static_cast<int>(region);
  const Prepared prepared = prepare(program, options, targetOf(options));
  noteBeside(prepared.program.body, code);
  forEachStmt(prepared.program.body, [&](const Stmt& stmt) {
    if (stmt.region >= 0) code[static_cast<size_t>(stmt.region)].pairs |= multipliesPairs(stmt);
    if (!isSections(stmt)) return;
    forEachStmt(stmt.body, [&](const Stmt& inner) {
      if (inner.region >= 0) code[static_cast<size_t>(inner.region)].timedWith = stmt.region;
    });
  });
  return code;
}

std::unique_ptr<llvm::Module> emitModule(const loops::Program& program,
                                         const CompileOptions& options, llvm::LLVMContext& context,
                                         llvm::TargetMachine& machine,
                                         const TargetDescription& target, CompileTimes& times) {
  const double start = now();
  const Prepared prepared = prepare(program, options, target);
  times.plan = now() - start;
  auto module = std::make_unique<llvm::Module>("rlc", context);
  module->setDataLayout(machine.createDataLayout());
  module->setTargetTriple(machine.getTargetTriple().str());
  Emitter(prepared.program, prepared.plan, *module, target).emitProgram();
  alignStack(*module, target.vectorBytes);
  for (llvm::Function& function : *module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    if (target.vectorBytes == 64) function.addFnAttr("prefer-vector-width", "512");
  }
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::verifyModule(*module, &stream)) throw InternalError("code generation: " + stream.str());
  times.emit = now() - start - times.plan;
  return module;
}

namespace {

// Lets the functions that were kept whole until equal calls had been merged be inlined.
struct InlineLatePass : llvm::PassInfoMixin<InlineLatePass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    for (llvm::Function& function : module) {
      if (!function.hasFnAttribute(formulas::kInlineLate)) continue;
      function.removeFnAttr(llvm::Attribute::NoInline);
      function.addFnAttr(llvm::Attribute::AlwaysInline);
    }
    return llvm::PreservedAnalyses::all();
  }
};

constexpr size_t kManyBranches = 3000;  // blocks of a function

// Looks for values that are the same throughout a function, which takes long in what is left of one
// that has been cut: its calls.
struct NumberValuesPass : llvm::PassInfoMixin<NumberValuesPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    return function.getInstructionCount() > kLargestFunction
               ? llvm::PreservedAnalyses::all()
               : llvm::GVNPass().run(function, analyses);
  }
};

// Asks, at each condition, all others that might decide it: a loop over a thousand guarded
// statements would not be through in minutes.
struct CombinePass : llvm::PassInfoMixin<CombinePass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    return function.size() > kManyBranches ? llvm::PreservedAnalyses::all()
                                           : llvm::InstCombinePass().run(function, analyses);
  }
};

// What generated code profits from, each pass once or twice: LLVM's own list is made for C++ and
// takes three times as long. First what looks at several functions at once.
llvm::ModulePassManager quickPipeline(int level) {
  using namespace llvm;
  ModulePassManager passes;
  passes.addPass(AlwaysInlinerPass());
  FunctionPassManager merge;
  merge.addPass(PromotePass());
  merge.addPass(SROAPass(SROAOptions::ModifyCFG));
  merge.addPass(EarlyCSEPass());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(merge)));
  passes.addPass(InlineLatePass());
  passes.addPass(AlwaysInlinerPass());
  if (level >= 2) passes.addPass(ModuleInlinerWrapperPass(getInlineParams(2, 0)));
  FunctionPassManager tidy;
  tidy.addPass(SROAPass(SROAOptions::ModifyCFG));
  tidy.addPass(LoopSimplifyPass());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(tidy)));
  passes.addPass(SplitPass());
  passes.addPass(MergeEqualPass());
  passes.addPass(GlobalDCEPass());
  return passes;
}

llvm::ModulePassManager functionPipeline(int level) {
  using namespace llvm;
  ModulePassManager passes;
  FunctionPassManager first;
  first.addPass(SROAPass(SROAOptions::ModifyCFG));
  first.addPass(EarlyCSEPass(true));
  first.addPass(SimplifyCFGPass());
  first.addPass(CombinePass());
  if (level >= 2) {
    LoopPassManager invariant;
    invariant.addPass(LICMPass(LICMOptions()));
    first.addPass(createFunctionToLoopPassAdaptor(std::move(invariant), /*UseMemorySSA=*/true));
    // No IndVarSimplify: loops are emitted in its form, and its search for guards is quadratic in a
    // function.
    LoopPassManager unroll;
    unroll.addPass(LoopDeletionPass());
    unroll.addPass(LoopFullUnrollPass(level));
    first.addPass(createFunctionToLoopPassAdaptor(std::move(unroll)));
    first.addPass(SROAPass(SROAOptions::ModifyCFG));
    first.addPass(EarlyCSEPass(true));
    first.addPass(CombinePass());
    first.addPass(NumberValuesPass());
    first.addPass(DSEPass());
    LoopPassManager again;
    again.addPass(LICMPass(LICMOptions()));
    first.addPass(createFunctionToLoopPassAdaptor(std::move(again), /*UseMemorySSA=*/true));
    first.addPass(LoopVectorizePass());
    first.addPass(LoopUnrollPass(LoopUnrollOptions(level)));
    first.addPass(CombinePass());
    first.addPass(SimplifyCFGPass());
  }
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(first)));
  return passes;
}

void runPipeline(
    llvm::Module& module, llvm::TargetMachine& machine, int level,
    const std::function<llvm::ModulePassManager(llvm::PassBuilder& builder)>& pipeline) {
  llvm::PipelineTuningOptions tuning;
  tuning.SLPVectorization = false;
  tuning.LoopInterleaving = true;
  tuning.LoopVectorization = level >= 2;
  llvm::PassBuilder builder(&machine, tuning);
  llvm::LoopAnalysisManager loopAnalyses;
  llvm::FunctionAnalysisManager functionAnalyses;
  llvm::CGSCCAnalysisManager callAnalyses;
  llvm::ModuleAnalysisManager moduleAnalyses;
  builder.registerModuleAnalyses(moduleAnalyses);
  builder.registerCGSCCAnalyses(callAnalyses);
  builder.registerFunctionAnalyses(functionAnalyses);
  builder.registerLoopAnalyses(loopAnalyses);
  builder.crossRegisterProxies(loopAnalyses, functionAnalyses, callAnalyses, moduleAnalyses);
  pipeline(builder).run(module, moduleAnalyses);
}

}  // namespace

void optimizeTogether(llvm::Module& module, llvm::TargetMachine& machine, int level) {
  runPipeline(module, machine, level, [&](llvm::PassBuilder& builder) {
    if (level == 0) return builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0);
    if (level >= 3) return builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3);
    return quickPipeline(level);
  });
}

void optimizeEach(llvm::Module& module, llvm::TargetMachine& machine, int level) {
  if (level == 0 || level >= 3) return;
  runPipeline(module, machine, level, [&](llvm::PassBuilder&) { return functionPipeline(level); });
}

namespace {

void generate(llvm::Module& module, llvm::TargetMachine& machine, llvm::raw_pwrite_stream& out,
              llvm::CodeGenFileType type) {
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, out, nullptr, type))
    throw InternalError("LLVM cannot write this kind of file");
  passes.run(module);
}

}  // namespace

std::string generateObject(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  generate(module, machine, stream, llvm::CodeGenFileType::ObjectFile);
  return std::string(bytes.begin(), bytes.end());
}

std::string printAssembly(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  generate(module, machine, stream, llvm::CodeGenFileType::AssemblyFile);
  return std::string(bytes.begin(), bytes.end());
}

std::string printModule(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return stream.str();
}

}  // namespace rlc::cpu
