// Loop IR: structured loops over buffers and scalar expressions; one small language for every
// target.
//
// A Lanes loop's body is written for one lane, as in ispc or CUDA: the code generator runs it for a
// block of SIMD lanes at a time (CPU) or gives each lane a thread (GPU). Everything that does not
// depend on the lane variable is uniform.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/diagnostics/kinds.h"
#include "compiler/diagnostics/span.h"
#include "compiler/types/scalar.h"
#include "compiler/types/scalar_op.h"

namespace rlc::loops {

using diagnostics::Span;

// ---- storage ------------------------------------------------------------------------------------

using BufferId = int32_t;

struct Buffer {
  enum class Kind : uint8_t {
    Arena,      // bytes [offset, offset + elements * byteSize(type)) of the program's arena
    Constant,   // read-only data, part of the program
    Parameter,  // one run-time scalar, in the parameter block at byte `offset`
    Private,    // per iteration of the enclosing Lanes loop (or per thread outside one): `elements`
                // each, lane-innermost
    Scratch,    // shared by all threads, in memory that the code generator finds a place for; code
                // generators make them, lowering does not
    Thread,     // likewise, a thread's own where it alone uses it; its lanes share it
  };
  std::string name;
  Kind kind = Kind::Arena;
  DType type = DType::F32;
  int64_t elements = 0;
  int64_t offset = -1;  // Arena, Parameter: bytes; arena offsets are multiples of 64
  int64_t lanes = 0;    // Arena: of a row, where lanes are innermost and only the program reads
                        // it, so that a code generator may store rows in another order; 0: none
  std::vector<Scalar> data;  // Constant
};

// ---- expressions --------------------------------------------------------------------------------

using VarId = int32_t;  // loop variables and let-bound or mutable locals, unique in a program

struct ExprNode;
using Expr = std::shared_ptr<const ExprNode>;

struct ExprNode {
  enum class Kind : uint8_t {
    Literal,   // literal
    Variable,  // a loop variable (I64) or a local
    Load,      // buffer[args[0]], args[0] I64
    Op,  // op(args); the types follow ScalarOp's rules; index arithmetic is I64 FloorDiv, Mod, Min,
         // Max, Add, Mul, ...
    Fma,  // args[0] * args[1] + args[2], rounded once
    // Made by code generators, for products whose factors may be rounded:
    Factor,  // args[0], F32, as BF16: to nearest even, and subnormal numbers to 0, as processors do
    Pair,    // two of BF16 as one I32, args[0] in its low half
    PairFma,  // args[2], F32, + the products of the pairs' high halves + those of their low halves
    Random,   // the draw's scalar for one element: see below
  };
  Kind kind = Kind::Literal;
  DType type = DType::F32;
  Scalar literal;
  VarId var = -1;
  BufferId buffer = -1;
  ScalarOp op = ScalarOp::Add;
  std::vector<Expr> args;
  // Random (jit/runtime/random.h): the scalar of a base draw. args: the index point's coordinates
  // (I64, outermost first), then the element's number in the node's shape (I64), then the
  // parameters (UniformInt: lo, hi; StandardGamma: shape).
  enum class Draw : uint8_t {
    Uniform01,
    StandardNormal,
    UniformInt,
    StandardGamma
  } draw = Draw::Uniform01;
  uint64_t stream = 0;       // stream id, mixed with the run's seed at run time
  int coordinates = 0;       // how many of args are coordinates
  int64_t elementCount = 1;  // elements of the drawn value's shape
};

// ---- statements ---------------------------------------------------------------------------------

struct Stmt;
using StmtPtr = std::unique_ptr<Stmt>;
using Block = std::vector<StmtPtr>;

enum class Combine : uint8_t { Sum, Prod, Max, Min, All, Any };  // Max, Min propagate NaN

struct Stmt {
  enum class Kind : uint8_t {
    For,
    If,
    Let,
    Declare,
    Assign,
    Store,
    Accumulate,
    Check,
    Exit,
    Emit,
    Call
  };
  Kind kind = Kind::Store;
  Span span;  // the source it comes from

  // For: var from lo (inclusive) to hi (exclusive), upward, or from hi - 1 down to lo when
  // `descending`.
  enum class Loop : uint8_t { Sequential, Parallel, Lanes };
  Loop loop = Loop::Sequential;
  bool descending = false;
  bool elements = false;  // Sequential: over a statement's elements, which may be computed in any
                          // order, also at once
  bool units = false;     // Sequential: the elements of vectors; a code generator marks such loops
                          // inside of few lanes (jit/cpu/unit_vectors.h)
  bool wide = false;      // Lanes: in blocks of twice as many lanes; a code generator marks loops
                          // that read little else (jit/cpu/units_as_lanes.h)
  // Parallel and Lanes only: what the iterations accumulate into (everything else they write is
  // disjoint). The code generator gives each chunk of a Parallel loop its own copy of a buffer,
  // initialized to the identity, and combines the copies in a fixed order that does not depend on
  // the number of threads; in a Lanes loop it combines the lanes of a block in a fixed order.
  struct Reduction {
    BufferId buffer = -1;
    VarId local = -1;
    Combine combine = Combine::Sum;
  };
  std::vector<Reduction> reductions;
  // Parallel: threads share it where they have shared the one before, whose results it works with.
  bool sharedAsLast = false;
  // Parallel: runs at the same time as the parallel loop in front of it, with which it shares
  // nothing that either changes; a code generator's (jit/cpu/side_by_side.h).
  bool besideLast = false;
  std::string comment;  // shown by `explain`
  // The first statement of the schedule's root with this number (-1: another), and whether its
  // variable is that root loop's: what had been completed when a run ends early is told by how far
  // these came.
  int root = -1;
  bool rootLoop = false;
  int region = -1;  // its number where a profile tells it apart (regions.h)

