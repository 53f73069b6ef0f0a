#include "mortise/logs/foxglove_messages.h"

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "mortise/logs/log_time.h"
#include "mortise/protobuf/wire_format.h"

namespace mortise::logs {

namespace {

using protobuf::Writer;

/// To 2^-20, about a micrometer: these messages are for looking at, and the digits below are noise that does not
/// compress. Mortise's own channels keep single precision.
double rounded(double value) {
  constexpr double kSteps = 1 << 20;
  return std::abs(value) < kSteps * kSteps ? std::round(value * kSteps) / kSteps : value;
}

void writeTime(Writer& out, int field, double time) {
  const std::uint64_t ns = nanoseconds(time);
  out.message(field, [&](Writer& stamp) {
    if (ns >= 1000000000) stamp.unsignedInteger(1, ns / 1000000000);
    if (ns % 1000000000 != 0) stamp.unsignedInteger(2, ns % 1000000000);
  });
}

void writeVector(Writer& out, int field, const Vector3d& v) {
  out.message(field, [&](Writer& inner) {
    for (int i = 0; i < 3; ++i) inner.real(i + 1, rounded(v[i]));
  });
}

void writeRotation(Writer& out, int field, const Matrix3d& R) {
  const Eigen::Quaterniond q(R);
  out.message(field, [&](Writer& inner) {
    inner.real(1, rounded(q.x()));
    inner.real(2, rounded(q.y()));
    inner.real(3, rounded(q.z()));
    inner.real(4, rounded(q.w()));
  });
}

void writePose(Writer& out, int field, const RigidTransform& X) {
  out.message(field, [&](Writer& inner) {
    writeVector(inner, 1, X.p);
    writeRotation(inner, 2, X.R);
  });
}

void writeColor(Writer& out, int field, const Rgba& color) {
  out.message(field, [&](Writer& inner) {
    for (int i = 0; i < 3; ++i) inner.real(i + 1, color[static_cast<std::size_t>(i)]);
    inner.real(4, color[3]);
  });
}

/// A rotation that turns the x axis along `direction`.
Matrix3d alongX(const Vector3d& direction) {
  return Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitX(), direction).toRotationMatrix();
}

}  // namespace

std::string frameTransforms(double time, std::span<const NamedPose> poses) {
  std::string message;
  Writer out(message);
  for (const NamedPose& pose : poses)
    out.message(1, [&](Writer& inner) {
      writeTime(inner, 1, time);
      inner.text(2, kWorldFrame);
      inner.text(3, pose.frame);
      writeVector(inner, 4, pose.X_W.p);
      writeRotation(inner, 5, pose.X_W.R);
    });
  return message;
}

std::string sceneUpdate(double time, std::span<const GlbNode> nodes) {
  std::string message;
  Writer out(message);
  for (const GlbNode& node : nodes) {
    if (!node.visual || node.shape.empty()) continue;
    GlbNode atOrigin = node;
    atOrigin.X_WN = RigidTransform();
    const std::string model = glbOf(std::span<const GlbNode>(&atOrigin, 1));
    out.message(2, [&](Writer& entity) {
      writeTime(entity, 1, time);
      entity.text(2, node.name);
      entity.text(3, node.name);
      entity.boolean(5, true);
      entity.message(14, [&](Writer& primitive) {
        writePose(primitive, 1, RigidTransform());
        writeVector(primitive, 2, Vector3d::Ones());
        writeColor(primitive, 3, node.shape.front().material.value_or(VisualMaterial()).color);
        primitive.text(6, "model/gltf-binary");
        primitive.bytes(7, model);
      });
    });
  }
  return message;
}

std::string contactArrows(double time, std::span<const ContactForce> contacts, double metersPerNewton) {
  constexpr Rgba kColor = {0.1f, 0.7f, 0.2f, 1};
  std::string message;
  Writer out(message);
  out.message(2, [&](Writer& entity) {
    writeTime(entity, 1, time);
    entity.text(2, kWorldFrame);
    entity.text(3, "contacts");
    for (const ContactForce& contact : contacts) {
      const double length = metersPerNewton * contact.force.norm();
      if (!(length > 1e-4)) continue;
      entity.message(7, [&](Writer& arrow) {
        writePose(arrow, 1, RigidTransform(alongX(contact.force.normalized()), contact.point));
        const double thickness = std::min(0.01, 0.1 * length);
        arrow.real(2, rounded(0.8 * length));
        arrow.real(3, rounded(thickness));
        arrow.real(4, rounded(0.2 * length));
        arrow.real(5, rounded(2 * thickness));
        writeColor(arrow, 6, kColor);
      });
    }
  });
  return message;
}

