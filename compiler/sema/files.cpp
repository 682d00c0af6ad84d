// Files: what a file declares, `use`, the standard library.
//
// `use std.envs.CartPole` is the item CartPole of LIBRARY/std/envs.rl, or of
// LIBRARY/std/envs/cart_pole.rl; `use .helpers.gae` is the item gae of helpers.rl beside this file
// (`..`: of the folder above); `use "lib/helpers.rl"` takes all items of a file.
// LIBRARY/std/prelude.rl is in scope everywhere.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <limits>

#include "compiler/sema/builtins.h"
#include "compiler/sema/elaborator.h"
#include "compiler/syntax/parser.h"

namespace rlc::sema {

using syntax::Overloaded;

namespace {

std::string snakeCase(const std::string& name) {
  std::string result;
  for (size_t i = 0; i < name.size(); ++i) {
    unsigned char c = static_cast<unsigned char>(name[i]);
    if (std::isupper(c)) {
      if (i > 0 && !std::isupper(static_cast<unsigned char>(name[i - 1])) && name[i - 1] != '_')
        result += '_';
      result += static_cast<char>(std::tolower(c));
    } else {
      result += name[i];
    }
  }
  return result;
}

std::string camelCase(const std::string& name) {
  std::string result;
  bool start = true;
  for (char c : name) {
    if (c != '_')
      result += start ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    start = c == '_';
  }
  return result;
}

}  // namespace

bool Elaborator::isThere(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error)) return true;
  absent_.insert(path);
  return false;
}

std::shared_ptr<Scope> Elaborator::builtinScope() {
  if (builtins_) return builtins_;
  builtins_ = std::make_shared<Scope>();
  const auto& table = builtins();
  for (size_t i = 0; i < table.size(); ++i)
    builtins_->bind(table[i].name, make(BuiltinRef{static_cast<int>(i)}));
  for (DType type :
       {DType::Bool, DType::U8, DType::I32, DType::I64, DType::BF16, DType::F32, DType::F64})
    builtins_->bind(std::string(name(type)), make(TypeValue{type}));
  builtins_->bind("inf", make(floatLiteral(std::numeric_limits<double>::infinity())));
  builtins_->bind("nan", make(floatLiteral(std::numeric_limits<double>::quiet_NaN())));
  return builtins_;
}

void Elaborator::declare(const std::shared_ptr<Scope>& scope, const syntax::Name& name,
                         std::shared_ptr<Symbol> symbol) {
  if (auto existing = scope->findHere(name.text)) {
    report(Diagnostic(Kind::DuplicateName, name.span, "`" + name.text + "` is declared twice")
               .note(existing->span, "first here"));
    return;
  }
  symbol->span = name.span;
  scope->symbols[name.text] = std::move(symbol);
}

void Elaborator::declareItems(const syntax::Block& items, const std::shared_ptr<Scope>& scope,
                              bool program) {
  auto value = [&](const syntax::Name& name, ValueRef v) {
    auto symbol = std::make_shared<Symbol>();
    symbol->value = std::move(v);
    declare(scope, name, symbol);
  };
  auto path = [&](const std::string& name) {
    return scope->path.empty() ? name : scope->path + "." + name;
  };
  auto misplaced = [&](Span span) {
    fail(Kind::MisplacedItem, span, "this item can't stand here");
  };
  const size_t firstBroken = brokenNames_.size();
  for (const syntax::Item& item : items) {
    std::visit(Overloaded{
                   [&](const syntax::UseItem& use) { declareUse(use, item.span, scope); },
                   [&](const syntax::ParamItem& params) { declareParams(params, scope, program); },
                   [&](const syntax::IndexItem& index) {
                     if (!program) return misplaced(item.span);
                     auto symbol = std::make_shared<Symbol>();
                     symbol->kind = Symbol::Kind::Index;
                     symbol->indexItem = &index;
                     indices_.push_back(symbol);
                     indexNames_.push_back(index.name.text);
                     indexDocs_.push_back(item.doc);
                     declare(scope, index.name, symbol);
                   },
                   [&](const syntax::RecordItem& record) {
                     value(record.name, make(RecordType{record.name.text, &record.fields, scope}));
                   },
                   [&](const syntax::FnItem& fn) {
                     value(fn.name, make(Function{&fn, scope, path(fn.name.text)}));
                   },
                   [&](const syntax::ModuleItem& module) {
                     value(module.name, make(Class{&module, scope, path(module.name.text)}));
                   },
                   [&](const syntax::WeightItem&) { misplaced(item.span); },
                   [&](const syntax::StateItem&) { misplaced(item.span); },
                   [&](const syntax::ActionItem&) { misplaced(item.span); },
                   [&](const syntax::BlockItem&) { misplaced(item.span); },
                   [&](const syntax::EquationItem& equation) {
                     if (program) {
                       equations_.push_back(&item);
                       return;
                     }
                     if (equation.left.tuple || equation.left.subscripted || equation.drawn)
                       return misplaced(item.span);
                     auto symbol = std::make_shared<Symbol>();
                     symbol->kind = Symbol::Kind::Static;
                     symbol->equation = &equation;
                     symbol->import = scope;
                     declare(scope, equation.left.name, symbol);
                   },
                   [&](const syntax::SinkItem& sink) {
                     if (program)
                       sinkItems_.push_back({&sink, item.span});
                     else
                       misplaced(item.span);
                   },
                   [&](const syntax::ExprItem&) {
                     fail(Kind::MisplacedItem, item.span,
                          "an expression on its own has no effect here",
                          "print it: `print ...`, or give it a name");
                   },
                   [&](const syntax::BrokenItem& broken) {
                     for (const syntax::Name& name : broken.names)
                       brokenNames_.emplace_back(scope, name);
                   },
               },
               item.node);
  }
  for (size_t i = firstBroken; i < brokenNames_.size(); ++i)
    if (const auto& [in, name] = brokenNames_[i]; !in->findHere(name.text))
      in->bind(name.text, poison(), name.span);
  brokenNames_.resize(firstBroken);
}

