#pragma once

/// Balls and boxes that fly at each other, for programs on an engine's library alone. No header of Mortise may come in
/// here: what such a program shows is the engine's.

#include <array>
#include <vector>

namespace plain {

using Vector = std::array<double, 3>;

struct Body {
  bool ball = true;
  double radius = 0;     ///< m, of a ball.
  Vector half = {};      ///< m, half the edges of a box.
  double mass = 0;       ///< kg; 0: it never moves.
  Vector moments = {};   ///< kg m^2, about its axes.
  Vector position = {};  ///< m, of its center; its axes are the world's at first.
  Vector velocity = {};  ///< m/s
  Vector spin = {};      ///< rad/s
};

struct Scene {
  std::vector<Body> bodies;
  Vector gravity = {};                   ///< m/s^2
  double restitution = 0, friction = 0;  ///< Of each pair.
  double step = 1e-3;                    ///< s
  int steps = 0;
};

struct State {
  Vector velocity = {}, spin = {};
};

/// One entry a body, after each step.
using History = std::vector<std::vector<State>>;

}  // namespace plain
