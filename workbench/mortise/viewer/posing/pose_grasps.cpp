// Requests of pages about grasps: the fingers that they keep.

#include <algorithm>
#include <map>

#include "mortise/base/error.h"
#include "mortise/ik/equations/ik_terms.h"
#include "mortise/viewer/posing/grasp_edit.h"
#include "mortise/viewer/posing/pose_session.h"

namespace mortise::viewer {

namespace {

const Grasp& graspAt(const Poser& poser, std::size_t resource) {
  const auto* grasp = std::get_if<Grasp>(&poser.resource(resource).value);
  if (grasp == nullptr)
    throw Error(std::string(contentName(contentOf(poser.resource(resource).value))) + " has no fingers", {},
                "convert it to a grasp first");
  return *grasp;
}

}  // namespace

/// Makes a grasp of a hand: where it is, what it and its fingers touch, and where the fingers are.
Grasp PoseSession::graspFromPose(int robot, int hand) {
  const Robot& model = *modelOf(robot);
  const RigidTransform X_WH = poser_.linkPose(robot, hand);
  Grasp grasp;
  grasp.robot = robot;
  grasp.goals.push_back(poseGoal(hand, X_WH));
  grasp.fixed = fingersOf(model, hand, poser_.document().q[static_cast<std::size_t>(robot)]);
  for (const LinkContact& contact : poser_.contacts(robot))
    if (contact.target < 0 && model.isAncestor(hand, contact.link))
      grasp.contacts.push_back({contact.link, contact.point, std::nullopt});
  if (grasp.fixed.empty() && grasp.contacts.empty())
    throw Error("'" + model.link(hand).name + "' has no fingers and touches nothing", {},
                "select the palm of a hand, or bring it to a surface");
  return grasp;
}

void PoseSession::on(const message::Fingers& m, Turn& turn) {
  Grasp grasp = withFingers(graspAt(poser_, m.at()), *modelOf(turn.robot), m.link, configurationOf(turn.robot));
  poser_.replace(m.at(), {poser_.resource(m.at()).name, "", std::move(grasp)});
}

void PoseSession::on(const message::Finger& m, Turn& turn) {
  const Robot& model = *modelOf(turn.robot);
  const Grasp& before = graspAt(poser_, m.at());
  if (m.erase) {
    poser_.replace(m.at(), {poser_.resource(m.at()).name, "", withoutFinger(before, m.link)});
    return;
  }
  const Grasp grasp = withFinger(before, model, m.link, *m.value);
  // It is seen on the robot as it is set.
  VectorXd q = configurationOf(turn.robot);
  const int driver = model.driverOfLink(m.link);
  for (const auto& [finger, value] : grasp.fixed)
    if (finger == m.link || (driver >= 0 && model.driverOfLink(finger) == driver)) q[finger] = value;
  poser_.replace(m.at(), {poser_.resource(m.at()).name, "", grasp});
  poser_.setConfiguration(turn.robot, q);
}

}  // namespace mortise::viewer