std::string jointStates(double time, std::span<const std::string> names, const VectorXd& q, const VectorXd& dq) {
  std::string message;
  Writer out(message);
  writeTime(out, 1, time);
  for (std::size_t i = 0; i < names.size(); ++i)
    out.message(2, [&](Writer& joint) {
      const auto index = static_cast<Eigen::Index>(i);
      joint.text(1, names[i]);
      joint.real(2, rounded(q[index]));
      joint.real(3, rounded(dq[index]));
    });
  return message;
}

std::string compressedImage(double time, std::string_view frame, std::string_view png) {
  std::string message;
  Writer out(message);
  writeTime(out, 1, time);
  out.bytes(2, png);
  out.text(3, "png");
  out.text(4, frame);
  return message;
}

namespace {

/// About the sensor's y axis, from z to x.
double beamAngle(const Vector3d& direction) { return std::atan2(direction.x(), direction.z()); }

}  // namespace

bool isPlanarScan(const ScanModel& scan) {
  constexpr double kTolerance = 1e-9;
  const std::vector<Vector3d>& beams = scan.directions;
  if (scan.sweeps || beams.size() < 2) return false;
  const double first = beamAngle(beams.front());
  const double step = (beamAngle(beams.back()) - first) / static_cast<double>(beams.size() - 1);
  if (!(std::abs(step) > 1e-12)) return false;
  for (std::size_t i = 0; i < beams.size(); ++i) {
    if (std::abs(beams[i].y()) > kTolerance) return false;
    if (std::abs(beamAngle(beams[i]) - first - static_cast<double>(i) * step) > kTolerance) return false;
  }
  return true;
}

std::string laserScan(double time, std::string_view frame, const ScanModel& scan, std::span<const double> distances) {
  // A scan's angles are counted from x to y: x is ahead, the sensor's z, and y to the left, its x.
  static const RigidTransform X_SF((Matrix3d() << 0, 1, 0, 0, 0, 1, 1, 0, 0).finished(), Vector3d::Zero());
  std::string message;
  Writer out(message);
  writeTime(out, 1, time);
  out.text(2, frame);
  writePose(out, 3, X_SF);
  out.real(4, beamAngle(scan.directions.front()));
  out.real(5, beamAngle(scan.directions.back()));
  std::vector<double> ranges(distances.begin(), distances.end());
  for (double& range : ranges)
    if (!(range < scan.maximum)) range = std::numeric_limits<double>::infinity();
  out.packed(6, std::span<const double>(ranges));
  return message;
}

std::string logMessage(double time, LogLevel level, std::string_view text, std::string_view name) {
  static constexpr std::uint64_t kLevels[] = {1, 2, 3, 4};  // DEBUG, INFO, WARNING, ERROR
  std::string message;
  Writer out(message);
  writeTime(out, 1, time);
  out.unsignedInteger(2, kLevels[static_cast<std::size_t>(level)]);
  out.text(3, text);
  out.text(4, name);
  return message;
}

std::string cameraCalibration(double time, std::string_view frame, const CameraModel& camera) {
  std::string message;
  Writer out(message);
  writeTime(out, 1, time);
  out.fixed32(2, static_cast<std::uint32_t>(camera.width));
  out.fixed32(3, static_cast<std::uint32_t>(camera.height));
  const std::array<double, 9> K = {camera.fx, 0, camera.cx, 0, camera.fy, camera.cy, 0, 0, 1};
  const std::array<double, 9> R = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const std::array<double, 12> P = {camera.fx, 0, camera.cx, 0, 0, camera.fy, camera.cy, 0, 0, 0, 1, 0};
  out.packed(6, std::span<const double>(K));
  out.packed(7, std::span<const double>(R));
  out.packed(8, std::span<const double>(P));
  out.text(9, frame);
  return message;
}

}  // namespace mortise::logs
