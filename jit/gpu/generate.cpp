// Kernels as a whole: what stands around the code of their blocks and threads.
#include <algorithm>
#include <cctype>

#include "compiler/diagnostics/internal_error.h"
#include "compiler/loops/guards.h"
#include "compiler/types/lists.h"
#include "jit/cpu/plan.h"
#include "jit/cpu/walk.h"
#include "jit/gpu/abi.h"
#include "jit/gpu/flatten.h"
#include "jit/gpu/generator.h"
#include "jit/gpu/products.h"

namespace rlc::gpu {

namespace {

// Letters, digits and underscores of a name; CUDA's identifiers are ASCII.
std::string identifier(const std::string& name) {
  std::string result;
  for (char c : name) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 128;
    if (plain)
      result += c;
    else if (!result.empty() && result.back() != '_')
      result += '_';
  }
  return result.substr(0, 40);
}

}  // namespace

Module Generator::run() {
  hostBlock(program_.body, {}, {}, module_.steps);
  chooseFrame();
  placeCopies();
  placePrivates();
  std::string kernels;
  for (size_t k = 0; k < plans_.size(); ++k) {
    out_.clear();
    writeKernel(static_cast<int>(k));
    kernels += out_;
  }
  out_.clear();
  line("#include \"rlc/prelude.h\"");
  line("");
  line("using namespace rlc::device;");
  line("");
  writeConstants();
  // A loop variable of the host's.
  open("extern \"C\" __global__ void rlc_set(i64* frame, int slot, i64 value)");
  line("frame[slot] = value;");
  close();
  module_.source = out_ + kernels;
  return std::move(module_);
}

void Generator::line(const std::string& text) {
  if (text.empty())
    out_ += "\n";
  else if (text == " {")
    out_ += std::string(static_cast<size_t>(2 * depth_), ' ') + "{\n";
  else
    out_ += std::string(static_cast<size_t>(2 * depth_), ' ') + text + "\n";
}

void Generator::comment(const Stmt& stmt) {
  if (!options_.describe || !stmt.span.known()) return;
  const std::string text = options_.describe(stmt.span);
  if (text.empty() || text == lastComment_) return;
  lastComment_ = text;
  line("// " + text);
}

std::string Generator::bufferName(BufferId id) const {
  const std::string name = identifier(buffer(id).name);
  return "b" + std::to_string(id) + (name.empty() || name == "_" ? "" : "_" + name);
}

bool Generator::isSwapped(const Buffer& buffer) const {
  return program_.arenaBytes > program_.residentBytes && buffer.offset >= program_.residentBytes;
}

void Generator::writeConstants() {
  for (size_t k = 0; k < program_.buffers.size(); ++k) {
    const Buffer& b = program_.buffers[k];
    if (b.kind != Buffer::Kind::Constant) continue;
    // BF16 constants are read as F32, which holds them exactly.
    std::string text = "__device__ const " + typeName(b.type) + " " +
                       bufferName(static_cast<BufferId>(k)) + "[] = {";
    for (size_t i = 0; i < b.data.size(); ++i) {
      const Scalar& value = b.data[i];
      const bool special = value.isFloating() && !(value.f - value.f == 0.0);
      const std::string type = typeName(b.type);
      if (special)
        text += std::string(value.f != value.f ? ""
                            : value.f < 0      ? "-"
                                               : "") +
                "RLC_" + (value.f != value.f ? "NAN" : "INFINITY") +
                (b.type == DType::F64 ? "_F64" : "_F32");
      else
        text += literalText(value);
      text += i + 1 < b.data.size() ? (i % 16 == 15 ? ",\n    " : ", ") : "";
    }
    if (b.data.empty()) text += "0";
    line(text + "};");
  }
  line("");
}

