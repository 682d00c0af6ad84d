#include "tools/lsp/index.h"

#include <algorithm>

#include "compiler/syntax/parser.h"
#include "compiler/syntax/print.h"

namespace rlc::lsp {
namespace {

using namespace syntax;

constexpr size_t kLongestDetail = 160;

std::string withoutPrimes(std::string name) {
  while (name.ends_with('\'')) name.pop_back();
  return name;
}

class Indexer {
 public:
  Indexer(FileIndex& index, const std::string& text) : index_(index), text_(text) {}

  void run(const Block& items) {
    scope_ = pushScope(0, static_cast<uint32_t>(text_.size()));
    declare(items);
    walk(items);
    std::stable_sort(index_.uses.begin(), index_.uses.end(),
                     [](const Use& a, const Use& b) { return a.begin < b.begin; });
  }

 private:
  int pushScope(uint32_t begin, uint32_t end) {
    index_.scopes.push_back({scope_, begin, end, {}});
    return static_cast<int>(index_.scopes.size()) - 1;
  }

  std::string source(uint32_t begin, uint32_t end) const {
    std::string result = collapse(
        std::string_view(text_).substr(begin, std::min<size_t>(end - begin, 4 * kLongestDetail)));
    if (result.size() <= kLongestDetail) return result;
    size_t cut = kLongestDetail;
    while (cut > 0 && (static_cast<unsigned char>(result[cut]) & 0xC0) == 0x80) --cut;
    return result.substr(0, cut) + " ...";
  }
  std::string source(Span span) const { return source(span.begin, span.end); }

  // A second definition of a name in one scope is a use of the first.
  int define(const Name& name, DefKind kind, Span item, std::string detail, std::string doc = "") {
    const std::string plain = withoutPrimes(name.text);
    Use use = useOf(name);
    use.defines = true;
    auto [place, fresh] = index_.scopes[static_cast<size_t>(scope_)].names.try_emplace(
        plain, static_cast<int>(index_.definitions.size()));
    use.definition = place->second;
    index_.uses.push_back(use);
    if (fresh) {
      Definition definition;
      definition.name = plain;
      definition.kind = kind;
      definition.begin = use.begin;
      definition.end = use.end;
      definition.item_begin = item.begin;
      definition.item_end = item.end;
      definition.detail = std::move(detail);
      definition.doc = std::move(doc);
      definition.scope = scope_;
      definition.parent = parent_;
      index_.definitions.push_back(std::move(definition));
    }
    return place->second;
  }

  Use useOf(const Name& name) const {
    Use use;
    use.name = withoutPrimes(name.text);
    use.begin = name.span.begin;
    use.end = name.span.end - static_cast<uint32_t>(name.text.size() - use.name.size());
    use.scope = scope_;
    return use;
  }

  void read(const Name& name) {
    Use use = useOf(name);
    use.definition = index_.find(scope_, use.name);
    index_.uses.push_back(std::move(use));
  }
  void member(const Name& name, const Expr* object, const Expr* callee) {
    Use use = useOf(name);
    use.object = object;
    use.callee = callee;
    index_.uses.push_back(std::move(use));
  }

  Definition& at(int definition) { return index_.definitions[static_cast<size_t>(definition)]; }

  // Names of a block, before anything in it is read.
  void declare(const Block& items) {
    for (const Item& item : items) {
      std::visit(
          Overloaded{
              [&](const UseItem& use) { declareUse(use, item); },
              [&](const ParamItem& params) {
                for (const ParamDecl& param : params.params) {
                  Span whole = param.name.span;
                  whole.end = std::max(whole.end, param.value ? param.value->span.end : whole.end);
                  const int made =
                      define(param.name, DefKind::Param, whole, "param " + source(whole),
                             param.doc.empty() ? item.doc : param.doc);
                  at(made).value = param.value.get();
                }
              },
              [&](const IndexItem& index) {
                define(index.name, DefKind::Index, item.span, source(item.span), item.doc);
              },
              [&](const RecordItem& record) {
                define(record.name, DefKind::Record, item.span, source(item.span), item.doc);
              },
              [&](const FnItem& fn) { declareFunction(fn, item); },
              [&](const ModuleItem& module) { declareModule(module, item); },
              [&](const WeightItem& weight) {
                define(weight.name, DefKind::Weight, item.span, source(item.span), item.doc);
              },
              [&](const StateItem& state) {
                for (const Field& field : state.fields)
                  define(field.name, DefKind::Field, field.name.span,
                         field.name.text + ": " + print(field.type), field.doc);
              },
              [&](const ActionItem&) {},
              [&](const BlockItem& block) {
                define(block.name, DefKind::Block, item.span, block.name.text + " { ... }",
                       item.doc);
              },
              [&](const EquationItem& equation) { declarePattern(equation.left, equation, item); },
              [&](const SinkItem&) {},
              [&](const ExprItem&) {},
              [&](const BrokenItem& broken) {
                for (const Name& name : broken.names)
                  define(name, DefKind::Tensor, name.span, source(item.span));
              },
          },
          item.node);
    }
  }