std::shared_ptr<Scope> Elaborator::loadFile(const std::string& path, const std::string& modulePath,
                                            Span use) {
  std::error_code error;
  std::string canonical = std::filesystem::weakly_canonical(path, error).string();
  if (canonical.empty()) canonical = path;
  auto it = files_.find(canonical);
  if (it != files_.end()) return it->second;
  std::string why;
  auto id = sources_.find(canonical);  // a text that an editor holds
  if (!id) id = sources_.load(path, why);
  if (!id) {
    fail(Kind::CannotRead, use, "`" + path + "`: " + why);
    return nullptr;
  }
  auto scope = childOf(prelude_ ? prelude_ : builtinScope(), modulePath);
  files_[canonical] = scope;
  trees_.push_back(std::make_shared<syntax::File>(syntax::parse(sources_, *id, sink_)));
  declareItems(trees_.back()->items, scope, false);
  loaded_.insert(scope.get());
  return scope;
}

namespace {

// "did you mean ...?" of the first part of a module's path that no file or folder has.
std::string nearestModule(const std::vector<std::filesystem::path>& roots,
                          const std::vector<syntax::Name>& path) {
  namespace fs = std::filesystem;
  for (fs::path folder : roots) {
    std::error_code error;
    size_t known = 0;
    while (known < path.size() && fs::is_directory(folder / path[known].text, error))
      folder /= path[known++].text;
    if (known == path.size()) continue;
    std::vector<std::string> names;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
      if (it->is_directory(error) || it->path().extension() == ".rl")
        names.push_back(it->path().stem().string());
    std::sort(names.begin(), names.end());
    const std::string& wrong = path[known].text;
    const std::string lower = snakeCase(wrong);
    std::string hint = diagnostics::didYouMean(lower, names);
    if (hint.empty()) continue;
    if (lower == wrong) return hint;
    std::vector<std::string> items;  // an item `CartPole` lies in cart_pole.rl
    for (const std::string& name : names) items.push_back(camelCase(name));
    return diagnostics::didYouMean(wrong, items);
  }
  return "";
}

// Whether a line of the text defines the name: "fn ppo(", "env CartPole {".
bool defines(std::istream& text, const std::string& name) {
  for (std::string line; std::getline(text, line);)
    for (const char* keyword : {"fn ", "env ", "module ", "policy ", "record "})
      if (line.starts_with(keyword + name)) {
        const size_t end = std::string_view(keyword).size() + name.size();
        const auto next = static_cast<unsigned char>(end < line.size() ? line[end] : ' ');
        if (!std::isalnum(next) && next != '_') return true;
      }
  return false;
}

}  // namespace

std::string Elaborator::libraryHint(const std::string& name) const {
  namespace fs = std::filesystem;
  if (name == "True" || name == "False") return "it is written `" + snakeCase(name) + "`";
  std::vector<std::string> found;
  for (const std::string& root : options_.libraryPath) {
    std::error_code error;
    const auto skip = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator it(root, skip, error), end; !error && it != end;
         it.increment(error)) {
      std::error_code unknown;
      if (it->path().extension() != ".rl" || !it->is_regular_file(unknown)) continue;
      std::ifstream text(it->path());
      if (!defines(text, name)) continue;
      const fs::path file = it->path().lexically_relative(root);
      std::string use;
      for (const fs::path& part : file.parent_path()) use += part.string() + ".";
      if (file.stem().string() != snakeCase(name)) use += file.stem().string() + ".";
      found.push_back(use + name);
    }
  }
  std::sort(found.begin(), found.end());
  return found.empty() ? "" : "the library has one: `use " + found.front() + "`";
}

