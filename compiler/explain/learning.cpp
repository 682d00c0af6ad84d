#include "compiler/explain/learning.h"

#include <algorithm>
#include <set>

#include "compiler/schedule/dependences.h"
#include "compiler/types/lists.h"

namespace rlc::explain {

namespace {

using schedule::Placed;
using schedule::ScheduleNode;
using schedule::Statement;

class LearningFinder {
 public:
  explicit LearningFinder(const Subject& subject)
      : subject_(subject),
        program_(*subject.program),
        equations_(equationsOf(program_.graph(), subject.places)),
        reasons_(orderReasons(subject)),
        sources_(program_.statements().list.size()),
        turn_(program_.statements().list.size()) {
    for (const auto& root : program_.schedule().roots) number(*root);
    for (const auto& dependence :
         schedule::findDependences(program_.graph(), program_.statements()))
      if (!dependence.orders)
        sources_[static_cast<size_t>(dependence.sink)].push_back(dependence.source);
  }

  std::vector<LearningNote> find() const {
    std::vector<LearningNote> notes;
    std::map<const Tensor*, size_t> noteOf;  // of a gradient's parts one that waits, if any does
    for (size_t at = 0; at < turn_.size(); ++at) {
      const int s = static_cast<int>(at);
      const Tensor* gradient = tensorOf(s);
      if (gradient == nullptr || gradient->kind != Tensor::Kind::Gradient || summedAlong(s).empty())
        continue;
      const auto known = noteOf.find(gradient);
      if (known != noteOf.end() && !notes[known->second].during) continue;
      const auto note = noteOn(s, *gradient);
      if (!note) continue;
      if (known == noteOf.end()) {
        noteOf.emplace(gradient, notes.size());
        notes.push_back(*note);
      } else if (!note->during) {
        notes[known->second] = *note;
      }
    }
    return notes;
  }

 private:
  const Statement& statement(int s) const {
    return program_.statements().list[static_cast<size_t>(s)];
  }
  const Placed& placed(int s) const { return program_.schedule().placed[static_cast<size_t>(s)]; }
  const Tensor* tensorOf(int s) const {
    const pdg::NodeId node = statement(s).node;
    const int tensor = node < 0 ? -1 : equations_.tensorOf[static_cast<size_t>(node)];
    return tensor < 0 ? nullptr : &equations_.tensors[static_cast<size_t>(tensor)];
  }
  std::string nameOf(int s) const {
    const Tensor* tensor = tensorOf(s);
    return tensor == nullptr ? "a value" : "`" + tensor->name + "`";
  }

  void number(const ScheduleNode& node) {
    if (node.kind == ScheduleNode::Kind::Statement)
      turn_[static_cast<size_t>(node.statement)] = ++turns_;
    for (int s : node.statements) turn_[static_cast<size_t>(s)] = ++turns_;
    for (const auto& child : node.children) number(*child);
  }

  bool inside(int s, const ScheduleNode& loop) const {
    const auto& loops = placed(s).loops;
    return contains(loops, &loop);
  }

  // What a statement needs and runs before it: an earlier iteration's is behind it in the nest.
  std::set<int> neededBy(int s) const {
    std::set<int> needed;
    std::vector<int> pending{s};
    while (!pending.empty()) {
      const int at = pending.back();
      pending.pop_back();
      for (int source : sources_[static_cast<size_t>(at)])
        if (runsBefore(source, at) && needed.insert(source).second) pending.push_back(source);
    }
    return needed;
  }
  bool runsBefore(int a, int b) const {
    return turn_[static_cast<size_t>(a)] < turn_[static_cast<size_t>(b)];
  }

  // The names of the indices that a statement adds up along.
  std::set<std::string> summedAlong(int s) const {
    if (statement(s).role != Statement::Role::Update) return {};
    const auto& bound =
        program_.statements().scheduledBound[static_cast<size_t>(statement(s).node)];
    std::set<std::string> names;
    for (size_t k = 0; k < placed(s).loops.size(); ++k)
      if (const auto& var = placed(s).scanned[k]; var && contains(bound, *var))
        names.insert(placed(s).loops[k]->name);
    return names;
  }

  // The tensor that makes a loop run in order.
  const Reason* recurrenceOf(const ScheduleNode& loop) const {
    const auto found = reasons_.find(&loop);
    if (found == reasons_.end()) return nullptr;
    for (const Reason& reason : found->second)
      if (!reason.tensor.empty()) return &reason;
    return nullptr;
  }

  // Of the loops in order along an index of the sum the first that it needs something of, within
  // the same iterations of the loops around.
  const ScheduleNode* episodeOf(int s, const std::set<int>& needed) const {
    const std::set<std::string> along = summedAlong(s);
    const ScheduleNode* best = nullptr;
    int first = 0;
    size_t common = 0;
    for (int other : needed) {
      size_t around = 0;
      for (const ScheduleNode* loop : placed(other).loops) {
        if (loop->parallel) continue;
        if (along.contains(loop->name)) {
          const int turn = turn_[static_cast<size_t>(other)];
          const bool better =
              best == nullptr || around > common || (around == common && turn < first);
          if (better && recurrenceOf(*loop) != nullptr) {
            best = loop;
            common = around;
            first = turn;
          }
          break;
        }
        if (!inside(s, *loop)) break;
        ++around;
      }
    }
    return best;
  }