  void declareUse(const UseItem& use, const Item& item) {
    Import import;
    import.leading_dots = use.leading_dots;
    for (const Name& part : use.path) import.path.push_back(part.text);
    if (use.file) import.file = *use.file;
    const auto add = [&](const Name& name, std::string member) {
      const int made = define(name, DefKind::Import, item.span, source(item.span), item.doc);
      at(made).import = import;
      at(made).import.member = std::move(member);
    };
    if (!use.members.empty()) {
      for (const Name& name : use.members) add(name, name.text);
    } else if (use.file) {
      index_.wildcards.push_back(import);
    } else if (!use.path.empty()) {
      const std::string last = import.path.back();
      import.path.pop_back();
      add(use.alias ? *use.alias : use.path.back(), last);
      if (use.alias) {
        Use original = useOf(use.path.back());
        original.definition = index_.find(scope_, use.alias->text);
        index_.uses.push_back(original);
      }
    }
  }

  std::vector<std::string> texts(const std::vector<Parameter>& parameters) const {
    std::vector<std::string> result;
    for (const Parameter& parameter : parameters) {
      const uint32_t end = parameter.default_value ? parameter.default_value->span.end
                           : parameter.type        ? parameter.type->span.end
                                                   : parameter.name.span.end;
      result.push_back(source(parameter.name.span.begin, end));
    }
    return result;
  }

  void declareFunction(const FnItem& fn, const Item& item) {
    std::string head = source(item.span.begin, std::max(item.span.begin, fn.body.span.begin));
    while (head.ends_with(' ') || head.ends_with('=') || head.ends_with('{')) head.pop_back();
    const auto kind = fn.kind == FnItem::Kind::Method ? DefKind::Method : DefKind::Function;
    const int made = define(fn.name, kind, item.span, std::move(head), item.doc);
    at(made).parameters = texts(fn.parameters);
  }

  void declareModule(const ModuleItem& module, const Item& item) {
    const DefKind kind = module.kind == ModuleItem::Kind::Module   ? DefKind::Module
                         : module.kind == ModuleItem::Kind::Policy ? DefKind::Policy
                                                                   : DefKind::Env;
    std::string head = source(item.span);
    head.resize(std::min(head.find('{'), head.size()));
    while (head.ends_with(' ')) head.pop_back();
    const int made = define(module.name, kind, item.span, std::move(head), item.doc);
    at(made).parameters = texts(module.parameters);
  }

  void declarePattern(const Pattern& pattern, const EquationItem& equation, const Item& item) {
    if (pattern.tuple) {
      for (const Pattern& element : pattern.elements) declarePattern(element, equation, item);
      return;
    }
    // A name of the env around a block is set by it, not declared again.
    const int outer = block_in_env_ ? index_.find(scope_, withoutPrimes(pattern.name.text)) : -1;
    const bool set =
        outer >= 0 && (at(outer).kind == DefKind::Field || at(outer).kind == DefKind::Param);
    if (set) {
      Use use = useOf(pattern.name);
      use.definition = outer;
      use.defines = true;
      index_.uses.push_back(std::move(use));
      return;
    }
    const int made = define(pattern.name, DefKind::Tensor, item.span, source(item.span), item.doc);
    if (at(made).value == nullptr && !equation.left.tuple) at(made).value = equation.value.get();
    if (at(made).doc.empty()) at(made).doc = item.doc;
  }

  void walk(const Block& items) {
    for (const Item& item : items) walk(item);
  }

