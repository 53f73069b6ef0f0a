#pragma once

/// Messages of Foxglove's schemas in protobuf's wire format. Times are simulated seconds; poses are in the parent
/// frame.

#include <span>
#include <string>
#include <string_view>

#include "mortise/appearance/glb.h"
#include "mortise/base/log.h"
#include "mortise/component/sensor_reading.h"
#include "mortise/component/simulation_view.h"

namespace mortise::logs {

/// The frame of the world in these messages.
inline constexpr std::string_view kWorldFrame = "world";

struct NamedPose {
  std::string_view frame;
  RigidTransform X_W;
};

/// foxglove.FrameTransforms: all frames at one instant, in the world.
std::string frameTransforms(double time, std::span<const NamedPose> poses);

/// foxglove.SceneUpdate: an entity a node, as an embedded model in the frame of that name.
std::string sceneUpdate(double time, std::span<const GlbNode> nodes);

/// foxglove.SceneUpdate: one entity, "contacts", with an arrow a contact along its force, `metersPerNewton` long. It
/// replaces the one before.
std::string contactArrows(double time, std::span<const ContactForce> contacts, double metersPerNewton);

/// foxglove.JointStates: links' coordinates under `names`, and their rates `dq`.
std::string jointStates(double time, std::span<const std::string> names, const VectorXd& q, const VectorXd& dq);

/// foxglove.CompressedImage of a PNG.
std::string compressedImage(double time, std::string_view frame, std::string_view png);
/// Says whether the beams lie in one plane at equal angles, from one end to the other: what a LaserScan can say.
bool isPlanarScan(const ScanModel& scan);
/// foxglove.LaserScan of such beams, in the frame of the sensor. Beams that met nothing are infinite.
std::string laserScan(double time, std::string_view frame, const ScanModel& scan, std::span<const double> distances);
/// foxglove.Log.
std::string logMessage(double time, LogLevel level, std::string_view text, std::string_view name);
/// foxglove.CameraCalibration of a pinhole camera.
std::string cameraCalibration(double time, std::string_view frame, const CameraModel& camera);

}  // namespace mortise::logs
