#pragma once

/// Settings of physics backends that do nothing by themselves in the tests' world, and what they need, or why.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "mortise/base/value.h"

namespace mortise::test {

struct BackendRemark {
  std::vector<std::pair<std::string, Value>> with = {};  ///< Other settings that it goes with.
  std::vector<Value> values = {};                        ///< Values to try, for settings whose schema names none.
  const char* nothing = nullptr;                         ///< Why nothing changes.
  double duration = 0.1;                                 ///< s
};

inline Value numbers(std::vector<double> list) { return Value(std::move(list)); }

inline const std::map<std::string, BackendRemark>& backendRemarks() {
  static const std::map<std::string, BackendRemark> all = {
      {"mujoco.solref", {.values = {numbers({0.05, 1})}}},
      {"mujoco.solimp", {.values = {numbers({0.5, 0.9, 0.01, 0.5, 2})}}},
      {"mujoco.solreflimit", {.values = {numbers({0.05, 1})}}},
      {"mujoco.solimplimit", {.values = {numbers({0.5, 0.9, 0.01, 0.5, 2})}}},
      {"mujoco.solreffriction", {.values = {numbers({0.05, 1})}}},
      {"mujoco.solimpfriction", {.values = {numbers({0.5, 0.9, 0.01, 0.5, 2})}}},
      {"mujoco.solref_equality", {.values = {numbers({0.05, 1})}}},
      {"mujoco.solimp_equality", {.values = {numbers({0.5, 0.9, 0.01, 0.5, 2})}}},
      {"mujoco.noslip_tolerance", {.with = {{"noslip_iterations", 20}}}},
      {"ode.linear_damping_threshold", {.with = {{"linear_damping", 0.1}}}},
      {"ode.angular_damping_threshold", {.with = {{"angular_damping", 0.1}}}},
      {"ode.quick_step_num_iterations", {.with = {{"solver", "quick"}}}},
      {"ode.quick_step_w", {.with = {{"solver", "quick"}}}},
      {"ode.stop_erp", {.duration = 0.4}},
      {"ode.stop_cfm", {.duration = 0.4}},
      {"ode.auto_disable_linear_threshold", {.with = {{"auto_disable", true}}, .duration = 0.6}},
      {"ode.auto_disable_angular_threshold", {.with = {{"auto_disable", true}}, .duration = 0.6}},
      {"ode.auto_disable_steps", {.with = {{"auto_disable", true}}, .duration = 0.6}},
      {"ode.auto_disable_time", {.with = {{"auto_disable", true}}, .duration = 0.6}},
      {"ode.auto_disable_average_samples_count", {.with = {{"auto_disable", true}}, .duration = 0.6}},
      {"bullet.split_impulse_penetration_threshold",
       {.nothing = "Only deep penetrations of free bodies pass the threshold; "
                   "tests/plugins/physics/bullet_closed_form_test.cpp drops a ball with it."}},
      {"bullet.friction_erp",
       {.nothing = "Bullet applies it to friction anchors, which contacts of this world do not have."}},
      {"bullet.max_applied_impulse", {.values = {1e-3}, .duration = 0.4}},
      {"bullet.sleeping", {.duration = 2.5}},
      {"kinematic.max_speed",
       {.nothing = "The arm of this world stays where it is; tests/plugins/physics/kinematic_test.cpp moves one."}},
  };
  return all;
}

}  // namespace mortise::test
