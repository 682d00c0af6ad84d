#include "tools/lsp/rpc.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tools/lsp/serve.h"

namespace rlc::lsp {
namespace {

std::vector<std::string> bodies(const std::string& bytes) {
  std::istringstream in(bytes);
  std::vector<std::string> result;
  std::string body;
  for (Received got = readMessage(in, body); got != Received::End; got = readMessage(in, body))
    result.push_back(got == Received::Message ? body : "too long");
  return result;
}

TEST(Rpc, ReadsMessages) {
  EXPECT_EQ(bodies("Content-Length: 2\r\n\r\n{}Content-Length: 3\r\nContent-Type: x\r\n\r\n[1]"),
            (std::vector<std::string>{"{}", "[1]"}));
  EXPECT_EQ(bodies("content-length:2\n\n{}"), std::vector<std::string>{"{}"});
}

TEST(Rpc, SkipsWhatIsNoHeader) {
  EXPECT_EQ(bodies("garbage\r\n\r\nContent-Length: x\r\n\r\nContent-Length: 2\r\n\r\n{}"),
            std::vector<std::string>{"{}"});
  EXPECT_EQ(bodies("{}}}Content-Length: 2\r\n\r\n{}"), std::vector<std::string>{"{}"});
  EXPECT_TRUE(bodies("Content-Length: -5\r\n\r\n").empty());
  EXPECT_TRUE(bodies("Content-Length: 99999999999999999999999\r\n\r\n").empty());
  EXPECT_TRUE(bodies("Content-Length: 10\r\n\r\n{}").empty());
  EXPECT_TRUE(bodies(std::string(100000, 'a')).empty());
}

TEST(Rpc, ReplacesInvalidUtf8) {
  std::ostringstream out;
  writeMessage(out, {{"a", "\xff"}});
  EXPECT_EQ(out.str(), "Content-Length: 11\r\n\r\n{\"a\":\"\uFFFD\"}");
}

std::string framed(const std::string& body) {
  return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

TEST(Serve, EndsWithStatusZeroAfterShutdownOnly) {
  const std::string start = framed(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})");
  const std::string exit = framed(R"({"jsonrpc":"2.0","method":"exit"})");
  std::ostringstream out;
  std::istringstream good(start + framed(R"({"jsonrpc":"2.0","id":2,"method":"shutdown"})") + exit);
  EXPECT_EQ(serve(good, out, {}, "1"), 0);
  std::istringstream rude(start + exit), cut(start);
  EXPECT_EQ(serve(rude, out, {}, "1"), 1);
  EXPECT_EQ(serve(cut, out, {}, "1"), 1);
}

TEST(Serve, RejectsWhatIsNoJsonAndGoesOn) {
  std::istringstream in(framed("{nonsense") + framed("[]") + framed("\xff\xfe") +
                        framed(R"({"jsonrpc":"2.0","id":7,"method":"initialize","params":{}})"));
  std::ostringstream out;
  serve(in, out, {}, "1");
  EXPECT_NE(out.str().find("-32700"), std::string::npos);
  EXPECT_NE(out.str().find("-32600"), std::string::npos);
  EXPECT_NE(out.str().find("\"id\":7"), std::string::npos);
}

TEST(Serve, AnswersCancelledRequestsWithAnError) {
  std::istringstream in(
      framed(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})") +
      framed(R"({"jsonrpc":"2.0","id":2,"method":"workspace/symbol","params":{"query":"x"}})") +
      framed(R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":2}})"));
  std::ostringstream out;
  serve(in, out, {}, "1");
  // The answer was on its way already, or it says that it was cancelled.
  EXPECT_NE(out.str().find("\"id\":2"), std::string::npos);
}

}  // namespace
}  // namespace rlc::lsp