void Generator::writeKernel(int number) {
  const Plan& plan = plans_[static_cast<size_t>(number)];
  plan_ = &plan;
  depth_ = 0;
  names_ = 0;
  open_.clear();
  staged_.clear();
  tiled_.clear();
  redirected_.clear();
  partial_.clear();
  mask_.clear();
  lastComment_.clear();
  barriers_ = false;
  loopDepth_ = 0;
  Kernel kernel;
  kernel.guards = plan.guards;
  kernel.parts = plan.parts;
  const Stmt& head = *plan.statements.front();
  const std::string kinds[] = {"team", "lanes", "blocks", "product", "combine"};
  std::string name = kinds[static_cast<size_t>(plan.kind)];
  if (plan.kind != Plan::Kind::Team && !head.comment.empty())
    name += "_" + identifier(head.comment);
  kernel.name = "rlc_" + std::to_string(number) + "_" + name;
  whole_ =
      plan.kind == Plan::Kind::Team && std::all_of(plan.statements.begin(), plan.statements.end(),
                                                   [&](const Stmt* s) { return isSolo(*s); });
  switch (plan.kind) {
    case Plan::Kind::Team:
      kernel.threads = whole_ ? 1 : options_.teamThreads;
      break;
    case Plan::Kind::Lanes:
      kernel.threads = plan.outputs ? options_.teamThreads : options_.threads;
      kernel.perBlock = plan.perBlock;
      kernel.blocksAtATime = plan.blocksAtATime;
      break;
    case Plan::Kind::Iterations:
      kernel.threads = options_.teamThreads;
      kernel.perBlock = plan.perBlock;
      break;
    case Plan::Kind::Product:
      kernel.threads = 1;
      break;
    case Plan::Kind::Combine: {
      kernel.threads = options_.threads;
      int64_t most = 1;
      for (const Copy& copy : plan.copies) most = std::max(most, copy.window.size);
      kernel.lo = loops::index(0);
      kernel.hi = loops::index(most);
      kernel.perBlock = options_.threads;
      break;
    }
  }
  if (plan.kind == Plan::Kind::Lanes || plan.kind == Plan::Kind::Iterations) {
    // A launch has the blocks that were planned; those without work end at once.
    kernel.lo = loops::index(0);
    kernel.hi = loops::index(plan.mostBlocks * plan.perBlock);
  }
  chooseTransfers(plan, kernel);
  line("");
  writeHead(plan, kernel);
  const size_t body = out_.size();
  if (plan.kind == Plan::Kind::Product)
    kernel.product = writeProduct(head);
  else
    writeBody(plan);
  close();
  kernel.launchWork = combineWork(plan);
  kernel.tensorCores = tensorCoresOf(kernel, body);
  kernel.barriers = barriers_;
  module_.kernels.push_back(std::move(kernel));
}

