#pragma once

/// Worlds and sensors for tests of what rays see.

#include <Eigen/Geometry>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/component/sensor.h"
#include "mortise/math/rotation.h"
#include "mortise/plugin/registry.h"
#include "tests/support/plugins.h"
#include "tests/support/worlds.h"

namespace mortise::test {

constexpr double kNothing = std::numeric_limits<double>::infinity();

class SightHost final : public Host {
 public:
  std::string_view name() const override { return "eye"; }
  void log(LogLevel level, std::string_view message) override { log_.write(level, "eye", message); }
  std::string findResource(std::string_view reference) const override { return std::string(reference); }
  RandomStream& random() override { return random_; }
  std::string runDirectory() const override { return {}; }
  void publish(std::string_view, std::span<const double>) override {}
  const MemoryLog& messages() const { return log_; }

 private:
  RandomStream random_{7, "eye"};
  MemoryLog log_;
};

inline GeometryPtr shape(Geometry::Data data, double margin = 0) {
  return std::make_shared<const Geometry>(std::move(data), margin);
}

inline RigidObject placedObject(GeometryPtr geometry, const RigidTransform& X_WO, const char* color = nullptr) {
  RigidObject object;
  object.name = "thing";
  object.geometry = std::move(geometry);
  object.X_WO = X_WO;
  if (color != nullptr) {
    Value attributes = Value::map();
    attributes.set("color", Value::fromText(color));
    object.display.push_back(attributes);
  }
  return object;
}

/// Distance along a ray, in lengths of its direction, to the first meeting; infinite when there is none.
using ClosedForm = std::function<double(const Vector3d& origin, const Vector3d& direction)>;

inline ClosedForm planeAt(double height) {
  return [height](const Vector3d& o, const Vector3d& d) {
    const double t = (height - o[2]) / d[2];
    return t > 0 ? t : kNothing;
  };
}
inline ClosedForm sphereAt(const Vector3d& center, double radius) {
  return [=](const Vector3d& o, const Vector3d& d) {
    const Vector3d u = d.normalized();
    const double along = (center - o).dot(u);
    const double rest = radius * radius - (center - o - along * u).squaredNorm();
    return rest >= 0 && along > 0 ? (along - std::sqrt(rest)) / d.norm() : kNothing;
  };
}
/// A box around the origin of X_WB.
inline ClosedForm boxAt(const RigidTransform& X_WB, const Vector3d& size) {
  return [=](const Vector3d& o, const Vector3d& d) {
    const Vector3d p = X_WB.R.transpose() * (o - X_WB.p), v = X_WB.R.transpose() * d;
    double in = 0, out = kNothing;
    for (int k = 0; k < 3; ++k) {
      const double a = (-0.5 * size[k] - p[k]) / v[k], b = (0.5 * size[k] - p[k]) / v[k];
      in = std::max(in, std::min(a, b));
      out = std::min(out, std::max(a, b));
    }
    return in <= out ? in : kNothing;
  };
}
/// A cylinder around the origin of X_WB, along its z axis.
inline ClosedForm cylinderAt(const RigidTransform& X_WB, double radius, double height) {
  return [=](const Vector3d& o, const Vector3d& d) {
    const Vector3d p = X_WB.R.transpose() * (o - X_WB.p), v = X_WB.R.transpose() * d;
    const double a = v[0] * v[0] + v[1] * v[1], b = p[0] * v[0] + p[1] * v[1],
                 c = p[0] * p[0] + p[1] * p[1] - radius * radius;
    const double rest = b * b - a * c;
    if (rest < 0) return kNothing;
    double in = (-b - std::sqrt(rest)) / a, out = (-b + std::sqrt(rest)) / a;
    const double lower = (-0.5 * height - p[2]) / v[2], upper = (0.5 * height - p[2]) / v[2];
    in = std::max(in, std::min(lower, upper));
    out = std::min(out, std::max(lower, upper));
    return in <= out && in > 0 ? in : kNothing;
  };
}

/// A world, where everything in it is, and sensors that look at it.
class SightTest : public testing::Test {
 protected:
  static Registry& registry() {
    static MemoryLog log;
    static const std::unique_ptr<Registry> registry = makeRegistry(log);
    return *registry;
  }

