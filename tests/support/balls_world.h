#pragma once

#include <string>

namespace mortise::test {

/// A world without gravity in which 'a' hits the equal 'b', at rest, with restitution 1: 'b' gains 2 J/kg in a step,
/// which Klamp't's rule takes for unstable on every engine, and which Bullet exceeds. `attributes` of `<simulation>`.
inline std::string ballsWorld(const std::string& attributes = "") {
  const auto ball = [](const std::string& name, const std::string& x) {
    return "<rigidObject name='" + name + "' position='" + x +
           " 0 0'><geometry mesh='" MORTISE_SOURCE_DIR
           "/data/objects/ball.geom'/><physics mass='1' inertia='0.004 0.004 0.004' kRestitution='1' kFriction='0' "
           "kStiffness='inf' kDamping='inf'/></rigidObject>";
  };
  return "<world>" + ball("a", "0") + ball("b", "0.5") + "<simulation " + attributes +
         "><globals gravity='0 0 0'/><object name='a'><velocity linear='2 0 0'/></object></simulation></world>";
}

}  // namespace mortise::test
