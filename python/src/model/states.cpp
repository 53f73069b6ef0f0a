#include <pybind11/stl.h>
#include <thread>

#include "common/arrays.h"
#include "common/bindings.h"
#include "common/define.h"
#include "common/fast.h"
#include "common/threads.h"
#include "model/models.h"

namespace mortise::python {

StateHandle::StateHandle(const RobotPtr& robot) : storage(std::make_shared<StateStorage>(robot)) {
  const py::ssize_t n = robot->numLinks();
  RobotState& own = storage->state;
  own.q = robot->initialConfiguration();
  updateFrames(*robot, own);
  const py::capsule owner = ownerOf(storage);
  q = viewOf(own.q.data(), {n}, {8}, owner, true);
  dq = viewOf(own.dq.data(), {n}, {8}, owner, true);
  static_assert(sizeof(RigidTransform) == 96);
  const double* frames = n > 0 ? own.X_WL.front().R.data() : nullptr;
  const double* origins = n > 0 ? own.X_WL.front().p.data() : nullptr;
  rotations = viewOf(frames, {n, 3, 3}, {96, 8, 24}, owner, false);
  positions = viewOf(origins, {n, 3}, {96, 8}, owner, false);
}

namespace {

StateHandle& handleOf(PyObject* self) { return objectOf<StateHandle>(self); }

template <py::object StateHandle::*array>
PyObject* getArray(PyObject* self, void*) {
  return guarded([&] { return (handleOf(self).*array).inc_ref().ptr(); });
}

template <VectorXd RobotState::*numbers>
int setArray(PyObject* self, PyObject* value, void* name) {
  return guarded([&]() -> PyObject* {
           if (value == nullptr) throw py::type_error("it cannot be deleted");
           VectorXd& to = handleOf(self).state().*numbers;
           // Through a copy: `state.q = state.q[::-1]`, and nothing changes where a number is wrong.
           if (to.size() <= 64) {
             double copy[64];
             readNumbers(value, static_cast<const char*>(name), copy, to.size());
             std::copy_n(copy, to.size(), to.data());
           } else {
             to = vectorFrom(value, static_cast<const char*>(name), to.size());
           }
           return Py_None;
         }) == nullptr
             ? -1
             : 0;
}

PyObject* none() { return Py_NewRef(Py_None); }

PyObject* setState(PyObject* self, PyObject* const* arguments, Py_ssize_t given, PyObject* keywords) {
  return guarded([&] {
    StateHandle& handle = handleOf(self);
    RobotState& state = handle.state();
    const auto [q, dq] = namedArguments<2>("set", {"q", "dq"}, 1, arguments, given, keywords);
    // All of it or nothing.
    const Eigen::Index size = state.q.size();
    const bool rates = dq != nullptr && dq != Py_None;
    constexpr Eigen::Index kMaximum = 64;
    double room[2 * kMaximum];
    VectorXd more;
    if (size > kMaximum) more.resize(2 * size);
    double* const numbers = size > kMaximum ? more.data() : room;
    readNumbers(q, "q", numbers, size);
    if (rates) readNumbers(dq, "dq", numbers + size, size);
    std::copy_n(numbers, size, state.q.data());
    if (rates) std::copy_n(numbers + size, size, state.dq.data());
    updateFrames(handle.robot(), state);
    return none();
  });
}

PyObject* update(PyObject* self, PyObject* const* arguments, Py_ssize_t given, PyObject* keywords) {
  return guarded([&] {
    StateHandle& handle = handleOf(self);
    namedArguments<0>("update", {}, 0, arguments, given, keywords);
    requireFinite(handle.state().q.data(), handle.state().q.size(), "q");
    updateFrames(handle.robot(), handle.state());
    return none();
  });
}

PyMethodDef setMethod = fastMethod("set", setState,
                                   "set($self, /, q, dq=None)\n--\n\nset(q: ArrayLike, dq: ArrayLike | None = None) -> "
                                   "None\n\nCopies a configuration (num_links,), and "
                                   "velocities where they are given, and computes the "
                                   "link frames.");
PyMethodDef updateMethod = fastMethod("update", update,
                                      "update($self, /)\n--\n\nupdate() -> None\n\nForward kinematics: link frames "
                                      "from q. Needed after q was written to.");
PyGetSetDef qAttribute = {"q", getArray<&StateHandle::q>, setArray<&RobotState::q>,
                          "q: ndarray\n\n(num_links,), rad or m: a view; after writing to it call update().",
                          const_cast<char*>("q")};
PyGetSetDef dqAttribute = {"dq", getArray<&StateHandle::dq>, setArray<&RobotState::dq>,
                           "dq: ndarray\n\n(num_links,), rad/s or m/s: a view.", const_cast<char*>("dq")};
PyGetSetDef positionsAttribute = {
    "positions", getArray<&StateHandle::positions>, nullptr,
    "positions: ndarray\n\n(num_links, 3), m: origins of the link frames in the world, as of the last update; a "
    "read-only view.",
    nullptr};
PyGetSetDef rotationsAttribute = {
    "rotations", getArray<&StateHandle::rotations>, nullptr,
    "rotations: ndarray\n\n(num_links, 3, 3): rotations of the link frames in the world, as of the last update; a "
    "read-only view.",
    nullptr};

std::unique_ptr<StateHandle> copyOf(const StateHandle& s) {
  auto handle = std::make_unique<StateHandle>(s.storage->robot);
  handle->state() = s.state();  // Of the same sizes: the views' memory stays where it is.
  return handle;
}

/// (num_links, 12), a frame a row: R row by row, then the translation.
py::array framesOf(const StateHandle& s) {
  const std::vector<RigidTransform>& frames = s.state().X_WL;
  py::array_t<double> rows({static_cast<py::ssize_t>(frames.size()), py::ssize_t{12}});
  double* row = rows.mutable_data();
  for (const RigidTransform& X : frames) X.toRows(row), row += 12;
  return rows;
}

void bindStateCopies(Class<StateHandle>& state) {
  state.def("copy", &copyOf, "copy() -> RobotState")
      .def("__copy__", &copyOf)
      .def(
          "__deepcopy__", [](const StateHandle& s, const py::dict&) { return copyOf(s); }, py::arg("memo"))
      .def(pickled(
          [](const StateHandle& s) {
            const RobotState& own = s.state();
            return py::make_tuple(held(s.storage->robot), arrayOf(own.q), arrayOf(own.dq), framesOf(s));
          },
          [](const py::tuple& kept) {
            const auto robot = kept[0].cast<std::shared_ptr<Robot>>();
            if (!robot) throw py::value_error("a pickle's state lacks a robot");
            auto handle = std::make_unique<StateHandle>(robot);
            RobotState& own = handle->state();
            readNumbers(kept[1], "q", own.q.data(), own.q.size(), Accept::any);
            readNumbers(kept[2], "dq", own.dq.data(), own.dq.size(), Accept::any);
            const auto frames = rowsFrom(kept[3], "frames", 12);
            if (frames.shape(0) != robot->numLinks()) throw py::value_error("frames: expected one a link");
            for (std::size_t i = 0; i < own.X_WL.size(); ++i)
              own.X_WL[i] = RigidTransform::fromRows(frames.data(static_cast<py::ssize_t>(i), 0));
            return handle;
          }))
      .def("__repr__", [](const StateHandle& s) {
        return "RobotState('" + s.robot().name() + "', " + std::to_string(s.robot().numLinks()) + " links)";
      });
}

void addFastParts(Class<StateHandle>& state) {
  addFastMethod(state, &setMethod);
  addFastMethod(state, &updateMethod);
  addFastAttribute(state, &qAttribute);
  addFastAttribute(state, &dqAttribute);
  addFastAttribute(state, &positionsAttribute);
  addFastAttribute(state, &rotationsAttribute);
}

void bindState(py::module_& m) {
  Class<StateHandle> state(m, "RobotState",
                           "RobotState(robot, q: ArrayLike | None = None, dq: ArrayLike | None = None)\n\nWhat moves "
                           "of one robot: q, dq and the link frames that follow from q. One for each thread. Its "
                           "arrays are views of its own memory, which lives as long as any of them.");
  state
      .def(constructor([](const std::shared_ptr<Robot>& robot, py::handle q, py::handle dq) {
             if (!robot) throw py::type_error("robot: expected a Robot, found None");
             auto handle = std::make_unique<StateHandle>(robot);
             RobotState& own = handle->state();
             if (!q.is_none()) readNumbers(q, "q", own.q.data(), own.q.size());
             if (!dq.is_none()) readNumbers(dq, "dq", own.dq.data(), own.dq.size());
             updateFrames(*robot, own);
             return handle;
           }),
           py::arg("robot"), py::arg("q") = py::none(), py::arg("dq") = py::none())
      .def_property_readonly(
          "robot", [](const StateHandle& s) { return held(s.storage->robot); }, "The Robot.")
      .def(
          "transform",
          [](const StateHandle& s, py::handle link) {
            return s.state().X_WL[static_cast<std::size_t>(linkIndex(s.robot(), link))];
          },
          py::arg("link"),
          "transform(link: int | str | RobotLink) -> RigidTransform\n\nX_WL as of the last update; link by index or "
          "name.")
      .def(
          "point",
          [](const StateHandle& s, py::handle link, py::handle p_LP) {
            return arrayOf(Vector3d(s.state().X_WL[static_cast<std::size_t>(linkIndex(s.robot(), link))] *
                                    vector3From(p_LP, "p_LP")));
          },
          py::arg("link"), py::arg("p_LP"),
          "point(link: int | str | RobotLink, p_LP: ArrayLike) -> ndarray (3,)\n\nA point of a link in the world, m.")
      .def(
          "velocities",
          [](const StateHandle& s) {
            std::vector<Vector3d> v, w;
            linkVelocities(s.robot(), s.state(), v, w);
            return py::make_tuple(arrayOf(v), arrayOf(w));
          },
          "velocities() -> tuple[ndarray, ndarray]\n\nv, w. Velocities of link origins (m/s) and angular velocities "
          "(rad/s), (num_links, 3) each, in the world, from dq and the frames as of the last update.")
      .def(
          "set_floating_base_pose",
          [](StateHandle& s, py::handle X_WB) {
            if (s.robot().floatingBaseLink() < 0)
              throw py::value_error("robot '" + s.robot().name() + "' has no floating base");
            setFloatingBasePose(s.robot(), transformFrom(X_WB, "X_WB"), s.state().q);
            updateFrames(s.robot(), s.state());
          },
          py::arg("X_WB"),
          "set_floating_base_pose(X_WB: Pose)\n\nThe first six coordinates from the pose of the base link.");
  bindStateCopies(state);
  addFastParts(state);
}

/// Link frames of many configurations, row by row, with threads.
py::array forwardKinematics(const std::shared_ptr<Robot>& robot, py::handle q, py::handle out, int threads) {
  const py::ssize_t n = robot->numLinks();
  const auto rows = rowsFrom(q, "q", n);
  requireFinite(rows.data(), rows.size(), "q");
  py::array result = resultArray(out, "out", {rows.shape(0), n, 12});
  const bool plain = (result.flags() & py::array::c_style) != 0;
  if (!plain) throw py::value_error("out: expected a contiguous array (order C)");
  const double* from = rows.data();
  auto* to = static_cast<double*>(result.mutable_data());
  const py::ssize_t count = rows.shape(0);
  py::gil_scoped_release release;
  inParallel(count, threads, [&](py::ssize_t begin, py::ssize_t end, BatchTurn& turn) {
    RobotState state(*robot);
    for (py::ssize_t i = begin; i < end && turn.mayContinue(); ++i) {
      state.q = Eigen::Map<const VectorXd>(from + i * n, n);
      updateFrames(*robot, state);
      double* row = to + i * n * 12;
      for (const RigidTransform& X : state.X_WL) X.toRows(row), row += 12;
    }
  });
  return result;
}

}  // namespace

void bindStates(py::module_& m) {
  bindState(m);
  define(m, "forward_kinematics", &forwardKinematics, py::arg("robot").none(false), py::arg("q"),
         py::arg("out") = py::none(), py::arg("threads") = 0,
         "forward_kinematics(robot, q: ArrayLike, out: NDArray[np.float64] | None = None, threads = 0) -> ndarray (n, "
         "num_links, 12)\n\nLink frames in the world of many configurations, q: (n, num_links). Of each frame R row by "
         "row, then the translation. threads: 0 for all processors.");
}

}  // namespace mortise::python