void Elaborator::declareUse(const syntax::UseItem& use, Span span,
                            const std::shared_ptr<Scope>& scope) {
  auto import = [&](const std::shared_ptr<Scope>& from, const std::string& member,
                    const syntax::Name& as, Span at) {
    if (!from->findHere(member) && loaded_.count(from.get())) {
      std::vector<std::string> names;
      for (const auto& [name, symbol] : from->symbols)
        if (symbol->kind != Symbol::Kind::Import) names.push_back(name);
      std::sort(names.begin(), names.end());
      std::string hint = libraryHint(member);
      if (hint.empty()) hint = diagnostics::orWhatItHas(member, names);
      const bool whole = from->path.ends_with("." + member);
      fail(Kind::UnknownModule, at,
           whole ? "`" + from->path + "` is a file: say which of its items"
                 : "`" + from->path + "` has no `" + member + "`",
           whole && !names.empty()
               ? "such as `use " + from->path + "." + names.front() + "`; " + hint
               : hint);
      if (!scope->findHere(as.text)) scope->bind(as.text, poison(), as.span);
      return;
    }
    auto symbol = std::make_shared<Symbol>();
    symbol->kind = Symbol::Kind::Import;
    symbol->import = from;
    symbol->importName = member;
    declare(scope, as, symbol);
  };
  namespace fs = std::filesystem;
  diagnostics::FileId here = span.file;
  fs::path folder = here >= 0 ? fs::path(sources_.path(here)).parent_path() : fs::path();
  auto poisonAll = [&](const std::string& name, Span at) {
    if (!name.empty() && !scope->findHere(name)) scope->bind(name, poison(), at);
  };
  if (use.file) {
    std::string path = (folder / *use.file).string();
    if (!isThere(path)) {
      fail(Kind::UnknownModule, span, "there is no file `" + path + "`");
      for (const syntax::Name& member : use.members) poisonAll(member.text, member.span);
      return;
    }
    auto from = loadFile(path, fs::path(path).stem().string(), span);
    if (!from) return;
    if (!use.members.empty()) {
      for (const syntax::Name& member : use.members) import(from, member.text, member, member.span);
      return;
    }
    std::vector<std::string> names;
    for (const auto& [name, symbol] : from->symbols) names.push_back(name);
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) import(from, name, syntax::Name{name, span}, span);
    return;
  }
  if (use.path.empty()) return;
  std::vector<fs::path> roots;
  if (use.leading_dots > 0) {
    fs::path root = folder.empty() ? fs::path(".") : folder;
    for (int i = 1; i < use.leading_dots; ++i) root /= "..";
    roots.push_back(root);
  } else {
    for (const std::string& path : options_.libraryPath) roots.emplace_back(path);
  }
  const bool single = use.members.empty();
  const size_t parts = use.path.size() - (single ? 1 : 0);
  std::string text;
  for (size_t i = 0; i < use.path.size(); ++i) text += (i ? "." : "") + use.path[i].text;
  std::string tried;
  for (const fs::path& root : roots) {
    fs::path base = root;
    std::string module;
    for (size_t i = 0; i < parts; ++i) {
      base /= use.path[i].text;
      module += (i ? "." : "") + use.path[i].text;
    }
    std::string file = base.string() + ".rl";
    auto load = [&](const std::string& path, const std::string& as) {
      return isThere(path) ? loadFile(path, as, span) : nullptr;
    };
    std::shared_ptr<Scope> from = parts > 0 ? load(file, module) : nullptr;
    if (single) {
      const syntax::Name& last = use.path.back();
      const syntax::Name& as = use.alias ? *use.alias : last;
      std::string own = (base / (snakeCase(last.text) + ".rl")).string();
      if (!from || !from->findHere(last.text)) {
        if (auto other =
                load(own, module.empty() ? last.text : module + "." + snakeCase(last.text)))
          from = other;
      }
      if (from) return import(from, last.text, as, last.span);
      tried += (tried.empty() ? "" : ", ") + file + ", " + own;
    } else {
      if (from) {
        for (const syntax::Name& member : use.members)
          import(from, member.text, member, member.span);
        return;
      }
      std::vector<const syntax::Name*> missing;
      for (const syntax::Name& member : use.members) {
        auto other = load((base / (snakeCase(member.text) + ".rl")).string(),
                          module + "." + snakeCase(member.text));
        if (other)
          import(other, member.text, member, member.span);
        else
          missing.push_back(&member);
      }
      if (missing.size() < use.members.size()) {
        for (const syntax::Name* member : missing) {
          fail(Kind::UnknownModule, member->span, "`" + text + "` has no `" + member->text + "`",
               libraryHint(member->text));
          poisonAll(member->text, member->span);
        }
        return;
      }
      tried += (tried.empty() ? "" : ", ") + file;
    }
  }
  std::string hint = nearestModule(roots, use.path);
  if (!tried.empty())
    hint = hint.empty() ? "looked for " + tried : hint + " (looked for " + tried + ")";
  report(Diagnostic(Kind::UnknownModule, span, "there is no module `" + text + "`").hint(hint));
  if (single) poisonAll(use.alias ? use.alias->text : use.path.back().text, span);
  for (const syntax::Name& member : use.members) poisonAll(member.text, member.span);
}

}  // namespace rlc::sema