void Generator::writeHead(const Plan& plan, Kernel& kernel) {
  static const char* const titles[] = {
      "Sequential code with small loops: one block.", "A thread for each iteration.",
      "A block for each iteration.", "Says where the matrices are that a library multiplies next.",
      "Adds up what the blocks have added up, in a fixed order."};
  line(std::string("// ") +
       (whole_ ? "Sequential code: one thread." : titles[static_cast<size_t>(plan.kind)]) +
       (plan.kind == Plan::Kind::Lanes && plan.outputs ? " Threads are the sums' elements." : ""));
  // At least one block a processor: as many registers as that leaves, for spills cost more than
  // fewer blocks.
  open("extern \"C\" __global__ void __launch_bounds__(" + std::to_string(kernel.threads) +
       ", 1) " + kernel.name + "(const Run run)");
  const bool product = plan.kind == Plan::Kind::Product;
  if (!product) line("if (over(run)) return;");
  // Variables in the frame.
  std::map<VarId, std::set<int>> uses;
  if (plan.kind != Plan::Kind::Combine)
    for (const Stmt* stmt : plan.statements) noteUses(*stmt, 0, uses);
  const auto note = [&](const Expr& e) {
    cpu::forEachNode(e, [&](const ExprNode& node) {
      if (node.kind == ExprNode::Kind::Variable) uses[node.var].insert(0);
    });
  };
  for (const Expr& guard : plan.guards) note(guard);
  if (!plan.hostLoops.empty()) uses[plan.hostLoops.front()].insert(0);
  for (const Copy& copy : plan.copies) {
    note(copy.window.base);
    if (copy.reduction.local >= 0) uses[copy.reduction.local].insert(0);
  }
  for (const auto& [var, ignored] : uses) {
    if (variable(var).home != Variable::Home::Frame) continue;
    const std::string type = typeName(variable(var).type),
                      slot = std::to_string(variable(var).slot);
    const bool loop = contains(plan.hostLoops, var);
    if (loop) {
      const size_t number = kernel.loops.size();
      const std::string given = number < kMostGivenLoops
                                    ? "loopValue(run, " + std::to_string(number) + ", " + slot + ")"
                                    : "run.frame[" + slot + "]";
      line("const " + counterType(var) + " v" + std::to_string(var) + " = " + given + ";");
      kernel.loops.push_back(var);
    } else {
      line(type + "& v" + std::to_string(var) + " = *(" + type + "*)(run.frame + " + slot + ");");
    }
  }
  if (product) {
    // What follows takes place in any case: of matrices that are there, where its result is not
    // looked at.
    std::string on = "!over(run)";
    for (const Expr& guard : plan.guards) on += " && " + expr(guard);
    line("const bool on = " + on + ";");
  } else {
    for (const Expr& guard : plan.guards) line("if (!" + expr(guard) + ") return;");
  }
  writeRoot(plan);
  // Buffers.
  std::set<BufferId> written;
  const std::set<BufferId> used = buffersOf(plan, written);
  const bool team =
      plan.kind == Plan::Kind::Iterations || (plan.kind == Plan::Kind::Team && !whole_);
  if (team) line("i64 arena = (i64)run.arena;");
  if (team && program_.arenaBytes > program_.residentBytes)
    line("const i64 swapped = (i64)run.swapped;");
  for (BufferId id : used) {
    const Buffer& b = buffer(id);
    const std::string type = memoryTypeName(b.type),
                      target = type + "* const " + bufferName(id) + " = (" + type + "*)";
    const bool away = b.kind == Buffer::Kind::Arena && isSwapped(b);
    const auto copy = std::find_if(kernel.transfers.begin(), kernel.transfers.end(),
                                   [&](const Transfer& t) { return t.buffer == id; });
    const bool copied = copy != kernel.transfers.end();
    const std::string number = std::to_string(copy - kernel.transfers.begin()),
                      offset = std::to_string(
                                   copied ? 0 : b.offset - (away ? program_.residentBytes : 0)) +
                               "ll";
    std::string memory = away ? "swapped" : "arena";
    if (copied) memory = team ? "copy" + number : "copies[" + number + "]";
    if (copied && team) line("const i64 " + memory + " = (i64)run.copies[" + number + "];");
    const std::string called =
        (b.name.empty() ? "" : "  // " + b.name) +
        (away ? (b.name.empty() ? "  // in the host's memory" : ", in the host's memory") : "") +
        (copied ? ", a copy" : "");
    if (b.kind == Buffer::Kind::Arena && team) {
      line("const Placed<" + std::string(written.count(id) == 0 ? "const " : "") + type + ", " +
           offset + "> " + bufferName(id) + "{" + memory + "};" + called);
    } else if (b.kind == Buffer::Kind::Arena) {
      const bool alone = std::none_of(used.begin(), used.end(), [&](BufferId other) {
        return other != id && cpu::mayOverlap(program_, other, id);
      });
      const std::string pointed = (written.count(id) == 0 ? "const " : "") + type;
      line(pointed + (alone ? "* const __restrict__ " : "* const ") + bufferName(id) + " = (" +
           pointed + "*)(run." + memory + " + " + offset + ");" + called);
    } else if (b.kind == Buffer::Kind::Parameter) {
      const std::string read =
          "*(const " + type + "*)(run.parameters + " + std::to_string(b.offset) + ")";
      line("const " + typeName(b.type) + " " + bufferName(id) + " = " + read + ";");
    } else if (b.kind == Buffer::Kind::Private) {
      const Storage& storage = privates_[static_cast<size_t>(id)];
      if (storage.home == Storage::Home::Program)
        line(target + "(run.scratch + " + std::to_string(storage.offset) + "ll);");
      if (storage.home == Storage::Home::Block)
        line(target + "(run.scratch + " + std::to_string(storage.offset) + "ll + blockIdx.x * " +
             std::to_string(cpu::alignUp(b.elements * static_cast<int64_t>(byteSize(b.type)))) +
             "ll);");
    }
  }
}

// The schedule's root that the kernel is part of, where the kernel is not all of it.
void Generator::writeRoot(const Plan& plan) {
  const std::string first = "if (blockIdx.x == 0 && threadIdx.x == 0) ";
  if (!plan.hostLoops.empty()) {
    const auto found = rootOfLoop_.find(plan.hostLoops.front());
    if (found == rootOfLoop_.end()) return;
    line(first + "reached(run, " + std::to_string(found->second->root) + ", " +
         (found->second->rootLoop ? "v" + std::to_string(plan.hostLoops.front()) : "kNoIteration") +
         ");");
  } else if (plan.kind == Plan::Kind::Lanes || plan.kind == Plan::Kind::Iterations) {
    writeProgress(*plan.statements.front(), first);
  }
}

