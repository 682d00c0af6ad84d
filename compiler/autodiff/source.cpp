#include "compiler/autodiff/source.h"

#include "compiler/pdg/reads.h"
#include "compiler/pdg/shape.h"

namespace rlc::autodiff {

namespace {

// Appends those of `values` that are used, each once, and says which input each has become.
class Appender {
 public:
  Appender(std::vector<Read>& inputs, size_t data, const std::vector<Read>& values)
      : inputs_(inputs), data_(data), values_(values), numbers_(values.size(), -1) {}

  int operator()(int value) {
    int& number = numbers_.at(static_cast<size_t>(value));
    if (number >= 0) return number;
    const Read& read = values_[static_cast<size_t>(value)];
    Read own = renumbered(read, [this](int inner) { return (*this)(inner); });
    for (size_t i = data_; i < inputs_.size(); ++i) {
      if (inputs_[i].producer == own.producer && inputs_[i].at == own.at &&
          inputs_[i].element == own.element)
        return number = static_cast<int>(i);
    }
    number = static_cast<int>(inputs_.size());
    inputs_.push_back(std::move(own));
    return number;
  }

 private:
  std::vector<Read>& inputs_;
  size_t data_;
  const std::vector<Read>& values_;
  std::vector<int> numbers_;
};

}  // namespace

Source selfOf(const Node& node) { return {pdg::identityRead(node), {}}; }

Source operandOf(const Node& node, int input) {
  const Read& read = node.inputs.at(static_cast<size_t>(input));
  if (pdg::valueInputs(read).empty()) return {read, {}};
  return {read, node.inputs};
}

Read substitute(const Read& read, const Substitution& replacement) {
  Read result = read;
  for (IndexExpr& e : result.at) e = e.substitute(replacement);
  for (IndexExpr& e : result.element) e = e.substitute(replacement);
  return result;
}

Source substitute(const Source& source, const Substitution& replacement,
                  const std::vector<Read>& replacementValues) {
  const int shift = static_cast<int>(source.values.size());
  auto shifted = [&](int input) { return input + shift; };
  Substitution moved = replacement;
  if (!replacementValues.empty())
    for (auto& [var, e] : moved) e = e.mapInputs(shifted);
  Source result{substitute(source.read, moved), {}};
  for (const Read& value : source.values) result.values.push_back(substitute(value, moved));
  for (const Read& value : replacementValues) result.values.push_back(renumbered(value, shifted));
  if (pdg::valueInputs(result.read).empty()) result.values.clear();
  return result;
}

std::vector<Read> inputsOf(const std::vector<Source>& sources) { return inputsOf(sources, {}, {}); }

std::vector<Read> inputsOf(const std::vector<Source>& sources, std::vector<IndexExpr*> extra,
                           const std::vector<Read>& extraValues) {
  std::vector<Read> inputs;
  for (const Source& source : sources) inputs.push_back(source.read);
  for (size_t i = 0; i < sources.size(); ++i) {
    if (sources[i].values.empty()) continue;
    Appender append(inputs, sources.size(), sources[i].values);
    Read own = renumbered(sources[i].read, [&](int value) { return append(value); });
    inputs[i] = std::move(own);
  }
  Appender append(inputs, sources.size(), extraValues);
  for (IndexExpr* e : extra) *e = e->mapInputs([&](int value) { return append(value); });
  return inputs;
}

}  // namespace rlc::autodiff
