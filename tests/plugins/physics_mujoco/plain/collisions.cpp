#include "tests/plugins/physics_mujoco/plain/collisions.h"

#include <cstdio>
#include <fstream>
#include <limits>
#include <memory>
#include <mujoco/mujoco.h>
#include <sstream>
#include <stdexcept>

namespace plain {

namespace {

std::string textOf(const Vector& v) {
  std::ostringstream out;
  out.precision(std::numeric_limits<double>::max_digits10);
  out << v[0] << ' ' << v[1] << ' ' << v[2];
  return out.str();
}

std::string textOf(double value) {
  std::ostringstream out;
  out.precision(std::numeric_limits<double>::max_digits10);
  out << value;
  return out.str();
}

std::string modelOf(const Scene& scene) {
  std::string text =
      "<mujoco><option gravity=\"0 0 0\" cone=\"elliptic\" timestep=\"" + textOf(scene.step) + "\"/><worldbody>";
  for (const Body& body : scene.bodies) {
    text += "<body pos=\"" + textOf(body.position) + "\">";
    if (body.mass > 0)
      text += "<freejoint/><inertial pos=\"0 0 0\" mass=\"" + textOf(body.mass) + "\" diaginertia=\"" +
              textOf(body.moments) + "\"/>";
    text += body.ball ? "<geom type=\"sphere\" size=\"" + textOf(body.radius) + "\""
                      : "<geom type=\"box\" size=\"" + textOf(body.half) + "\"";
    // Without friction a contact has one direction.
    text += scene.friction > 0 ? " friction=\"" + textOf(scene.friction) + " 0.005 0.0001\"" : " condim=\"1\"";
    text += "/></body>";
  }
  return text + "</worldbody></mujoco>";
}

}  // namespace

History collideOnMujoco(const Scene& scene, const std::string& file) {
  std::ofstream(file) << modelOf(scene);
  char error[1000] = "";
  const std::unique_ptr<mjModel, void (*)(mjModel*)> model(mj_loadXML(file.c_str(), nullptr, error, sizeof error),
                                                           mj_deleteModel);
  std::remove(file.c_str());
  if (model == nullptr) throw std::runtime_error(error);
  const std::unique_ptr<mjData, void (*)(mjData*)> data(mj_makeData(model.get()), mj_deleteData);
  // A free joint's velocities: linear in the world's axes, angular in the body's.
  int dof = 0;
  for (const Body& body : scene.bodies) {
    if (!(body.mass > 0)) continue;
    for (int k = 0; k < 3; ++k) {
      data->qvel[dof + k] = body.velocity[static_cast<std::size_t>(k)];
      data->qvel[dof + 3 + k] = body.spin[static_cast<std::size_t>(k)];
    }
    dof += 6;
  }
  History history;
  for (int i = 0; i < scene.steps; ++i) {
    mj_step(model.get(), data.get());
    history.emplace_back();
    int from = 0;
    for (const Body& body : scene.bodies) {
      State state;
      if (body.mass > 0) {
        const int number = static_cast<int>(history.back().size()) + 1;
        for (int k = 0; k < 3; ++k) state.velocity[static_cast<std::size_t>(k)] = data->qvel[from + k];
        mjtNum turned[3];
        mj_kinematics(model.get(), data.get());
        mju_rotVecQuat(turned, data->qvel + from + 3, data->xquat + 4 * number);
        for (int k = 0; k < 3; ++k) state.spin[static_cast<std::size_t>(k)] = turned[k];
        from += 6;
      }
      history.back().push_back(state);
    }
  }
  return history;
}

}  // namespace plain
