#include "mortise/benchmark/benchmark_results.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>

#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/value_text.h"
#include "mortise/json/json_writer.h"

namespace mortise {

Value BenchmarkResult::toValue() const {
  Value value = Value::map();
  value.set("case", id);
  value.set("problem", problem);
  value.set("part", part);
  value.set("planner", planner);
  value.set("seed", static_cast<std::int64_t>(seed));
  value.set("solved", solved);
  value.set("status", status);
  value.set("stopped_by", stoppedBy);
  value.set("seconds", seconds);
  value.set("cpu_seconds", cpuSeconds);
  value.set("iterations", iterations);
  value.set("configurations", configurations);
  value.set("edges", edges);
  value.set("cost", cost);
  value.set("length", length);
  value.set("milestones", milestones);
  value.set("memory", memory);
  value.set("path_hash", pathHash);
  value.set("message", message);
  value.set("start", start);
  value.set("goal", goal);
  return value;
}

BenchmarkResult BenchmarkResult::fromValue(const Value& value) {
  BenchmarkResult result;
  // Texts are quoted in JSON, and stay texts; ids may look like numbers to people who edit the file.
  const auto text = [&](const char* key) { return value.at(key).text(); };
  result.id = text("case");
  result.problem = text("problem");
  result.part = text("part");
  result.planner = text("planner");
  result.seed = static_cast<std::uint64_t>(value.at("seed").asInteger());
  result.solved = value.at("solved").asBool();
  result.status = text("status");
  result.stoppedBy = text("stopped_by");
  result.seconds = value.at("seconds").asReal();
  result.cpuSeconds = value.at("cpu_seconds").asReal();
  result.iterations = value.at("iterations").asInteger();
  result.configurations = value.at("configurations").asInteger();
  result.edges = value.at("edges").asInteger();
  result.cost = value.at("cost").asReal();
  result.length = value.at("length").asReal();
  result.milestones = static_cast<int>(value.at("milestones").asInteger());
  result.memory = value.at("memory").asReal();
  result.pathHash = text("path_hash");
  result.message = text("message");
  // Files of earlier versions lack them.
  if (const Value* start = value.find("start")) result.start = start->asReals();
  if (const Value* goal = value.find("goal")) result.goal = goal->asReals();
  return result;
}

BenchmarkResultFile::BenchmarkResultFile(std::string path, bool fresh) : path_(std::move(path)) {
  if (fresh || !std::filesystem::exists(path_)) {
    writeFile(path_, "");
    return;
  }
  const std::string text = readFile(path_);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const std::string line = text.substr(begin, end == std::string::npos ? end : end - begin);
    begin = end == std::string::npos ? text.size() : end + 1;
    if (line.empty()) continue;
    try {
      if (end == std::string::npos) throw Error("cut off");
      BenchmarkResult result = BenchmarkResult::fromValue(parseYaml(line, path_));
      if (results_.count(result.id) == 0) order_.push_back(result.id);
      const std::string id = result.id;
      results_[id] = std::move(result);
    } catch (const Error&) {
      ++discarded_;
    }
  }
  if (discarded_ > 0) rewrite(order_);
}

const BenchmarkResult* BenchmarkResultFile::find(const std::string& id) const {
  const auto found = results_.find(id);
  return found == results_.end() ? nullptr : &found->second;
}

void BenchmarkResultFile::add(const BenchmarkResult& result) {
  const std::string line = toJson(result.toValue(), -1) + "\n";
  std::FILE* file = std::fopen(path_.c_str(), "ab");
  const bool written = file != nullptr && std::fwrite(line.data(), 1, line.size(), file) == line.size();
  const bool closed = file != nullptr && std::fclose(file) == 0;
  if (!written || !closed)
    throw Error("a result cannot be added to '" + path_ + "': " + std::strerror(errno), {},
                "what is in the file is kept; make room, then run the benchmark again");
  if (results_.count(result.id) == 0) order_.push_back(result.id);
  results_[result.id] = result;
}

std::vector<BenchmarkResult> BenchmarkResultFile::of(const Benchmark& benchmark) const {
  std::vector<BenchmarkResult> list;
  for (const BenchmarkCase& each : benchmark.cases)
    if (const BenchmarkResult* result = find(each.id)) {
      list.push_back(*result);
      // The same case may go by other names in another benchmark.
      list.back().problem = benchmark.problems[each.problem].name;
      list.back().part = benchmark.problems[each.problem].part;
      list.back().planner = benchmark.planners[each.planner].name;
    }
  return list;
}

void BenchmarkResultFile::sort(const Benchmark& benchmark) {
  std::vector<std::string> order;
  std::set<std::string> taken;
  for (const BenchmarkCase& each : benchmark.cases)
    if (results_.count(each.id) > 0 && taken.insert(each.id).second) order.push_back(each.id);
  for (const std::string& id : order_)
    if (taken.insert(id).second) order.push_back(id);
  rewrite(order);
}

void BenchmarkResultFile::rewrite(const std::vector<std::string>& order) {
  std::string text;
  for (const std::string& id : order) text += toJson(results_.at(id).toValue(), -1) + "\n";
  writeFile(path_, text);
  order_ = order;
}

}  // namespace mortise
