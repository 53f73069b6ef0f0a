// Requests of pages about paths among the resources.

#include "mortise/base/error.h"
#include "mortise/collision/edge_check.h"
#include "mortise/viewer/posing/path_edit.h"
#include "mortise/viewer/posing/pose_session.h"

namespace mortise::viewer {

namespace {

/// The item with another content; where it came from does not hold it any more.
void replaceValue(Poser& poser, std::size_t at, Resource value) {
  poser.replace(at, {poser.resource(at).name, "", std::move(value)});
}

/// The links that are beyond their limits, one sentence each.
void addLimitFaults(const Robot& model, const VectorXd& q, std::size_t milestone, std::vector<std::string>& faults) {
  for (int l = 0; l < model.numLinks(); ++l) {
    const Link& link = model.link(l);
    if (link.qMin <= link.qMax && (q[l] < link.qMin - 1e-9 || q[l] > link.qMax + 1e-9))
      faults.push_back("milestone " + std::to_string(milestone) + ": " + link.name + " is beyond its limits");
  }
}

/// The collider with the pairs that planners check: two that stand still on every path of the robot, such as a fixed
/// base and the floor that it is sunk into, never count.
std::shared_ptr<const WorldCollider> pathCollider(const WorldCollider& full, int robot) {
  const Robot& model = *full.world().robots[static_cast<std::size_t>(robot)].robot;
  std::vector<bool> moves(static_cast<std::size_t>(full.numIds()), false);
  for (int l = 0; l < model.numLinks(); ++l) {
    const Link& link = model.link(l);
    const bool carried = link.parent >= 0 && moves[static_cast<std::size_t>(full.world().linkId(robot, link.parent))];
    moves[static_cast<std::size_t>(full.world().linkId(robot, l))] = carried || link.qMin != link.qMax;
  }
  PairTable pairs(full.numIds());
  full.pairs().forEachPair([&](int a, int b) {
    if (moves[static_cast<std::size_t>(a)] || moves[static_cast<std::size_t>(b)]) pairs.set(a, b, true);
  });
  return std::make_shared<const WorldCollider>(full.withPairs(pairs));
}

}  // namespace

/// Tells the milestones of any motion, for the page to play.
void PoseSession::on(const message::Path& m, Turn& turn) {
  Trajectory motion = motionOf(poser_.resource(m.at()).value);
  message::Motion& path = turn.result.path.emplace();
  path.times = std::move(motion.times);
  for (const VectorXd& q : motion.configurations) path.configurations.emplace_back(q.begin(), q.end());
}

void PoseSession::on(const message::Milestone& m, Turn& turn) {
  const Resource path = poser_.resource(m.at()).value;
  const auto milestone = static_cast<std::size_t>(m.milestone);
  const VectorXd q = configurationOf(turn.robot);
  switch (m.action) {
    case message::MilestoneAction::insert:
      return replaceValue(poser_, m.at(), withMilestone(path, milestone, q));
    case message::MilestoneAction::replace:
      return replaceValue(poser_, m.at(), withReplaced(path, milestone, q));
    case message::MilestoneAction::erase:
      return replaceValue(poser_, m.at(), withoutMilestone(path, milestone));
    case message::MilestoneAction::move:
      return replaceValue(poser_, m.at(), withMoved(path, milestone, static_cast<std::size_t>(*m.to)));
  }
}

void PoseSession::on(const message::Split& m, Turn&) {
  const ResourceItem item = poser_.resource(m.at());
  auto [first, second] = splitAt(item.value, static_cast<std::size_t>(m.milestone));
  replaceValue(poser_, m.at(), std::move(first));
  poser_.add({poser_.freeName(item.name), "", std::move(second)});
}

void PoseSession::on(const message::Reverse& m, Turn&) {
  replaceValue(poser_, m.at(), reversed(poser_.resource(m.at()).value));
}

void PoseSession::on(const message::Retime& m, Turn& turn) {
  replaceValue(poser_, m.at(), retimed(poser_.resource(m.at()).value, *modelOf(turn.robot), m.duration));
}

void PoseSession::on(const message::Discretize& m, Turn& turn) {
  replaceValue(poser_, m.at(), discretized(poser_.resource(m.at()).value, modelOf(turn.robot), m.resolution));
}

void PoseSession::on(const message::Optimize& m, Turn& turn) {
  replaceValue(poser_, m.at(), optimized(poser_.resource(m.at()).value, modelOf(turn.robot)));
}

/// Tells whether the robot can move along a path where everything else is now: limits, and collisions anywhere on it.
void PoseSession::on(const message::Check& m, Turn& turn) {
  const Trajectory motion = motionOf(poser_.resource(m.at()).value);
  const Robot& model = *modelOf(turn.robot);
  const std::shared_ptr<const WorldCollider> collider = pathCollider(*poser_.collider(), turn.robot);
  WorldCollisionState state(collider);
  const PoseDocument& document = poser_.document();
  for (std::size_t r = 0; r < document.q.size(); ++r) state.setConfiguration(static_cast<int>(r), document.q[r]);
  for (std::size_t i = 0; i < document.objects.size(); ++i)
    state.setPose(poser_.world().objectId(static_cast<int>(i)), document.objects[i]);
  const EdgeChecker checker(collider, turn.robot);
  EdgeChecker::Workspace workspace;
  EdgeCheckOptions options;
  options.method = EdgeCheckOptions::Method::resolution;
  std::vector<std::string> faults;
  for (std::size_t i = 0; i < motion.configurations.size(); ++i) {
    const VectorXd& q = motion.configurations[i];
    if (q.size() != model.numLinks()) throw Error("the path is for another robot than '" + model.name() + "'");
    addLimitFaults(model, q, i, faults);
    if (i == 0) continue;
    const EdgeCheckResult edge = checker.check(motion.configurations[i - 1], q, state, workspace, options);
    if (!edge.free)
      faults.push_back("between milestones " + std::to_string(i - 1) + " and " + std::to_string(i) + ": " +
                       poser_.world().nameOf(edge.ids.a) + " collides with " + poser_.world().nameOf(edge.ids.b));
  }
  turn.result.faults = std::move(faults);
}

}  // namespace mortise::viewer
