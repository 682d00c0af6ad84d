#include "compiler/passes/gathered_records.h"

#include <algorithm>
#include <set>

#include "compiler/passes/computed_from.h"
#include "compiler/passes/rewrite.h"
#include "compiler/passes/value_ranges.h"
#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"
#include "compiler/pdg/traversal.h"

namespace rlc::passes {

namespace {

using polyhedral::Set;

constexpr size_t kFewestMembers = 3;
constexpr int64_t kCacheLineElements = 16;  // f32 of a line of the cache
constexpr double kExactIntegers = 0x1p24;
constexpr int64_t kReadsOfAPoint = 2;  // at least, for each that is computed

// The points that reads take from, whichever node reads: subscripts whose Value atoms are numbered
// in the order in which they come, and what these are.
struct Place {
  std::vector<Var> dims;  // ascending, in whichever order a tensor has them
  std::vector<IndexExpr> at;
  std::vector<Read> values;

  // Those that it varies with.
  std::vector<Var> variables() const {
    std::vector<Var> vars;
    for (const IndexExpr& e : at) e.collectVariables(vars);
    for (const Read& read : values) {
      for (const IndexExpr& e : read.at) e.collectVariables(vars);
      for (const IndexExpr& e : read.element) e.collectVariables(vars);
    }
    return vars;
  }
};

bool samePlace(const Place& a, const Place& b) {
  return a.dims == b.dims && a.at == b.at &&
         std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(), sameRead);
}

// The input `input` of the node `consumer`, and the number of its place.
struct Gather {
  NodeId consumer = -1;
  int input = -1;
  NodeId producer = -1;
  size_t place = 0;
  bool inRange = false;  // over a sum's range: it reads a record that there is, and asks for none
};

struct Member {
  NodeId node = -1;
  bool computed = false;         // from the others' elements
  int64_t first = 0, count = 0;  // of the record's elements
};

class Recorder {
 public:
  explicit Recorder(Graph& graph) : graph_(graph), names_(pdg::displayNames(graph)) {}

  void run(Notes& notes) {
    findGathers();
    std::vector<std::set<NodeId>> groups(places_.size());
    for (const Gather& gather : gathers_)
      if (!gather.inRange) groups[gather.place].insert(gather.producer);
    std::stable_sort(groups.begin(), groups.end(),
                     [](const auto& a, const auto& b) { return a.size() > b.size(); });
    std::set<NodeId> taken;
    for (std::set<NodeId>& group : groups) {
      std::erase_if(group, [&](NodeId member) { return taken.contains(member); });
      if (!holds([&] { return record(group, notes); })) continue;
      taken.insert(group.begin(), group.end());
    }
  }

 private:
  void findGathers() {
    for (const Node& node : graph_.nodes()) {
      for (int k = 0; k < static_cast<int>(node.inputs.size()); ++k) {
        const Read& read = node.inputs[static_cast<size_t>(k)];
        const auto place = placeOf(node, read);
        if (!place) continue;
        const auto known = std::find_if(places_.begin(), places_.end(), [&](const Place& other) {
          return samePlace(other, *place);
        });
        gathers_.push_back({node.id, k, read.producer, static_cast<size_t>(known - places_.begin()),
                            inRange(*place)});
        if (known == places_.end()) places_.push_back(*place);
      }
    }
  }

  // Where a gather of a small tensor takes from; none for other reads.
  std::optional<Place> placeOf(const Node& consumer, const Read& read) {
    if (!isGather(read) || pdg::isChecked(read)) return std::nullopt;
    const Node& producer = graph_.node(read.producer);
    const auto shape = pdg::constantShape(producer);
    if (!shape || shape->size() > 1 || pdg::elementCount(*shape) < 1 ||
        pdg::elementCount(*shape) > kCacheLineElements || pdg::splatValue(producer) ||
        (producer.type != DType::F32 && !shape->empty()) || !isHeldByF32(producer))
      return std::nullopt;
    Place place{producer.dims, {}, {}};
    std::sort(place.dims.begin(), place.dims.end());
    std::map<int, int> numbers;
    for (const IndexExpr& e : subscriptsOf(read, place.dims)) {
      for (int input : pdg::valueInputs(e)) {
        if (!numbers.emplace(input, static_cast<int>(numbers.size())).second) continue;
        place.values.push_back(consumer.inputs[static_cast<size_t>(input)]);
        if (hasValues(place.values.back())) return std::nullopt;
        place.values.back().origin = nullptr;
      }
      place.at.push_back(e.mapInputs([&](int input) { return numbers.at(input); }));
    }
    for (Var var : place.variables())
      if (var.isElement()) return std::nullopt;
    return place;
  }

