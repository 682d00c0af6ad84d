#include "jit/runtime/format.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iterator>

namespace rlc::runtime {
namespace {

bool appendNonFinite(std::string& out, double value, Notation notation) {
  if (std::isfinite(value)) return false;
  if (notation == Notation::Json) out += '"';
  out += std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  if (notation == Notation::Json) out += '"';
  return true;
}

// Lays out what std::to_chars writes in scientific form, "-1.25e-07". Decimal exponents from -4 to
// 15 give plain digits.
void appendDigits(std::string& out, std::string_view scientific) {
  if (scientific.front() == '-') {
    out += '-';
    scientific.remove_prefix(1);
  }
  const size_t e = scientific.find('e');
  int exponent = 0;
  const size_t sign = scientific[e + 1] == '+' ? e + 2 : e + 1;
  std::from_chars(scientific.data() + sign, scientific.data() + scientific.size(), exponent);
  char digits[32];
  int count = 0;
  for (char c : scientific.substr(0, e)) {
    if (c != '.') digits[count++] = c;
  }
  if (exponent < -4 || exponent > 15) {
    out += digits[0];
    if (count > 1) out.append(1, '.').append(digits + 1, static_cast<size_t>(count - 1));
    out += 'e';
    appendInt(out, exponent);
    return;
  }
  if (exponent < 0) {
    out += "0.";
    out.append(static_cast<size_t>(-exponent - 1), '0').append(digits, static_cast<size_t>(count));
    return;
  }
  for (int i = 0; i <= exponent; ++i) out += i < count ? digits[i] : '0';
  out += '.';
  if (count > exponent + 1) {
    out.append(digits + exponent + 1, static_cast<size_t>(count - exponent - 1));
  } else {
    out += '0';
  }
}

template <class T>
void appendShortest(std::string& out, T value, Notation notation) {
  if (appendNonFinite(out, value, notation)) return;
  char text[40];
  const auto end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
  appendDigits(out, {text, static_cast<size_t>(end - text)});
}

}  // namespace

void appendFloat(std::string& out, float value, Notation notation) {
  appendShortest(out, value, notation);
}
void appendFloat(std::string& out, double value, Notation notation) {
  appendShortest(out, value, notation);
}

void appendBf16(std::string& out, float value, Notation notation) {
  if (appendNonFinite(out, value, notation)) return;
  char text[40];
  for (int digits = 0;; ++digits) {
    const auto end =
        std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, digits).ptr;
    double back = 0;
    std::from_chars(text, end, back);
    if (roundToBf16(back) == static_cast<double>(value) || digits == 8) {
      appendDigits(out, {text, static_cast<size_t>(end - text)});
      return;
    }
  }
}

void appendInt(std::string& out, int64_t value) {
  char text[24];
  out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

void appendScalar(std::string& out, const Scalar& value, Notation notation) {
  switch (value.type) {
    case DType::Bool:
      out += value.i != 0 ? "true" : "false";
      return;
    case DType::U8:
    case DType::I32:
    case DType::I64:
      appendInt(out, value.i);
      return;
    case DType::BF16:
      appendBf16(out, static_cast<float>(value.f), notation);
      return;
    case DType::F32:
      appendFloat(out, static_cast<float>(value.f), notation);
      return;
    case DType::F64:
      appendFloat(out, value.f, notation);
      return;
  }
}

void appendElement(std::string& out, DType type, const void* data, Notation notation) {
  const auto load = [data]<class T>(T value) {
    std::memcpy(&value, data, sizeof value);
    return value;
  };
  switch (type) {
    case DType::Bool:
      out += load(uint8_t{}) != 0 ? "true" : "false";
      return;
    case DType::U8:
      appendInt(out, load(uint8_t{}));
      return;
    case DType::I32:
      appendInt(out, load(int32_t{}));
      return;
    case DType::I64:
      appendInt(out, load(int64_t{}));
      return;
    case DType::BF16:
      appendBf16(out, std::bit_cast<float>(uint32_t{load(uint16_t{})} << 16), notation);
      return;
    case DType::F32:
      appendFloat(out, load(float{}), notation);
      return;
    case DType::F64:
      appendFloat(out, load(double{}), notation);
      return;
  }
}

void appendJsonString(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\r':
        out += "\\r";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          constexpr char hex[] = "0123456789abcdef";
          out += "\\u00";
          out += hex[c >> 4];
          out += hex[c & 15];
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

std::string formatScalar(const Scalar& value, Notation notation) {
  std::string out;
  appendScalar(out, value, notation);
  return out;
}

std::string sizeText(int64_t bytes) {
  if (bytes < 10000) return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
  static constexpr const char* kUnits[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
  double value = static_cast<double>(bytes) / 1000.0;
  size_t unit = 0;
  for (; value >= 1000.0 && unit + 1 < std::size(kUnits); ++unit) value /= 1000.0;
  char text[40];
  std::snprintf(text, sizeof text,
                value < 10.0    ? "%.2f %s"
                : value < 100.0 ? "%.1f %s"
                                : "%.0f %s",
                value, kUnits[unit]);
  return text;
}

std::string positionName(const std::string& name) { return name.empty() ? "_" : name; }

std::string placeText(const std::string& tensor,
                      const std::vector<std::pair<std::string, int64_t>>& point) {
  std::string text = "`" + tensor + "`";
  for (size_t i = 0; i < point.size(); ++i)
    text += (i ? ", " : " at ") + positionName(point[i].first) + " = " +
            std::to_string(point[i].second);
  return text;
}

}  // namespace rlc::runtime
