// What is known at compile time: params, declared indices, static integers; and the errors about
// them.
#include <algorithm>
#include <sstream>

#include "compiler/sema/elaborator.h"
#include "compiler/sema/names.h"
#include "compiler/syntax/parser.h"
#include "compiler/syntax/print.h"

namespace rlc::sema {

ValueRef Elaborator::fail(Kind kind, Span span, std::string message, std::string hint) {
  report(Diagnostic(kind, span, std::move(message)).hint(std::move(hint)));
  return poison();
}

polyhedral::VarNamer Elaborator::namer() const {
  return [this, named = graph_.namer()](Var var) {
    const bool known = var.isElement() || var.id < graph_.dimCount();
    return known ? named(var) : "k" + std::to_string(var.id);
  };
}

std::string Elaborator::show(const ValueRef& value) const { return describe(value, namer()); }
std::string Elaborator::show(const IndexExpr& expr) const { return expr.toString(namer()); }

void Elaborator::useStatically(const Tensor& tensor) {
  for (int param : tensor.params) params_[static_cast<size_t>(param)].baked = true;
}

std::optional<IndexExpr> Elaborator::affine(const ValueRef& value, Span span,
                                            const std::string& what) {
  if (value->isPoison() || value->isUnknown()) return std::nullopt;
  const Tensor* tensor = value->as<Tensor>();
  if (tensor && tensor->index && tensor->shape.empty()) {
    useStatically(*tensor);
    return tensor->index;
  }
  if (tensor && tensor->shape.empty() && !isFloat(tensor->type))
    fail(Kind::NotStatic, span,
         what + " is an expression of indices and params: `+ - * // %` by constants, `min`, `max`");
  else
    fail(Kind::TypeMismatch, span, what + " is an integer, not " + show(value),
         value->as<TypeValue>() ? "a tensor takes a type by being converted: `i32(zeros([3]))`"
                                : "convert it: `i32(x)`, or divide by `//`");
  return std::nullopt;
}

// What a part of the expression divides by, where that is 0.
static const Expr* zeroDivisor(Elaborator& e, const Expr& expr, const Place& place) {
  const auto* binary = expr.as<syntax::BinaryExpr>();
  if (!binary) return nullptr;
  for (const Expr* part : {binary->left.get(), binary->right.get()})
    if (const Expr* found = zeroDivisor(e, *part, place)) return found;
  if (binary->op != syntax::BinaryOp::FloorDivide && binary->op != syntax::BinaryOp::Modulo)
    return nullptr;
  const ValueRef divisor = e.eval(*binary->right, place);
  const Tensor* number = divisor->as<Tensor>();
  return number && number->constant() == 0 ? binary->right.get() : nullptr;
}

std::optional<IndexExpr> Elaborator::affine(const Expr& expr, const Place& place,
                                            const std::string& what) {
  const ValueRef value = eval(expr, place);
  const Tensor* tensor = value->as<Tensor>();
  if (tensor && !tensor->index)
    if (const Expr* zero = zeroDivisor(*this, expr, place)) {
      fail(Kind::NotStatic, zero->span, what + " is divided by this, which is 0");
      return std::nullopt;
    }
  return affine(value, expr.span, what);
}

// `name = text` of a param set from outside that a value was computed from, by way of others, too.
std::optional<std::string> Elaborator::settingOf(const Value& value) const {
  const Tensor* tensor = value.as<Tensor>();
  if (!tensor) return std::nullopt;
  for (int id : tensor->params) {
    const Param& param = params_[static_cast<size_t>(id)];
    if (!param.setting.empty()) return param.setting;
  }
  return std::nullopt;
}

// An index may be empty where the program says so; a setting that empties one is a mistake.
bool Elaborator::emptiedBySetting(const syntax::IndexItem& item, const pdg::Dim& dim,
                                  const Place& place) {
  const auto extent = (dim.hi - dim.lo).asConstant();
  if (!extent || *extent >= 1) return false;
  for (const auto* bound : {item.range.hi.get(), item.range.lo.get()}) {
    ++dry_;
    const ValueRef value = eval(*bound, place);
    --dry_;
    if (auto setting = settingOf(*value)) {
      fail(Kind::BadParamValue, item.name.span,
           "`" + *setting + "` leaves the index `" + dim.name + "` without a point",
           "its range needs at least one: give a larger value");
      return true;
    }
  }
  return false;
}

std::optional<IndexExpr> Elaborator::extent(const ValueRef& value, Span span) {
  auto result = affine(value, span, "an extent");
  const auto size = result ? result->asConstant() : std::nullopt;
  if (!size || *size >= 1) return result;
  if (auto setting = settingOf(*value)) {
    fail(Kind::BadParamValue, span,
         "`" + *setting + "` makes this size " + std::to_string(*size) + ": a size is at least 1");
    return std::nullopt;
  }
  if (*size == 0) return result;
  fail(Kind::ShapeMismatch, span, "an extent is not negative");
  return std::nullopt;
}

std::optional<int64_t> Elaborator::staticInt(const ValueRef& value, Span span,
                                             const std::string& what) {
  if (value->isPoison() || value->isUnknown()) return std::nullopt;
  const Tensor* tensor = value->as<Tensor>();
  if (tensor && tensor->constant() && tensor->shape.empty()) {
    useStatically(*tensor);
    return tensor->constant();
  }
  fail(Kind::NotStatic, span, what + " is an integer that is known when the program is compiled",
       "use integer literals and params");
  return std::nullopt;
}

std::optional<std::vector<int64_t>> Elaborator::staticInts(const ValueRef& value, Span span,
                                                           const std::string& what) {
  if (const Tuple* tuple = value->as<Tuple>()) {
    std::vector<int64_t> result;
    for (const ValueRef& element : tuple->elements) {
      auto one = staticInt(element, span, what);
      if (!one) return std::nullopt;
      result.push_back(*one);
    }
    return result;
  }
  auto one = staticInt(value, span, what);
  if (!one) return std::nullopt;
  return std::vector<int64_t>{*one};
}

std::optional<bool> Elaborator::staticBool(const ValueRef& value, Span span,
                                           const std::string& what) {
  if (value->isPoison() || value->isUnknown()) return std::nullopt;
  const Tensor* tensor = value->as<Tensor>();
  if (tensor && tensor->constantBool()) {
    useStatically(*tensor);
    return tensor->constantBool();
  }
  fail(Kind::NotStatic, span, what + " is a bool that is known when the program is compiled");
  return std::nullopt;
}

// ---- params -------------------------------------------------------------------------------------

void Elaborator::declareParams(const syntax::ParamItem& item, const std::shared_ptr<Scope>& scope,
                               bool program) {
  for (const syntax::ParamDecl& decl : item.params) {
    auto symbol = std::make_shared<Symbol>();
    symbol->kind = Symbol::Kind::Param;
    symbol->span = decl.name.span;
    symbol->param = static_cast<int>(params_.size());
    symbol->import = scope;
    Param param;
    param.name =
        program ? decl.name.text : (scope->path.empty() ? "" : scope->path + ".") + decl.name.text;
    param.doc = decl.doc;
    param.span = decl.name.span;
    param.symbol = symbol;
    params_.push_back(std::move(param));
    paramDecls_.push_back(&decl);
    declare(scope, decl.name, symbol);
  }
}

namespace {

std::string textOf(const Scalar& value) {
  if (value.type == DType::Bool) return value.i ? "true" : "false";
  if (!value.isFloating()) return std::to_string(value.i);
  std::ostringstream out;
  out.precision(value.type == DType::F64 ? 17 : 9);
  out << value.f;
  return out.str();
}

// The lengths of lists within each other, from the outermost; none where they are ragged.
std::optional<std::vector<int64_t>> lengthsOf(const ValueRef& value) {
  const Tuple* list = value->as<Tuple>();
  if (!list) return std::vector<int64_t>{};
  std::optional<std::vector<int64_t>> inner = std::vector<int64_t>{};
  for (size_t i = 0; i < list->elements.size(); ++i) {
    const auto own = lengthsOf(list->elements[i]);
    if (!own || (i > 0 && own != inner)) return std::nullopt;
    inner = own;
  }
  inner->insert(inner->begin(), std::ssize(list->elements));
  return inner;
}

// The type of a list of numbers, or of truths: f32 where there are floats. None of anything else,
// such as a tuple, a record or a list of these.
std::optional<DType> typeWithin(const ValueRef& value) {
  if (const Tensor* leaf = value->as<Tensor>())
    return leaf->shape.empty() ? std::optional(leaf->type) : std::nullopt;
  const Tuple* list = value->as<Tuple>();
  if (!list || !list->list) return std::nullopt;
  std::optional<DType> type;
  for (const ValueRef& element : list->elements) {
    const auto own = typeWithin(element);
    if (!own || (type && (*type == DType::Bool) != (*own == DType::Bool))) return std::nullopt;
    if (!type || isFloat(*own)) type = own;
  }
  return type;
}

}  // namespace

// A list of numbers as it is declared, or as its default is: of that type, for which integers stand
// for floats, within as many lists, and of the lengths that the declaration has. None where it does
// not fit.
std::optional<ValueRef> Elaborator::paramList(const ValueRef& list, const ValueRef& byDefault,
                                              const syntax::ParamDecl& decl,
                                              std::optional<DType> declared, const Place& place) {
  const auto wanted = declared ? declared : typeWithin(byDefault), own = typeWithin(list);
  if (!wanted) return list;  // of no numbers
  const auto lengths = lengthsOf(list), expected = lengthsOf(byDefault);
  if (lengths && expected && lengths->size() != expected->size()) return std::nullopt;
  if (decl.type && !decl.type->extents.empty()) {
    if (!lengths || lengths->size() != decl.type->extents.size()) return std::nullopt;
    for (size_t axis = 0; axis < lengths->size(); ++axis) {
      const auto extent = affine(*decl.type->extents[axis], place, "an extent");
      if (!extent || extent->asConstant() != (*lengths)[axis]) return std::nullopt;
    }
  }
  if (!own) return list->as<Tuple>()->elements.empty() ? std::optional(list) : std::nullopt;
  if ((*wanted == DType::Bool) != (*own == DType::Bool) || (isFloat(*own) && !isFloat(*wanted)))
    return std::nullopt;
  return mapLeaves(list, [&](const Tensor& leaf, const std::string&) {
    if (declared) return make(cast(leaf, *declared, place));
    const auto integer = leaf.constant();
    return isFloat(*wanted) && integer ? make(floatLiteral(static_cast<double>(*integer)))
                                       : make(leaf);
  });
}

void Elaborator::resolveParam(Symbol& symbol) {
  const size_t id = static_cast<size_t>(symbol.param);
  if (params_[id].value) return;
  const syntax::ParamDecl& decl = *paramDecls_[id];
  if (symbol.busy) {
    fail(Kind::InstantCycle, decl.name.span,
         "the param `" + params_[id].name + "` depends on itself");
    params_[id].value = poison();
    return;
  }
  symbol.busy = true;
  auto space = std::make_shared<Space>();
  space->domain = Set::universe(context_, {});
  Place place{symbol.import, space};
  const int savedDry = dry_;
  dry_ = 0;
  ValueRef value = decl.value ? eval(*decl.value, place) : poison();
  const ValueRef byDefault = value;
  bool typed = false;
  DType type = DType::F32;
  if (decl.type && decl.type->path.size() == 1)
    if (auto declared = typeNamed(decl.type->path[0].text)) typed = true, type = *declared;
  auto given = overrides_.find(params_[id].name);
  Span valueSpan = decl.value ? decl.value->span : decl.name.span;
  if (given != overrides_.end()) {
    const std::string& text = given->second;
    params_[id].overridden = true;
    params_[id].setting = params_[id].name + " = " + text;
    const bool wantsText = value->as<Text>() != nullptr;
    diagnostics::FileId file = sources_.add("<" + params_[id].name + ">", text);
    ValueRef other;
    diagnostics::DiagnosticSink quiet;
    auto expr = syntax::parseExpression(sources_, file, quiet);
    if (wantsText && !(expr && expr->as<syntax::StringLiteral>())) {
      other = make(Text{text});
    } else if (expr && quiet.empty()) {
      ++dry_;
      other = eval(*expr, Place{builtins_, space});
      --dry_;
      keptExprs_.push_back(std::move(expr));
    }
    if (!other || other->isPoison() || other->isUnknown()) {
      fail(Kind::BadParamValue, decl.name.span,
           "`" + params_[id].name + " = " + text + "`: this value can't be read",
           "give a number, true or false, a list such as [64, 64], or a string");
      other = poison();
    } else if (!value->isPoison()) {
      const Tensor *a = value->as<Tensor>(), *b = other->as<Tensor>();
      bool fits = (a == nullptr) == (b == nullptr);
      if (a && b) {
        const DType want = typed ? type : a->type;
        fits = b->shape.empty() && (want == DType::Bool) == (b->type == DType::Bool) &&
               (isFloat(want) || !isFloat(b->type));
        if (fits && want == DType::I32 && b->constant() &&
            *b->constant() != static_cast<int32_t>(*b->constant()))
          fits = false;
      }
      if (!fits) {
        fail(Kind::BadParamValue, decl.name.span,
             "`" + params_[id].name + " = " + text + "` does not fit: the param is " +
                 (typed ? std::string(name(type)) : show(value)));
        other = poison();
      } else if (a && !typed) {
        typed = true;
        type = a->type;
      }
    }
    value = other;
  }
  const Tensor* scalar = value->as<Tensor>();
  if (scalar && scalar->shape.empty() &&
      (scalar->constant() || scalar->number || scalar->constantBool())) {
    const DType to = typed ? type : scalar->type;
    bool fits = (to == DType::Bool) == (scalar->type == DType::Bool) &&
                (isFloat(to) || !isFloat(scalar->type));
    if (!fits) {
      fail(Kind::TypeMismatch, valueSpan,
           "the param `" + params_[id].name + "` is " + std::string(name(to)) + ", and this is " +
               show(value));
      value = poison();
    } else {
      Tensor t;
      t.type = to;
      Scalar constant;
      double number = scalar->number       ? *scalar->number
                      : scalar->constant() ? static_cast<double>(*scalar->constant())
                                           : *scalar->constantBool();
      constant = isFloat(to) ? Scalar::ofFloat(to, number)
                             : Scalar::ofInt(to, scalar->constant() ? *scalar->constant()
                                                                    : static_cast<int64_t>(number));
      if (isFloat(to))
        t.number = constant.f;
      else if (to == DType::Bool)
        t.condition = constant.i ? Condition::always() : Condition::never();
      else
        t.index = IndexExpr(constant.i),
        t.range = ValueRange{constant.i, IndexExpr(constant.i) + 1};
      for (int other : scalar->params) params_[static_cast<size_t>(other)].givesOthers = true;
      if (params_[id].setting.empty()) params_[id].setting = settingOf(*value).value_or("");
      t.params = {static_cast<int>(id)};
      Node node;
      node.name = params_[id].name;
      node.span = params_[id].span;
      node.domain = Set::universe(context_, {});
      node.type = to;
      params_[id].node = graph_.addParam({params_[id].name, params_[id].span, constant});
      node.op = pdg::Param{params_[id].node};
      t.view = identity(graph_.add(std::move(node)), {}, to, {}).view;
      params_[id].type = std::string(name(to));
      params_[id].text = textOf(constant);
      value = make(std::move(t));
    }
  } else if (const Text* text = value->as<Text>()) {
    params_[id].type = "string";
    params_[id].text = text->text;
    params_[id].baked = true;
  } else if (!value->isPoison()) {
    if (value->as<Tuple>()) {
      const auto list =
          paramList(value, byDefault, decl, typed ? std::optional(type) : std::nullopt, place);
      if (!list)
        fail(Kind::BadParamValue, decl.name.span,
             "`" +
                 (params_[id].overridden ? params_[id].setting
                                         : params_[id].name + " = " + syntax::print(*decl.value)) +
                 "` does not fit: the param is " +
                 (decl.type ? syntax::print(*decl.type) : "like " + syntax::print(*decl.value)));
      value = list.value_or(poison());
    }
    if (scalar && !scalar->isStatic()) {
      fail(Kind::NotStatic, valueSpan, "a param's value is known before the run",
           "a literal, or `+ - * / // % ^`, `min` and `max` of literals and other params; what is "
           "computed of them is an equation, without `param`");
      value = poison();
    }
    params_[id].type = show(value);
    params_[id].text = given != overrides_.end() ? given->second : syntax::print(*decl.value);
    params_[id].baked = true;
    if (programTargets_.contains(decl.name.text)) value = asVariables(value, place);
  }
  params_[id].value = value;
  symbol.busy = false;
  dry_ = savedDry;
}

// ---- indices ------------------------------------------------------------------------------------

void Elaborator::resolveIndex(Symbol& symbol, const std::string& name,
                              const std::shared_ptr<Scope>& scope) {
  if (symbol.indexReady) return;
  const syntax::IndexItem& item = *symbol.indexItem;
  if (symbol.busy) {
    fail(Kind::InstantCycle, item.name.span, "the range of `" + name + "` depends on itself");
    return;
  }
  symbol.busy = true;
  const int savedDry = dry_;
  dry_ = 0;
  std::set<std::string> names;
  collectNames(*item.range.lo, names);
  collectNames(*item.range.hi, names);
  std::vector<Var> outer;
  for (const auto& other : indices_)
    if (other->indexReady &&
        names.count(indexNames_[static_cast<size_t>(&other - indices_.data())]))
      outer.push_back(other->var);
  auto space = std::make_shared<Space>();
  space->dims = outer;
  space->domain = Set::universe(context_, outer);
  for (Var var : outer) space->index[var] = IndexExpr(var);
  Place place{scope, space};
  auto lo = affine(*item.range.lo, place, "a range's bound");
  auto hi = affine(*item.range.hi, place, "a range's bound");
  pdg::Dim dim;
  dim.name = name;
  dim.span = item.name.span;
  dim.lo = lo.value_or(IndexExpr(0));
  dim.hi = hi.value_or(IndexExpr(0)) + (item.range.inclusive ? 1 : 0);
  if (emptiedBySetting(item, dim, place)) {
    dim.hi = dim.lo + 1;  // else empty reductions are reported, too
    emptied_ = true;
  }
  symbol.var = graph_.addDim(dim);
  if (!lo || !hi) brokenIndices_.insert(symbol.var);
  symbol.indexReady = true;
  symbol.busy = false;
  dry_ = savedDry;
}

std::vector<Var> Elaborator::closeIndices(const std::set<Var>& touched) const {
  std::set<Var> all;
  std::vector<Var> work(touched.begin(), touched.end());
  while (!work.empty()) {
    Var var = work.back();
    work.pop_back();
    if (!all.insert(var).second || var.id >= graph_.dimCount()) continue;
    graph_.dim(var).lo.collectVariables(work);
    graph_.dim(var).hi.collectVariables(work);
  }
  return {all.begin(), all.end()};  // dims are numbered in the order of declaration
}

SpaceRef Elaborator::declaredSpace(std::vector<Var> indices) {
  auto it = declaredSpaces_.find(indices);
  if (it != declaredSpaces_.end()) return it->second;
  auto space = std::make_shared<Space>();
  space->dims = indices;
  std::vector<IndexExpr> lo, hi;
  for (Var var : indices) {
    lo.push_back(graph_.dim(var).lo);
    hi.push_back(graph_.dim(var).hi);
    space->index[var] = IndexExpr(var);
  }
  space->domain = Set::box(context_, indices, lo, hi);
  declaredSpaces_[indices] = space;
  return space;
}

}  // namespace rlc::sema