  VarId var = -1;           // For; Let, Declare, Assign: the local
  DType type = DType::F32;  // Let, Declare
  Expr lo, hi;              // For
  Expr value;  // Let, Declare (initial value), Assign, Store, Accumulate; If, Check, Exit: the
               // condition
  BufferId buffer = -1;            // Store, Accumulate
  Expr index;                      // Store, Accumulate
  Combine combine = Combine::Sum;  // Accumulate: buffer[index] = combine(buffer[index], value)
  Block body, otherwise;           // For, If
  int fault = -1;  // Check: number in Program::faults, raised when the condition is false for an
                   // active lane
  // Exit: leaves the enclosing loop over `var` when the condition holds (in a Lanes loop: when it
  // holds for every active lane).
  int sink = -1;  // Emit: calls the host with the sink's number and coordinates (args, I64);
                  // sequential code only
  std::vector<Expr> args;  // Emit, Call
  // Call: a runtime function over buffers: args as documented there; buffers are passed as pointers
  // to buffer[index].
  enum class Function : uint8_t {
    Sort,     // args: n, stride (source), stride (destination), descending (0/1); buffers: source,
              // destination
    ArgSort,  // the same; destination I32
    Permutation,  // args: coordinates..., n, stride; buffers: destination I32; stream
    TreeUpdate,  // args: capacity, fan-out, n; buffers: positions I32, priorities F32 (n each), the
                 // tree before, the tree (may be one)
    Product,   // args: m, n, k, A's strides of a row and of a column, B's; buffers: A (m x k), B (k
               // x n), destination (m x n, by rows)
    Prefetch,  // asks for what will be read soon; buffers: it; code generators make them
  };
  Function function = Function::Sort;
  struct Place {
    BufferId buffer;
    Expr index;
  };
  std::vector<Place> places;  // Call
  uint64_t stream = 0;        // Call Permutation
};

// What a failed check reports: message, place, and the names of the coordinates that the Check
// passes in args.
struct Fault {
  diagnostics::Kind kind = diagnostics::Kind::DivisionByZero;
  std::string message;
  std::string tensor;
  Span span;
  std::vector<std::string> coordinateNames;
  bool watch = false;  // not an error: tells where something that is looked for came up
  int statement = -1;  // of the schedule; the args behind the coordinates are its loops' variables,
                       // outermost first
};

struct Program {
  std::vector<Buffer> buffers;
  std::vector<Fault> faults;
  int64_t arenaBytes = 0;
  int64_t residentBytes =
      0;  // of the arena, from its beginning: memory; the rest may be elsewhere: in a mapped file,
          // or, where a GPU runs it, in the host's memory
  bool scratchInFile = false;  // what a thread works with lies in a mapped file
  int64_t scratchLimit =
      0;  // bytes of what the lanes work with, where a machine can run fewer at a time; 0: none
  int64_t transferBytes = 0;  // of memory, for copies of what is elsewhere
  int64_t parameterBytes = 0;
  int variables = 0;  // VarIds are below this
  // Elements of privates may be read that nothing has written, past an index's end: any value will
  // do, but it has to be one.
  bool readsUnwritten = false;
  Block body;
};

// Whether it gives a variable a value: a let, a declaration, an assignment.
bool binds(const Stmt& stmt);

// ---- construction -------------------------------------------------------------------------------

Expr literal(const Scalar& value);
Expr index(int64_t value);  // I64
Expr variable(VarId var, DType type);
Expr load(BufferId buffer, DType type, Expr index);
Expr op(ScalarOp op,
        std::vector<Expr>
            args);  // folds constants and x + 0, x * 1, x * 0 on I64; type by ScalarOp's rules
std::optional<int64_t> indexValue(
    ScalarOp op, int64_t a,
    int64_t b);  // of index arithmetic; none: another operation, or a division by 0
Expr cast(DType type, Expr arg);
Expr fma(Expr a, Expr b, Expr c);
Expr factor(Expr number);
Expr pair(Expr low, Expr high);
Expr pairFma(Expr a, Expr b, Expr c);

Expr operator+(Expr a, Expr b);  // any one type
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);

}  // namespace rlc::loops