  bool inRange(const Place& place) const {
    const std::vector<Var> vars = place.variables();
    return std::any_of(vars.begin(), vars.end(), [&](Var var) { return graph_.dim(var).isRange; });
  }

  // In the order of these dims, which are the producer's.
  std::vector<IndexExpr> subscriptsOf(const Read& read, const std::vector<Var>& dims) const {
    const std::vector<Var>& own = graph_.node(read.producer).dims;
    std::vector<IndexExpr> result;
    for (Var dim : dims)
      result.push_back(
          read.at[static_cast<size_t>(std::find(own.begin(), own.end(), dim) - own.begin())]);
    return result;
  }

  // A truth, or an integer that is proved to be small, is the same after a cast to f32 and back.
  bool isHeldByF32(const Node& node) {
    if (node.type == DType::F32 || node.type == DType::Bool) return true;
    if (node.type != DType::I32) return false;
    if (!ranges_) ranges_.emplace(graph_);
    const Interval range = ranges_->of(node.id);
    return range.lo >= -kExactIntegers && range.hi <= kExactIntegers;
  }

  static bool isGather(const Read& read) {
    return std::any_of(read.at.begin(), read.at.end(),
                       [](const IndexExpr& e) { return e.hasValue(); });
  }

  // Whether those of the nodes that are left have become parts of a record.
  bool record(std::set<NodeId>& group, Notes& notes) {
    const std::vector<Member> members = membersOf(group);
    if (group.size() < kFewestMembers) return false;
    const Set points = commonPoints(group);
    if (!isReadOften(group, points)) return false;
    dropReadOutside(points, group);
    if (group.size() == members.size()) dropDependent(group);
    if (group.size() < members.size()) return record(group, notes);
    const auto computed = computedPoints(members);  // may run out of the library's budget: first
    dropRangesOutside(points, group);
    const NodeId made = add(members, points);
    std::string parts;
    for (const Member& member : members) {
      redirect(member, members, made, computed);
      parts += (parts.empty() ? "" : ", ") + called(names_, member.node);
    }
    notes.did(graph_.node(members.front().node).span,
              parts + " lie side by side where they are read at points that data say");
    return true;
  }

  // The longest first, and as many as a line holds; the others leave the group.
  std::vector<Member> membersOf(std::set<NodeId>& group) const {
    std::vector<Member> members;
    for (NodeId node : group) {
      Member member{node, followsFrom(node, group)};
      if (!member.computed)
        member.count = pdg::elementCount(*pdg::constantShape(graph_.node(node)));
      members.push_back(member);
    }
    std::stable_sort(members.begin(), members.end(),
                     [](const Member& a, const Member& b) { return a.count > b.count; });
    int64_t elements = 0;
    for (Member& member : members) {
      if (elements + member.count > kCacheLineElements) {
        group.erase(member.node);
        return membersOf(group);  // nothing may follow from it
      }
      member.first = elements;
      elements += member.count;
    }
    return members;
  }

  // Whether the node is an operation on others of the group, which are none themselves.
  bool followsFrom(NodeId id, const std::set<NodeId>& group) const {
    const Node& node = graph_.node(id);
    if (!isOperation(node)) return false;
    return std::all_of(node.inputs.begin(), node.inputs.end(), [&](const Read& read) {
      const Node& operand = graph_.node(read.producer);
      if (pdg::splatValue(operand)) return true;
      return group.contains(read.producer) && operand.type == DType::F32 &&
             read.at == pdg::identity(operand.dims) && !isOperation(operand) &&
             std::all_of(read.element.begin(), read.element.end(),
                         [](const IndexExpr& e) { return e.asConstant().has_value(); });
    });
  }

  bool isOperation(const Node& node) const {
    const auto* map = std::get_if<pdg::Map>(&node.op);
    return map != nullptr && node.type == DType::F32 && node.shape.empty() &&
           (map->op == ScalarOp::Add || map->op == ScalarOp::Sub || map->op == ScalarOp::Mul ||
            map->op == ScalarOp::Neg);
  }

  Set commonPoints(const std::set<NodeId>& group) const {
    const Node& any = graph_.node(*group.begin());
    std::vector<Var> dims = any.dims;
    std::sort(dims.begin(), dims.end());
    Set points = any.domain.projectOnto(dims);
    for (NodeId member : group) points = points.intersect(graph_.node(member).domain);
    return points.coalesce();
  }

