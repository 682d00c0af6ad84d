#include "tools/lsp/rpc.h"

#include <algorithm>
#include <cctype>
#include <limits>

namespace rlc::lsp {
namespace {

constexpr size_t kLongestHeader = 4096;

// Without its end; false: the stream has ended.
bool readLine(std::istream& in, std::string& line) {
  line.clear();
  for (int c = in.get(); c != std::istream::traits_type::eof(); c = in.get()) {
    if (c == '\n') {
      if (line.ends_with('\r')) line.pop_back();
      return true;
    }
    if (line.size() < kLongestHeader) line += static_cast<char>(c);
  }
  return false;
}

// Of a Content-Length header; -1: it is another one, or nonsense.
int64_t lengthOf(std::string line) {
  std::transform(line.begin(), line.end(), line.begin(), [](char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  static constexpr std::string_view kName = "content-length:";
  // Garbage may stand before it, where the last message was shorter or longer than it said.
  const size_t at = line.rfind(kName);
  if (at == std::string::npos) return -1;
  int64_t value = 0;
  bool digits = false;
  for (size_t i = at + kName.size(); i < line.size(); ++i) {
    if (line[i] == ' ' && !digits) continue;
    if (line[i] < '0' || line[i] > '9' || value > std::numeric_limits<int64_t>::max() / 16)
      return -1;
    value = value * 10 + (line[i] - '0');
    digits = true;
  }
  return digits ? value : -1;
}

}  // namespace

Received readMessage(std::istream& in, std::string& body) {
  std::string line;
  int64_t length = -1;
  while (readLine(in, line)) {
    if (!line.empty()) {
      if (const int64_t found = lengthOf(line); found >= 0) length = found;
      continue;
    }
    if (length < 0) continue;
    const auto size = static_cast<size_t>(length);
    if (size > kLongestMessage) {
      in.ignore(length);
      return in.eof() ? Received::End : Received::TooLong;
    }
    body.resize(size);
    in.read(body.data(), length);
    return static_cast<size_t>(in.gcount()) == size ? Received::Message : Received::End;
  }
  return Received::End;
}

void writeMessage(std::ostream& out, const Json& message) {
  const std::string body = message.dump(-1, ' ', false, Json::error_handler_t::replace);
  out << "Content-Length: " << body.size() << "\r\n\r\n" << body << std::flush;
}

}  // namespace rlc::lsp
