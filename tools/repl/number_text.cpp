#include "tools/repl/number_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace rlc::repl {

namespace {

constexpr int kPrecision = 8;

// The fewest digits that read back as the same value of its type.
std::string shortest(const Scalar& value, std::chars_format format) {
  char buffer[512];
  const std::to_chars_result end =
      value.type == DType::F64
          ? std::to_chars(buffer, buffer + sizeof buffer, value.f, format)
          : std::to_chars(buffer, buffer + sizeof buffer, static_cast<float>(value.f), format);
  return {buffer, end.ptr};
}

std::string rounded(double value, std::chars_format format, int precision) {
  char buffer[512];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, format, precision);
  return {buffer, end.ptr};
}

struct Parts {
  std::string whole, fraction, exponent;  // "-1", "25", "e-05"
};

Parts partsOf(const Scalar& value, std::chars_format format) {
  const auto split = [](std::string text) {
    Parts parts;
    if (const size_t e = text.find('e'); e != std::string::npos) {
      parts.exponent = text.substr(e);
      text.resize(e);
    }
    const size_t point = text.find('.');
    parts.whole = text.substr(0, point);
    if (point != std::string::npos) parts.fraction = text.substr(point + 1);
    return parts;
  };
  Parts parts = split(shortest(value, format));
  if (parts.fraction.size() > kPrecision) parts = split(rounded(value.f, format, kPrecision));
  while (parts.fraction.ends_with('0')) parts.fraction.pop_back();
  return parts;
}

// NumPy's rule: an exponent where the numbers are very large, very small, or far apart.
bool wantsExponent(std::span<const Scalar> elements) {
  double largest = 0, smallest = INFINITY;
  for (const Scalar& element : elements) {
    const double size = std::fabs(element.f);
    if (!std::isfinite(size) || size == 0) continue;
    largest = std::max(largest, size);
    smallest = std::min(smallest, size);
  }
  return largest > 0 && (largest >= 1e8 || smallest < 1e-4 || largest / smallest > 1000.0);
}

std::vector<std::string> floatTexts(std::span<const Scalar> elements) {
  const auto format =
      wantsExponent(elements) ? std::chars_format::scientific : std::chars_format::fixed;
  std::vector<Parts> parts(elements.size());
  size_t whole = 0, fraction = 0;
  for (size_t i = 0; i < elements.size(); ++i) {
    if (!std::isfinite(elements[i].f)) continue;
    parts[i] = partsOf(elements[i], format);
    whole = std::max(whole, parts[i].whole.size());
    fraction = std::max(fraction, parts[i].fraction.size());
  }
  std::vector<std::string> texts;
  for (size_t i = 0; i < elements.size(); ++i) {
    const double value = elements[i].f;
    if (!std::isfinite(value)) {
      texts.push_back(std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
      continue;
    }
    const Parts& part = parts[i];
    std::string text(whole - part.whole.size(), ' ');
    text += part.whole + "." + part.fraction;
    const size_t lacking = fraction - part.fraction.size();
    // Digits before an exponent are filled up; others end where they end.
    text += part.exponent.empty() ? std::string(lacking, ' ')
                                  : std::string(lacking, '0') + part.exponent;
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace

std::vector<std::string> numberTexts(std::span<const Scalar> elements) {
  std::vector<std::string> texts;
  if (!elements.empty() && elements.front().isFloating()) {
    texts = floatTexts(elements);
  } else {
    for (const Scalar& element : elements)
      texts.push_back(element.type == DType::Bool ? (element.i != 0 ? "true" : "false")
                                                  : std::to_string(element.i));
  }
  size_t width = 0;
  for (const std::string& text : texts) width = std::max(width, text.size());
  for (std::string& text : texts) text.insert(0, width - text.size(), ' ');
  return texts;
}

std::string shortNumber(double value, int digits) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, digits);
  return {buffer, end.ptr};
}

}  // namespace rlc::repl
