#include "common/arrays.h"
#include "common/bindings.h"
#include "common/define.h"
#include "common/fast.h"
#include "common/threads.h"
#include "model/models.h"
#include "mortise/dynamics/robot_dynamics.h"

namespace mortise::python {

namespace {

/// Behind Python's RobotDynamics: the algorithms with their workspace, and vectors for arguments and results.
struct DynamicsHandle {
  explicit DynamicsHandle(const RobotPtr& model)
      : robot(model), dynamics(model), q(VectorXd::Zero(model->numLinks())), dq(q), in(q), out(q) {
    dynamics.setPosition(q);
  }
  RobotPtr robot;
  RobotDynamics dynamics;
  VectorXd q, dq, in, out;
  Eigen::MatrixXd matrix;  ///< Copy where `out` is not in column-major order.
  py::ssize_t size() const { return q.size(); }
};

/// Runs `work` on a column-major block of memory: that of the result where it has this order, else a copy.
template <typename Work>
py::array matrixResult(DynamicsHandle& handle, py::handle out, py::ssize_t rows, py::ssize_t columns, Work&& work) {
  py::array result = resultArray(out, "out", {rows, columns}, true);
  if (result.strides(0) == 8 && result.strides(1) == 8 * rows) {
    work(static_cast<double*>(result.mutable_data()));
  } else {
    handle.matrix.resize(rows, columns);
    work(handle.matrix.data());
    asMatrix(result) = handle.matrix;
  }
  return result;
}

py::array vectorResult(const VectorXd& numbers, py::handle out) {
  py::array result = resultArray(out, "out", {numbers.size()});
  auto* to = static_cast<char*>(result.mutable_data());
  for (Eigen::Index i = 0; i < numbers.size(); ++i, to += result.strides(0))
    *reinterpret_cast<double*>(to) = numbers[i];
  return result;
}

DynamicsHandle& handleOf(PyObject* self) { return objectOf<DynamicsHandle>(self); }

PyObject* setPosition(PyObject* self, PyObject* const* arguments, Py_ssize_t given, PyObject* keywords) {
  return guarded([&] {
    DynamicsHandle& handle = handleOf(self);
    const auto [q] = namedArguments<1>("set_position", {"q"}, 1, arguments, given, keywords);
    readNumbers(q, "q", handle.q.data(), handle.size());
    handle.dynamics.setPosition(handle.q);
    return Py_NewRef(Py_None);
  });
}

PyObject* setState(PyObject* self, PyObject* const* arguments, Py_ssize_t given, PyObject* keywords) {
  return guarded([&] {
    DynamicsHandle& handle = handleOf(self);
    const auto [q, dq] = namedArguments<2>("set_state", {"q", "dq"}, 2, arguments, given, keywords);
    readNumbers(q, "q", handle.q.data(), handle.size());
    readNumbers(dq, "dq", handle.dq.data(), handle.size());
    handle.dynamics.setState(handle.q, handle.dq);
    return Py_NewRef(Py_None);
  });
}

template <int rows>
PyObject* jacobianOf(PyObject* self, PyObject* const* arguments, Py_ssize_t given, PyObject* keywords) {
  return guarded([&] {
    DynamicsHandle& handle = handleOf(self);
    const auto [link, p_LP, out] =
        namedArguments<3>("jacobian", {"link", "p_LP", "out"}, 1, arguments, given, keywords);
    const int index = linkIndex(*handle.robot, link);
    const Vector3d point = p_LP == nullptr || p_LP == Py_None ? Vector3d(Vector3d::Zero()) : vector3From(p_LP, "p_LP");
    return matrixResult(handle, out, rows, handle.size(),
                        [&](double* to) {
                          if constexpr (rows == 6)
                            handle.dynamics.jacobian(index, point, Eigen::Map<Matrix6X>(to, 6, handle.size()));
                          else
                            handle.dynamics.positionJacobian(index, point, Eigen::Map<Matrix3X>(to, 3, handle.size()));
                        })
        .release()
        .ptr();
  });
}

PyMethodDef setPositionMethod = fastMethod("set_position", setPosition,
                                           "set_position($self, /, q)\n--\n\nset_position(q: ArrayLike) -> "
                                           "None\n\nLink frames from q (num_links,); velocities become zero.");
PyMethodDef setStateMethod = fastMethod("set_state", setState,
                                        "set_state($self, /, q, dq)\n--\n\nset_state(q: ArrayLike, dq: ArrayLike) -> "
                                        "None\n\nLink frames and velocities from q and dq (num_links,) each.");
PyMethodDef jacobianMethod = fastMethod(
    "jacobian", jacobianOf<6>,
    "jacobian($self, /, link, p_LP=None, out=None)\n--\n\njacobian(link: int | str | RobotLink, p_LP: ArrayLike | None "
    "= None, out: NDArray[np.float64] | None = None) -> ndarray (6, num_links)\n\nRows 0 to 2 angular, 3 to 5 linear, "
    "of the "
    "point p_LP "
    "(m, in the link's frame) in the world. out: float64; column-major (order='F') is written without a copy.");
PyMethodDef positionJacobianMethod =
    fastMethod("position_jacobian", jacobianOf<3>,
               "position_jacobian($self, /, link, p_LP=None, out=None)\n--\n\nposition_jacobian(link: int | str | "
               "RobotLink, p_LP: ArrayLike | None = None, out: NDArray[np.float64] | None = None) -> ndarray (3, "
               "num_links)\n\nOf the point p_LP of a link.");

Vector3d gravityFrom(py::handle gravity) {
  return gravity.is_none() ? Vector3d(0, 0, -9.8) : vector3From(gravity, "gravity");
}

std::vector<LinkWrench> wrenchesFrom(const Robot& robot, py::handle wrenches) {
  std::vector<LinkWrench> list;
  if (wrenches.is_none()) return list;
  for (const auto item : wrenches) {
    if (PyTuple_Check(item.ptr()) == 0 || PyTuple_GET_SIZE(item.ptr()) != 3)
      throw py::type_error("wrenches: expected tuples (link, torque, force), found " + shapeText(item));
    const auto entry = py::reinterpret_borrow<py::tuple>(item);
    list.push_back({linkIndex(robot, entry[0]), vector3From(entry[1], "torque"), vector3From(entry[2], "force")});
  }
  return list;
}

/// Computes batches of rows: `row(handle, q, dq, x, to)` with pointers to the numbers of one row each.
template <typename Row>
py::array inRows(const std::shared_ptr<Robot>& robot, py::handle q, py::handle dq, py::handle x, const char* xName,
                 py::handle out, std::vector<py::ssize_t> shape, int threads, Row&& row) {
  const py::ssize_t n = robot->numLinks();
  const auto qs = rowsFrom(q, "q", n);
  requireFinite(qs.data(), qs.size(), "q");
  const py::ssize_t count = qs.shape(0);
  const auto optionalRows = [&](py::handle from, const char* name) {
    if (from.is_none()) return py::array_t<double, py::array::c_style>();
    auto rows = rowsFrom(from, name, n);
    requireFinite(rows.data(), rows.size(), name);
    if (rows.shape(0) != count)
      throw py::value_error(std::string(name) + ": expected as many rows as q (" + std::to_string(count) + "), found " +
                            std::to_string(rows.shape(0)));
    return rows;
  };
  const auto dqs = optionalRows(dq, "dq"), xs = optionalRows(x, xName);
  const bool hasRates = !dq.is_none(), hasX = !x.is_none();
  shape.insert(shape.begin(), count);
  py::array result = resultArray(out, "out", shape);
  if ((result.flags() & py::array::c_style) == 0) throw py::value_error("out: expected a contiguous array (order C)");
  py::ssize_t width = 1;
  for (std::size_t i = 1; i < shape.size(); ++i) width *= shape[i];
  const double *qData = qs.data(), *dqData = hasRates ? dqs.data() : nullptr, *xData = hasX ? xs.data() : nullptr;
  auto* to = static_cast<double*>(result.mutable_data());
  py::gil_scoped_release release;
  inParallel(count, threads, [&](py::ssize_t begin, py::ssize_t end, BatchTurn& turn) {
    DynamicsHandle handle(robot);
    for (py::ssize_t i = begin; i < end && turn.mayContinue(); ++i) {
      handle.q = Eigen::Map<const VectorXd>(qData + i * n, n);
      if (dqData != nullptr) handle.dq = Eigen::Map<const VectorXd>(dqData + i * n, n);
      if (xData != nullptr) handle.in = Eigen::Map<const VectorXd>(xData + i * n, n);
      if (dqData != nullptr)
        handle.dynamics.setState(handle.q, handle.dq);
      else
        handle.dynamics.setPosition(handle.q);
      row(handle, to + i * width);
    }
  });
  return result;
}

void bindCenterOfMass(Class<DynamicsHandle>& type) {
  type.def(
          "jacobian_rate",
          [](DynamicsHandle& h, py::handle link, py::handle p_LP, py::handle out) {
            const int index = linkIndex(*h.robot, link);
            const Vector3d point = vector3From(p_LP, "p_LP");
            return matrixResult(h, out, 6, h.size(), [&](double* to) {
              h.dynamics.jacobianRate(index, point, Eigen::Map<Matrix6X>(to, 6, h.size()));
            });
          },
          py::arg("link"), py::arg("p_LP"), py::arg("out") = py::none(),
          "jacobian_rate(link: int | str | RobotLink, p_LP: ArrayLike, out: NDArray[np.float64] | None = None) -> "
          "ndarray (6, num_links)\n\nTime derivative of `jacobian` along dq.")
      .def(
          "center_of_mass", [](const DynamicsHandle& h) { return arrayOf(h.dynamics.centerOfMass()); },
          "center_of_mass() -> ndarray (3,)\n\nm, world.")
      .def(
          "center_of_mass_velocity", [](const DynamicsHandle& h) { return arrayOf(h.dynamics.centerOfMassVelocity()); },
          "center_of_mass_velocity() -> ndarray (3,)\n\nm/s, world.")
      .def(
          "center_of_mass_jacobian",
          [](DynamicsHandle& h, py::handle out) {
            return matrixResult(h, out, 3, h.size(), [&](double* to) {
              h.dynamics.centerOfMassJacobian(Eigen::Map<Matrix3X>(to, 3, h.size()));
            });
          },
          py::arg("out") = py::none(),
          "center_of_mass_jacobian(out: NDArray[np.float64] | None = None) -> ndarray (3, num_links)");
}

void bindKinematics(Class<DynamicsHandle>& type) {
  type.def(
          "transform",
          [](const DynamicsHandle& h, py::handle link) { return h.dynamics.X_WL(linkIndex(*h.robot, link)); },
          py::arg("link"), "transform(link: int | str | RobotLink) -> RigidTransform\n\nX_WL.")
      .def(
          "angular_velocity",
          [](const DynamicsHandle& h, py::handle link) {
            return arrayOf(h.dynamics.angularVelocity(linkIndex(*h.robot, link)));
          },
          py::arg("link"), "angular_velocity(link: int | str | RobotLink) -> ndarray (3,)\n\nrad/s, world axes.")
      .def(
          "point_velocity",
          [](const DynamicsHandle& h, py::handle link, py::handle p_LP) {
            return arrayOf(h.dynamics.pointVelocity(linkIndex(*h.robot, link), vector3From(p_LP, "p_LP")));
          },
          py::arg("link"), py::arg("p_LP"),
          "point_velocity(link: int | str | RobotLink, p_LP: ArrayLike) -> ndarray (3,)\n\nm/s, world axes.")
      .def(
          "point_acceleration",
          [](DynamicsHandle& h, py::handle link, py::handle p_LP, py::handle ddq) {
            readNumbers(ddq, "ddq", h.in.data(), h.size());
            const auto a = h.dynamics.pointAcceleration(linkIndex(*h.robot, link), vector3From(p_LP, "p_LP"), h.in);
            return arrayOf(VectorXd(a));
          },
          py::arg("link"), py::arg("p_LP"), py::arg("ddq"),
          "point_acceleration(link: int | str | RobotLink, p_LP: ArrayLike, ddq: ArrayLike) -> ndarray (6,)\n\nAngular "
          "(rad/s^2), then linear (m/s^2), world axes.")
      .def(
          "orientation_jacobian",
          [](DynamicsHandle& h, py::handle link, py::handle out) {
            const int index = linkIndex(*h.robot, link);
            return matrixResult(h, out, 3, h.size(), [&](double* to) {
              h.dynamics.orientationJacobian(index, Eigen::Map<Matrix3X>(to, 3, h.size()));
            });
          },
          py::arg("link"), py::arg("out") = py::none(),
          "orientation_jacobian(link: int | str | RobotLink, out: NDArray[np.float64] | None = None) -> ndarray (3, "
          "num_links)");
  bindCenterOfMass(type);
}

void bindMotionEquation(Class<DynamicsHandle>& type) {
  type.def(
          "inverse_dynamics",
          [](DynamicsHandle& h, py::handle ddq, py::handle gravity, py::handle wrenches, py::handle out) {
            readNumbers(ddq, "ddq", h.in.data(), h.size());
            h.dynamics.inverseDynamics(h.in, gravityFrom(gravity), h.out, wrenchesFrom(*h.robot, wrenches));
            return vectorResult(h.out, out);
          },
          py::arg("ddq"), py::arg("gravity") = py::none(), py::arg("wrenches") = py::none(),
          py::arg("out") = py::none(),
          "inverse_dynamics(ddq: ArrayLike, gravity: ArrayLike | None = None, wrenches: Sequence[tuple[int | str, "
          "ArrayLike, ArrayLike]] | None = None, out: NDArray[np.float64] | None = None) -> ndarray "
          "(num_links,)\n\nTorques (N m, N) for accelerations: recursive Newton-Euler (Luh, Walker and Paul, 1980).")
      .def(
          "forward_dynamics",
          [](DynamicsHandle& h, py::handle tau, py::handle gravity, py::handle wrenches, py::handle out) {
            readNumbers(tau, "tau", h.in.data(), h.size());
            h.dynamics.forwardDynamics(h.in, gravityFrom(gravity), h.out, wrenchesFrom(*h.robot, wrenches));
            return vectorResult(h.out, out);
          },
          py::arg("tau"), py::arg("gravity") = py::none(), py::arg("wrenches") = py::none(),
          py::arg("out") = py::none(),
          "forward_dynamics(tau: ArrayLike, gravity: ArrayLike | None = None, wrenches: Sequence[tuple[int | str, "
          "ArrayLike, ArrayLike]] | None = None, out: NDArray[np.float64] | None = None) -> ndarray "
          "(num_links,)\n\nAccelerations for torques: articulated bodies (Featherstone, 1983).")
      .def(
          "kinetic_energy", [](const DynamicsHandle& h) { return h.dynamics.kineticEnergy(); },
          "kinetic_energy() -> float\n\nJ")
      .def(
          "potential_energy",
          [](const DynamicsHandle& h, py::handle gravity) { return h.dynamics.potentialEnergy(gravityFrom(gravity)); },
          py::arg("gravity") = py::none(),
          "potential_energy(gravity: ArrayLike | None = None) -> float\n\nJ, zero at the origin.");
}

void bindForces(Class<DynamicsHandle>& type) {
  type.def(
          "mass_matrix",
          [](DynamicsHandle& h, py::handle out) {
            return matrixResult(h, out, h.size(), h.size(), [&](double* to) {
              h.dynamics.massMatrix(Eigen::Map<Eigen::MatrixXd>(to, h.size(), h.size()));
            });
          },
          py::arg("out") = py::none(),
          "mass_matrix(out: NDArray[np.float64] | None = None) -> ndarray (num_links, num_links)\n\nB, symmetric "
          "(Walker and Orin, 1982).")
      .def(
          "solve_mass_matrix",
          [](DynamicsHandle& h, py::handle x, py::handle out) {
            readNumbers(x, "x", h.in.data(), h.size());
            h.dynamics.solveMassMatrix(h.in, h.out);
            return vectorResult(h.out, out);
          },
          py::arg("x"), py::arg("out") = py::none(),
          "solve_mass_matrix(x: ArrayLike, out: NDArray[np.float64] | None = None) -> ndarray (num_links,)\n\nB^-1 x; "
          "rows without inertia give 0.")
      .def(
          "coriolis_forces",
          [](DynamicsHandle& h, py::handle out) {
            h.dynamics.coriolisForces(h.out);
            return vectorResult(h.out, out);
          },
          py::arg("out") = py::none(),
          "coriolis_forces(out: NDArray[np.float64] | None = None) -> ndarray (num_links,)\n\nC: forces that depend on "
          "velocity.")
      .def(
          "gravity_forces",
          [](DynamicsHandle& h, py::handle gravity, py::handle out) {
            h.dynamics.gravityForces(gravityFrom(gravity), h.out);
            return vectorResult(h.out, out);
          },
          py::arg("gravity") = py::none(), py::arg("out") = py::none(),
          "gravity_forces(gravity: ArrayLike | None = None, out: NDArray[np.float64] | None = None) -> ndarray "
          "(num_links,)\n\nG; gravity: m/s^2, (0, 0, -9.8) if None.")
      .def(
          "bias_forces",
          [](DynamicsHandle& h, py::handle gravity, py::handle wrenches, py::handle out) {
            h.dynamics.biasForces(gravityFrom(gravity), h.out, wrenchesFrom(*h.robot, wrenches));
            return vectorResult(h.out, out);
          },
          py::arg("gravity") = py::none(), py::arg("wrenches") = py::none(), py::arg("out") = py::none(),
          "bias_forces(gravity: ArrayLike | None = None, wrenches: Sequence[tuple[int | str, ArrayLike, ArrayLike]] | "
          "None = None, out: NDArray[np.float64] | None = None) -> ndarray (num_links,)\n\nC + G - sum J^T f. "
          "wrenches: list of (link, torque, force) at the origins of links, world axes.");
  bindMotionEquation(type);
}

void bindBatches(py::module_& m) {
  define(
      m, "jacobians",
      [](const std::shared_ptr<Robot>& robot, py::handle q, py::handle link, py::handle p_LP, py::handle out,
         int threads) {
        const py::ssize_t n = robot->numLinks();
        const int index = linkIndex(*robot, link);
        const Vector3d point = p_LP.is_none() ? Vector3d(Vector3d::Zero()) : vector3From(p_LP, "p_LP");
        return inRows(robot, q, py::none(), py::none(), "", out, {6, n}, threads,
                      [&, n](DynamicsHandle& h, double* to) {
                        h.matrix.resize(6, n);
                        h.dynamics.jacobian(index, point, h.matrix);
                        Eigen::Map<Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::RowMajor>>(to, 6, n) = h.matrix;
                      });
      },
      py::arg("robot").none(false), py::arg("q"), py::arg("link"), py::arg("p_LP") = py::none(),
      py::arg("out") = py::none(), py::arg("threads") = 0,
      "jacobians(robot, q: ArrayLike, link: int | str | RobotLink, p_LP: ArrayLike | None = None, out: "
      "NDArray[np.float64] | None = None, threads = 0) -> ndarray (n, 6, num_links)\n\nOf many configurations (n, "
      "num_links); threads: 0 for all processors.");
  define(
      m, "inverse_dynamics",
      [](const std::shared_ptr<Robot>& robot, py::handle q, py::handle dq, py::handle ddq, py::handle gravity,
         py::handle out, int threads) {
        const Vector3d g = gravityFrom(gravity);
        return inRows(robot, q, dq, ddq, "ddq", out, {robot->numLinks()}, threads, [&g](DynamicsHandle& h, double* to) {
          h.dynamics.inverseDynamics(h.in, g, h.out);
          std::copy_n(h.out.data(), h.out.size(), to);
        });
      },
      py::arg("robot").none(false), py::arg("q"), py::arg("dq"), py::arg("ddq"), py::arg("gravity") = py::none(),
      py::arg("out") = py::none(), py::arg("threads") = 0,
      "inverse_dynamics(robot, q: ArrayLike, dq: ArrayLike, ddq: ArrayLike, gravity: ArrayLike | None = None, out: "
      "NDArray[np.float64] | None = None, threads = 0) -> ndarray (n, num_links)\n\nTorques of many states, one a "
      "row.");
  define(
      m, "forward_dynamics",
      [](const std::shared_ptr<Robot>& robot, py::handle q, py::handle dq, py::handle tau, py::handle gravity,
         py::handle out, int threads) {
        const Vector3d g = gravityFrom(gravity);
        return inRows(robot, q, dq, tau, "tau", out, {robot->numLinks()}, threads, [&g](DynamicsHandle& h, double* to) {
          h.dynamics.forwardDynamics(h.in, g, h.out);
          std::copy_n(h.out.data(), h.out.size(), to);
        });
      },
      py::arg("robot").none(false), py::arg("q"), py::arg("dq"), py::arg("tau"), py::arg("gravity") = py::none(),
      py::arg("out") = py::none(), py::arg("threads") = 0,
      "forward_dynamics(robot, q: ArrayLike, dq: ArrayLike, tau: ArrayLike, gravity: ArrayLike | None = None, out: "
      "NDArray[np.float64] | None = None, threads = 0) -> ndarray (n, num_links)\n\nAccelerations of many states, one "
      "a row.");
}

}  // namespace

void bindDynamics(py::module_& m) {
  Class<DynamicsHandle> type(
      m, "RobotDynamics",
      "RobotDynamics(robot, q: ArrayLike | None = None, dq: ArrayLike | None = None)\n\nKinematics and dynamics of one "
      "robot, B(q) ddq + C(q, dq) + G(q) = tau + sum J^T f. First set the state, then ask. It holds the workspace of "
      "all algorithms: one for each thread.");
  type.def(constructor([](const std::shared_ptr<Robot>& robot, py::handle q, py::handle dq) {
             if (!robot) throw py::type_error("robot: expected a Robot, found None");
             auto handle = std::make_unique<DynamicsHandle>(robot);
             handle->q = q.is_none() ? robot->initialConfiguration() : vectorFrom(q, "q", robot->numLinks());
             if (!dq.is_none()) handle->dq = vectorFrom(dq, "dq", robot->numLinks());
             handle->dynamics.setState(handle->q, handle->dq);
             return handle;
           }),
           py::arg("robot"), py::arg("q") = py::none(), py::arg("dq") = py::none())
      .def_property_readonly(
          "robot", [](const DynamicsHandle& h) { return held(h.robot); }, "The Robot.")
      .def("__repr__", [](const DynamicsHandle& h) {
        return "RobotDynamics('" + h.robot->name() + "', " + std::to_string(h.robot->numLinks()) + " links)";
      });
  addFastMethod(type, &setPositionMethod);
  addFastMethod(type, &setStateMethod);
  addFastMethod(type, &jacobianMethod);
  addFastMethod(type, &positionJacobianMethod);
  bindKinematics(type);
  bindForces(type);
  bindBatches(m);
}

}  // namespace mortise::python
