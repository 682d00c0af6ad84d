#include "tools/repl/session.h"

#include <algorithm>

#include "compiler/autodiff/gradients.h"
#include "compiler/syntax/parser.h"
#include "compiler/syntax/print.h"
#include "compiler/types/lists.h"

namespace rlc::repl {

using diagnostics::Diagnostic;
using diagnostics::Kind;
using tools::LoadedProgram;

namespace {

constexpr size_t kMostUndo = 100;

// What more definitions may still put right.
bool isCompletable(Kind kind) { return kind == Kind::UnknownName || kind == Kind::UndefinedRead; }

// Where two equations of a name do not go together.
bool isContradiction(Kind kind) {
  return kind == Kind::DoubleDefinition || kind == Kind::BadLeftIndex ||
         kind == Kind::TypeMismatch || kind == Kind::ShapeMismatch || kind == Kind::InstantCycle;
}

bool within(diagnostics::Span inner, diagnostics::Span outer) {
  return inner.file == outer.file && inner.begin >= outer.begin && inner.end <= outer.end;
}

// Whose errors these are.
std::vector<EntryPtr> culpritsIn(const diagnostics::DiagnosticSink& sink,
                                 const std::vector<EntryPtr>& entries) {
  std::vector<EntryPtr> found;
  for (const Diagnostic& problem : sink.sorted()) {
    if (problem.severity != diagnostics::Severity::Error) continue;
    for (const EntryPtr& entry : entries)
      if (within(problem.span, entry->item.span) && !contains(found, entry)) found.push_back(entry);
  }
  return found;
}

bool anyKind(const diagnostics::DiagnosticSink& sink, bool (*is)(Kind)) {
  const auto all = sink.sorted();
  return std::any_of(all.begin(), all.end(), [&](const Diagnostic& d) {
    return d.severity == diagnostics::Severity::Error && is(d.kind);
  });
}

bool allKinds(const diagnostics::DiagnosticSink& sink, bool (*is)(Kind)) {
  const auto all = sink.sorted();
  return std::all_of(all.begin(), all.end(), [&](const Diagnostic& d) {
    return d.severity != diagnostics::Severity::Error || is(d.kind);
  });
}

void erase(std::vector<EntryPtr>& from, const std::vector<EntryPtr>& what) {
  std::erase_if(from, [&](const EntryPtr& entry) { return contains(what, entry); });
}

}  // namespace

Session::Input Session::read(const std::string& name, std::string text, const std::string& origin) {
  Input input;
  const diagnostics::FileId file = sources_.add(name, std::move(text));
  input.checked = std::make_unique<LoadedProgram>();
  input.checked->sources = sources_;
  syntax::File parsed = syntax::parse(sources_, file, input.checked->sink);
  const bool single = origin.empty() && parsed.items.size() == 1;
  if (single && parsed.items.front().as<syntax::ExprItem>()) {
    // Among items it would have no effect, and that has been reported.
    input.checked->sink = diagnostics::DiagnosticSink();
    input.expression = syntax::parseExpression(sources_, file, input.checked->sink);
    if (input.expression) input.text = syntax::collapse(sources_.text(parsed.items.front().span));
    return input;
  }
  input.entries = entriesOf(std::move(parsed), sources_, origin);
  return input;
}

// Items belong to their entries; while they are elaborated they stand in one file.
std::unique_ptr<LoadedProgram> Session::elaborate(const std::vector<EntryPtr>& entries,
                                                  syntax::Item* last) const {
  auto loaded = std::make_unique<LoadedProgram>();
  loaded->sources = sources_;
  sema::Options options;
  options.libraryPath = {library_};
  for (const auto& param : params_) {
    const bool there = std::any_of(entries.begin(), entries.end(), [&](const EntryPtr& entry) {
      return entry->definesName(param.first) || param.first.find('.') != std::string::npos;
    });
    if (there) options.params.push_back(param);
  }
  syntax::File file;
  for (const EntryPtr& entry : entries) file.items.push_back(std::move(entry->item));
  if (last != nullptr) file.items.push_back(std::move(*last));
  if (!file.items.empty()) file.id = file.items.back().span.file;
  const auto giveBack = [&] {
    for (size_t i = 0; i < entries.size(); ++i) entries[i]->item = std::move(file.items[i]);
    if (last != nullptr) *last = std::move(file.items.back());
  };
  try {
    loaded->program =
        sema::elaborate(loaded->sources, file, options, loaded->context, loaded->sink);
    if (loaded->program) autodiff::expandGradients(loaded->program->graph, loaded->sink);
  } catch (...) {
    giveBack();
    throw;
  }
  giveBack();
  if (loaded->sink.hasErrors()) loaded->program.reset();
  return loaded;
}

Session::Change Session::define(std::vector<EntryPtr> fresh, const std::string& file) {
  const bool fromFile = !file.empty();
  Slots slots = slots_;
  if (fromFile) std::erase_if(slots, [&](const Slot& slot) { return slot.entry->origin == file; });
  std::vector<EntryPtr> replaced;
  for (const EntryPtr& entry : fresh) {
    size_t place = slots.size();
    for (size_t i = slots.size(); i-- > 0;) {
      const EntryPtr& old = slots[i].entry;
      if (contains(fresh, old) || !replaces(*entry, *old)) continue;
      if (!slots[i].waits) replaced.push_back(old);
      slots.erase(slots.begin() + static_cast<std::ptrdiff_t>(i));
      place = std::min(place, i);
    }
    place = std::min(place, slots.size());
    slots.insert(slots.begin() + static_cast<std::ptrdiff_t>(place), {entry, false});
  }
  Change change = settle(slots, fresh, fromFile);
  if (change.accepted.empty() && change.problems &&
      anyKind(change.problems->sink, isContradiction)) {
    // The other equations of these names give way, if that helps.
    Slots alone = slots;
    std::vector<EntryPtr> others;
    std::erase_if(alone, [&](const Slot& slot) {
      const bool same =
          !contains(fresh, slot.entry) &&
          std::any_of(slot.entry->defines.begin(), slot.entry->defines.end(),
                      [&](const Definition& definition) {
                        return std::any_of(fresh.begin(), fresh.end(), [&](const EntryPtr& entry) {
                          return entry->definesName(definition.name);
                        });
                      });
      if (same && !slot.waits) others.push_back(slot.entry);
      return same;
    });
    Change second = settle(alone, fresh, fromFile);
    if (second.accepted.size() == fresh.size()) {
      change = std::move(second);
      slots = std::move(alone);
      replaced.insert(replaced.end(), others.begin(), others.end());
    }
  }
  if (!change.rejected.empty()) return change;
  change.replaced = std::move(replaced);
  commit(std::move(slots));
  return change;
}

// Finds the largest part of the program that holds together; the rest waits. What is wrong in
// itself is rejected.
Session::Change Session::settle(Slots& slots, const std::vector<EntryPtr>& fresh,
                                bool fromFile) const {
  Change change;
  std::vector<EntryPtr> active, waited;
  for (const Slot& slot : slots) {
    active.push_back(slot.entry);
    if (slot.waits) waited.push_back(slot.entry);
  }
  std::vector<EntryPtr> asleep;
  bool brokeOthers = false;
  while (true) {
    change.program = elaborate(active, nullptr);
    if (!change.program->sink.hasErrors()) break;
    std::vector<EntryPtr> culprits = culpritsIn(change.program->sink, active);
    std::vector<EntryPtr> old = culprits;
    std::erase_if(old, [&](const EntryPtr& entry) { return !contains(waited, entry); });
    std::vector<EntryPtr> mine = culprits;
    std::erase_if(mine, [&](const EntryPtr& entry) { return !contains(fresh, entry); });
    if (!old.empty()) {
      culprits = old;
    } else {
      // What breaks others, and is not whole even so, is at fault itself.
      const bool completable = !brokeOthers && allKinds(change.program->sink, isCompletable);
      const bool wrong = !fromFile && (culprits.empty() || (!mine.empty() && !completable));
      // The first errors that are not those of what waits anyway are shown.
      if (!change.problems) change.problems = std::move(change.program);
      if (wrong || culprits.empty()) {
        change.program.reset();
        change.rejected = fresh;
        return change;
      }
      if (!mine.empty())
        culprits = mine;
      else
        brokeOthers = true;
    }
    asleep.insert(asleep.end(), culprits.begin(), culprits.end());
    erase(active, culprits);
  }
  for (Slot& slot : slots) {
    const bool waits = contains(asleep, slot.entry);
    if (contains(fresh, slot.entry))
      (waits ? change.waiting : change.accepted).push_back(slot.entry);
    else if (waits && !slot.waits)
      change.broken.push_back(slot.entry);
    else if (!waits && slot.waits)
      change.resumed.push_back(slot.entry);
    slot.waits = waits;
  }
  return change;
}

void Session::commit(Slots slots) {
  past_.push_back(std::exchange(slots_, std::move(slots)));
  if (past_.size() > kMostUndo) past_.erase(past_.begin());
}

bool Session::forget(const std::string& name, Change& change) {
  Slots slots = slots_;
  const size_t before = slots.size();
  std::erase_if(slots, [&](const Slot& slot) { return slot.entry->definesName(name); });
  if (slots.size() == before) return false;
  change = settle(slots, {}, false);
  commit(std::move(slots));
  return true;
}

void Session::clear() { commit({}); }

bool Session::undo() {
  if (past_.empty()) return false;
  slots_ = std::move(past_.back());
  past_.pop_back();
  return true;
}

std::vector<EntryPtr> Session::neededBy(std::set<std::string, std::less<>> names) const {
  std::vector<bool> needed(slots_.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < slots_.size(); ++i) {
      const Entry& entry = *slots_[i].entry;
      if (needed[i] || entry.isSink()) continue;
      const bool wanted =
          entry.importsAll() || std::any_of(entry.defines.begin(), entry.defines.end(),
                                            [&](const Definition& definition) {
                                              return names.contains(definition.name);
                                            });
      if (!wanted) continue;
      needed[i] = changed = true;
      names.insert(entry.mentions.begin(), entry.mentions.end());
    }
  }
  std::vector<EntryPtr> result;
  for (size_t i = 0; i < slots_.size(); ++i)
    if (needed[i]) result.push_back(slots_[i].entry);
  return result;
}

