// The compiler's judgement on one document: what is wrong, and the facts about its names. Slow next
// to the index (index.h): runs beside the server, on a copy of the texts.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tools/lsp/index.h"

namespace rlc::lsp {

struct AnalysisJob {
  std::string uri;
  int64_t version = 0;
  SharedFilePtr file;
  std::map<std::string, SharedFilePtr> open;  // other documents, by canonical path
  std::vector<std::string> library;
  bool related_information = true;
  std::shared_ptr<const std::atomic<bool>> cancelled;  // true: nobody waits any more; null: never
};

struct TensorInfo {
  std::vector<std::string> dims;
  std::string type, domain;
};

struct Facts {
  std::map<std::string, TensorInfo> tensors;
  std::map<std::string, std::string> params;   // name: "i32 = 200"
  std::map<std::string, std::string> indices;  // name: "0..200"
};

// A diagnostic and the ways to mend it.
struct Finding {
  Json diagnostic;
  struct Fix {
    std::string title;
    Json edits;  // TextEdits of the document
    bool preferred = true;
  };
  std::vector<Fix> fixes;
};

struct AnalysisResult {
  std::string uri;
  int64_t version = 0;
  std::vector<Finding> findings;
  std::shared_ptr<const Facts> facts;  // null: there were errors
  std::set<std::string> files;         // canonical paths of all that was read
};

// Throws polyhedral::Cancelled soon after the job has been.
AnalysisResult analyze(const AnalysisJob& job);

}  // namespace rlc::lsp
