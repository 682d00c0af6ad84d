#include "compiler/sema/scope.h"

namespace rlc::sema {

std::vector<Var> TensorDef::dims() const {
  std::vector<Var> result = hidden;
  for (const Position& position : positions) result.push_back(position.var);
  return result;
}

std::shared_ptr<Symbol> Scope::findHere(const std::string& name) const {
  auto it = symbols.find(name);
  return it == symbols.end() ? nullptr : it->second;
}

std::shared_ptr<Symbol> Scope::find(const std::string& name) const {
  for (const Scope* scope = this; scope; scope = scope->parent.get()) {
    auto it = scope->symbols.find(name);
    if (it == scope->symbols.end()) continue;
    std::shared_ptr<Symbol> symbol = it->second;
    for (int hops = 0; symbol && symbol->kind == Symbol::Kind::Import && hops < 64; ++hops)
      symbol = symbol->import->findHere(symbol->importName);
    return symbol && symbol->kind == Symbol::Kind::Import ? nullptr : symbol;
  }
  return nullptr;
}

void Scope::visibleNames(std::vector<std::string>& out) const {
  for (const Scope* scope = this; scope; scope = scope->parent.get())
    for (const auto& [name, symbol] : scope->symbols) out.push_back(name);
}

void Scope::bind(const std::string& name, ValueRef value, Span span) {
  auto symbol = std::make_shared<Symbol>();
  symbol->kind = Symbol::Kind::Value;
  symbol->value = std::move(value);
  symbol->span = span;
  symbols[name] = std::move(symbol);
}

std::shared_ptr<Scope> childOf(const std::shared_ptr<Scope>& parent, std::string path) {
  auto scope = std::make_shared<Scope>();
  scope->parent = parent;
  scope->path = std::move(path);
  return scope;
}

}  // namespace rlc::sema
