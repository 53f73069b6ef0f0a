#pragma once

/// A box that slides over a rigid floor, by a program on an engine's library alone and by Mortise's backend.

#include <numbers>

#include "mortise/closed_forms/shapes.h"
#include "tests/support/plain/plain_comparison.h"

namespace mortise::test {

/// A cube of 0.2 m and 1 kg 0.1 mm above a floor, friction 0.5, that slides off at an angle to the axes of the world.
/// A layer of `padding` around it starts that much deeper.
inline World slidingWorld(double speed, double angle, double padding) {
  World world;
  world.simulation.gravity = Vector3d(0, 0, -9.8);
  world.simulation.timeStep = 1e-3;
  Terrain floor;
  floor.name = "floor";
  floor.geometry = std::make_shared<Geometry>(AxisAlignedBoxShape{Vector3d(-20, -20, -1), Vector3d(20, 20, 0)});
  RigidObject box;
  box.name = "box";
  box.geometry = truth::boxGeometry(Vector3d::Constant(0.2));
  box.inertia = {1, Vector3d::Zero(), truth::boxMoments(1, Vector3d::Constant(0.2))};
  box.X_WO.p = Vector3d(0, 0, 0.1001);
  box.v_WO = speed * Vector3d(std::cos(angle), std::sin(angle), 0);
  for (Surface* surface : {&floor.surface, &box.surface}) {
    surface->padding = 0;
    surface->friction = 0.5;
    surface->restitution = 0;
    surface->stiffness = surface->damping = std::numeric_limits<double>::infinity();
  }
  box.surface.padding = padding;
  world.terrains.push_back(floor);
  world.objects.push_back(box);
  return world;
}

/// Of the box, which a history has second.
struct Slide {
  double length = 0;  ///< m, over the floor.
  double height = 0;  ///< m, the largest rise.

  static Slide of(const plain::History& history, double step) {
    Slide slide;
    Vector3d p = Vector3d::Zero();
    for (const std::vector<plain::State>& states : history) {
      p += step * fromPlain(states[1].velocity);
      slide.height = std::max(slide.height, p.z());
    }
    slide.length = p.head<2>().norm();
    return slide;
  }
};

/// By the library and by the backend.
struct Slides {
  Slide library, ours;
  double apart = 0;  ///< Of their velocities, of the first one.
};

template <typename Run>
Slides slides(const std::string& backend, double speed, double angle, double padding, int steps, const Run& run) {
  Collision c;
  c.contacts = ContactSource::engine;
  const SideBySide both = sideBySide(slidingWorld(speed, angle, padding), c, backend, run, Value::map(), steps);
  return {Slide::of(both.library, c.step), Slide::of(both.ours, c.step), both.apart};
}

}  // namespace mortise::test
