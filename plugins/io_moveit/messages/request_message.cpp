#include "messages/request_message.h"

#include <algorithm>
#include <utility>

#include "mortise/base/value_text.h"

namespace mortise::io_moveit {

namespace {

double notNegative(Message& message, const std::string& field, double fallback = 0) {
  const double value = message.real(field, fallback);
  if (value >= 0) return value;
  message.error(field, "must not be negative");
  return fallback;
}

JointConstraintMessage joint(Message& message) {
  JointConstraintMessage out;
  out.where = message.position();
  out.joint = message.text("joint_name");
  if (out.joint.empty()) message.error("joint_name", "a constraint of a joint needs its name");
  if (!message.has("position")) message.error("position", "a constraint of joint '" + out.joint + "' needs a position");
  out.position = message.real("position");
  out.above = notNegative(message, "tolerance_above");
  out.below = notNegative(message, "tolerance_below");
  message.ignore({"weight"});
  message.finish();
  return out;
}

PositionConstraintMessage position(Message& message) {
  PositionConstraintMessage out;
  out.where = message.position();
  out.frame = message.frame();
  out.link = message.text("link_name");
  if (out.link.empty()) message.error("link_name", "a constraint of a position needs a link");
  out.offset = message.vector("target_point_offset");
  Message region = message.message("constraint_region", "BoundingVolume");
  std::vector<RigidTransform> poses;
  for (Message& pose : region.messages("primitive_poses", "Pose")) {
    RigidTransform X;
    X.p = pose.vector("position");
    X.R = pose.rotation("orientation");
    pose.finish();
    poses.push_back(X);
  }
  std::vector<Message> shapes = region.messages("primitives", "SolidPrimitive");
  if (shapes.size() != poses.size())
    region.error("primitive_poses",
                 std::to_string(poses.size()) + " poses, but " + std::to_string(shapes.size()) + " primitives",
                 "give each region a pose");
  for (std::size_t i = 0; i < std::min(shapes.size(), poses.size()); ++i)
    if (GeometryPtr shape = readPrimitive(shapes[i])) out.regions.push_back({std::move(shape), poses[i]});
  const Value* meshes = region.get("meshes");
  out.meshes = meshes != nullptr && meshes->isList() && meshes->size() > 0;
  region.ignore({"mesh_poses"});
  region.finish();
  message.ignore({"weight"});
  message.finish();
  return out;
}

OrientationConstraintMessage orientation(Message& message) {
  OrientationConstraintMessage out;
  out.where = message.position();
  out.frame = message.frame();
  out.link = message.text("link_name");
  if (out.link.empty()) message.error("link_name", "a constraint of an orientation needs a link");
  if (!message.has("orientation")) message.error("orientation", "expected a quaternion", "the order is x, y, z, w");
  out.R_FL = message.rotation("orientation");
  out.tolerance = {notNegative(message, "absolute_x_axis_tolerance"), notNegative(message, "absolute_y_axis_tolerance"),
                   notNegative(message, "absolute_z_axis_tolerance")};
  message.ignore({"weight", "parameterization"});
  message.finish();
  return out;
}

ConstraintsMessage constraints(Message message) {
  ConstraintsMessage out;
  out.where = message.position();
  out.name = message.text("name");
  for (Message& each : message.messages("joint_constraints", "JointConstraint")) out.joints.push_back(joint(each));
  for (Message& each : message.messages("position_constraints", "PositionConstraint"))
    out.positions.push_back(position(each));
  for (Message& each : message.messages("orientation_constraints", "OrientationConstraint"))
    out.orientations.push_back(orientation(each));
  out.visibility = static_cast<int>(message.messages("visibility_constraints", "VisibilityConstraint").size());
  message.finish();
  return out;
}

}  // namespace

RequestMessage readRequest(const Value& value, const std::string& file, ResourceLoader& loader,
                           Diagnostics& diagnostics) {
  MessageNotes notes(diagnostics);
  // A service call or an action has the message inside.
  const Value* inner = nullptr;
  for (const char* name : {"motion_plan_request", "request"})
    if (inner == nullptr && value.isMap()) inner = value.find(name);
  Message message(notes, inner != nullptr ? *inner : value, "MotionPlanRequest");
  RequestMessage request;
  request.position = message.position();
  request.group = message.text("group_name");
  request.planner = message.text("planner_id");
  if (message.has("start_state")) request.start = readState(message.message("start_state", "RobotState"), file, loader);
  for (Message& each : message.messages("goal_constraints", "Constraints")) request.goals.push_back(constraints(each));
  if (message.has("path_constraints")) request.path = constraints(message.message("path_constraints", "Constraints"));
  Message trajectory = message.message("trajectory_constraints", "TrajectoryConstraints");
  for (Message& each : trajectory.messages("constraints", "Constraints"))
    if (!constraints(each).empty()) {
      diagnostics.error("trajectory_constraints cannot be kept", trajectory.position(),
                        "leave them out, or give path_constraints");
      break;
    }
  trajectory.finish();
  request.seconds = notNegative(message, "allowed_planning_time");
  // Zero is what ROS sends for what was not set.
  request.velocityScaling = notNegative(message, "max_velocity_scaling_factor");
  request.accelerationScaling = notNegative(message, "max_acceleration_scaling_factor");
  for (const auto& [field, factor] : {std::pair{"max_velocity_scaling_factor", &request.velocityScaling},
                                      std::pair{"max_acceleration_scaling_factor", &request.accelerationScaling}}) {
    if (*factor > 1)
      diagnostics.warning(
          std::string(field) + " is a fraction of the limits, and " + formatReal(*factor) + " is above 1; 1 is taken",
          message.get(field)->position());
    if (*factor <= 0 || *factor > 1) *factor = 1;
  }
  if (message.has("workspace_parameters")) {
    Message workspace = message.message("workspace_parameters", "WorkspaceParameters");
    request.workspaceFrame = workspace.frame();
    request.workspaceMin = workspace.vector("min_corner");
    request.workspaceMax = workspace.vector("max_corner");
    if ((request.workspaceMin.array() > request.workspaceMax.array()).any())
      workspace.error("min_corner", "is above max_corner");
    workspace.finish();
  }
  message.ignore({"num_planning_attempts", "reference_trajectories", "pipeline_id", "cartesian_speed_limited_link",
                  "max_cartesian_speed", "cartesian_speed_end_effector_link"});
  message.finish();
  return request;
}

}  // namespace mortise::io_moveit
