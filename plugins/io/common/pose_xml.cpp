#include "common/pose_xml.h"

#include <cmath>
#include <utility>

#include "mortise/base/value_text.h"

namespace mortise::io {

namespace {

/// Beyond this no exact query of shapes is possible, nor anything that somebody could mean.
constexpr double kFarthest = 1e60;

std::optional<Vector3d> readPosition(XmlElement& element, const char* attribute) {
  const auto position = element.vector3(attribute);
  if (!position || position->cwiseAbs().maxCoeff() <= kFarthest) return position;
  element.error(attribute, "coordinates beyond 1e60 m are not possible", "check the number and its exponent");
  return std::nullopt;
}

/// The number of the largest magnitude.
double largest(const Vector3d& vector) {
  Eigen::Index at = 0;
  vector.cwiseAbs().maxCoeff(&at);
  return vector[at];
}

}  // namespace

void doubtAngle(XmlElement& element, const char* attribute, double angle) {
  constexpr double kTurn = 2 * M_PI * (1 + 1e-6);
  if (!(std::abs(angle) > kTurn)) return;
  element.diagnostics().warning("<" + std::string(element.name()) + "> " + attribute + ": " + formatReal(angle) +
                                    " is in rad, which is " + formatReal(std::abs(angle) / (2 * M_PI), 3) + " turns",
                                element.position(attribute),
                                formatReal(angle) + " degrees are " + formatReal(angle * M_PI / 180, 6) + " rad");
}

Placement readPlacement(XmlElement& element, bool scaled) {
  Placement placement;
  placement.translation = readPosition(element, "translation");
  const auto position = readPosition(element, "position");
  if (placement.translation && position && *position != *placement.translation)
    element.diagnostics().warning(
        "<" + std::string(element.name()) + "> has both 'translation' and 'position'; 'translation' counts",
        element.position("position"), "keep one of the two");
  if (!placement.translation) placement.translation = position;
  placement.rollPitchYaw = element.vector3("rotateRPY");
  placement.rotationMoment = element.vector3("rotateMoment");
  placement.rotateX = element.finite("rotateX");
  placement.rotateY = element.finite("rotateY");
  placement.rotateZ = element.finite("rotateZ");
  for (const auto& [attribute, vector] :
       {std::pair("rotateRPY", &placement.rollPitchYaw), std::pair("rotateMoment", &placement.rotationMoment)})
    if (*vector) doubtAngle(element, attribute, largest(**vector));
  for (const auto& [attribute, angle] :
       {std::pair("rotateX", &placement.rotateX), std::pair("rotateY", &placement.rotateY),
        std::pair("rotateZ", &placement.rotateZ)})
    if (*angle) doubtAngle(element, attribute, **angle);
  if (!scaled) return placement;
  const auto scale = element.reals("scale");
  if (!scale) return placement;
  if (scale->size() == 1)
    placement.scale = Vector3d::Constant((*scale)[0]);
  else if (scale->size() == 3)
    placement.scale = Vector3d((*scale)[0], (*scale)[1], (*scale)[2]);
  else
    element.error("scale", "expected one number or three, found " + std::to_string(scale->size()));
  if (placement.scale && !placement.scale->allFinite()) {
    element.error("scale", "expected finite numbers");
    placement.scale.reset();
  } else if (placement.scale && (placement.scale->array() == 0).any()) {
    element.error("scale", "must not be 0: the shape would be flat");
    placement.scale.reset();
  }
  return placement;
}

void writePlacement(const Placement& placement, tinyxml2::XMLElement& element) {
  const auto vector = [&element](const char* name, const std::optional<Vector3d>& v) {
    if (v) element.SetAttribute(name, vectorText(*v).c_str());
  };
  const auto angle = [&element](const char* name, const std::optional<double>& value) {
    if (value) element.SetAttribute(name, formatReal(*value).c_str());
  };
  if (placement.scale && (placement.scale->array() == (*placement.scale)[0]).all())
    angle("scale", (*placement.scale)[0]);
  else
    vector("scale", placement.scale);
  vector("rotateRPY", placement.rollPitchYaw);
  vector("rotateMoment", placement.rotationMoment);
  angle("rotateX", placement.rotateX);
  angle("rotateY", placement.rotateY);
  angle("rotateZ", placement.rotateZ);
  vector("translation", placement.translation);
}

std::string realsText(const double* values, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += (i > 0 ? " " : "") + formatReal(values[i]);
  return text;
}

}  // namespace mortise::io
