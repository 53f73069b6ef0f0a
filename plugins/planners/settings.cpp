#include "settings.h"

#include <cmath>
#include <sstream>
#include <string>

#include "mortise/base/error.h"

namespace mortise::planners {

namespace {

const Value* given(const Value& settings, std::string_view key) {
  const Value* value = settings.find(key);
  return value != nullptr && !value->isNull() ? value : nullptr;
}

PointLocation readPointLocation(const Value& value) {
  PointLocation location;
  std::istringstream words(value.asString());
  std::string kind, rest;
  words >> kind;
  const auto wrong = [&](const std::string& what) {
    return Error("pointLocation '" + value.asString() + "': " + what, value.position(),
                 "write kdtree, balltree, linear, random or \"randombest 10\"");
  };
  if (kind.empty() || kind == "kdtree" || kind == "balltree") {
    // The space decides which of the two; weights are the metric's.
  } else if (kind == "linear") {
    location.kind = PointLocation::Kind::linear;
  } else if (kind == "random") {
    location.kind = PointLocation::Kind::random;
  } else if (kind == "randombest") {
    location.kind = PointLocation::Kind::randomBest;
    if (!(words >> location.tries) || location.tries < 1) throw wrong("how many random ones is missing");
  } else {
    throw wrong("there is no such way of looking for neighbours");
  }
  if (kind != "kdtree" && words >> rest) throw wrong("'" + rest + "' is too much");
  return location;
}

/// What stands between braces, as a map of texts.
Value readLoose(const Value& value) {
  const std::string& text = value.asString();
  const auto wrong = [&](const std::string& what) {
    return Error("restartTermCond '" + text + "': " + what, value.position(), "write {foundSolution:1;maxIters:1000}");
  };
  Value map = Value::map();
  std::size_t at = 0;
  const auto skip = [&](std::string_view what) {
    while (at < text.size() && what.find(text[at]) != std::string_view::npos) ++at;
  };
  const auto word = [&] {
    std::string result;
    if (at < text.size() && (text[at] == '"' || text[at] == '\'')) {
      const char quote = text[at++];
      while (at < text.size() && text[at] != quote) result += text[at++];
      if (at == text.size()) throw wrong("a quote is not closed");
      ++at;
    } else {
      constexpr std::string_view kEnds = ":=,;{} \t\r\n\"'";
      while (at < text.size() && kEnds.find(text[at]) == std::string_view::npos) result += text[at++];
    }
    return result;
  };
  constexpr std::string_view kSpace = " \t\r\n";
  skip(kSpace);
  if (at == text.size() || text[at] != '{') throw wrong("'{' is missing");
  ++at;
  for (;;) {
    skip(" \t\r\n,;");
    if (at == text.size()) throw wrong("'}' is missing");
    if (text[at] == '}') break;
    const std::string name = word();
    if (name.empty()) throw wrong(std::string("'") + text[at] + "' stands where a name should");
    skip(kSpace);
    if (at == text.size() || (text[at] != ':' && text[at] != '=')) throw wrong("':' is missing after '" + name + "'");
    ++at;
    skip(kSpace);
    const std::string content = word();
    if (content.empty()) throw wrong("'" + name + "' has no value");
    if (map.contains(name)) throw wrong("'" + name + "' is given twice");
    map.set(name, Value::fromText(content)).setPosition(value.position());
  }
  ++at;
  skip(kSpace);
  if (at != text.size()) throw wrong("there is more after '}'");
  return map;
}

}  // namespace

StopConditions readRunConditions(const Value& value) {
  const Value map = value.isString() ? readLoose(value) : value;
  const auto wrong = [&](const std::string& what, const std::string& hint) {
    return Error("restartTermCond: " + what, value.position(), hint);
  };
  if (!map.isMap()) throw wrong("a map is needed", "write {foundSolution: true, maxIters: 1000}");
  StopConditions conditions;
  for (const Value::Entry& entry : map.entries()) {
    const auto number = [&] {
      const double x = entry.value.asReal();
      if (std::isnan(x) || x < 0)
        throw wrong(entry.key + " must be at least 0, not " + entry.value.text(), "give a number of at least 0");
      return x;
    };
    const auto count = [&] {
      const double x = number();
      constexpr double kMost = 9e15;
      return x < kMost ? static_cast<std::int64_t>(x) : std::numeric_limits<std::int64_t>::max();
    };
    if (entry.key == "foundSolution") {
      conditions.foundSolution = entry.value.isBool() ? entry.value.asBool() : number() != 0;
    } else if (entry.key == "maxIters") {
      conditions.iterations = count();
      if (conditions.iterations < 1) throw wrong("maxIters must be at least 1", "leave it out for no limit");
    } else if (entry.key == "costThreshold") {
      conditions.cost = number();
    } else if (entry.key == "costImprovementThreshold") {
      conditions.improvement = number();
    } else if (entry.key == "costImprovementPeriod") {
      conditions.improvementPeriod = count();
      if (conditions.improvementPeriod == std::numeric_limits<std::int64_t>::max()) conditions.improvementPeriod = 0;
    } else if (entry.key == "timeLimit") {
      // Runs that end by the clock could not be repeated.
      if (std::isfinite(number()))
        throw wrong("timeLimit cannot limit the runs between restarts: they could not be repeated",
                    "limit them by maxIters, and the whole plan by time");
    } else {
      throw wrong("there is no '" + entry.key + "'",
                  "there are foundSolution, maxIters, costThreshold, costImprovementPeriod (in rounds), "
                  "costImprovementThreshold");
    }
  }
  const bool ends = conditions.foundSolution || conditions.cost > 0 || conditions.improvementPeriod > 0 ||
                    conditions.iterations < std::numeric_limits<std::int64_t>::max();
  if (!ends) throw wrong("no run would ever end", "give maxIters");
  return conditions;
}

Settings Settings::read(const Value& complete) {
  Settings settings;
  if (const Value* v = given(complete, "knn")) settings.knn = static_cast<int>(v->asInteger());
  if (const Value* v = given(complete, "connectionThreshold")) settings.connectionThreshold = v->asReal();
  if (const Value* v = given(complete, "suboptimalityFactor")) settings.suboptimalityFactor = v->asReal();
  if (const Value* v = given(complete, "ignoreConnectedComponents")) settings.ignoreConnectedComponents = v->asBool();
  if (const Value* v = given(complete, "perturbationRadius")) settings.perturbationRadius = v->asReal();
  if (const Value* v = given(complete, "perturbationIters"))
    settings.perturbationIters = static_cast<int>(v->asInteger());
  if (const Value* v = given(complete, "bidirectional")) settings.bidirectional = v->asBool();
  if (const Value* v = given(complete, "useGrid")) settings.useGrid = v->asBool();
  if (const Value* v = given(complete, "gridResolution")) settings.gridResolution = v->asReal();
  if (const Value* v = given(complete, "randomizeFrequency"))
    settings.randomizeFrequency = static_cast<int>(v->asInteger());
  if (const Value* v = given(complete, "pointLocation")) settings.location = readPointLocation(*v);
  if (const Value* v = given(complete, "shortcut")) settings.shortcut = v->asBool();
  if (const Value* v = given(complete, "restart")) settings.restart = v->asBool();
  settings.restartTermCond.iterations = 1000;
  const Value* conditions = given(complete, "restartTermCond");
  if (conditions != nullptr) {
    if (!settings.restart)
      throw Error("restartTermCond says when a run is restarted, but restart is off", conditions->position(),
                  "set restart: true, or leave restartTermCond out");
    settings.restartTermCond = readRunConditions(*conditions);
  }
  if (!settings.useGrid && settings.gridResolution > 0)
    throw Error("gridResolution is given, but useGrid is off", complete.at("gridResolution").position(),
                "leave one of the two out");
  return settings;
}

}  // namespace mortise::planners
