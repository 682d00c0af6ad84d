#include "tools/lsp/serve.h"

#include <deque>
#include <memory>
#include <thread>
#include <variant>

#include "tools/lsp/rpc.h"
#include "tools/lsp/server.h"
#include "tools/lsp/worker.h"

namespace rlc::lsp {
namespace {

constexpr std::chrono::milliseconds kDebounce{10};

struct Malformed {
  std::string why;
};
struct End {};
using Event = std::variant<Json, AnalysisResult, Malformed, End>;

class Inbox {
 public:
  void push(Event event) {
    {
      const std::lock_guard lock(mutex_);
      events_.push_back(std::move(event));
    }
    changed_.notify_one();
  }

  Event pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !events_.empty(); });
    Event event = std::move(events_.front());
    events_.pop_front();
    return event;
  }

  // Whether a message that waits makes the answer to this request useless: 0, or the error to
  // answer with.
  int overtaken(const Json& request) {
    const Json uri = uriOf(request);
    const std::lock_guard lock(mutex_);
    for (const Event& event : events_) {
      const Json* message = std::get_if<Json>(&event);
      if (message == nullptr || !message->is_object()) continue;
      const auto method = message->find("method");
      if (method == message->end()) continue;
      if (*method == "$/cancelRequest") {
        const auto params = message->find("params");
        const bool same = params != message->end() && params->is_object() &&
                          params->contains("id") && (*params)["id"] == request["id"];
        if (same) return kRequestCancelled;
      }
      const bool changes =
          *method == "textDocument/didChange" || *method == "textDocument/didClose";
      if (changes && uri.is_string() && uriOf(*message) == uri) return kContentModified;
    }
    return 0;
  }

 private:
  static Json uriOf(const Json& message) {
    const auto params = message.find("params");
    if (params == message.end() || !params->is_object()) return nullptr;
    const auto document = params->find("textDocument");
    if (document == params->end() || !document->is_object() || !document->contains("uri"))
      return nullptr;
    return (*document)["uri"];
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Event> events_;
};

// Until `exit`, so that nothing is left waiting on the stream.
void readAll(std::istream& in, Inbox& inbox) {
  std::string body;
  while (true) {
    switch (readMessage(in, body)) {
      case Received::End:
        return inbox.push(End{});
      case Received::TooLong:
        inbox.push(Malformed{"the message is too long"});
        break;
      case Received::Message: {
        Json message = Json::parse(body, nullptr, false);
        if (message.is_discarded()) {
          inbox.push(Malformed{"the message is no JSON"});
          break;
        }
        const bool last =
            message.is_object() && message.contains("method") && message["method"] == "exit";
        inbox.push(std::move(message));
        if (last) return;
      }
    }
  }
}

}  // namespace

int serve(std::istream& in, std::ostream& out, std::vector<std::string> library,
          std::string version) {
  // Both live as long as the analysis that may still run at the end.
  auto* inbox = new Inbox;
  auto* worker = new Worker([inbox](AnalysisResult result) { inbox->push(std::move(result)); });
  Server server(std::move(library), std::move(version),
                {.send = [&](const Json& message) { writeMessage(out, message); },
                 .analyze =
                     [&](AnalysisJob job, bool at_once) {
                       worker->submit(std::move(job),
                                      at_once ? std::chrono::milliseconds(0) : kDebounce);
                     },
                 .forget = [&](const std::string& uri) { worker->forget(uri); }});
  std::thread reader([&] { readAll(in, *inbox); });
  bool ended = false;
  while (!ended && !server.exited()) {
    Event event = inbox->pop();
    if (Json* message = std::get_if<Json>(&event)) {
      const bool request =
          message->is_object() && message->contains("id") && message->contains("method");
      const int overtaken = request ? inbox->overtaken(*message) : 0;
      if (overtaken != 0)
        server.reject(
            (*message)["id"], overtaken,
            overtaken == kRequestCancelled ? "cancelled" : "the document has changed since");
      else
        server.receive(*message);
    } else if (AnalysisResult* result = std::get_if<AnalysisResult>(&event)) {
      server.analysed(std::move(*result));
    } else if (const Malformed* malformed = std::get_if<Malformed>(&event)) {
      server.reject(nullptr, kParseError, malformed->why);
    } else {
      ended = true;
    }
  }
  reader.join();
  return server.exitStatus();
}

}  // namespace rlc::lsp
