#include "tools/lsp/builtins.h"

#include <algorithm>

namespace rlc::lsp {

std::span<const KeywordInfo> keywords() {
  static constexpr KeywordInfo kKeywords[] = {
      {"use",
       "Brings names of another file in: `use std.nn.Mlp`, `use .helpers.{a, b}`, `use "
       "\"lib/more.rl\"`.",
       "use ${1:std.nn.Mlp}"},
      {"param", "A constant of a run, which the command line can set: `param envs = 64`.",
       "param ${1:name} = ${2:1}"},
      {"index", "An index and its range; `hi` is excluded: `index t in 0..horizon`.",
       "index ${1:t} in 0..${2:horizon}"},
      {"record", "A type with named fields: `record P { x: f32, v: f32[2] }`.",
       "record ${1:Name} {\n  ${2:x}: ${3:f32}\n}"},
      {"fn", "A pure function, polymorphic in indices.",
       "fn ${1:name}(${2:x: f32}) -> ${3:f32} = ${0:x}"},
      {"loss", "A function that is minimized.", "loss ${1:name}(${2:x: f32}) = ${0:x}"},
      {"module", "Weights and the functions that use them.",
       "module ${1:Name}(${2:n: int}) {\n  weight ${3:W}: f32[${2:n}] = 0.0\n  apply(x: f32[n]) -> "
       "f32 = ${0:x @ W}\n}"},
      {"policy", "A module whose result is a distribution over actions.",
       "policy ${1:Actor}(obs: f32[${2:4}]) -> Categorical {\n  net = Mlp(${2:4}, [64, 64], "
       "${3:2}, tanh)\n  "
       "Categorical(logits = net(obs))\n}"},
      {"env", "An environment: its state, its actions, how it begins and what a step does.",
       "env ${1:Name} {\n  state { ${2:x}: f32 }\n  action Discrete(${3:2})\n  reset { ${2:x} = "
       "0.0 }\n  step(a) { "
       "${2:x}' = ${2:x} }\n  observe    = [${2:x}]\n  reward     = 1.0\n  terminated = false\n  "
       "truncated  = false\n}"},
      {"weight", "A parameter of a module, learned: `weight W: f32[m, n] ~ Orthogonal(1.0)`.",
       "weight ${1:W}: f32[${2:m, n}] ~ ${3:Orthogonal(1.0)}"},
      {"print", "Prints every point at which the value is defined.", "print ${1:x}"},
      {"report",
       "Logs a metric at each point of its free indices: `report \"loss\" = loss each 10 i`.",
       "report \"${1:name}\" = ${2:x}"},
      {"save", "Writes a checkpoint: `save θ as \"policy\"`.", "save ${1:θ} as \"${2:policy}\""},
      {"state", "The state of an environment.", ""},
      {"action", "The space of actions of an environment: `action Discrete(2)`.", ""},
      {"if",
       "`if c then a else b`. A condition on indices is lazy: the other branch is not read there.",
       ""},
      {"then", "The value where the condition holds.", ""},
      {"else", "The value where the condition does not hold.", ""},
      {"for", "Runs a reduction over a range or an index: `sum(x[k] for k in 0..t)`.", ""},
      {"in", "`k in lo..hi`: `hi` is excluded; `lo..=hi` includes it.", ""},
      {"where", "Restricts an equation to the points at which a condition on indices holds.", ""},
      {"and", "Both; the right side is not read where a left side on indices fails.", ""},
      {"or", "Either.", ""},
      {"not", "The opposite.", ""},
      {"true", "The boolean that holds.", ""},
      {"false", "The boolean that does not hold.", ""},
      {"each", "`each k i`: every k-th point of i, and the last.", ""},
      {"as", "Another name: `use .a.b as c`; the name of a checkpoint.", ""},
      {"over", "`over t`: the arguments of a function may be read at other points of `t`.", ""},
      {"until", "Ends a range at the first point at which a condition holds.", ""},
  };
  return kKeywords;
}

const KeywordInfo* keyword(std::string_view word) {
  const auto all = keywords();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.word == word; });
  return found == all.end() ? nullptr : &*found;
}

const sema::BuiltinFact* builtin(std::string_view name) {
  const auto& all = sema::builtinFacts();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> parametersOf(std::string_view signature) {
  std::vector<std::string> result;
  const size_t open = signature.find('(');
  if (open == std::string_view::npos) return result;
  int depth = 0;
  std::string current;
  const auto finish = [&] {
    const size_t first = current.find_first_not_of(' ');
    if (first != std::string::npos)
      result.push_back(current.substr(first, current.find_last_not_of(' ') - first + 1));
    current.clear();
  };
  for (size_t i = open + 1; i < signature.size(); ++i) {
    const char c = signature[i];
    if (c == '(' || c == '[') ++depth;
    if (c == ')' && depth == 0) break;
    if (c == ')' || c == ']') --depth;
    if (c == ',' && depth == 0)
      finish();
    else
      current += c;
  }
  finish();
  return result;
}

}  // namespace rlc::lsp
