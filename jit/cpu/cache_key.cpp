#include "jit/cpu/cache_key.h"

#include <llvm/Config/llvm-config.h>

#include <unordered_map>

#include "jit/cpu/disk_cache.h"
#include "source_hash.h"

namespace rlc::cpu {

using loops::Block;
using loops::Buffer;
using loops::Expr;
using loops::ExprNode;
using loops::Program;
using loops::Stmt;

namespace {

// Everything that code generation reads, as bytes; shared expressions are written once.
class Serializer {
 public:
  template <class T>
  void number(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string_view value) {
    number(value.size());
    bytes_.append(value);
  }
  void scalar(const Scalar& value) {
    number(value.type);
    number(value.i);
  }
  void expr(const Expr& e) {
    if (!e) return number(int32_t{-1});
    const auto [found, fresh] = seen_.emplace(e.get(), static_cast<int32_t>(seen_.size()));
    number(found->second);
    if (!fresh) return;
    number(e->kind);
    number(e->type);
    scalar(e->literal);
    number(e->var);
    number(e->buffer);
    number(e->op);
    number(e->draw);
    number(e->stream);
    number(e->coordinates);
    number(e->elementCount);
    exprs(e->args);
  }
  void exprs(const std::vector<Expr>& list) {
    number(list.size());
    for (const Expr& e : list) expr(e);
  }
  void block(const Block& block) {
    number(block.size());
    for (const auto& stmt : block) statement(*stmt);
  }
  void statement(const Stmt& s) {
    number(s.kind);
    number(s.loop);
    number(s.descending);
    number(s.elements);
    number(s.root);
    number(s.rootLoop);
    number(s.reductions.size());
    for (const auto& r : s.reductions) number(r.buffer), number(r.local), number(r.combine);
    number(s.var);
    number(s.type);
    for (const Expr* e : {&s.lo, &s.hi, &s.value, &s.index}) expr(*e);
    number(s.buffer);
    number(s.combine);
    number(s.fault);
    number(s.sink);
    exprs(s.args);
    number(s.function);
    number(s.places.size());
    for (const auto& place : s.places) number(place.buffer), expr(place.index);
    number(s.stream);
    block(s.body);
    block(s.otherwise);
  }
  void program(const Program& p) {
    number(p.buffers.size());
    for (const Buffer& b : p.buffers) {
      number(b.kind);
      number(b.type);
      number(b.elements);
      number(b.offset);
      number(b.lanes);
      number(b.data.size());
      for (const Scalar& value : b.data) scalar(value);
    }
    number(p.residentBytes);
    number(p.scratchInFile);
    number(p.variables);
    number(p.readsUnwritten);
    block(p.body);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  std::unordered_map<const ExprNode*, int32_t> seen_;
};

void describe(Serializer& out, const CompileOptions& options, const Maker& maker) {
  out.text(maker.compiler);
  out.text(maker.target.cpu);
  out.text(maker.target.features);
  out.number(options.optimization);
  out.number(options.vectorWidth);
  out.number(options.maximumChunks);
  out.number(options.tileContractions);
  out.number(options.roundFactors);
}

}  // namespace

Maker makerOf(const CompileOptions& options) {
  return {std::string(kSourceHash) + " LLVM " + LLVM_VERSION_STRING, targetOf(options)};
}

std::string cacheKey(const Program& program, const CompileOptions& options, const Maker& maker) {
  Serializer out;
  describe(out, options, maker);
  out.program(program);
  return hashOf(out.bytes());
}

std::string cacheKey(const Program& program, const CompileOptions& options) {
  return cacheKey(program, options, makerOf(options));
}

std::string cacheKey(std::string_view text, const CompileOptions& options) {
  Serializer out;
  describe(out, options, makerOf(options));
  out.text(text);
  return hashOf(out.bytes());
}

}  // namespace rlc::cpu