  std::optional<LearningNote> noteOn(int s, const Tensor& gradient) const {
    const std::set<int> needed = neededBy(s);
    const ScheduleNode* loop = episodeOf(s, needed);
    if (loop == nullptr) return std::nullopt;
    const Reason& recurrence = *recurrenceOf(*loop);
    LearningNote note;
    note.during = inside(s, *loop);
    note.reason.tensor = gradient.name;
    note.reason.span = spanOf(gradient);
    const std::string sum = "`" + gradient.name + "` adds up ",
                      computed = "`" + recurrence.tensor + "` is ";
    if (note.during) {
      const int64_t behind = shiftIn(s, *loop) - shiftOf(recurrence.tensor, *loop);
      note.reason.brief = behind > 0 ? std::to_string(behind) + (behind == 1 ? " step" : " steps") +
                                           " of " + loop->name + " behind it"
                                     : "in the same loop over " + loop->name;
      note.reason.text = sum + "while " + computed + "computed, " + note.reason.brief;
      return note;
    }
    explainWait(note.reason, needed, *loop);
    note.reason.text =
        sum + "only when " + computed + "complete along " + loop->name + ": " + note.reason.brief;
    return note;
  }

  int64_t shiftIn(int s, const ScheduleNode& loop) const {
    const auto& loops = placed(s).loops;
    return placed(s)
        .shift[static_cast<size_t>(std::find(loops.begin(), loops.end(), &loop) - loops.begin())];
  }
  int64_t shiftOf(const std::string& tensor, const ScheduleNode& loop) const {
    std::optional<int64_t> least;
    for (size_t at = 0; at < turn_.size(); ++at) {
      const int s = static_cast<int>(at);
      if (!inside(s, loop) || tensorOf(s) == nullptr || tensorOf(s)->name != tensor) continue;
      const int64_t shift = shiftIn(s, loop);
      least = least ? std::min(*least, shift) : shift;
    }
    return least.value_or(0);
  }

  // What of the sum's needs could not share the loop, the plainest reason of all.
  void explainWait(Reason& reason, const std::set<int>& needed, const ScheduleNode& loop) const {
    int rank = 4;
    const auto say = [&](int plainness, const std::string& text, diagnostics::Span span) {
      if (plainness >= rank) return;
      rank = plainness;
      reason.brief = text;
      if (span.known()) reason.span = span;
    };
    for (int s : needed) {
      const diagnostics::Span span =
          tensorOf(s) == nullptr ? diagnostics::Span{} : tensorOf(s)->span;
      if (summedAlong(s).contains(loop.name) && (inside(s, loop) || needsOf(neededBy(s), loop)))
        say(1, "it needs " + nameOf(s) + ", a sum along all of " + loop.name, span);
      if (inside(s, loop)) continue;
      for (int writer : sources_[static_cast<size_t>(s)]) {
        if (!inside(writer, loop) || !runsBefore(writer, s)) continue;
        for (const ScheduleNode* other : placed(s).loops)
          if (const Reason* turned = recurrenceOf(*other);
              turned != nullptr && other->name == loop.name && other->descending != loop.descending)
            say(0,
                turned->brief + ", so it is computed " + (other->descending ? "down" : "up") +
                    "ward",
                turned->span);
        for (const ScheduleNode* other : placed(writer).loops)
          if (other->parallel && summedAlong(s).contains(other->name))
            say(2, nameOf(s) + " adds up along " + other->name + ", whose points run apart", span);
        say(3, nameOf(s) + " reads " + nameOf(writer), span);
      }
    }
  }
  bool needsOf(const std::set<int>& needed, const ScheduleNode& loop) const {
    return std::any_of(needed.begin(), needed.end(), [&](int s) { return inside(s, loop); });
  }

  // Of the loss, as the gradient itself has no line.
  diagnostics::Span spanOf(const Tensor& gradient) const {
    const std::string_view by = "∂", over = "/∂";
    const size_t end = gradient.name.rfind(over);
    if (!gradient.name.starts_with(by) || end == std::string::npos) return gradient.span;
    const auto loss = subject_.places.find(gradient.name.substr(by.size(), end - by.size()));
    return loss == subject_.places.end() || loss->second.empty() ? gradient.span
                                                                 : loss->second.front();
  }

  const Subject& subject_;
  const native::NativeProgram& program_;
  Equations equations_;
  std::map<const ScheduleNode*, std::vector<Reason>> reasons_;
  std::vector<std::vector<int>> sources_;  // [statement] those that it reads the values of
  std::vector<int> turn_;                  // [statement] its place from the top of the nest
  int turns_ = 0;
};

}  // namespace

std::vector<LearningNote> learningNotes(const Subject& subject) {
  return LearningFinder(subject).find();
}

}  // namespace rlc::explain
