#pragma once

/// The content of a .rob file, list by list, before it is put together.

#include <string>
#include <utility>
#include <vector>

#include "common/self_collisions.h"
#include "common/statements.h"
#include "mortise/model/robot.h"

namespace mortise::io {

/// A mount line: a mesh or another robot, fixed to a link.
struct RobMount {
  std::string link, file, prefix;
  RigidTransform X_LM;
  SourcePosition position;
};

/// A list that has one entry a link (or driver) and where it was given first.
template <typename T>
struct RobList {
  std::vector<T> values;
  SourcePosition position;
  bool empty() const { return values.empty(); }
  std::size_t size() const { return values.size(); }
  const T& operator[](std::size_t i) const { return values[i]; }
  T at(std::size_t i, T fallback) const { return i < values.size() ? values[i] : fallback; }
};

struct RobFile {
  RobList<std::string> links, drivers, geometry;
  RobList<int> parents;
  RobList<LinkMotion> jointTypes;
  RobList<Vector3d> axes, coms;
  RobList<RigidTransform> transforms;
  RobList<double> alpha, a, d, theta;
  RobList<double> q, qMin, qMax, velocityMin, velocityMax, accelerationMax, torqueMax, powerMax;
  RobList<double> masses;
  RobList<Matrix3d> inertias;
  RobList<double> geometryScale, geometryMargin;
  RobList<double> servoP, servoI, servoD, dryFriction, viscousFriction;
  RigidTransform base;
  bool autoMass = false;
  double surfaceFraction = 1;
  SourcePosition autoMassPosition;
  double autoTorque = 0;
  double scale = 1;  ///< Factor of all lengths of the robot.
  std::vector<std::pair<int, AffineMap>> geometryTransforms;
  std::vector<SourcePosition> geometryTransformPositions;
  std::vector<std::pair<Joint, SourcePosition>> jointLines;
  std::vector<std::pair<Driver, SourcePosition>> driverLines;
  std::vector<RobMount> mounts;
  std::vector<LinkPair> selfCollision, noSelfCollision;
  std::vector<std::pair<std::string, std::string>> properties;
  Value sensors, controller;
  std::vector<SourcePosition> geometryPositions;
  std::vector<std::pair<int, SourcePosition>> closedJoints;  ///< Links of `joint closed`, which closes nothing.
  bool explained = false;  ///< Some keyword has an explanation in the place of values, as in a template.
};

}  // namespace mortise::io