// The block's own copies of what it adds to, made neutral.
void Generator::writeCopyBegin(const Plan& plan) {
  for (const Copy& copy : plan.copies) {
    const bool local = copy.reduction.buffer < 0;
    const DType type =
        local ? variable(copy.reduction.local).type : buffer(copy.reduction.buffer).type;
    const std::string stored = memoryTypeName(type), size = std::to_string(copy.window.size);
    const std::string name = "copy_" + (local ? "v" + std::to_string(copy.reduction.local)
                                              : bufferName(copy.reduction.buffer));
    line(stored + "* const " + name + " = (" + stored + "*)(run.scratch + " +
         std::to_string(copy.offset) + "ll) + " +
         (plan.kind == Plan::Kind::Lanes ? "block" : "blockIdx.x") + " * " + size + "ll;");
    line("for (i64 e = threadIdx.x; e < " + size + "; e += blockDim.x) " + name +
         "[e] = " + identityText(copy.reduction.combine, type) + ";");
    if (!local) redirected_[copy.reduction.buffer] = &copy;
  }
  if (plan.copies.empty()) return;
  barriers_ = true;
  line("__syncthreads();");
}

void Generator::writeBody(const Plan& plan) {
  const std::string most = std::to_string(std::max(options_.threads, options_.teamThreads));
  if (plan.kind == Plan::Kind::Lanes) line("const i64 block = run.firstBlock + blockIdx.x;");
  const size_t place = out_.size();
  switch (plan.kind) {
    case Plan::Kind::Product:
      throw InternalError("code generation: a product has no body");
    case Plan::Kind::Combine:
      return writeCombine(plan);
    case Plan::Kind::Team:
      if (!whole_) chooseShared(plan.statements);
      teamBlock(plan.statements);
      break;
    case Plan::Kind::Lanes: {
      writeCopyBegin(plan);
      uses_.clear();
      shared_names_.clear();
      if (plan.outputs) {
        line("const i64 first = " + expr(plan.lo) + " + block * " + std::to_string(plan.perBlock) +
             "ll;");
        line("const i64 last = minimum<i64>(first + " + std::to_string(plan.perBlock) + ", " +
             expr(plan.hi) + ");");
        outputLoop(*plan.body, plan.lo, plan.hi, true);
        break;
      }
      stage(plan);
      onFault_ = "return false;";
      threadLoop(*plan.body, plan.lo, plan.hi, true);
      break;
    }
    case Plan::Kind::Iterations: {
      const Stmt& loop = *plan.body;
      std::vector<const Stmt*> inner;
      for (const auto& s : loop.body) inner.push_back(s.get());
      chooseShared(inner);
      writeCopyBegin(plan);
      const std::string v = variableName(loop.var), per = std::to_string(plan.perBlock) + "ll";
      uses_.clear();
      shared_names_.clear();
      line("const i64 first = " + expr(plan.lo) + " + blockIdx.x * " + per + ";");
      line("const i64 last = minimum<i64>(first + " + per + ", " + expr(plan.hi) + ");");
      open("for (" + counterType(loop.var) + " " + v + " = first; " + v + " < last; ++" + v + ")");
      teamLoopBody(loop);
      close();
      break;
    }
  }
  if (out_.find("sums)", place) != std::string::npos)
    out_.insert(place, "  __shared__ __align__(8) char sums[8 * " + most + "];\n");
  if (out_.find("WarpTile& tile", place) != std::string::npos)
    out_.insert(place, "  __shared__ WarpTile tiles[" +
                           std::to_string(plan.kind == Plan::Kind::Lanes ? options_.threads
                                                                         : options_.teamThreads) +
                           " / kWarp];\n");
}

