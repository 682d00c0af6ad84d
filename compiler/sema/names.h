// Names that occur in syntax: what equations depend on, what a subscript mentions.
#pragma once

#include <set>
#include <string>

#include "compiler/syntax/ast.h"

namespace rlc::sema {

void collectNames(const syntax::Expr& expr, std::set<std::string>& out);
void collectNames(const syntax::Entry& entry, std::set<std::string>& out);
void collectNames(const syntax::Block& items, std::set<std::string>& out);
void collectNames(const syntax::Item& item, std::set<std::string>& out);
// Free ones: those of its body, but for its parameters and what the body itself defines.
void collectNames(const syntax::FnItem& fn, std::set<std::string>& out);
// Likewise of its members.
void collectNames(const syntax::ModuleItem& module, std::set<std::string>& out);

// Names that the gradients of a function, or of items, are by, as parameters may be, and what these
// are made of.
std::set<std::string> differentiatedBy(const syntax::FnItem& fn);
std::set<std::string> differentiatedBy(const syntax::Block& items);

}  // namespace rlc::sema
