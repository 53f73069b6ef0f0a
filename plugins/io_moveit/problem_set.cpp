#include "problem_set.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "joint_limits.h"
#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/text/suggest.h"
#include "problem_goal.h"
#include "problem_scene.h"

namespace mortise::io_moveit {

namespace {

/// The digits that a file's name ends in, without zeros in front; empty when it ends in none.
std::optional<std::string> numberOf(const std::string& path) {
  const std::string stem = std::filesystem::path(path).stem().string();
  std::size_t at = stem.size();
  while (at > 0 && std::isdigit(static_cast<unsigned char>(stem[at - 1]))) --at;
  if (at == stem.size()) return std::nullopt;
  const std::size_t first = std::min(stem.find_first_not_of('0', at), stem.size() - 1);
  return stem.substr(first);
}

/// The name without a scope in front ("geometric::") and without what MoveIt's configurations append to it.
std::string plannerName(const std::string& id) {
  std::string name = id.substr(id.rfind(':') + 1);  // Without a colon: from 0 on.
  constexpr std::string_view kConfigured = "kConfigDefault";
  if (name.ends_with(kConfigured)) name.resize(name.size() - kConfigured.size());
  return name;
}

class SetLoader {
 public:
  SetLoader(const ProblemSetFiles& files, ResourceLoader& loader, Diagnostics& diagnostics)
      : files_(files), loader_(loader), out_(diagnostics) {}

  PlanningProblems load() {
    readConfig();
    readRobot();
    out_.throwIfErrors("the problem set's robot cannot be used");
    if (files_.requests.empty())
      throw Error("a problem set needs at least one request", {}, "name its file with requests: or --request FILE");
    PlanningProblems cases;
    for (const std::string& file : files_.requests) {
      // What is wrong with one problem must not hide what is wrong with the next.
      Diagnostics own;
      own.setStrict(out_.strict());
      try {
        cases.push_back(problem(file, own));
      } catch (const DiagnosticsError& error) {
        if (!own.hasErrors())
          for (const Diagnostic& each : error.list()) own.add(each);
      } catch (const Error& error) {
        own.error(error);
      }
      out_.append(own);
    }
    out_.throwIfErrors("the problem set cannot be used");
    return cases;
  }

 private:
  /// Robowflex's file of a robot, which MotionBenchMaker's configuration refers to.
  void readConfig() {
    if (files_.config.empty()) return;
    std::string path = loader_.find(files_.config, {});
    robotFiles_.push_back(path);
    Value config = loadYaml(path);
    if (config.isMap() && config.contains("robot_description")) {
      if (config.contains("planning_group")) group_ = config.at("planning_group").text();
      const Value reference = config.at("robot_description");
      // The robot's files may be named without it.
      if (!files_.urdf.empty() && !files_.srdf.empty()) return;
      try {
        path = loader_.find(reference.text(), path);
      } catch (const Error& error) {
        throw Error(error.message(), reference.position(),
                    "name the folder of its package with --package NAME=DIR, or the robot's files themselves");
      }
      robotFiles_.push_back(path);
      config = loadYaml(path);
    }
    MessageNotes notes(out_);
    Message robot(notes, config, "robot");
    const auto take = [&](const std::string& field, std::string& into) {
      if (!robot.has(field) || !into.empty()) return;
      const std::vector<std::string> names = robot.get(field)->asStrings();
      if (!names.empty()) into = loader_.find(names.front(), path);
    };
    take("urdf", files_.urdf);
    take("srdf", files_.srdf);
    take("joint_limits", files_.jointLimits);
    take("limits", files_.jointLimits);
    if (robot.has("robot_state")) robot_.state = readState(robot.message("robot_state", "RobotState"), path, loader_);
  }

  void readRobot() {
    if (files_.urdf.empty())
      throw Error("a problem set needs the robot", {}, "name its file with urdf: or --urdf FILE");
    for (const std::string* file : {&files_.urdf, &files_.srdf})
      if (file->ends_with(".xacro"))
        throw Error("'" + *file + "' holds macros, which are not expanded", {},
                    "expand them first: xacro " + std::filesystem::path(*file).filename().string() + " > FILE");
    const std::string path = loader_.find(files_.urdf, {});
    robotFiles_.push_back(path);
    robot_.description = loader_.load<RobotDescription>(path, {}, out_);
    if (out_.hasErrors()) return;
    robot_.joints = path.ends_with(".urdf") ? readNamedJoints(readFile(path), path) : namedJointsOf(robot_.description);
    if (!files_.jointLimits.empty()) {
      const std::string limits = loader_.find(files_.jointLimits, {});
      robotFiles_.push_back(limits);
      applyJointLimits(readJointLimits(loadYaml(limits), out_), robot_.joints, robot_.description, out_);
    }
    for (const NamedJoint& joint : robot_.joints.joints) {
      const int link = robot_.description.findLink(joint.child);
      if (link < 0 || !joint.softLower || !joint.softUpper || !(*joint.softLower < *joint.softUpper)) continue;
      if (joint.type == "revolute" || joint.type == "prismatic")
        narrowPosition(robot_.description, link, *joint.softLower, *joint.softUpper);
    }
    if (files_.srdf.empty()) return;
    const std::string srdf = loader_.find(files_.srdf, {});
    robotFiles_.push_back(srdf);
    robot_.srdf = readSrdf(readFile(srdf), srdf, out_);
    robot_.hasSrdf = true;
    checkPairs();
    if (!robot_.srdf.robot.empty() && !robot_.joints.robot.empty() && robot_.srdf.robot != robot_.joints.robot)
      out_.warning(
          "the SRDF file is for robot '" + robot_.srdf.robot + "', but the robot is '" + robot_.joints.robot + "'",
          inFile(srdf));
  }