  void walk(const Item& item) {
    std::visit(Overloaded{
                   [&](const UseItem&) {},
                   [&](const ParamItem& params) {
                     for (const ParamDecl& param : params.params) {
                       if (param.type) walk(*param.type);
                       walk(param.value);
                     }
                   },
                   [&](const IndexItem& index) {
                     walk(index.range);
                     walk(index.until);
                   },
                   [&](const RecordItem& record) {
                     inside(record.name, item, [&] { fields(record.fields, true); });
                   },
                   [&](const FnItem& fn) { walkFunction(fn, item); },
                   [&](const ModuleItem& module) { walkModule(module, item); },
                   [&](const WeightItem& weight) {
                     walk(weight.type);
                     walk(weight.value);
                   },
                   [&](const StateItem& state) { fields(state.fields, false); },
                   [&](const ActionItem& action) { walk(action.space); },
                   [&](const BlockItem& block) {
                     inside(block.name, item, [&] { walkBlock(block.items); });
                   },
                   [&](const EquationItem& equation) {
                     walk(equation.left);
                     walk(equation.value);
                     walk(equation.where);
                   },
                   [&](const SinkItem& sink) {
                     for (const ExprPtr& value : sink.values) walk(value);
                     if (!sink.each) return;
                     walk(sink.each->every);
                     read(sink.each->index);
                   },
                   [&](const ExprItem& expr) { walk(expr.value); },
                   [&](const BrokenItem&) {},
               },
               item.node);
  }

  // In a scope of its own, as a member of `name`.
  template <typename Body>
  void inside(const Name& name, const Item& item, Body body) {
    const int scope = scope_, parent = parent_;
    const int owner = index_.find(scope_, withoutPrimes(name.text));
    scope_ = pushScope(item.span.begin, item.span.end);
    parent_ = owner;
    if (owner >= 0 && at(owner).own_scope < 0) at(owner).own_scope = scope_;
    body();
    scope_ = scope;
    parent_ = parent;
  }

  void fields(const std::vector<Field>& list, bool define_them) {
    for (const Field& field : list) {
      if (define_them)
        define(field.name, DefKind::Field, field.name.span,
               field.name.text + ": " + print(field.type), field.doc);
      walk(field.type);
      walk(field.default_value);
    }
  }

  void signature(const std::vector<Parameter>& parameters, const std::vector<Name>& over) {
    for (const Name& name : over) define(name, DefKind::Index, name.span, "over " + name.text);
    for (const Parameter& parameter : parameters) {
      const std::string detail =
          parameter.name.text + (parameter.type ? ": " + print(*parameter.type) : std::string());
      define(parameter.name, DefKind::Parameter, parameter.name.span, detail);
    }
    for (const Parameter& parameter : parameters) {
      if (parameter.type) walk(*parameter.type, true);
      walk(parameter.default_value);
    }
  }

  void walkFunction(const FnItem& fn, const Item& item) {
    inside(fn.name, item, [&] {
      signature(fn.parameters, fn.over);
      if (fn.result) walk(*fn.result, true);
      walk(fn.body.expr);
      walkBlock(fn.body.items);
    });
  }

  void walkBlock(const Block& items) {
    declare(items);
    walk(items);
  }

  void walkModule(const ModuleItem& module, const Item& item) {
    const bool around = block_in_env_;
    inside(module.name, item, [&] {
      signature(module.parameters, module.over);
      if (module.result) walk(*module.result, true);
      block_in_env_ = false;
      declare(module.members);
      block_in_env_ = module.kind == ModuleItem::Kind::Env;
      walk(module.members);
    });
    block_in_env_ = around;
  }

  void walk(const Pattern& pattern) {
    for (const Pattern& element : pattern.elements) walk(element);
    for (const Entry& entry : pattern.subscripts) walk(entry);
  }

  void walk(const Entry& entry) {
    if (entry.name) read(*entry.name);
    walk(entry.value);
    if (entry.range) walk(*entry.range);
  }

  void walk(const Range& range) {
    walk(range.lo);
    walk(range.hi);
  }

  void walk(const TypeExpr& type, bool in_signature = false) {
    for (size_t i = 0; i < type.path.size(); ++i) {
      if (i == 0)
        read(type.path[i]);
      else
        member(type.path[i], nullptr, nullptr);
    }
    for (const ExprPtr& extent : type.extents) {
      const auto* name = extent ? extent->as<NameExpr>() : nullptr;
      if (in_signature && name != nullptr && index_.find(scope_, name->name) < 0)
        define({name->name, extent->span}, DefKind::Shape, extent->span, name->name + ": a length");
      else
        walk(extent);
    }
    for (const TypeExpr& element : type.elements) walk(element, in_signature);
    if (type.bounds) walk(*type.bounds);
  }

