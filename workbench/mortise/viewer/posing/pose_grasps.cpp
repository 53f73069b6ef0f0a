// What pages do with grasps: the fingers that they keep.

#include <algorithm>
#include <map>

#include "mortise/base/error.h"
#include "mortise/ik/equations/ik_terms.h"
#include "mortise/viewer/posing/grasp_edit.h"
#include "mortise/viewer/posing/message_fields.h"
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

/// Of a hand: where it is, what it and its fingers touch, and where the fingers are.
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

void PoseSession::onFingers(const Value& message, Value&) {
  const std::size_t at = indexFrom(message, "resource");
  const int robot = robotOf(message);
  const Robot& model = *modelOf(robot);
  Grasp grasp = withFingers(graspAt(poser_, at), model, static_cast<int>(message.integer("link", -1)),
                            poser_.document().q[static_cast<std::size_t>(robot)]);
  poser_.replace(at, {poser_.resource(at).name, "", std::move(grasp)});
}

void PoseSession::onFinger(const Value& message, Value&) {
  const std::size_t at = indexFrom(message, "resource");
  const int robot = robotOf(message), link = static_cast<int>(indexFrom(message, "link"));
  const Robot& model = *modelOf(robot);
  const Grasp& before = graspAt(poser_, at);
  if (message.boolean("erase", false)) {
    poser_.replace(at, {poser_.resource(at).name, "", withoutFinger(before, link)});
    return;
  }
  const Grasp grasp = withFinger(before, model, link, message.at("value").asReal());
  // It is seen on the robot as it is set.
  VectorXd q = poser_.document().q[static_cast<std::size_t>(robot)];
  const int driver = model.driverOfLink(link);
  for (const auto& [finger, value] : grasp.fixed)
    if (finger == link || (driver >= 0 && model.driverOfLink(finger) == driver)) q[finger] = value;
  poser_.replace(at, {poser_.resource(at).name, "", grasp});
  poser_.setConfiguration(robot, q);
}

}  // namespace mortise::viewer