std::unique_ptr<LoadedProgram> Session::withExpression(Input& input) const {
  syntax::Item item;
  item.span = input.expression->span;
  syntax::SinkItem print;
  print.texts.push_back(input.text);
  print.values.push_back(std::move(input.expression));
  item.node = std::move(print);
  auto loaded = elaborate(neededBy(wordsOf(input.text)), &item);
  input.expression = std::move(std::get<syntax::SinkItem>(item.node).values.front());
  return loaded;
}

std::unique_ptr<LoadedProgram> Session::withSinks(std::vector<EntryPtr> sinks) const {
  std::set<std::string, std::less<>> names;
  for (const EntryPtr& sink : sinks) names.insert(sink->mentions.begin(), sink->mentions.end());
  std::vector<EntryPtr> entries = neededBy(std::move(names));
  entries.insert(entries.end(), sinks.begin(), sinks.end());
  return elaborate(entries, nullptr);
}

std::unique_ptr<LoadedProgram> Session::whole() const {
  std::vector<EntryPtr> entries;
  for (const Slot& slot : slots_)
    if (!slot.waits) entries.push_back(slot.entry);
  return elaborate(entries, nullptr);
}

void Session::setParam(const std::string& name, const std::string& value) {
  std::erase_if(params_, [&](const auto& param) { return param.first == name; });
  if (!value.empty()) params_.emplace_back(name, value);
}

bool Session::defines(std::string_view name) const {
  return std::any_of(slots_.begin(), slots_.end(),
                     [&](const Slot& slot) { return slot.entry->definesName(name); });
}

std::string Session::source() const {
  std::string text;
  for (const Slot& slot : slots_)
    if (!slot.waits) text += slot.entry->source + "\n";
  return text + waitingSource();
}

std::string Session::waitingSource() const {
  std::string text;
  for (const Slot& slot : slots_)
    if (slot.waits) text += slot.entry->source + "\n";
  return text;
}

}  // namespace rlc::repl
