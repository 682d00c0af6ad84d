#include "tools/learning/row.h"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tools/program.h"

namespace rlc::tools {

namespace {

AcceptedReturns acceptedReturns(const nlohmann::json& from) {
  AcceptedReturns accepted;
  if (from.is_array()) {
    from.at(0).get_to(accepted.least);
    from.at(1).get_to(accepted.most);
  } else {
    from.get_to(accepted.least);
  }
  return accepted;
}

}  // namespace

std::string AcceptedReturns::text() const {
  std::ostringstream text;
  if (std::isinf(most))
    text << ">= " << least;
  else
    text << least << " to " << most;
  return std::move(text).str();
}

std::vector<LearningRow> readLearningRows(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw UsageError("can't read the list of learning runs `" + path + "`");
  try {
    std::vector<LearningRow> rows;
    for (const nlohmann::json& each : nlohmann::json::parse(in)) {
      LearningRow row;
      each.at("name").get_to(row.name);
      each.at("environment").get_to(row.environment);
      each.at("algorithm").get_to(row.algorithm);
      each.at("program").get_to(row.program);
      row.set = each.value("set", row.set);
      row.metric = each.value("metric", row.metric);
      row.population = each.value("population", false);
      if (each.contains("steps")) row.steps = each.at("steps").get<int64_t>();
      row.aboutSteps = each.value("about steps", false);
      row.published = each.value("published", "");
      row.source = each.value("source", "");
      if (each.contains("accept")) row.accept = acceptedReturns(each.at("accept"));
      row.note = each.value("note", "");
      row.shortSet = each.at("short").value("set", row.shortSet);
      row.shortWhileLearning = each.at("short").value("while learning", false);
      row.shortAccept = acceptedReturns(each.at("short").at("accept"));
      rows.push_back(std::move(row));
    }
    return rows;
  } catch (const nlohmann::json::exception& error) {
    throw UsageError("`" + path + "` is not a list of learning runs: " + error.what());
  }
}

}  // namespace rlc::tools
