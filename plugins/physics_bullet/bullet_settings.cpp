#include "bullet_settings.h"

#include "mortise/contacts/stated_softness.h"

namespace mortise::bullet {

void BulletSettings::bind(SettingBinder& b) {
  bindSolver(b);
  bindBodies(b);
}

void BulletSettings::bindSolver(SettingBinder& b) {
  b.choice("profile", profile, {{"recommended", Profile::recommended}, {"normalized", Profile::normalized}},
           "Defaults of what is not set. recommended: those of Bullet's authors for robots (PyBullet). normalized: "
           "no damping, no slop, no clamps, error reduction and force mixing of the world, for comparing engines.");
  b.choice("solver", solver,
           {{"sequential_impulse", SolverChoice::sequentialImpulse},
            {"dantzig", SolverChoice::dantzig},
            {"pgs", SolverChoice::pgs}},
           "Bullet's constraint solver: sequential impulses, or its solver of mixed linear complementarity problems by "
           "Dantzig or projected Gauss-Seidel.");
  b.add("num_iterations", numIterations, "Maximum iterations of the solver per step.",
        {.min = 1, .max = 100000, .aliases = {"iterations", "numIterations"}});
  b.add("least_squares_residual_threshold", residualThreshold,
        "Sequential impulses stop when the squared change of velocity in an iteration, in (m/s)^2, is below this. "
        "Absent: 1e-7 (recommended), 0 (normalized).",
        {.min = 0, .aliases = {"leastSquaresResidualThreshold"}});
  b.add("erp", erp,
        "Fraction of the position error of joints and joint limits that is corrected in a step. Absent: 0.2 "
        "(recommended), the world's (normalized).",
        {.min = 0, .max = 1});
  b.add("erp2", erp2,
        "Fraction of a rigid contact's penetration that is corrected in a step. Absent: 0.08 (recommended), the "
        "world's (normalized).",
        {.min = 0, .max = 1, .aliases = {"contact_erp", "contactERP"}});
  b.add("global_cfm", globalCfm,
        "Constraint force mixing of rigid contacts, in m/s for each N. Absent: 0 (recommended), the world's "
        "(normalized).",
        {.min = 0, .aliases = {"cfm", "globalCfm"}});
  b.add("linear_slop", linearSlop, "Penetration that is left alone. Absent: 1e-5 (recommended), 0 (normalized).",
        {.min = 0, .unit = "m", .aliases = {"linearSlop"}});
  b.add("warmstarting_factor", warmstartingFactor,
        "Factor of the last step's contact impulses that the solver starts from; between rigid bodies only.",
        {.min = 0, .max = 1, .aliases = {"warmstartingFactor", "warm_start"}});
  b.add("split_impulse", splitImpulse,
        "Penetration between rigid bodies that is deeper than split_impulse_penetration_threshold is corrected without "
        "adding velocity.",
        {.aliases = {"splitImpulse"}});
  b.add("split_impulse_penetration_threshold", splitImpulseThreshold,
        "Distance below which split_impulse acts, negative for penetration. Bullet's -0.04 is for games; 0 lets it act "
        "on all penetration, so that bounces keep their height.",
        {.max = 0, .unit = "m", .aliases = {"splitImpulsePenetrationThreshold"}});
  b.add("num_non_contact_inner_iterations", innerIterations,
        "Passes over joints, motors and joint limits in each iteration of the sequential impulses.",
        {.min = 1, .max = 10000, .aliases = {"numNonContactInnerIterations"}});
  b.add("friction_erp", frictionErp, "Error reduction of contacts' friction, where contacts have friction anchors.",
        {.min = 0, .max = 1, .aliases = {"frictionERP"}});
  b.add("friction_cfm", frictionCfm, "Constraint force mixing of friction, in m/s for each N.",
        {.min = 0, .aliases = {"frictionCFM"}});
  b.add("minimum_solver_batch_size", minimumSolverBatchSize,
        "Islands are solved together until they have more constraints than this.",
        {.min = 0, .max = 1000000, .aliases = {"minimumSolverBatchSize"}});
}

void BulletSettings::bindBodies(SettingBinder& b) {
  b.add("restitution_velocity_threshold", restitutionThreshold,
        "Contacts that close slower than this do not bounce. Absent: 0.2 (recommended), 0.05 (normalized).",
        {.min = 0, .unit = "m/s", .aliases = {"restitutionVelocityThreshold"}});
  b.add("linear_damping", linearDamping,
        "Fraction of the linear velocity that is lost in a second. Absent: 0.04 of robots and 0 of other bodies "
        "(recommended), 0 (normalized).",
        {.min = 0, .max = 1, .aliases = {"linearDamping"}});
  b.add("angular_damping", angularDamping, "The same of the angular velocity.",
        {.min = 0, .max = 1, .aliases = {"angularDamping"}});
  b.add("max_coordinate_velocity", maxCoordinateVelocity,
        "Speeds of a robot's joints and base are cut here, in rad/s and m/s. Absent: 100 (recommended), none "
        "(normalized).",
        {.min = 0, .aliases = {"maxCoordinateVelocity"}});
  b.add("max_applied_impulse", maxAppliedImpulse,
        "Most impulse of a joint limit and of a joint at a robot's link in a step, in N*s and N*m*s. Absent: 1000 "
        "(recommended), none (normalized).",
        {.min = 0, .aliases = {"maxAppliedImpulse"}});
  b.add("sleeping", sleeping, "Bodies that are not part of a robot fall asleep after 2 s without motion.");
  b.add("margin", margin,
        "Layer around convex hulls and triangle meshes that Bullet's distance queries need; counts as solid against "
        "round "
        "shapes and meshes, not between boxes and hulls.",
        {.min = 0, .max = 0.1, .unit = "m"});
  const std::vector<std::pair<std::string, MovingMeshes>> meshes = {{"hull", MovingMeshes::hull},
                                                                    {"gimpact", MovingMeshes::gimpact}};
  b.choice("moving_meshes", objectMeshes, meshes, "Non-convex meshes of objects that move.",
           {.aliases = {"movingMeshes"}});
  b.choice("robot_meshes", robotMeshes, meshes, "Non-convex meshes of robot links.", {.aliases = {"robotMeshes"}});
}

BulletSettings BulletSettings::resolved(const SceneDescription& description) const {
  BulletSettings out = *this;
  const bool normalized = profile == Profile::normalized;
  const auto fill = [&](std::optional<double>& value, double recommended, double neutral) {
    if (!value) value = normalized ? neutral : recommended;
  };
  // examples/SharedMemory/PhysicsServerCommandProcessor.cpp, createEmptyDynamicsWorld; what is not set there is as in
  // btContactSolverInfo.h and btMultiBody.cpp.
  fill(out.residualThreshold, 1e-7, 0);
  const StatedSoftness stated(description);
  fill(out.erp, stated.errorReduction.value_or(0.2), description.errorReduction);
  fill(out.erp2, stated.errorReduction.value_or(0.08), description.errorReduction);
  fill(out.globalCfm, stated.constraintForceMixing.value_or(0), description.constraintForceMixing);
  fill(out.linearSlop, 1e-5, 0);
  fill(out.restitutionThreshold, 0.2, 0.05);
  fill(out.maxCoordinateVelocity, 100, 1e12);
  fill(out.maxAppliedImpulse, 1000, 1e30);
  if (normalized) {
    out.linearDamping = linearDamping.value_or(0);
    out.angularDamping = angularDamping.value_or(0);
  }
  return out;
}

}  // namespace mortise::bullet
