#include "tools/bench.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace rlc::tools {

BenchTable::BenchTable(std::ostream& out, const BenchSettings& settings, std::string title,
                       std::vector<std::string> columns)
    : out_(out), json_(settings.json), title_(std::move(title)), columns_(std::move(columns)) {}

void BenchTable::row(const std::vector<std::string>& cells,
                     const std::vector<std::pair<std::string, double>>& numbers) {
  if (json_) {
    nlohmann::ordered_json object{{"table", title_}};
    for (size_t k = 0; k < columns_.size(); ++k) object[columns_[k]] = cells.at(k);
    for (const auto& [name, value] : numbers) object[name] = value;
    out_ << object.dump() << std::endl;
    return;
  }
  if (!headed_) {
    headed_ = true;
    out_ << "\n### " << title_ << "\n\n";
    write(columns_);
    write(std::vector<std::string>(columns_.size(), "---"));
  }
  write(cells);
}

void BenchTable::write(const std::vector<std::string>& cells) {
  out_ << "|";
  for (const std::string& cell : cells) out_ << " " << cell << " |";
  out_ << std::endl;
}

bool wanted(const BenchSettings& settings, std::string_view name) {
  return name.find(settings.filter) != std::string_view::npos;
}

std::vector<double> timesOf(int repeats, const std::function<void()>& body, double limit) {
  using Clock = std::chrono::steady_clock;
  const auto timed = [&] {
    const auto start = Clock::now();
    body();
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  constexpr size_t kLeast = 3;
  double spent = timed();
  std::vector<double> times;
  while (times.size() < static_cast<size_t>(repeats) && (times.size() < kLeast || spent < limit)) {
    times.push_back(timed());
    spent += times.back();
  }
  std::sort(times.begin(), times.end());
  return times;
}

double median(const std::vector<double>& sorted) {
  const size_t half = sorted.size() / 2;
  return sorted.size() % 2 ? sorted[half] : 0.5 * (sorted[half - 1] + sorted[half]);
}

Spread spreadOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {median(values), values.front(), values.back(), static_cast<int>(values.size())};
}

std::string spreadText(const Spread& spread, double factor, const std::string& run) {
  if (spread.count == 1) return "(one " + run + ")";
  return "(" + digits(factor * spread.least, 3) + " to " + digits(factor * spread.most, 3) + ", " +
         std::to_string(spread.count) + " " + run + "s)";
}

std::string sureness(const loops::Work& work) {
  const bool atMost = work.doubtfulFlops > 0.01 * work.flops;
  if (!work.exact) return atMost ? "about " : "> ";
  return atMost ? "< " : "";
}

std::string shareOf(double rate, double peak) {
  return peak > 0 ? digits(100 * rate / peak, 2) + " %" : "not known";
}

std::string shareOfMemory(double rate, double peak) {
  return peak > 0 && rate > peak ? "in caches" : shareOf(rate, peak);
}

std::string digits(double value, int count) {
  char text[48];
  const int before =
      value == 0 ? 1 : static_cast<int>(std::floor(std::log10(std::fabs(value)))) + 1;
  std::snprintf(text, sizeof text, "%.*f", std::clamp(count - before, 0, 12), value);
  return text;
}

std::string withPrefix(double value) {
  static constexpr struct {
    double factor;
    const char* prefix;
  } kPrefixes[] = {{1e12, " T"}, {1e9, " G"},  {1e6, " M"}, {1e3, " k"},
                   {1, " "},     {1e-3, " m"}, {1e-6, " µ"}};
  for (const auto& [factor, prefix] : kPrefixes)
    if (std::fabs(value) >= factor) return digits(value / factor, 3) + prefix;
  return digits(value, 3) + " ";
}

}  // namespace rlc::tools
