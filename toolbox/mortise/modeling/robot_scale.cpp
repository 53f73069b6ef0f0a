#include "mortise/modeling/robot_scale.h"

#include <cmath>

#include "mortise/base/error.h"
#include "mortise/geometry/transform_geometry.h"
#include "mortise/modeling/link_visuals.h"

namespace mortise {

namespace {

void scaleShape(Link& link, double factor) {
  if (!link.geometry) return;
  const double margin = link.geometry->margin();
  link.geometry = transformed(*link.geometry, AffineMap::scaling(Vector3d::Constant(factor)));
  if (link.geometry->margin() != margin * factor) link.geometry = link.geometry->withMargin(margin * factor);
  // The map comes after the scaling of the file's shape: factor (A x + t) = A (factor x) + factor t.
  link.geometryScale *= factor;
  link.geometryTransform.t *= factor;
}

void scaleDriver(const RobotDescription& robot, Driver& driver, double factor) {
  const auto slides = [&](int link) {
    return link >= 0 && link < static_cast<int>(robot.links.size()) &&
           robot.links[static_cast<std::size_t>(link)].motion == LinkMotion::prismatic;
  };
  if (driver.type == DriverType::affine) {
    for (std::size_t k = 0; k < driver.links.size(); ++k)
      if (slides(driver.links[k])) {
        driver.scale[k] *= factor;
        driver.offset[k] *= factor;
      }
  } else if (slides(driver.links.front())) {
    for (double* length : {&driver.qMin, &driver.qMax, &driver.velocityMin, &driver.velocityMax,
                           &driver.accelerationMin, &driver.accelerationMax})
      *length *= factor;
  }
}

}  // namespace

void scaleRobot(RobotDescription& robot, double factor) {
  if (!(factor > 0) || !std::isfinite(factor)) throw Error("the scale of a robot must be above 0 and finite");
  if (factor == 1) return;
  for (Link& link : robot.links) {
    link.X_PL0.p *= factor;
    link.inertia.com *= factor;
    link.inertia.inertia *= factor * factor;
    scaleShape(link, factor);
    if (link.motion != LinkMotion::prismatic) continue;
    for (double* length :
         {&link.q, &link.qMin, &link.qMax, &link.velocityMin, &link.velocityMax, &link.accelerationMax})
      *length *= factor;
  }
  scaleLinkVisuals(robot, factor);
  for (Driver& driver : robot.drivers) scaleDriver(robot, driver, factor);
}

}  // namespace mortise
