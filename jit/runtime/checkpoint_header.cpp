#include "jit/runtime/checkpoint_header.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "jit/runtime/format.h"

namespace rlc::runtime {
namespace {

constexpr int kMaxDepth = 32;

std::optional<DType> dtypeOf(std::string_view text) {
  for (DType type :
       {DType::Bool, DType::U8, DType::I32, DType::I64, DType::BF16, DType::F32, DType::F64}) {
    if (name(type) == text) return type;
  }
  return std::nullopt;
}

void appendUtf8(std::string& out, uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 63));
  } else {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 63));
    out += static_cast<char>(0x80 | (code & 63));
  }
}

// Reads JSON from left to right; after the first error everything fails.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool failed() const { return failed_; }
  bool atEnd() {
    skipSpace();
    return at_ == text_.size();
  }

  std::string string() {
    std::string out;
    if (!take('"')) return out;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\') {
        escape(out);
      } else {
        out += text_[at_++];
      }
    }
    if (at_ == text_.size()) failed_ = true;
    ++at_;
    return out;
  }

  int64_t integer() {
    skipSpace();
    int64_t value = 0;
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) failed_ = true;
    at_ = static_cast<size_t>(end - text_.data());
    return value;
  }

  // Calls `item` for each element of a list.
  template <class Item>
  void list(Item item) {
    sequence('[', ']', item);
  }
  // Calls `member(key)` before each value of an object; it must read the value.
  template <class Member>
  void object(Member member) {
    sequence('{', '}', [&] {
      const std::string key = string();
      take(':');
      if (!failed_) member(key);
    });
  }

  void skipValue() {
    if (++depth_ > kMaxDepth) failed_ = true;
    skipSpace();
    if (failed_ || at_ >= text_.size()) {
      failed_ = true;
    } else if (text_[at_] == '"') {
      string();
    } else if (text_[at_] == '{') {
      object([&](const std::string&) { skipValue(); });
    } else if (text_[at_] == '[') {
      list([&] { skipValue(); });
    } else {
      const size_t end = text_.find_first_of(",]} \n\t\r", at_);
      if (end == at_) failed_ = true;
      at_ = end == std::string_view::npos ? text_.size() : end;
    }
    --depth_;
  }

 private:
  void skipSpace() {
    while (at_ < text_.size() &&
           std::string_view(" \n\t\r").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }
  bool next(char c) {
    skipSpace();
    if (failed_ || at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool take(char c) {
    if (!next(c)) failed_ = true;
    return !failed_;
  }
  void escape(std::string& out) {
    constexpr std::string_view from = "\"\\/bfnrt", to = "\"\\/\b\f\n\r\t";
    const char c = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    at_ += 2;
    if (const size_t k = from.find(c); k != std::string_view::npos && c != '\0') {
      out += to[k];
      return;
    }
    uint32_t code = 0;
    const char* begin = text_.data() + std::min(at_, text_.size());
    const char* end = text_.data() + std::min(at_ + 4, text_.size());
    if (c != 'u' || std::from_chars(begin, end, code, 16).ptr != begin + 4) {
      failed_ = true;
      at_ = text_.size();
      return;
    }
    appendUtf8(out, code);
    at_ += 4;
  }
  template <class Item>
  void sequence(char open, char close, Item item) {
    if (!take(open) || next(close)) return;
    do {
      item();
    } while (!failed_ && next(','));
    take(close);
  }

  std::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
  bool failed_ = false;
};

bool readTensor(Reader& reader, HeaderTensor& tensor) {
  bool typed = false;
  reader.object([&](const std::string& key) {
    if (key == "name") {
      tensor.name = reader.string();
    } else if (key == "dtype") {
      const std::optional<DType> type = dtypeOf(reader.string());
      typed = type.has_value();
      tensor.type = type.value_or(DType::F32);
    } else if (key == "shape") {
      reader.list([&] { tensor.shape.push_back(reader.integer()); });
    } else if (key == "offset") {
      tensor.offset = reader.integer();
    } else {
      reader.skipValue();
    }
  });
  return typed && !reader.failed();
}

}  // namespace

int64_t tensorBytes(DType type, std::span<const int64_t> shape) {
  constexpr int64_t limit = int64_t{1} << 62;
  int64_t bytes = static_cast<int64_t>(byteSize(type));
  bool empty = false;
  for (int64_t extent : shape) {
    if (extent < 0) return -1;
    if (extent == 0) {
      empty = true;
    } else if (bytes > limit / extent) {
      return -1;
    } else {
      bytes *= extent;
    }
  }
  return empty ? 0 : bytes;
}

std::string writeHeader(const CheckpointHeader& header) {
  std::string out = "{\"attributes\": {";
  for (size_t i = 0; i < header.attributes.size(); ++i) {
    if (i > 0) out += ", ";
    appendJsonString(out, header.attributes[i].first);
    out += ": ";
    appendJsonString(out, header.attributes[i].second);
  }
  out += "}, \"tensors\": [";
  for (size_t i = 0; i < header.tensors.size(); ++i) {
    const HeaderTensor& tensor = header.tensors[i];
    out += i > 0 ? ", {\"name\": " : "{\"name\": ";
    appendJsonString(out, tensor.name);
    out.append(", \"dtype\": \"").append(name(tensor.type)).append("\", \"shape\": [");
    for (size_t axis = 0; axis < tensor.shape.size(); ++axis) {
      if (axis > 0) out += ", ";
      appendInt(out, tensor.shape[axis]);
    }
    out += "], \"offset\": ";
    appendInt(out, tensor.offset);
    out += '}';
  }
  return out + "]}";
}

bool parseHeader(std::string_view text, CheckpointHeader& header) {
  Reader reader(text);
  bool good = true;
  reader.object([&](const std::string& key) {
    if (key == "attributes") {
      reader.object([&](const std::string& attribute) {
        header.attributes.emplace_back(attribute, reader.string());
      });
    } else if (key == "tensors") {
      reader.list([&] { good = readTensor(reader, header.tensors.emplace_back()) && good; });
    } else {
      reader.skipValue();
    }
  });
  return good && !reader.failed() && reader.atEnd();
}

}  // namespace rlc::runtime