  ComponentPtr<Sensor> create(const char* type, const std::string& settings) {
    const ComponentInfo& info = registry().require(Kind::sensor, type);
    Diagnostics diagnostics;
    const Value complete = registry().completeSettings(info, parseYaml(settings, "test.yaml"), diagnostics);
    diagnostics.throwIfErrors();
    return registry().create<Sensor>(info, complete, host);
  }
  /// Created and started in the world as it is now.
  ComponentPtr<Sensor> started(const char* type, const std::string& settings) {
    auto sensor = create(type, settings);
    placeAll();
    sensor->start({world, 0, period});
    return sensor;
  }
  /// Objects and robots to where the world has them at load.
  void placeAll() {
    if (world.robots.empty()) world.robots.push_back(placedRobot(armDescription(1)));
    objects.clear();
    for (const RigidObject& object : world.objects) objects.push_back({object.X_WO});
    states.clear();
    for (const WorldRobot& robot : world.robots) {
      states.emplace_back(*robot.robot);
      states.back().q = robot.q;
      updateFrames(*robot.robot, states.back());
    }
  }
  void setConfiguration(const VectorXd& q) {
    states[0].q = q;
    updateFrames(*world.robots[0].robot, states[0]);
  }

  std::vector<double> measure(Sensor& sensor) {
    std::vector<double> out(sensor.channels().size());
    measure(sensor, out);
    return out;
  }
  void measure(Sensor& sensor, std::span<double> out) {
    views.clear();
    for (const RobotState& state : states) views.push_back({&state, {}, {}, {}, {}});
    SimulationView view;
    view.time = time;
    view.world = &world;
    view.robots = views;
    view.objects = objects;
    sensor.simulate(view, period, out);
  }

  /// Direction of a pixel's ray in the world, with unit depth.
  static Vector3d pixelRay(const CameraModel& m, const RigidTransform& X_WC, int i, int j) {
    return X_WC.R * Vector3d((i - m.cx) / m.fx, (j - m.cy) / m.fy, 1);
  }
  /// Compares each pixel's depth with the nearest of the closed forms, to a micrometre; where the world's edges run
  /// between pixels that agree, there is nothing to forgive. Returns how many pixels see something.
  int compareDepths(Sensor& sensor, const RigidTransform& X_WC, const std::vector<ClosedForm>& forms,
                    double tolerance = 1e-6) {
    const CameraModel& m = *sensor.camera();
    const std::vector<double> values = measure(sensor);
    const std::size_t first = m.color ? static_cast<std::size_t>(m.width * m.height) : 0;
    int seen = 0, wrong = 0;
    for (int j = 0; j < m.height; ++j)
      for (int i = 0; i < m.width; ++i) {
        const Vector3d ray = pixelRay(m, X_WC, i, j);
        double expected = m.maxDepth;
        for (const ClosedForm& form : forms) expected = std::min(expected, form(X_WC.p, ray));
        const double found = values[first + static_cast<std::size_t>(j * m.width + i)];
        if (expected < m.maxDepth) ++seen;
        if (found != expected && !(std::abs(found - expected) <= tolerance) && ++wrong <= 3)
          ADD_FAILURE() << "pixel " << i << ", " << j << ": " << found << " instead of " << expected;
      }
    EXPECT_EQ(wrong, 0);
    return seen;
  }

  SightHost host;
  World world;
  std::vector<BodyState> objects;
  std::vector<RobotState> states;
  std::vector<RobotView> views;
  double time = 0, period = 0.05;
};

/// A camera's pose that looks from `eye` at `target`, the image upright where z is up.
inline RigidTransform lookAt(const Vector3d& eye, const Vector3d& target) {
  RigidTransform X;
  const Vector3d forward = (target - eye).normalized();
  const Vector3d right = forward.cross(Vector3d(0.001, 0.002, 1)).normalized();
  X.R.col(0) = right;
  X.R.col(1) = forward.cross(right);
  X.R.col(2) = forward;
  X.p = eye;
  return X;
}

/// The setting for a pose.
inline std::string poseText(const RigidTransform& X) {
  double rows[12];
  X.toRows(rows);
  std::string text = "Tsensor: [";
  for (int i = 0; i < 12; ++i) {
    char number[40];
    std::snprintf(number, sizeof number, "%.17g", rows[i]);
    text += std::string(i ? ", " : "") + number;
  }
  return text + "]";
}

}  // namespace mortise::test
