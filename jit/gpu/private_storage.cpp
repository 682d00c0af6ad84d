// Private buffers: in registers where a thread touches few elements, in slices of memory where it
// touches many.
#include <algorithm>

#include "jit/cpu/plan.h"
#include "jit/cpu/walk.h"
#include "jit/gpu/generator.h"

namespace rlc::gpu {

namespace {

constexpr int64_t kMostRing = 4;  // elements that selects reach
constexpr int64_t kMostLocal =
    8;  // elements of an array that loops over it, unrolled, keep in registers

}  // namespace

void Generator::placePrivates() {
  struct Use {
    int plan;
    const Stmt* lane;
  };
  std::map<BufferId, std::vector<Use>> uses;
  std::map<const Stmt*, int> planOfLane;
  const auto note = [&](BufferId id, int plan, const Stmt* lane) {
    if (id >= 0 && buffer(id).kind == Buffer::Kind::Private) uses[id].push_back({plan, lane});
  };
  const std::function<void(const Stmt&, int, const Stmt*)> walk = [&](const Stmt& s, int plan,
                                                                      const Stmt* lane) {
    note(s.buffer, plan, lane);
    for (const auto& place : s.places) note(place.buffer, plan, lane);
    cpu::forEachExpr(s, [&](const Expr& e) {
      cpu::forEachNode(e, [&](const ExprNode& node) { note(node.buffer, plan, lane); });
    });
    const Stmt* inner = lane;
    const bool ownLoop = plans_[static_cast<size_t>(plan)].kind == Plan::Kind::Lanes &&
                         plans_[static_cast<size_t>(plan)].body == &s;
    if (!inner && s.kind == Stmt::Kind::For &&
        (s.loop == Stmt::Loop::Lanes || isTeamLoop(s) || ownLoop)) {
      inner = &s;
      planOfLane[inner] = plan;
    }
    for (const auto& stmt : s.body) walk(*stmt, plan, inner);
    for (const auto& stmt : s.otherwise) walk(*stmt, plan, lane);
  };
  for (size_t k = 0; k < plans_.size(); ++k)
    if (plans_[k].kind != Plan::Kind::Combine)
      for (const Stmt* stmt : plans_[k].statements) walk(*stmt, static_cast<int>(k), nullptr);

  const auto ofLanes = [](const std::vector<Use>& list) {
    return std::all_of(list.begin(), list.end(),
                       [](const Use& use) { return use.lane != nullptr; });
  };
  for (const auto& [id, list] : uses)
    if (ofLanes(list)) privates_[static_cast<size_t>(id)].home = Storage::Home::Lane;
  std::map<BufferId, int64_t> elements;  // that a lane has
  for (const auto& [loop, plan] : planOfLane)
    for (const auto& [id, layout] : lanePrivates(*loop))
      elements[id] = std::max(elements[id], layout.window.size);
  int64_t threadBytes = 0;
  for (const auto& [id, most] : elements)
    if (most > kMostLocal) threadBytes += most * static_cast<int64_t>(byteSize(buffer(id).type));
  limitLaunches(planOfLane, threadBytes);

  for (const auto& [id, list] : uses) {
    Storage& storage = privates_[static_cast<size_t>(id)];
    const int64_t bytes =
        cpu::alignUp(buffer(id).elements * static_cast<int64_t>(byteSize(buffer(id).type)));
    const int plan = list.front().plan;
    const bool one =
        std::all_of(list.begin(), list.end(), [&](const Use& use) { return use.plan == plan; });
    storage.elements = buffer(id).elements;
    if (ofLanes(list)) {
      // Lanes that keep more than fits a thread have slices; those of one loop are enough for all
      // loops that it is used in.
      const int64_t most = elements[id];
      int64_t threads = 0;
      for (const Use& use : list) {
        const Plan& of = plans_[static_cast<size_t>(planOfLane[use.lane])];
        threads = std::max(
            threads, (of.blocksAtATime > 0 ? of.blocksAtATime : of.mostBlocks) *
                         (of.kind == Plan::Kind::Lanes ? options_.threads : options_.teamThreads));
      }
      if (most > kMostLocal) {
        storage.home = Storage::Home::Scratch;
        storage.elements = most;
        const int64_t before = module_.scratchBytes;
        storage.offset = scratch(most * threads * static_cast<int64_t>(byteSize(buffer(id).type)));
        module_.laneBytes += module_.scratchBytes - before;
      }
    } else if (one && plans_[static_cast<size_t>(plan)].kind == Plan::Kind::Iterations) {
      storage.home = Storage::Home::Block;
      storage.offset = scratch(bytes * plans_[static_cast<size_t>(plan)].mostBlocks);
    } else {
      storage.home = Storage::Home::Program;
      storage.offset = scratch(bytes);
    }
  }
}

// As many blocks at a time as the program's limit leaves memory for, of `threadBytes` for each
// thread.
void Generator::limitLaunches(const std::map<const Stmt*, int>& planOfLane, int64_t threadBytes) {
  if (program_.scratchLimit <= 0 || threadBytes == 0) return;
  const int64_t left = program_.scratchLimit - module_.scratchBytes,
                most = std::max<int64_t>(1, left / (threadBytes * options_.threads));
  for (const auto& [loop, number] : planOfLane) {
    Plan& plan = plans_[static_cast<size_t>(number)];
    if (plan.kind == Plan::Kind::Lanes && plan.mostBlocks > most) plan.blocksAtATime = most;
  }
}

std::map<BufferId, Generator::LanePrivate> Generator::lanePrivates(const Stmt& loop) const {
  std::map<BufferId, LanePrivate> result;
  auto bound = std::make_shared<std::set<VarId>>(boundIn(loop.body));
  bound->insert(loop.var);
  for (const auto& [id, indices] : indicesOf(loop.body)) {
    if (buffer(id).kind != Buffer::Kind::Private) continue;
    const auto home = privates_[static_cast<size_t>(id)].home;
    if (home != Storage::Home::Lane && home != Storage::Home::Scratch) continue;
    LanePrivate entry;
    entry.bound = bound;
    const auto window = windowOf(indices, *bound, ranges_);
    entry.whole = !window || window->size > buffer(id).elements;
    entry.window = entry.whole ? Window{loops::index(0), 0, buffer(id).elements} : *window;
    result[id] = std::move(entry);
  }
  return result;
}

void Generator::openPrivates(const Stmt& loop) {
  for (auto& [id, layout] : lanePrivates(loop)) {
    if (open_.count(id) != 0) continue;
    OpenPrivate entry;
    entry.name = bufferName(id);
    const std::string type = typeName(buffer(id).type), count = std::to_string(layout.window.size);
    if (privates_[static_cast<size_t>(id)].home == Storage::Home::Scratch) {
      entry.form = OpenPrivate::Form::Slice;
      const std::string stored = memoryTypeName(buffer(id).type);
      line(stored + "* const " + entry.name + " = (" + stored + "*)(run.scratch + " +
           std::to_string(privates_[static_cast<size_t>(id)].offset) +
           ") + (blockIdx.x * (i64)blockDim.x + threadIdx.x);");
    } else if (layout.window.size == 1) {
      entry.form = OpenPrivate::Form::Scalar;
      line(type + " " + entry.name + " = 0;");
    } else if (layout.window.size <= kMostRing) {
      entry.form = OpenPrivate::Form::Ring;
      line("Ring<" + type + ", " + count + "> " + entry.name + " = {};");
    } else {
      entry.form = OpenPrivate::Form::Array;
      line(type + " " + entry.name + "[" + count + "]" +
           (program_.readsUnwritten ? " = {};" : ";"));
    }
    entry.layout = std::move(layout);
    open_[id] = std::move(entry);
  }
}

std::optional<std::string> Generator::privateAccess(BufferId id, const Expr& index) {
  if (buffer(id).kind != Buffer::Kind::Private) return std::nullopt;
  const auto found = open_.find(id);
  if (found == open_.end()) return bufferName(id) + "[" + whole(index) + "]";
  const OpenPrivate& entry = found->second;
  const Expr inside =
      entry.layout.whole ? index : insideWindow(index, *entry.layout.bound, entry.layout.window);
  switch (entry.form) {
    case OpenPrivate::Form::Scalar:
      return entry.name;
    case OpenPrivate::Form::Ring:
      return entry.name + ".get(" + whole(inside) + ")";
    case OpenPrivate::Form::Array:
      return entry.name + "[" + whole(inside) + "]";
    case OpenPrivate::Form::Slice:
      return entry.name + "[(" + whole(inside) + ") * (gridDim.x * (i64)blockDim.x)]";
  }
  return std::nullopt;
}

bool Generator::privateStore(BufferId id, const Expr& index, const std::string& value) {
  const auto found = open_.find(id);
  if (found == open_.end() || found->second.form != OpenPrivate::Form::Ring) return false;
  const OpenPrivate& entry = found->second;
  const Expr inside =
      entry.layout.whole ? index : insideWindow(index, *entry.layout.bound, entry.layout.window);
  line(entry.name + ".set(" + whole(inside) + ", " + value + ");");
  return true;
}

}  // namespace rlc::gpu
