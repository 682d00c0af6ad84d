// Messages on streams: `Content-Length: N`, an empty line, N bytes of JSON.
#pragma once

#include <istream>
#include <ostream>
#include <string>

#include "tools/lsp/json.h"

namespace rlc::lsp {

inline constexpr size_t kLongestMessage = size_t{128} << 20;

enum class Received { Message, TooLong, End };

// The next message's bytes. Lines that are no header are skipped.
Received readMessage(std::istream& in, std::string& body);
// Invalid UTF-8 is replaced.
void writeMessage(std::ostream& out, const Json& message);

}  // namespace rlc::lsp