  // Whether it is a reason for a record of the group.
  static bool asksFor(const Gather& gather, const std::set<NodeId>& group) {
    return !gather.inRange && group.contains(gather.producer);
  }

  // A record has the points that all of its parts have; what is read at others is no part.
  void dropReadOutside(const Set& points, std::set<NodeId>& group) const {
    for (const Gather& gather : gathers_)
      if (asksFor(gather, group) && !readsWithin(points, gather)) group.erase(gather.producer);
  }

  bool readsWithin(const Set& points, const Gather& gather) const {
    return pdg::pointsRead(graph_, graph_.node(gather.consumer), gather.input).isSubset(points);
  }

  // Sums that go on to read the tensors themselves: those that need other points, or that a part is
  // computed from. All of them count the same earlier iterations: two sums that count different
  // ones could wait for each other.
  void dropRangesOutside(const Set& points, const std::set<NodeId>& group) {
    const std::set<Var> around = keptAround(group);
    std::erase_if(gathers_, [&](const Gather& gather) {
      if (!gather.inRange || !group.contains(gather.producer)) return false;
      const std::set<Var> plain = plainDims(gather);
      return !std::includes(plain.begin(), plain.end(), around.begin(), around.end()) ||
             !readsWithin(points, gather) ||
             std::any_of(group.begin(), group.end(), [&](NodeId member) {
               return isComputedFrom(graph_, member, {gather.consumer}, around);
             });
    });
  }

  // A part that is computed from what reads the record would have to wait for itself: all of a
  // record is there once its last part is. What an earlier iteration of a loop around has read may
  // count: along the dims that no gather chooses.
  void dropDependent(std::set<NodeId>& group) const {
    std::set<NodeId> readers;
    for (const Gather& gather : gathers_)
      if (asksFor(gather, group)) readers.insert(gather.consumer);
    const std::set<Var> around = keptAround(group);
    std::erase_if(group,
                  [&](NodeId member) { return isComputedFrom(graph_, member, readers, around); });
  }

  // The dims that no gather chooses and along which nothing is read that a later iteration makes.
  std::set<Var> keptAround(const std::set<NodeId>& group) const {
    std::set<Var> around;
    bool first = true;
    for (const Gather& gather : gathers_) {
      if (!asksFor(gather, group)) continue;
      const std::set<Var> plain = plainDims(gather);
      if (first) around = plain;
      std::erase_if(around, [&](Var var) { return !plain.contains(var); });
      first = false;
    }
    std::erase_if(around, [&](Var var) { return isReadLater(var); });
    return around;
  }

  // The dims that a gather reads at their own points.
  std::set<Var> plainDims(const Gather& gather) const {
    std::set<Var> plain;
    const Place& place = places_[gather.place];
    for (size_t k = 0; k < place.at.size(); ++k)
      if (place.at[k] == IndexExpr(place.dims[k])) plain.insert(place.dims[k]);
    return plain;
  }

  // Whether anything reads what a later iteration of the index makes.
  bool isReadLater(Var var) const {
    return std::any_of(graph_.nodes().begin(), graph_.nodes().end(), [&](const Node& node) {
      return std::any_of(node.inputs.begin(), node.inputs.end(), [&](const Read& read) {
        const std::vector<Var>& dims = graph_.node(read.producer).dims;
        for (size_t k = 0; k < dims.size(); ++k) {
          const auto shifted = read.at[k].asShifted();
          if (dims[k] == var && shifted && shifted->var == var && shifted->offset > 0) return true;
        }
        return false;
      });
    });
  }

  bool isReadOften(const std::set<NodeId>& group, const Set& points) const {
    int64_t reads = 0;
    for (const Gather& gather : gathers_)
      if (asksFor(gather, group)) reads = std::max(reads, pointsOf(gather).count());
    return reads / kReadsOfAPoint >= points.count();
  }

  // At how many points of the place's variables the gather reads.
  Set pointsOf(const Gather& gather) const {
    return pdg::readDomain(graph_.node(gather.consumer), gather.input)
        .projectOnto(places_[gather.place].variables());
  }

