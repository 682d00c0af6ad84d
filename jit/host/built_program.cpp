#include "jit/host/built_program.h"

#include <cstring>
#include <type_traits>

#include "compiler/diagnostics/internal_error.h"

namespace rlc::host {

namespace {

constexpr std::string_view kMagic = "rlc-program-1\n";

// Each type's fields, named once for both directions: `a` is a Writer, or a Reader that fills them.
template <class A>
void fields(A& a, PointExpr::Linear& x) {
  a(x.coefficient, x.slot);
}
template <class A>
void fields(A& a, PointExpr::Other& x) {
  a(x.coefficient, x.kind, x.input, x.divisor, x.args);
}
template <class A>
void fields(A& a, PointExpr& x) {
  a(x.constant, x.linear, x.others);
}
template <class A>
void fields(A& a, PointCondition& x) {
  a(x.kind, x.expr, x.parts);
}
template <class A>
void fields(A& a, PointScan::Level& x) {
  a(x.slot, x.lo, x.hi);
}
template <class A>
void fields(A& a, PointScan& x) {
  a(x.levels);
}
template <class A>
void fields(A& a, Place::Dim& x) {
  a(x.position, x.lo, x.ring, x.stride);
}
template <class A>
void fields(A& a, Place::Axis& x) {
  a(x.extent, x.stride);
}
template <class A>
void fields(A& a, Place& x) {
  a(x.type, x.offset, x.dims, x.axes);
}
template <class A>
void fields(A& a, EndCheck& x) {
  a(x.end, x.position, x.beyond, x.tensor, x.dim);
}
template <class A>
void fields(A& a, Leaf& x) {
  a(x.place, x.checks);
}
template <class A>
void fields(A& a, ValueTree& x) {
  a(x.kind, x.field, x.children);
}
template <class A>
void fields(A& a, SinkLine& x) {
  a(x.first, x.last, x.everyDim, x.every, x.everyFirst, x.everyLast, x.lastIsOpen);
}
template <class A>
void fields(A& a, runtime::SinkInfo& x) {
  a(x.kind, x.label, x.iteration);
}
template <class A>
void fields(A& a, diagnostics::Span& x) {
  a(x.file, x.begin, x.end);
}
template <class A>
void fields(A& a, Sink& x) {
  a(x.info, x.span, x.dims, x.tree, x.leaves, x.where, x.line, x.any, x.box, x.inside, x.isListed,
    x.listed);
}
template <class A>
void fields(A& a, Fault& x) {
  a(x.kind, x.message, x.tensor, x.span, x.coordinates);
}
template <class A>
void fields(A& a, Scalar& x) {
  a(x.type, x.i);
}
template <class A>
void fields(A& a, Parameter& x) {
  a(x.name, x.offset, x.value);
}
template <class A>
void fields(A& a, Plan& x) {
  a(x.parameters, x.parameterBytes, x.mostThreads, x.sinks, x.faults);
}
template <class A>
void fields(A& a, SourceText& x) {
  a(x.path, x.text);
}
template <class A>
void fields(A& a, ParamText& x) {
  a(x.name, x.doc, x.type, x.value, x.number);
}
template <class A>
void fields(A& a, BuiltProgram& x) {
  a(x.name, x.version, x.features, x.sources, x.params, x.residentBytes, x.arenaBytes,
    x.scratchInFile, x.plan);
}

template <class T>
constexpr bool isVector = false;
template <class T>
constexpr bool isVector<std::vector<T>> = true;
template <class T>
constexpr bool isPlain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class Writer {
 public:
  template <class... T>
  void operator()(T&... values) {
    (one(values), ...);
  }
  std::string bytes;

 private:
  template <class T>
  void one(T& value) {
    if constexpr (isPlain<T>) {
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    } else if constexpr (std::is_same_v<T, std::string>) {
      size(value.size());
      bytes += value;
    } else if constexpr (isVector<T>) {
      size(value.size());
      for (auto& element : value) one(element);
    } else {
      fields(*this, value);
    }
  }
  void size(uint64_t count) { one(count); }
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  template <class... T>
  void operator()(T&... values) {
    (one(values), ...);
  }
  bool atEnd() const { return rest_.empty(); }

 private:
  template <class T>
  void one(T& value) {
    if constexpr (isPlain<T>) {
      std::memcpy(&value, take(sizeof value).data(), sizeof value);
    } else if constexpr (std::is_same_v<T, std::string>) {
      value = take(size());
    } else if constexpr (isVector<T>) {
      value.resize(size());
      for (auto& element : value) one(element);
    } else {
      fields(*this, value);
    }
  }
  // Every element takes a byte at least.
  uint64_t size() {
    uint64_t count = 0;
    one(count);
    if (count > rest_.size()) fail();
    return count;
  }
  std::string_view take(uint64_t count) {
    if (count > rest_.size()) fail();
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  [[noreturn]] static void fail() { throw InternalError("the program's description is damaged"); }

  std::string_view rest_;
};

}  // namespace

std::string toBytes(const BuiltProgram& program) {
  BuiltProgram copy = program;  // what writes takes references as what reads does
  Writer writer;
  writer(copy);
  return std::string(kMagic) + writer.bytes;
}

BuiltProgram builtProgram(std::string_view bytes) {
  if (!bytes.starts_with(kMagic))
    throw InternalError("the program's description is of another version");
  Reader reader(bytes.substr(kMagic.size()));
  BuiltProgram program;
  reader(program);
  if (!reader.atEnd()) throw InternalError("the program's description is damaged");
  return program;
}

}  // namespace rlc::host
