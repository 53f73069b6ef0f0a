#include "mortise/rigid_body/tree_plan.h"

#include "mortise/base/error.h"

namespace mortise::rigid {

namespace {

void checkJoint(const SceneDescription& description, const SceneJoint& joint, bool childIsTaken) {
  const std::string name = "joint '" + joint.name + "'";
  const int numBodies = static_cast<int>(description.bodies.size());
  if (joint.child < 0 || joint.child >= numBodies) throw Error(name + " moves no body");
  if (joint.parent >= numBodies) throw Error(name + " hangs on a body that is not there");
  const SceneBody& child = description.bodies[joint.child];
  if (child.motion != BodyMotion::dynamic)
    throw Error(name + " moves body '" + child.name + "', which is fixed or kinematic");
  if (childIsTaken)
    throw Error(name + ": body '" + child.name + "' hangs on more than one joint", {}, "close loops with a constraint");
  if (!(joint.lower <= joint.upper)) throw Error(name + " has its lower stop above its upper one");
}

}  // namespace

std::vector<TreePlan> planTrees(const SceneDescription& description) {
  std::vector<TreePlan> plans;
  std::vector<int> planOfBody(description.bodies.size(), -1);
  std::vector<bool> isChild(description.bodies.size(), false);
  for (const SceneJoint& joint : description.joints)
    if (joint.child >= 0 && joint.child < static_cast<int>(description.bodies.size())) isChild[joint.child] = true;
  for (int j = 0; j < static_cast<int>(description.joints.size()); ++j) {
    const SceneJoint& joint = description.joints[j];
    checkJoint(description, joint,
               joint.child >= 0 && joint.child < static_cast<int>(planOfBody.size()) && planOfBody[joint.child] >= 0);
    const BodyMotion motion = joint.parent < 0 ? BodyMotion::fixed : description.bodies[joint.parent].motion;
    int plan = -1;
    if (motion == BodyMotion::dynamic) {
      plan = planOfBody[joint.parent];
      if (plan < 0) {
        if (isChild[joint.parent]) throw Error("joint '" + joint.name + "' comes before the joint of its parent");
        plan = static_cast<int>(plans.size());
        plans.push_back({joint.parent, false, {}});
        planOfBody[joint.parent] = plan;
      }
    } else {
      plan = static_cast<int>(plans.size());
      plans.push_back({joint.parent, true, {}});
    }
    plans[plan].joints.push_back(j);
    planOfBody[joint.child] = plan;
  }
  return plans;
}

}  // namespace mortise::rigid