  /// A rule for a link that does not exist is without effect, which may not be what was meant. Said once a link.
  void checkPairs() {
    std::set<std::string> said;
    for (const std::vector<SrdfPair>* pairs : {&robot_.srdf.disabled, &robot_.srdf.enabled})
      for (const SrdfPair& pair : *pairs)
        for (const std::string& link : {pair.first, pair.second})
          if (!robot_.joints.hasLink(link) && said.insert(link).second)
            out_.warning("the robot has no link '" + link + "'; rules about its collisions have no effect",
                         pair.position, didYouMean(link, robot_.joints.links));
  }

  std::string sceneOf(const std::string& request) const {
    if (files_.scenes.empty()) return {};
    if (files_.scenes.size() == 1) return files_.scenes.front();
    const std::optional<std::string> number = numberOf(request);
    std::string found;
    for (const std::string& scene : files_.scenes) {
      if (!number || numberOf(scene) != number) continue;
      if (!found.empty())
        throw Error("there are two scenes for '" + request + "': '" + found + "' and '" + scene + "'", {},
                    "name the scenes that are meant");
      found = scene;
    }
    if (found.empty())
      throw Error("there is no scene for '" + request + "'", {},
                  "the names of a request and of its scene end in the same number; or give one scene for all");
    return found;
  }

  const SceneMessage& scene(const std::string& file, Diagnostics& own) {
    auto at = scenes_.find(file);
    if (at != scenes_.end()) return at->second;
    SceneMessage message;
    if (!file.empty()) {
      const std::string path = loader_.find(file, {});
      message = readScene(loadYaml(path), path, loader_, own);
      own.throwIfErrors();
    }
    return scenes_.emplace(file, std::move(message)).first->second;
  }

  PlanningProblemDescription problem(const std::string& file, Diagnostics& own) {
    PlanningProblemDescription result;
    result.name = std::filesystem::path(file).stem().string();
    const std::string sceneFile = sceneOf(file), path = loader_.find(file, {});
    RequestMessage request = readRequest(loadYaml(path), path, loader_, own);
    own.throwIfErrors();
    if (request.group.empty()) request.group = group_;
    ProblemScene problem(robot_, scene(sceneFile, own), request, own);
    own.throwIfErrors();
    result.goal = problemGoal(request, problem, own);
    problemPath(request.path, problem, result.space, own);
    own.throwIfErrors();
    result.world = problem.world();
    result.space.robots = {0};
    for (const int link : problem.links()) result.space.links.push_back(result.world->linkId(0, link));
    result.space.ignored = problem.ignored();
    result.space.workspace = workspace(request, problem, own);
    result.starts = {problem.start()};
    if (request.seconds > 0) result.timeLimit = request.seconds;
    result.velocityScaling = request.velocityScaling;
    result.accelerationScaling = request.accelerationScaling;
    result.planner = {plannerName(request.planner), request.planner, {path, 0, 0, "planner_id"}};
    result.files = robotFiles_;
    if (!sceneFile.empty()) result.files.push_back(loader_.find(sceneFile, {}));
    result.files.push_back(path);
    result.notes.set("scene", sceneFile);
    result.notes.set("request", path);
    result.notes.set("group", request.group);
    return result;
  }

  /// In the world's frame; none for arms on a fixed base, which do not need it.
  static std::optional<Eigen::AlignedBox3d> workspace(const RequestMessage& request, ProblemScene& problem,
                                                      Diagnostics& own) {
    const int base = problem.robot().floatingBaseLink();
    if (request.workspaceMin == request.workspaceMax || base < 0 || !problem.moves(base)) return std::nullopt;
    const ProblemFrame* frame = problem.frame(request.workspaceFrame, request.position);
    own.throwIfErrors();
    Eigen::AlignedBox3d box;
    for (int corner = 0; corner < 8; ++corner)
      box.extend(problem.poseOf(*frame) * Vector3d((corner & 1 ? request.workspaceMax : request.workspaceMin).x(),
                                                   (corner & 2 ? request.workspaceMax : request.workspaceMin).y(),
                                                   (corner & 4 ? request.workspaceMax : request.workspaceMin).z()));
    return box;
  }

  ProblemSetFiles files_;
  ResourceLoader& loader_;
  Diagnostics& out_;
  ProblemRobot robot_;
  std::vector<std::string> robotFiles_;
  std::string group_;  ///< The group of requests that name none.
  std::map<std::string, SceneMessage> scenes_;
};

}  // namespace

PlanningProblems loadProblemSet(const ProblemSetFiles& files, ResourceLoader& loader, Diagnostics& diagnostics) {
  // Apart from what the caller has found so far: errors of this set are what is thrown.
  Diagnostics own;
  own.setStrict(diagnostics.strict());
  const auto pass = [&] {
    for (const Diagnostic& each : own.all())
      if (each.severity != Severity::error) diagnostics.add(each);
  };
  try {
    PlanningProblems cases = SetLoader(files, loader, own).load();
    pass();
    return cases;
  } catch (const Error&) {
    pass();
    throw;
  }
}

}  // namespace mortise::io_moveit
