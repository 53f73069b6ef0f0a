#include "files/resources.h"

#include <filesystem>
#include <pybind11/stl.h>

#include "common/arrays.h"
#include "common/bindings.h"
#include "common/define.h"
#include "common/environment.h"
#include "geometry/shapes.h"
#include "model/models.h"
#include "model/worlds.h"
#include "mortise/component/resource.h"
#include "mortise/logs/log_tables.h"
#include "mortise/modeling/world_compiler.h"
#include "mortise/timing/multipath/path_interpolation.h"

namespace mortise::python {

namespace {

std::vector<VectorXd> configurationsFrom(py::handle from, const char* name, Eigen::Index count = -1) {
  const auto rows = rowsFrom(from, name);
  if (count >= 0 && rows.shape(0) != count)
    throw py::value_error(std::string(name) + ": expected as many rows as times (" + std::to_string(count) +
                          "), found " + std::to_string(rows.shape(0)));
  std::vector<VectorXd> list;
  for (py::ssize_t i = 0; i < rows.shape(0); ++i) {
    list.emplace_back(Eigen::Map<const VectorXd>(rows.data(i, 0), rows.shape(1)));
    if (!list.back().allFinite())
      throw py::value_error(std::string(name) + ": expected finite numbers, found others in row " + std::to_string(i));
  }
  return list;
}

py::array rowsOf(const std::vector<VectorXd>& rows) {
  const Eigen::Index columns = rows.empty() ? 0 : rows.front().size();
  py::array_t<double> array({static_cast<py::ssize_t>(rows.size()), static_cast<py::ssize_t>(columns)});
  double* to = array.mutable_data();
  for (const VectorXd& row : rows) {
    if (row.size() != columns) throw py::value_error("the configurations differ in length");
    to = std::copy_n(row.data(), columns, to);
  }
  return array;
}

std::vector<double> timesFrom(py::handle from) {
  const VectorXd numbers = vectorFrom(from, "times");
  for (Eigen::Index i = 0; i < numbers.size(); ++i)
    if (!std::isfinite(numbers[i]) || (i > 0 && numbers[i] < numbers[i - 1]))
      throw py::value_error("times: they must be finite and never decrease (index " + std::to_string(i) + ")");
  return {numbers.data(), numbers.data() + numbers.size()};
}

template <typename Motion>
py::tuple evaluated(const Motion& motion, py::handle t) {
  if (motion.empty()) throw py::value_error("the trajectory is empty");
  const Eigen::Index n = motion.configurations.front().size();
  VectorXd q(n), dq(n);
  if (PyFloat_Check(t.ptr()) != 0 || PyLong_Check(t.ptr()) != 0) {
    const double time = numberFrom(t, "t");
    requireFinite(&time, 1, "t");
    motion.evaluate(time, q, dq);
    return py::make_tuple(arrayOf(q), arrayOf(dq));
  }
  const VectorXd times = vectorFrom(t, "t");
  py::array_t<double> qs({times.size(), n}), dqs({times.size(), n});
  for (Eigen::Index i = 0; i < times.size(); ++i) {
    motion.evaluate(times[i], q, dq);
    std::copy_n(q.data(), n, qs.mutable_data(i, 0));
    std::copy_n(dq.data(), n, dqs.mutable_data(i, 0));
  }
  return py::make_tuple(qs, dqs);
}

template <typename Motion>
std::string motionText(const char* name, const Motion& motion) {
  return std::string(name) + "(" + std::to_string(motion.times.size()) + " milestones of " +
         std::to_string(motion.empty() ? 0 : motion.configurations.front().size()) + ", " +
         std::to_string(motion.startTime()) + " s to " + std::to_string(motion.endTime()) + " s)";
}

constexpr const char* kEvaluate =
    "evaluate(t: float | ArrayLike) -> tuple[ndarray, ndarray]\n\nq, dq. At a time (s), arrays (dof,), or at many, "
    "arrays (n, dof); held constant outside.";

template <typename Class>
void bindCommon(Class& type) {
  using Motion = typename Class::type;
  type.def_property_readonly(
          "times", [](const Motion& m) { return arrayOf(m.times); }, "(n,), s (a copy).")
      .def_property_readonly(
          "configurations", [](const Motion& m) { return rowsOf(m.configurations); }, "(n, dof) (a copy).")
      .def_property_readonly("start_time", &Motion::startTime, "s")
      .def_property_readonly("end_time", &Motion::endTime, "s")
      .def_property_readonly(
          "duration", [](const Motion& m) { return m.endTime() - m.startTime(); }, "s")
      .def("evaluate", &evaluated<Motion>, py::arg("t"), kEvaluate)
      .def("__len__", [](const Motion& m) { return m.times.size(); });
}

void bindMultiPaths(py::module_& m) {
  Class<MultiPath>(m, "MultiPath", "A motion in sections, as `load` reads it: Klamp't's MultiPath.")
      .def_property_readonly(
          "num_sections", [](const MultiPath& p) { return p.sections.size(); }, "Number of sections.")
      .def_property_readonly("timed", &MultiPath::timed, "Whether its milestones have times.")
      .def_property_readonly("start_time", &MultiPath::startTime, "s")
      .def_property_readonly("end_time", &MultiPath::endTime, "s")
      .def(
          "milestones",
          [](const MultiPath& p, std::size_t section) { return rowsOf(p.sections.at(section).milestones); },
          py::arg("section"), "milestones(section) -> ndarray (n, dof)")
      .def(
          "times", [](const MultiPath& p, std::size_t section) { return arrayOf(p.sections.at(section).times); },
          py::arg("section"), "times(section) -> ndarray (n,) or (0,)")
      .def(
          "velocities",
          [](const MultiPath& p, std::size_t section) { return rowsOf(p.sections.at(section).velocities); },
          py::arg("section"), "velocities(section) -> ndarray (n, dof) or (0, 0)")
      .def("section_at", &MultiPath::sectionAt, py::arg("t"),
           "section_at(t) -> int\n\nIndex of the section at t: -1 before the start, num_sections after the end.")
      .def(
          "evaluate",
          [](const MultiPath& p, double t, std::optional<bool> cubic) {
            if (const std::string problem = p.problem(); !problem.empty() || p.empty())
              throw py::value_error(problem.empty() ? "the path is empty" : problem);
            VectorXd q(p.dimension()), dq(p.dimension());
            const PathInterpolation how = !cubic   ? PathInterpolation::given
                                          : *cubic ? PathInterpolation::cubic
                                                   : PathInterpolation::linear;
            evaluatePath(p, t, how, q, dq);
            return py::make_tuple(arrayOf(q), arrayOf(dq));
          },
          py::arg("t"), py::arg("cubic") = py::none(),
          "evaluate(t: float | ArrayLike, cubic: bool | None = None) -> tuple[ndarray, ndarray]\n\nq, dq. cubic: "
          "between milestones; None: cubics where the path has velocities, straight lines elsewhere.")
      .def("__len__", [](const MultiPath& p) { return p.sections.size(); })
      .def("__repr__",
           [](const MultiPath& p) { return "MultiPath(" + std::to_string(p.sections.size()) + " sections)"; });
}

void bindHermiteTrajectories(py::module_& m) {
  Class<HermiteTrajectory> hermite(
      m, "HermiteTrajectory",
      "HermiteTrajectory(times: ArrayLike, configurations: ArrayLike, velocities: ArrayLike)\n\nTimed configurations "
      "with velocities, cubic in between. times: (n,), s; the others: (n, dof).");
  hermite
      .def(constructor([](py::handle times, py::handle configurations, py::handle velocities) {
             HermiteTrajectory result;
             result.times = timesFrom(times);
             const auto count = static_cast<Eigen::Index>(result.times.size());
             result.configurations = configurationsFrom(configurations, "configurations", count);
             result.velocities = configurationsFrom(velocities, "velocities", count);
             if (count > 0 && result.velocities.front().size() != result.configurations.front().size())
               throw py::value_error("velocities: expected as many columns as configurations have");
             return result;
           }),
           py::arg("times"), py::arg("configurations"), py::arg("velocities"))
      .def_property_readonly(
          "velocities", [](const HermiteTrajectory& t) { return rowsOf(t.velocities); }, "(n, dof) (a copy).")
      .def("__repr__", [](const HermiteTrajectory& t) { return motionText("HermiteTrajectory", t); })
      .def(
          "__eq__",
          [](const HermiteTrajectory& a, const HermiteTrajectory& b) {
            return a.times == b.times && a.configurations == b.configurations && a.velocities == b.velocities;
          },
          py::is_operator())
      .def(pickled(
          [](const HermiteTrajectory& t) {
            return py::make_tuple(arrayOf(t.times), rowsOf(t.configurations), rowsOf(t.velocities));
          },
          [](const py::tuple& state) {
            return HermiteTrajectory{timesFrom(state[0]), configurationsFrom(state[1], "configurations"),
                                     configurationsFrom(state[2], "velocities")};
          }));
  bindCommon(hermite);
}

void bindTrajectories(py::module_& m) {
  Class<Trajectory> linear(
      m, "Trajectory",
      "Trajectory(times: ArrayLike, configurations: ArrayLike)\n\nTimed configurations, linear in between. times: "
      "(n,), s, never decreasing; configurations: (n, dof).\n\n>>> q, dq = mortise.Trajectory([0, 1], [[0, 0], [1, "
      "2]]).evaluate(0.5)\n>>> q, dq\n(array([0.5, 1. ]), array([1., 2.]))");
  linear
      .def(constructor([](py::handle times, py::handle configurations) {
             Trajectory result;
             result.times = timesFrom(times);
             result.configurations =
                 configurationsFrom(configurations, "configurations", static_cast<Eigen::Index>(result.times.size()));
             return result;
           }),
           py::arg("times"), py::arg("configurations"))
      .def("__repr__", [](const Trajectory& t) { return motionText("Trajectory", t); })
      .def(
          "__eq__",
          [](const Trajectory& a, const Trajectory& b) {
            return a.times == b.times && a.configurations == b.configurations;
          },
          py::is_operator())
      .def(pickled([](const Trajectory& t) { return py::make_tuple(arrayOf(t.times), rowsOf(t.configurations)); },
                   [](const py::tuple& state) {
                     Trajectory result;
                     result.times = timesFrom(state[0]);
                     result.configurations = configurationsFrom(state[1], "configurations");
                     return result;
                   }));
  bindCommon(linear);
  bindHermiteTrajectories(m);
  bindMultiPaths(m);
}

py::dict describe(const IKGoal& goal) {
  static const char* const positions[] = {"free", "plane", "line", "point"};
  static const char* const rotations[] = {"free", "two_axis", "axis", "fixed"};
  py::dict entry;
  entry["link"] = goal.link;
  entry["destination"] = goal.destination;
  entry["position"] = positions[static_cast<int>(goal.position)];
  entry["p_LP"] = arrayOf(goal.p_LP);
  entry["p_DP"] = arrayOf(goal.p_DP);
  entry["direction_D"] = arrayOf(goal.direction_D);
  entry["rotation"] = rotations[static_cast<int>(goal.rotation)];
  entry["axis_L"] = arrayOf(goal.axis_L);
  entry["axis_D"] = arrayOf(goal.axis_D);
  entry["rotation_vector_DL"] = arrayOf(goal.rotationVector_DL);
  return entry;
}

py::dict describe(const ContactPoint& contact) {
  py::dict entry;
  entry["p_WC"] = arrayOf(contact.p_WC);
  entry["n_W"] = arrayOf(contact.n_W);
  entry["friction"] = contact.friction;
  return entry;
}

py::dict describe(const Hold& hold) {
  py::dict entry;
  py::list contacts;
  for (const ContactPoint& contact : hold.contacts) contacts.append(describe(contact));
  entry["link"] = hold.link;
  entry["contacts"] = contacts;
  entry["goal"] = describe(hold.goal);
  return entry;
}

py::dict describe(const Grasp& grasp) {
  py::dict entry;
  py::list goals, contacts;
  for (const IKGoal& goal : grasp.goals) goals.append(describe(goal));
  for (const Grasp::Contact& contact : grasp.contacts) {
    py::dict point = describe(contact.point);
    point["link"] = contact.link;
    point["force_W"] = contact.force_W ? py::object(arrayOf(*contact.force_W)) : py::object(py::none());
    contacts.append(point);
  }
  entry["object"] = grasp.object;
  entry["robot"] = grasp.robot;
  entry["goals"] = goals;
  entry["fixed"] = grasp.fixed;
  entry["contacts"] = contacts;
  return entry;
}

py::object toPython(Resource&& resource);

struct Converter {
  py::object operator()(VectorXd& v) const { return arrayOf(v); }
  py::object operator()(ConfigurationList& list) const {
    py::list result;
    for (const VectorXd& q : list.configurations) result.append(arrayOf(q));
    return result;
  }
  py::object operator()(Trajectory& t) const { return py::cast(std::move(t)); }
  py::object operator()(HermiteTrajectory& t) const { return py::cast(std::move(t)); }
  py::object operator()(MultiPath& p) const { return py::cast(std::move(p)); }
  py::object operator()(IKGoal& g) const { return describe(g); }
  py::object operator()(ContactPoint& c) const { return describe(c); }
  py::object operator()(Hold& h) const { return describe(h); }
  py::object operator()(Stance& s) const {
    py::list result;
    for (const Hold& hold : s.holds) result.append(describe(hold));
    return result;
  }
  py::object operator()(Grasp& g) const { return describe(g); }
  py::object operator()(Vector3d& v) const { return arrayOf(v); }
  py::object operator()(Matrix3d& m) const { return arrayOf(m); }
  py::object operator()(RigidTransform& X) const { return py::cast(X); }
  py::object operator()(Eigen::MatrixXd& m) const { return matrixOf(m); }
  py::object operator()(std::vector<int>& v) const { return py::cast(v); }
  py::object operator()(std::vector<double>& v) const { return py::cast(v); }
  py::object operator()(GeometryPtr& g) const { return py::cast(held(g)); }
  py::object operator()(RobotDescription& r) const { return py::cast(held(Robot::compile(std::move(r)))); }
  py::object operator()(RigidObject& o) const {
    py::dict entry;
    entry["name"] = o.name;
    entry["geometry"] = held(o.geometry);
    entry["pose"] = o.X_WO;
    entry["inertia"] = o.inertia;
    return entry;
  }
  py::object operator()(Terrain& t) const {
    py::dict entry;
    entry["name"] = t.name;
    entry["geometry"] = held(t.geometry);
    return entry;
  }
  py::object operator()(WorldDescription& w) const {
    return py::cast(std::make_shared<World>(WorldCompiler().compile(w)));
  }
  py::object operator()(ResourceLibrary& library) const {
    py::list items;
    for (ResourceItem& item : library.items) items.append(py::make_tuple(item.name, toPython(std::move(item.value))));
    return items;
  }
  py::object operator()(PlanningProblems&) const {
    throw py::value_error("planning problems are loaded by the command line only: mortise plan FILE");
  }
  py::object operator()(FileResource& f) const {
    py::dict entry;
    entry["content"] = std::string(contentName(f.content));
    entry["path"] = f.path;
    return entry;
  }
};

py::object toPython(Resource&& resource) { return std::visit(Converter{}, resource); }

}  // namespace

py::object resourceToPython(Resource&& resource) { return toPython(std::move(resource)); }

Resource resourceFrom(py::handle value, const std::string& content) {
  if (py::isinstance<Trajectory>(value)) return objectOf<Trajectory>(value.ptr());
  if (py::isinstance<HermiteTrajectory>(value)) return objectOf<HermiteTrajectory>(value.ptr());
  if (py::isinstance<MultiPath>(value)) return objectOf<MultiPath>(value.ptr());
  if (py::isinstance<RigidTransform>(value)) return objectOf<RigidTransform>(value.ptr());
  if (py::isinstance<Geometry>(value)) return GeometryPtr(value.cast<std::shared_ptr<Geometry>>());
  if (py::isinstance<Robot>(value)) return objectOf<Robot>(value.ptr()).description();
  if (content == "configurations") {
    ConfigurationList list;
    for (const auto item : value) list.configurations.push_back(vectorFrom(item, "value", -1, Accept::any));
    return list;
  }
  const auto array = py::array::ensure(value);
  if (!array) PyErr_Clear();
  if (array && array.ndim() == 1 && content == "vector3") return vector3From(value, "value", Accept::any);
  if (array && array.ndim() == 1) return vectorFrom(value, "value", -1, Accept::any);
  if (array && array.ndim() == 2) {
    const auto rows = rowsFrom(value, "value");
    return Eigen::MatrixXd(Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
        rows.data(), rows.shape(0), rows.shape(1)));
  }
  throw py::type_error("value: expected an array, a trajectory, a RigidTransform, a Geometry or a Robot, found " +
                       shapeText(value));
}

