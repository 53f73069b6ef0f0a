#pragma once

#include <string_view>

#include "mortise/base/value.h"
#include "mortise/component/host.h"
#include "mortise/math/transform.h"
#include "mortise/model/robot.h"

namespace mortise::controllers {

/// Time, configuration and velocity as motion commands take them.
struct MotionArguments {
  double t = 0;
  VectorXd q, v;  ///< One number a link.
};

/// Reads arguments of motion commands for one robot. Everything outlives it.
class MotionArgumentReader {
 public:
  MotionArgumentReader(const Robot& robot, const Host& host) : robot_(robot), host_(host) {}

  /// `shape` holds those of the letters t, q and v that the command takes, in this order: "q", "tq", "qv", "tv", "tqv".
  /// Arguments are numbers or quantities one after another, nested as they please: each vector one number a link, with
  /// or without its length in front as Klamp't writes it, or one a driver; or a map with the keys t (or time), q (or
  /// configuration) and v (or velocity), where q and v may be maps by name, and q a file of configurations. A command
  /// that takes q alone takes such a map or file as it is. Links that are not named are as in `base` and do not move.
  /// Throws `Error` that says what is expected.
  MotionArguments read(std::string_view command, std::string_view shape, const Value& arguments,
                       const VectorXd& base) const;

 private:
  MotionArguments fromMap(std::string_view command, std::string_view shape, const Value& arguments,
                          const VectorXd& base) const;
  MotionArguments fromNumbers(std::string_view command, std::string_view shape, const Value& arguments,
                              const VectorXd& base) const;
  VectorXd vectorFrom(std::string_view command, char part, const Value& value, const VectorXd& base) const;

  const Robot& robot_;
  const Host& host_;
};

}  // namespace mortise::controllers