Product Generator::writeProduct(const Stmt& call) {
  beginStatement(call);
  comment(call);
  Product product;
  int64_t* const numbers[] = {&product.m,          &product.n,          &product.k,
                              &product.leftRow,    &product.leftColumn, &product.rightRow,
                              &product.rightColumn};
  for (size_t at = 0; at < call.args.size(); ++at) *numbers[at] = *cpu::constantOf(call.args[at]);
  product.type = buffer(call.places[0].buffer).type;
  product.slot = module_.frameSlots;
  module_.frameSlots += static_cast<int>(call.places.size());
  for (size_t at = 0; at < call.places.size(); ++at)
    line("run.frame[" + std::to_string(product.slot + static_cast<int>(at)) + "] = (i64)(" +
         bufferName(call.places[at].buffer) + " + (on ? " + expr(call.places[at].index) +
         " : 0));");
  return product;
}

void Generator::writeCombine(const Plan& plan) {
  line("const i64 e = blockIdx.x * (i64)blockDim.x + threadIdx.x;");
  const int64_t copies = plans_[static_cast<size_t>(plan.of)].mostBlocks;
  for (const Copy& copy : plan.copies) {
    const bool local = copy.reduction.buffer < 0;
    const DType type =
        local ? variable(copy.reduction.local).type : buffer(copy.reduction.buffer).type;
    const std::string stored = memoryTypeName(type), size = std::to_string(copy.window.size);
    open("if (e < " + size + ")");
    std::string target = "v" + std::to_string(copy.reduction.local);
    if (!local) {
      line("const i64 at = " + expr(copy.window.base) + " + e;");
      target = bufferName(copy.reduction.buffer) + "[at]";
    }
    line(target + " = acrossCopies<" + combineName(copy.reduction.combine, type) + ", " +
         typeName(type) + ">((const " + stored + "*)(run.scratch + " + std::to_string(copy.offset) +
         "ll) + e, " + size + "ll, " + std::to_string(copies) + "ll, " + typeName(type) + "(" +
         target + "));");
    close();
  }
}

loops::Work Generator::combineWork(const Plan& plan) const {
  loops::Work work;
  if (plan.kind != Plan::Kind::Combine) return work;
  const auto copies = static_cast<double>(plans_[static_cast<size_t>(plan.of)].mostBlocks);
  for (const Copy& copy : plan.copies) {
    const bool local = copy.reduction.buffer < 0;
    const DType type =
        local ? variable(copy.reduction.local).type : buffer(copy.reduction.buffer).type;
    const double elements = static_cast<double>(copy.window.size),
                 bytes = elements * static_cast<double>(byteSize(type));
    if (isFloat(type)) work.flops += copies * elements;
    work.loadBytes += (copies + 1) * bytes;
    work.storeBytes += bytes;
  }
  return work;
}

// What the kernel's tensor cores multiply, by its text from `body` on, or a library's.
std::optional<DType> Generator::tensorCoresOf(const Kernel& kernel, size_t body) const {
  if (!options_.tensorCores) return std::nullopt;
  if (kernel.product && kernel.product->type == DType::BF16) return DType::BF16;
  if (kernel.product && kernel.product->type == DType::F32 && options_.roundFactors)
    return DType::F32;
  if (out_.find("<TensorBf16", body) != std::string::npos) return DType::BF16;
  if (out_.find("<Tf32", body) != std::string::npos) return DType::F32;
  return std::nullopt;
}

namespace {

// What the host can tell stands around whole kernels then.
void hoistKnownGuards(Program& program) {
  const cpu::Ranges ranges = loopRanges(program.body);
  loops::hoistGuards(program.body,
                     {[](const Stmt&, const std::vector<const Stmt*>&) { return true; },
                      [&](const Stmt& loop) { return ranges.count(loop.var) != 0; }});
}

}  // namespace

Module generate(const loops::Program& program, const GenerateOptions& options) {
  Program separate = extractProducts(program, options.productWork, options.library);
  hoistKnownGuards(separate);
  const auto flat = std::make_shared<const Program>(flattenElements(separate));
  Module module = Generator(*flat, options).run();
  // Blocks of fewer threads, where one block has more than the limit leaves room for beside what is
  // the same for any block.
  constexpr int kFewestThreads = 8;
  for (GenerateOptions fewer = options;
       module.scratchBytes > program.scratchLimit &&
       module.scratchBytes - module.laneBytes < program.scratchLimit &&
       fewer.threads > kFewestThreads;) {
    fewer.threads /= 2;
    fewer.teamThreads = std::min(fewer.teamThreads, fewer.threads);
    module = Generator(*flat, fewer).run();
  }
  module.program = flat;
  return module;
}

}  // namespace rlc::gpu