/// Columns by name; those that are not all numbers as lists of texts.
py::dict tableDict(logs::LogTable&& table) {
  py::dict result;
  for (logs::LogColumn& column : table.columns) {
    if (column.texts.empty())
      result[py::str(column.name)] = arrayOf(column.numbers);
    else
      result[py::str(column.name)] = py::cast(column.texts);
  }
  return result;
}

/// A log, or None where the file is none. `wanted`: it is one, whatever its name.
py::object logFrom(const std::string& file, bool wanted) {
  const std::string extension = std::filesystem::path(file).extension().string();
  if (extension == ".mcap") {
    std::vector<logs::LogTable> tables;
    withLoader({}, [&](FormatLoader& loader, Diagnostics&) { tables = logs::readLogTables(loader.find(file, {})); });
    py::dict result;
    for (logs::LogTable& table : tables) {
      const py::str topic(table.topic);
      result[topic] = tableDict(std::move(table));
    }
    return result;
  }
  if (extension != ".csv" && !wanted) return py::none();
  logs::LogTable table;
  withLoader({}, [&](FormatLoader& loader, Diagnostics&) { table = logs::readCsvTable(loader.find(file, {})); });
  return tableDict(std::move(table));
}

void bindResources(py::module_& m) {
  bindTrajectories(m);
  define(
      m, "load",
      [](py::handle path, py::handle content) {
        const std::string file = pathFrom(path),
                          wanted = content.is_none() ? std::string() : textFrom(content, "content");
        if (wanted.empty() || wanted == "log")
          if (py::object log = logFrom(file, wanted == "log"); !log.is_none()) return log;
        Resource resource;
        withLoader("'" + file + "' cannot be used", [&](FormatLoader& loader, Diagnostics& diagnostics) {
          const std::string found = loader.find(file, {});
          std::optional<FileContent> kind = wanted.empty() ? loader.contentOf(found) : contentFromName(wanted);
          if (!kind) {
            if (!wanted.empty())
              throw Error("there is no kind of content '" + wanted + "'", {},
                          "such as robot, trajectory, configuration, geometry");
            loader.formatOf(found, FileContent::library, {});  // Throws with what would work.
            kind = FileContent::library;
          }
          resource = loader.load(*kind, file, {}, diagnostics);
        });
        return toPython(std::move(resource));
      },
      py::arg("path"), py::arg("content") = py::none(),
      "load(path: PathLike, content: str | None = None) -> Any\n\nWhat a file holds, in any format that a plugin "
      "reads: an array (configurations, vectors, matrices), a list of them, a Trajectory, HermiteTrajectory or "
      "MultiPath, a RigidTransform, a Geometry, a Robot, a World; goals, contacts, holds and grasps as dicts; "
      "libraries as a list of (name, value). Logs of runs: of CSV a dict of columns, arrays (rows,) by name; of MCAP a "
      "dict of such dicts by topic, with 'time' (s) and 'tick'. content: the kind, where the file could hold several, "
      "such as 'trajectory', 'geometry' or 'log'.");
  define(
      m, "save",
      [](py::handle path, py::handle value, const std::string& content) {
        const std::string file = pathFrom(path);
        const Resource resource = resourceFrom(value, content);
        withLoader("'" + file + "' cannot be written",
                   [&](FormatLoader& loader, Diagnostics& diagnostics) { loader.write(resource, file, diagnostics); });
      },
      py::arg("path"), py::arg("value"), py::arg("content") = "",
      "save(path: PathLike, value: Any, content: str = '')\n\nWrites an array, a trajectory, a RigidTransform, a "
      "Geometry or a Robot in the format of the extension. content: 'configurations' for lists of configurations, "
      "'vector3'.");
}

}  // namespace mortise::python