  void walk(const ExprPtr& expr) {
    if (expr) walk(*expr);
  }

  void walk(const Expr& expr) {
    std::visit(Overloaded{
                   [&](const NameExpr& name) { read({name.name, expr.span}); },
                   [&](const MemberExpr& access) {
                     walk(access.object);
                     member(access.member, access.object.get(), nullptr);
                   },
                   [&](const CallExpr& call) { walkCall(expr, call); },
                   [&](const SubscriptExpr& subscript) {
                     walk(subscript.base);
                     for (const Entry& entry : subscript.entries) walk(entry);
                   },
                   [&](const UnaryExpr& unary) { walk(unary.operand); },
                   [&](const BinaryExpr& binary) {
                     walk(binary.left);
                     walk(binary.right);
                   },
                   [&](const IfExpr& choice) {
                     walk(choice.condition);
                     walk(choice.then_value);
                     walk(choice.else_value);
                   },
                   [&](const TupleExpr& tuple) {
                     for (const ExprPtr& element : tuple.elements) walk(element);
                   },
                   [&](const ListExpr& list) {
                     for (const ExprPtr& element : list.elements) walk(element);
                   },
                   [&](const RecordExpr& record) {
                     for (const FieldInit& field : record.fields) walk(field.value);
                   },
                   [&](const auto&) {},  // literals
               },
               expr.node);
  }

  void walkCall(const Expr& expr, const CallExpr& call) {
    walk(call.callee);
    const int outer = scope_;
    if (call.comprehension) {
      scope_ = pushScope(expr.span.begin, expr.span.end);
      for (const Binder& binder : call.comprehension->binders) {
        if (binder.range) {
          walk(*binder.range);
          define(binder.name, DefKind::Range, binder.name.span,
                 binder.name.text + " in " + print(*binder.range));
        } else {
          read(binder.name);
        }
      }
      walk(call.comprehension->filter);
    }
    for (const Argument& argument : call.arguments) {
      if (argument.name) member(*argument.name, nullptr, call.callee.get());
      walk(argument.value);
    }
    scope_ = outer;
  }

  FileIndex& index_;
  const std::string& text_;
  int scope_ = -1, parent_ = -1;
  bool block_in_env_ = false;
};

}  // namespace

int FileIndex::find(int scope, std::string_view name) const {
  for (; scope >= 0; scope = scopes[static_cast<size_t>(scope)].parent) {
    const auto& names = scopes[static_cast<size_t>(scope)].names;
    if (const auto found = names.find(name); found != names.end()) return found->second;
  }
  return -1;
}

int FileIndex::scopeAt(uint32_t offset) const {
  int best = 0;
  for (size_t i = 1; i < scopes.size(); ++i) {
    const Scope& scope = scopes[i];
    const Scope& inner = scopes[static_cast<size_t>(best)];
    if (scope.begin <= offset && offset <= scope.end &&
        scope.end - scope.begin <= inner.end - inner.begin)
      best = static_cast<int>(i);
  }
  return best;
}

const Use* FileIndex::useAt(uint32_t offset) const {
  auto after = std::upper_bound(uses.begin(), uses.end(), offset,
                                [](uint32_t place, const Use& use) { return place < use.begin; });
  while (after != uses.begin()) {
    --after;
    if (after->begin <= offset && offset <= after->end) return &*after;
    if (after->end + 1 < offset) break;
  }
  return nullptr;
}

int FileIndex::definitionNamed(std::string_view name) const {
  const auto found = scopes.front().names.find(name);
  return found == scopes.front().names.end() ? -1 : found->second;
}

FileIndex indexOf(const File& file, const std::string& text) {
  FileIndex index;
  Indexer(index, text).run(file.items);
  return index;
}

ParsedFile::ParsedFile(std::string where, std::string content)
    : path(std::move(where)), lines(content) {
  tree = parse(sources, sources.add(path, std::move(content)), sink);
  index = indexOf(tree, text());
}

}  // namespace rlc::lsp
