// The physics of a world that was edited while it was simulated.

#include <algorithm>

#include "mortise/base/error.h"
#include "mortise/simulation/stepping/physics_stepper.h"

namespace mortise {

bool PhysicsStepper::hasSubstituted(const Substitution& one) const {
  return std::any_of(map_.substitutions.begin(), map_.substitutions.end(), [&](const Substitution& each) {
    return each.kind == one.kind && each.subject == one.subject && each.text == one.text;
  });
}

PhysicsStepper::PhysicsStepper(SimulationContext& context, const PhysicsStepper& before, std::span<const int> objects)
    : PhysicsStepper(context, before.engine_, before.map_.description.timeStep, &before) {
  if (before.setByHand_)
    throw Error("bodies were made kinematic, or collisions switched, by hand, which an edited world would not know", {},
                "edit the world before that");
  for (const Substitution& each : before.map_.substitutions)
    if (each.kind == SubstitutionKind::motion) map_.substitutions.push_back(each);
  setGravity(before.gravity_);
  takeStates(before, objects);
  takeMotors(before);
  movedByHand();
  // Bodies are the same ones, in the same order: what is remembered of them still holds.
  if (map_.description.bodies.size() != before.map_.description.bodies.size()) return;
  for (std::size_t i = 0; i < objects.size(); ++i)
    if (objects[i] != static_cast<int>(i)) return;
  ByteWriter out;
  before.watch_->save(out);
  before.wrenches_.save(out);
  ByteReader in(out.bytes());
  watch_->restore(in);
  wrenches_.restore(in, state_.bodies().size(), world_.numIds());
}

/// Puts everything where it was.
void PhysicsStepper::takeStates(const PhysicsStepper& before, std::span<const int> objects) {
  const WorldState& was = before.state_;
  for (std::size_t i = 0; i < objects.size(); ++i)
    if (objects[i] >= 0)
      scene_->setBodyState(map_.objectBodies[i], was.objects()[static_cast<std::size_t>(objects[i])]);
  for (std::size_t r = 0; r < map_.robots.size(); ++r) {
    const RobotScene &place = map_.robots[r], &placeWas = before.map_.robots[r];
    if (place.floatingBody >= 0)
      scene_->setBodyState(place.floatingBody, was.bodies()[static_cast<std::size_t>(placeWas.floatingBody)]);
    for (std::size_t i = 0; i < place.links.size(); ++i) {
      if (place.links[i].joint < 0) continue;
      const JointState& joint = was.joints()[static_cast<std::size_t>(placeWas.links[i].joint)];
      scene_->setJointState(place.links[i].joint, joint.position, joint.velocity);
    }
    state_.setCoordinates(static_cast<int>(r), was.robots()[r].q, was.robots()[r].dq);
  }
}

/// Takes commands, integral terms and models' states. Commanded gains that are a driver's own follow the driver.
void PhysicsStepper::takeMotors(const PhysicsStepper& before) {
  ByteWriter out;
  before.motors_.save(out);
  before.motors_.saveModels(out, RobotMotors::ModelState::now);
  ByteReader in(out.bytes());
  motors_.restore(in);
  motors_.restoreModels(in);
  for (std::size_t r = 0; r < motors_.size(); ++r) {
    const Robot &now = *world_.robots[r].robot, &was = *before.world_.robots[r].robot;
    if (&now == &was) continue;
    for (int d = 0; d < now.numDrivers(); ++d) {
      ActuatorCommand& command = motors_[static_cast<int>(r)].commands()[static_cast<std::size_t>(d)];
      const Driver &own = now.driver(d), &old = was.driver(d);
      if (command.kP == old.servoP) command.kP = own.servoP;
      if (command.kI == old.servoI) command.kI = own.servoI;
      if (command.kD == old.servoD) command.kD = own.servoD;
    }
  }
}

}  // namespace mortise
