#include "mortise/planning/settings/start_goal_reader.h"

#include <algorithm>

#include "mortise/base/error.h"
#include "mortise/math/rotation.h"
#include "mortise/planning/settings/link_goal_parsing.h"
#include "mortise/text/suggest.h"

namespace mortise {

namespace {

/// Keys by which goals of inverse kinematics are told apart (`ikTermsFromSetting`), but for `link`.
bool isGoalOfIK(const std::string& key) {
  for (const char* known : {"com", "look_at", "distance", "local_points"})
    if (key == known) return true;
  return false;
}

const char* kConfigurationForms =
    "write [0, 1.5, 90 deg], {elbow: 90 deg}, the name of a .config file, or that of a saved motion";

}  // namespace

std::optional<FileContent> StartGoalReader::kindOfFile(const Value& name) const {
  try {
    const std::string file = splitIndex(name.asString()).first;
    return sources_.loader.contentOf(sources_.loader.find(file, sources_.referringFile));
  } catch (const Error& error) {
    throw Error(error.message(), name.position(), error.hint());
  }
}

bool StartGoalReader::promised(const Value& name) const {
  try {
    return sources_.promised && sources_.promised(name.asString());
  } catch (const Error& error) {
    throw Error(error.message(), name.position(), error.hint());
  }
}

ConfigurationFiles StartGoalReader::files() const {
  return [this](const std::string& reference) {
    return readConfigurationFile(sources_.loader, reference, sources_.referringFile, diagnostics_);
  };
}

/// A file of configurations, or the end of a motion that is saved or in a file.
bool StartGoalReader::named(const Value& value, const VectorXd& base, std::vector<VectorXd>& out) const {
  const std::string& name = value.asString();
  if (const Trajectory* saved = sources_.savedMotion ? sources_.savedMotion(name) : nullptr) {
    if (saved->empty()) throw Error("the motion '" + name + "' is empty", value.position());
    out.push_back(
        reader().fromNumbers(saved->configurations.back(), base, "the end of '" + name + "'", value.position()));
    return true;
  }
  if (promised(value)) return false;
  const auto kind = kindOfFile(value);
  if (space_.object >= 0 && kind == FileContent::transform) {
    const auto X_WO = sources_.loader.load<RigidTransform>(name, sources_.referringFile, diagnostics_);
    VectorXd q(6);
    q << X_WO.p, momentFromRotation(X_WO.R);
    out.push_back(std::move(q));
    return true;
  }
  for (VectorXd& q : reader().readFile(value, base, files())) out.push_back(std::move(q));
  return true;
}

/// {motion: NAME, at: start | end | SECONDS}
bool StartGoalReader::motion(const Value& map, const VectorXd& base, std::vector<VectorXd>& out) const {
  const Value& name = map.at("motion");
  if (!name.isString()) throw Error("'motion' must be the name of a saved motion or a file", name.position());
  const Value* at = map.find("at");
  if (at != nullptr && at->isNull()) at = nullptr;
  Trajectory file;
  const Trajectory* path = sources_.savedMotion ? sources_.savedMotion(name.asString()) : nullptr;
  if (path == nullptr) {
    if (promised(name)) return false;
    (void)kindOfFile(name);
    file = sources_.loader.load<Trajectory>(name.asString(), sources_.referringFile, diagnostics_);
    path = &file;
  }
  if (path->empty()) throw Error("the motion '" + name.asString() + "' is empty", name.position());
  double time = path->endTime();
  if (at != nullptr && at->isString() && at->asString() == "start")
    time = path->startTime();
  else if (at != nullptr && !(at->isString() && at->asString() == "end"))
    time = quantityOf(*at, "s");
  if (!(time >= path->startTime() && time <= path->endTime()))
    throw Error("the motion '" + name.asString() + "' goes from " + std::to_string(path->startTime()) + " s to " +
                    std::to_string(path->endTime()) + " s",
                at->position(), "write a time within, or start, or end");
  VectorXd q(path->configurations.front().size()), dq(q.size());
  path->evaluate(time, q, dq);
  out.push_back(reader().fromNumbers(q, base, "the motion '" + name.asString() + "'", name.position()));
  return true;
}

bool StartGoalReader::configurations(const Value& value, const VectorXd& base, std::vector<VectorXd>& out) const {
  if (isQuantity(value) || isNumberList(value)) {
    out.push_back(reader().read(value, base));
    return true;
  }
  if (value.isString()) return named(value, base, out);
  if (value.isList() && value.size() > 0) {
    bool all = true;
    for (const Value& item : value.items()) all = configurations(item, base, out) && all;
    return all;
  }
  if (value.isMap() && value.contains("motion")) {
    for (const Value::Entry& entry : value.entries())
      if (entry.key != "motion" && entry.key != "at")
        throw Error("unknown key '" + entry.key + "'", entry.keyPosition, "available: motion, at");
    return motion(value, base, out);
  }
  if (value.isMap() && value.contains("file")) return named(fileFromMap(value), base, out);
  if (value.isMap() && value.size() > 0) {
    out.push_back(reader().fromMap(value, base, files()));
    return true;
  }
  throw Error("expected a configuration, found " + std::string(Value::typeName(value.type())), value.position(),
              kConfigurationForms);
}

bool StartGoalReader::starts(const Value& value, const VectorXd& base, std::vector<VectorXd>& starts) const {
  if (value.isNull()) {
    starts = {base};
    return true;
  }
  return configurations(value, base, starts);
}

void StartGoalReader::region(const Value& value, PlanGoalRequest& goal) const {
  const int n = coordinates_.fullSize();
  goal.low = VectorXd::Constant(n, -kInfinity);
  goal.high = VectorXd::Constant(n, kInfinity);
  const char* form = "write {shoulder: [0, 1.5], wrist: [-10 deg, 10 deg]}";
  if (!value.isMap() || value.size() == 0)
    throw Error("a region is a map of bounds by link, found " + std::string(Value::typeName(value.type())),
                value.position(), form);
  for (const Value::Entry& entry : value.entries()) {
    if (!entry.value.isList() || entry.value.size() != 2)
      throw Error("the bounds of '" + entry.key + "' are two numbers", entry.value.position(), form);
    for (const DrivenCoordinate& number : reader().find(entry.key, entry.keyPosition)) {
      const int i = number.link;
      const double low = quantityOf(entry.value[0], reader().unit(i));
      const double high = quantityOf(entry.value[1], reader().unit(i));
      if (!(low <= high))
        throw Error("the lower bound of '" + entry.key + "' is above its upper bound", entry.value.position(),
                    "swap the two");
      goal.low[i] = number.offset + number.scale * (number.scale < 0 ? high : low);
      goal.high[i] = number.offset + number.scale * (number.scale < 0 ? low : high);
    }
  }
}

bool StartGoalReader::isName(const std::string& key) const {
  return std::any_of(space_.robots.begin(), space_.robots.end(), [&](int robot) {
    const std::vector<std::string> names =
        coordinateNames(*sources_.world.robots[static_cast<std::size_t>(robot)].robot);
    return std::find(names.begin(), names.end(), key) != names.end();
  });
}

bool StartGoalReader::goal(const Value& value, const VectorXd& base, PlanRequest& request) const {
  PlanGoalRequest& goal = request.goal;
  const auto goals = [&](const Value& item) {
    if (space_.robots.empty())
      throw Error("pose goals of links need a robot, but a rigid object moves", item.position(),
                  "give its pose: [x, y, z, rx, ry, rz]");
    std::vector<RobotTerm> terms = robotTerms(item, space_.robots, sources_, diagnostics_);
    if (std::all_of(terms.begin(), terms.end(), [](const RobotTerm& one) { return one.term.priority > 0; }))
      throw Error(terms.empty() ? "'ik' holds no goal"
                                : "every goal below 'ik' gives way to others, so that any configuration would do",
                  item.position(), "give at least one goal of priority 0");
    for (RobotTerm& one : terms) {
      const auto* pose = std::get_if<IKGoal>(&one.term.goal);
      if (pose != nullptr && one.term.priority == 0)
        goal.ik.push_back({one.robot, *pose});
      else
        request.goalTerms.push_back(std::move(one));
    }
  };
  if (value.isString() && !isQuantity(value)) {
    const bool motion = (sources_.savedMotion && sources_.savedMotion(value.asString()) != nullptr) || promised(value);
    if (!motion) {
      const auto kind = kindOfFile(value);
      if (kind == FileContent::ikGoal || kind == FileContent::hold || kind == FileContent::stance) {
        goals(value);
        return true;
      }
    }
  }
  if (!value.isMap() || value.contains("motion") || value.contains("file"))
    return configurations(value, base, goal.configurations);
  static const std::vector<std::string> kKeys = {"configuration", "configurations", "ik", "region", "tolerance"};
  bool all = true, any = false;
  Value byName = Value::map();  // Other keys than those of goals: a configuration by name, as for starts.
  byName.setPosition(value.position());
  for (const Value::Entry& entry : value.entries()) {
    if (entry.key == "configuration" || entry.key == "configurations") {
      all = configurations(entry.value, base, goal.configurations) && all;
      any = true;
    } else if (entry.key == "ik") {
      goals(entry.value);
      any = true;
    } else if (entry.key == "region") {
      region(entry.value, goal);
      any = true;
    } else if (entry.key == "tolerance") {
      if (!entry.value.isNumber() || !(entry.value.asReal() >= 0))
        throw Error("'tolerance' must be a number of at least 0", entry.value.position());
      goal.tolerance = entry.value.asReal();
    } else if (entry.key == "link" || (isGoalOfIK(entry.key) && !isName(entry.key))) {
      throw Error(
          "a goal of " + std::string(entry.key == "link" ? "a link" : "'" + entry.key + "'") + " goes below 'ik'",
          value.position(),
          "write goal: {ik: {" + (entry.key == "link" ? "link: ..., position: ..." : entry.key + ": ...") + "}}");
    } else {
      try {
        if (reader().isRobot(entry.key) || (!entry.value.isScalar() && !reader().robots().empty()))
          (void)reader().robot(entry.key, entry.keyPosition);
        else
          (void)reader().find(entry.key, entry.keyPosition);
      } catch (const Error& error) {
        if (isName(entry.key)) throw;  // The name is ambiguous; the error says between what.
        const std::string near = didYouMean(entry.key, kKeys);
        throw Error("unknown key '" + entry.key + "': " + error.message(), error.where(),
                    (near.empty() ? error.hint() : near) +
                        "; besides what moves, a goal has configuration, configurations, ik (with near: start), "
                        "region, motion, "
                        "tolerance");
      }
      byName.entries().push_back(entry);
    }
  }
  if (byName.size() > 0) {
    all = configurations(byName, base, goal.configurations) && all;
    any = true;
  }
  if (!any) throw Error("there is no goal in it", value.position(), "give configuration, ik or region");
  return all;
}

}  // namespace mortise
