// Random sequences of messages, many of them wrong: the server answers each request once and stays
// in being.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "compiler/syntax/test_support.h"
#include "tools/lsp/testing.h"

namespace rlc::lsp {
namespace {

class Fuzzer {
 public:
  explicit Fuzzer(unsigned seed) : random_(seed), client_(seed % 4 == 0) {}

  void run(int steps) {
    for (int i = 0; i < steps; ++i) step();
    client_.change("x = 1.0\nprint x\n", Client::kUri);
    // Still there, and right.
    client_.open("x = 1.0\ny = x\nprint y\n");
    EXPECT_EQ(client_.request("textDocument/definition",
                              client_.at("y = x", 4))["range"]["start"]["line"],
              0);
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  std::string text() {
    std::string result = syntax::kSample;
    const auto place = [&] {
      return static_cast<size_t>(pick(static_cast<int>(result.size()) + 1));
    };
    if (pick(3) == 0) result = result.substr(place());
    if (pick(3) == 0) result = result.substr(0, place());
    for (int i = pick(6); i > 0; --i) {
      static const char* const kPieces[] = {"(",    "}",  "\"", "/*",  "θ", "𝛾",       "\xff",
                                            "\r\n", "\r", "..", "if ", "'", "env E {", "#"};
      result.insert(place(), kPieces[pick(14)]);
    }
    return result;
  }

  Json position() { return {{"line", pick(130) - 2}, {"character", pick(90) - 2}}; }
  Json range() { return {{"start", position()}, {"end", position()}}; }
  Json document() {
    return {{"uri", pick(5) == 0 ? "file:///nowhere/b.rl" : Client::kUri}, {"version", ++version_}};
  }

  // A value where another is expected.
  void damage(Json& params) {
    if (pick(8) != 0 || !params.is_object() || params.empty()) return;
    auto it = params.begin();
    std::advance(it, pick(static_cast<int>(params.size())));
    if (it->is_object() && pick(2) == 0) return damage(*it);
    switch (pick(5)) {
      case 0:
        *it = nullptr;
        break;
      case 1:
        *it = -1e300;
        break;
      case 2:
        *it = "x";
        break;
      case 3:
        *it = Json::array({1, "a"});
        break;
      default:
        params.erase(it);
    }
  }

  void step() {
    static const char* const kRequests[] = {"textDocument/definition",
                                            "textDocument/references",
                                            "textDocument/documentHighlight",
                                            "textDocument/prepareRename",
                                            "textDocument/rename",
                                            "textDocument/hover",
                                            "textDocument/completion",
                                            "textDocument/signatureHelp",
                                            "textDocument/documentSymbol",
                                            "workspace/symbol",
                                            "textDocument/foldingRange",
                                            "textDocument/selectionRange",
                                            "textDocument/semanticTokens/full",
                                            "textDocument/semanticTokens/range",
                                            "textDocument/inlayHint",
                                            "textDocument/codeLens",
                                            "textDocument/codeAction",
                                            "textDocument/formatting",
                                            "no/such",
                                            "initialize"};
    switch (pick(6)) {
      case 0: {
        Json item = document();
        item["text"] = text();
        item["languageId"] = "rl";
        Json params = {{"textDocument", item}};
        damage(params);
        return client_.notify("textDocument/didOpen", params);
      }
      case 1: {
        Json changes = Json::array();
        for (int i = pick(3); i >= 0; --i) {
          Json change = {{"text", pick(2) == 0 ? "x" : text().substr(0, 40)}};
          if (pick(4) != 0) change["range"] = range();
          changes.push_back(change);
        }
        Json params = {{"textDocument", document()}, {"contentChanges", changes}};
        damage(params);
        return client_.notify("textDocument/didChange", params);
      }
      case 2: {
        Json params = {{"textDocument", document()}};
        static const char* const kNotes[] = {"textDocument/didClose", "textDocument/didSave",
                                             "$/cancelRequest", "no/such"};
        return client_.notify(kNotes[pick(8) == 0 ? pick(4) : 1], params);
      }
      default: {
        Json params = {{"textDocument", document()},
                       {"position", position()},
                       {"range", range()},
                       {"positions", {position()}},
                       {"newName", pick(3) == 0 ? "1" : "fresh"},
                       {"query", "a"}};
        damage(params);
        client_.request(kRequests[pick(20)], params);
      }
    }
  }

  std::mt19937 random_;
  Client client_;
  int version_ = 0;
};

// RLC_FUZZ_SEEDS=1000 for a long run.
TEST(Fuzz, AnySequenceOfMessagesIsSurvived) {
  const char* const asked = std::getenv("RLC_FUZZ_SEEDS");
  const unsigned seeds =
      asked != nullptr ? static_cast<unsigned>(std::strtoul(asked, nullptr, 10)) : 12;
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Fuzzer(seed).run(40);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace rlc::lsp
