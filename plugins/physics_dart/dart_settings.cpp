#include "dart_settings.h"

namespace mortise::dart {

void DartSettings::bind(SettingBinder& b) {
  b.choice("profile", profile, {{"recommended", Profile::recommended}, {"normalized", Profile::normalized}},
           "recommended: DART's own defaults; normalized: error reduction and constraint force mixing as the world has "
           "them. Settings that are given go before either.");
  b.choice("lcp_solver", lcpSolver, {{"dantzig", Lcp::dantzig}, {"pgs", Lcp::pgs}},
           "DART's boxed LCP solver: Dantzig's method, cubic in the number of rows, or projected Gauss-Seidel.",
           {.aliases = {"BoxedLcpSolver"}});
  b.choice("secondary_lcp_solver", secondaryLcpSolver,
           {{"pgs", Lcp::pgs}, {"dantzig", Lcp::dantzig}, {"none", Lcp::none}},
           "What solves a group of constraints when the first solver fails.", {.aliases = {"SecondaryBoxedLcpSolver"}});
  b.add("max_iteration", maxIteration, "Maximum sweeps of projected Gauss-Seidel.",
        {.min = 1, .max = 100000, .aliases = {"mMaxIteration"}});
  b.add("delta_x_threshold", deltaXThreshold,
        "Projected Gauss-Seidel is done when no impulse changes by more in a sweep.",
        {.min = 0, .aliases = {"mDeltaXThreshold"}});
  b.add("relative_delta_x_tolerance", relativeDeltaXTolerance,
        "Projected Gauss-Seidel is done when no impulse changes by more than this part of itself in a sweep.",
        {.min = 0, .aliases = {"mRelativeDeltaXTolerance"}});
  b.add("epsilon_for_division", epsilonForDivision,
        "Projected Gauss-Seidel leaves out rows whose diagonal is smaller than this.",
        {.min = 0, .aliases = {"mEpsilonForDivision"}});
  b.add("error_allowance", errorAllowance, "Penetration of contacts that is left alone; DART's default is 0.",
        {.min = 0, .unit = "m", .aliases = {"ErrorAllowance"}});
  b.add("error_reduction_parameter", errorReductionParameter,
        "Fraction of a contact's penetration that is corrected in a step; DART's default is 0.01.",
        {.min = 0, .max = 1, .aliases = {"ErrorReductionParameter"}});
  b.add("max_error_reduction_velocity", maxErrorReductionVelocity,
        "Maximum speed at which penetration is corrected; DART's default is 0.001.",
        {.min = 0, .unit = "m/s", .aliases = {"MaxErrorReductionVelocity"}});
  b.add("constraint_force_mixing", constraintForceMixing,
        "Part that is added to the diagonal of a contact's rows; relative, unlike ODE's. DART's default is 1e-5.",
        {.min = 1e-9, .max = 1, .aliases = {"ConstraintForceMixing"}});
  b.add("joint_error_reduction_parameter", jointErrorReductionParameter,
        "Fraction of the error of a joint that closes a loop that is corrected in a step; DART's default is 0.01.",
        {.min = 0, .max = 1});
  b.add("joint_constraint_force_mixing", jointConstraintForceMixing,
        "Part that is added to the diagonal of the rows of joints and stops; DART's default is 1e-9.",
        {.min = 1e-9, .max = 1});
  b.choice("drives", drives, {{"spring", Drives::spring}, {"servo", Drives::servo}},
           "spring: DART's implicit joint springs and dampers; servo: DART's servo motors, which are rows of the LCP "
           "with limits of effort, go to the target speed of the drive's law and know no compliance.");
  b.choice("friction_direction", frictionDirection,
           {{"fixed", FrictionDirection::fixed}, {"sliding", FrictionDirection::sliding}},
           "First direction of the friction pyramid. fixed: as DART sets it; sliding: along the slip at the start of "
           "the step, as a surface's FirstFrictionDirection.");
  b.choice("collision_detector", collisionDetector, {{"fcl", Detector::fcl}, {"dart", Detector::dart}},
           "Who finds contacts with `contacts: engine`; dart knows boxes and spheres only.");
  b.choice("fcl_primitive_shape", fclPrimitiveShape, {{"mesh", FclShapes::mesh}, {"primitive", FclShapes::primitive}},
           "How FCL collides boxes, cylinders and the like; mesh is what DART sets up.",
           {.aliases = {"PrimitiveShapeType"}});
  b.add("max_num_contacts", maxNumContacts, "Most contacts that the collision detector reports in a step.",
        {.min = 1, .max = 1000000, .aliases = {"maxNumContacts"}});
}

}  // namespace mortise::dart