  NodeId add(const std::vector<Member>& members, const Set& points) {
    Node record = like(graph_.node(members.front().node), points);
    record.type = DType::F32;
    int64_t elements = 0;
    for (const Member& member : members) elements += member.count;
    record.shape = {IndexExpr(elements)};
    pdg::Merge merge;
    for (const Member& member : members) {
      if (member.computed) continue;
      const IndexExpr element(Var::element(0));
      merge.pieces.push_back({points, polyhedral::Condition::within(element, member.first,
                                                                    member.first + member.count)});
      Read part = pdg::identityRead(graph_.node(asF32(member.node)));
      if (!part.element.empty()) part.element = {element - IndexExpr(member.first)};
      record.inputs.push_back(std::move(part));
    }
    record.op = std::move(merge);
    return graph_.add(std::move(record));
  }

  static Node like(const Node& node, const Set& domain) {
    Node result;
    result.span = node.span;
    result.dims = domain.vars();
    result.domain = domain;
    return result;
  }

  NodeId asF32(NodeId id) {
    const Node& node = graph_.node(id);
    if (node.type == DType::F32) return id;
    Node cast = like(node, node.domain);
    cast.type = DType::F32;
    cast.op = pdg::Map{ScalarOp::Cast};
    cast.inputs = {pdg::identityRead(node)};
    return graph_.add(std::move(cast));
  }

  // The points of the nodes that stand for what is no element of the record.
  using ComputedPoints = std::map<std::pair<NodeId, size_t>, Set>;  // by tensor and place
  ComputedPoints computedPoints(const std::vector<Member>& members) const {
    ComputedPoints result;
    for (const Gather& gather : gathers_) {
      const auto member = std::find_if(members.begin(), members.end(), [&](const Member& one) {
        return one.node == gather.producer;
      });
      if (member == members.end() || isElement(*member) || gather.inRange) continue;
      const auto [place, isNew] =
          result.try_emplace({gather.producer, gather.place}, pointsOf(gather));
      if (!isNew) place->second = place->second.unite(pointsOf(gather)).coalesce();
    }
    return result;
  }

  bool isElement(const Member& member) const {
    return !member.computed && graph_.node(member.node).type == DType::F32;
  }

  void redirect(const Member& member, const std::vector<Member>& members, NodeId record,
                const ComputedPoints& points) {
    std::map<size_t, NodeId> made;  // [place] what is no element of the record, over its variables
    for (const Gather& gather : gathers_) {
      if (gather.producer != member.node || (gather.inRange && !isElement(member))) continue;
      Read read = graph_.node(gather.consumer).inputs[static_cast<size_t>(gather.input)];
      if (isElement(member)) {
        const IndexExpr within = read.element.empty() ? IndexExpr(0) : read.element.front();
        read = {record,
                subscriptsOf(read, places_[gather.place].dims),
                {within + IndexExpr(member.first)}};
      } else {
        if (!made.contains(gather.place))
          made[gather.place] = computedAt(points.at({member.node, gather.place}), gather.place,
                                          member, members, record);
        read = pdg::identityRead(graph_.node(made.at(gather.place)));
      }
      graph_.node(gather.consumer).inputs[static_cast<size_t>(gather.input)] = read;
    }
  }

  // A node over the variables of the place: an element of the record cast back to what it was, or
  // an operation on elements.
  NodeId computedAt(const Set& points, size_t place, const Member& member,
                    const std::vector<Member>& members, NodeId record) {
    Node result = like(graph_.node(member.node), points);
    result.type = graph_.node(member.node).type;
    if (!member.computed) {
      result.op = pdg::Map{ScalarOp::Cast, true};
      result.inputs = {{record, places_[place].at, {IndexExpr(member.first)}}};
    } else {
      result.op = graph_.node(member.node).op;
      for (Read read : graph_.node(member.node).inputs) {
        const auto part = std::find_if(members.begin(), members.end(), [&](const Member& other) {
          return other.node == read.producer;
        });
        if (part != members.end()) {
          const IndexExpr within = read.element.empty() ? IndexExpr(0) : read.element.front();
          read = {record, places_[place].at, {within + IndexExpr(part->first)}};
        }
        result.inputs.push_back(std::move(read));
      }
    }
    const int operands = static_cast<int>(result.inputs.size());
    for (Read& read : result.inputs)
      read = pdg::renumbered(read, [&](int value) { return value + operands; });
    const auto& values = places_[place].values;
    result.inputs.insert(result.inputs.end(), values.begin(), values.end());
    return graph_.add(std::move(result));
  }

  Graph& graph_;
  std::optional<ValueRanges> ranges_;  // found where they are asked for
  const std::vector<std::string> names_;
  std::vector<Gather> gathers_;
  std::vector<Place> places_;
};

}  // namespace

void gatheredRecords(pdg::Graph& graph, Notes& notes) { Recorder(graph).run(notes); }

}  // namespace rlc::passes
