#include "mortise/pipeline/stages/plan_doubts.h"

#include <algorithm>

#include "mortise/base/value_text.h"
#include "mortise/ik/equations/term_text.h"
#include "mortise/loading/world_configuration.h"
#include "mortise/planning/spaces/robot_coordinates.h"

namespace mortise {

namespace {

/// Beyond this a margin is rather one in mm (m).
constexpr double kWideMargin = 0.5;

class PlanDoubts {
 public:
  PlanDoubts(const World& world, const PlanRequest& request, const Value& given, Diagnostics& diagnostics)
      : world_(world), request_(request), given_(given), diagnostics_(diagnostics) {}

  void find() {
    doubtLimits(request_.starts, "starts", "start");
    doubtLimits(request_.goal.configurations, "ends", "goal");
    if (request_.space.object < 0 && !request_.starts.empty()) {
      refuseUnplanned(request_.starts, "the starts differ in", "start");
      refuseUnplanned(request_.goal.configurations, "the goal moves", "goal");
      refuseRegion();
      refuseWorkspace();
      doubtReach();
    }
    if (request_.space.margin > kWideMargin)
      diagnostics_.warning("'margin': " + formatReal(request_.space.margin) +
                               " m are to be kept from everything, and from each other link",
                           where("margin"), "write 5 mm for millimeters");
    if (!(request_.stop.seconds > 0)) doubtStop("time_limit");
    if (request_.stop.iterations <= 0) doubtStop("iterations");
  }

 private:
  SourcePosition where(const char* key) const {
    const Value* value = given_.find(key);
    if (value == nullptr && given_.find("stop") != nullptr && given_.at("stop").isMap())
      value = given_.at("stop").find(key);
    return value != nullptr && value->position().known() ? value->position() : given_.position();
  }

  /// Calls `use(robot, first)` for each that moves, with the place of its first number in whole configurations.
  template <typename Use>
  void eachRobot(const Use& use) const {
    Eigen::Index first = 0;
    for (const int index : request_.space.robots) {
      const WorldRobot& robot = world_.robots[static_cast<std::size_t>(index)];
      use(index, robot, first);
      first += robot.robot->numLinks();
    }
  }

  void doubtLimits(const std::vector<VectorXd>& list, const char* does, const char* key) {
    for (const VectorXd& full : list)
      eachRobot([&](int, WorldRobot robot, Eigen::Index first) {
        if (first + robot.q.size() > full.size()) return;
        robot.q = full.segment(first, robot.q.size());
        if (const std::string outside = outsideOfLimits(robot, does); !outside.empty())
          diagnostics_.warning(outside, where(key), "no path gets there; angles without a unit are in rad");
      });
  }

  /// Says whether a robot's link moves with what is planned for, by link.
  std::vector<bool> planned(int index, const WorldRobot& robot) const {
    std::vector<bool> moves(static_cast<std::size_t>(robot.robot->numLinks()), request_.space.links.empty());
    if (request_.space.links.empty()) return moves;
    std::vector<int> links;
    const int first = world_.linkId(index, 0);
    for (const int id : request_.space.links)
      if (id >= first && id < first + robot.robot->numLinks()) links.push_back(id - first);
    if (links.empty()) return moves;
    const RobotCoordinates coordinates(robot.robot, robot.q, links, ConfigurationDistanceOptions{}, SampleOptions{});
    for (int c = 0; c < coordinates.dimension(); ++c)
      for (const int link : coordinates.coordinate(c).links) moves[static_cast<std::size_t>(link)] = true;
    return moves;
  }

  void refuseUnplanned(const std::vector<VectorXd>& list, const std::string& what, const char* key) {
    const VectorXd& base = request_.starts.front();
    eachRobot([&](int index, const WorldRobot& robot, Eigen::Index first) {
      const std::vector<bool> moves = planned(index, robot);
      for (const VectorXd& full : list)
        for (int i = 0; i < robot.robot->numLinks(); ++i) {
          const Eigen::Index at = first + i;
          if (moves[static_cast<std::size_t>(i)] || at >= full.size() || std::abs(full[at] - base[at]) <= 1e-9)
            continue;
          return diagnostics_.error("'" + std::string(key) + "': " + what + " link '" + robot.robot->link(i).name +
                                        "'" + ofRobot(robot) + ", which is not planned for",
                                    where(key), "name it among 'links', or leave it where it is");
        }
    });
  }

  void refuseRegion() {
    const VectorXd &low = request_.goal.low, &high = request_.goal.high;
    eachRobot([&](int, const WorldRobot& robot, Eigen::Index first) {
      for (int i = 0; i < robot.robot->numLinks() && first + i < std::min(low.size(), high.size()); ++i) {
        const Link& link = robot.robot->link(i);
        if (low[first + i] <= link.qMax && high[first + i] >= link.qMin) continue;
        diagnostics_.error("'goal': the range of '" + link.name + "'" + ofRobot(robot) + ", " +
                               formatReal(low[first + i]) + " to " + formatReal(high[first + i]) +
                               ", lies outside of its joint limits " + formatReal(link.qMin) + " to " +
                               formatReal(link.qMax),
                           where("goal"), "angles without a unit are in rad");
      }
    });
  }

  /// Goals of links farther away than the robot is long.
  void doubtReach() {
    const auto doubt = [&](int robot, const IKTerm& term) {
      const std::string far = reachText(*world_.robots[static_cast<std::size_t>(robot)].robot, term);
      if (!far.empty() && term.priority == 0)
        diagnostics_.warning("'goal': " + far, where("goal"), "move the goal nearer; lengths without a unit are in m");
    };
    for (const RobotGoal& one : request_.goal.ik) doubt(one.robot, {one.goal});
    for (const RobotTerm& one : request_.goalTerms) doubt(one.robot, one.term);
  }

  void refuseWorkspace() {
    if (!request_.space.workspace) return;
    bool floats = false;
    eachRobot(
        [&](int, const WorldRobot& robot, Eigen::Index) { floats = floats || robot.robot->floatingBaseLink() >= 0; });
    if (!floats)
      diagnostics_.error("'workspace': no robot that is planned for has a floating base, which it would limit",
                         where("workspace"), "leave it out");
  }

  void doubtStop(const char* key) {
    diagnostics_.warning("'" + std::string(key) + "' is 0: the search ends before it begins", where(key),
                         "give it a number above 0, or leave it out");
  }

  std::string ofRobot(const WorldRobot& robot) const {
    return request_.space.robots.size() > 1 ? " of robot '" + robot.name + "'" : "";
  }

  const World& world_;
  const PlanRequest& request_;
  const Value& given_;
  Diagnostics& diagnostics_;
};

}  // namespace

void doubtPlan(const World& world, const PlanRequest& request, const Value& given, Diagnostics& diagnostics) {
  PlanDoubts(world, request, given, diagnostics).find();
}

}  // namespace mortise
