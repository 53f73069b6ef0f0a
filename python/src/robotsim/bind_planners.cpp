#include "common/define.h"
#include "common/environment.h"
#include "common/values.h"
#include "mortise/base/error.h"
#include "mortise/planning/goals/goals.h"
#include "mortise/planning/planning_run.h"
#include "mortise/planning/request/required_planner.h"
#include "mortise/simulation/components/component_names.h"
#include "mortise/simulation/context/component_host.h"
#include "mortise/text/normalize.h"
#include "mortise/timing/parabolic_ramp.h"
#include "robotsim/bind.h"
#include "robotsim/model/random.h"
#include "robotsim/planning/planning_space.h"

namespace mortise::robotsim {

namespace {

/// Programs give switches as 0 and 1, and whole numbers as 100.0.
Value settingOf(const Parameter& parameter, const Value& value) {
  if (!value.isNumber()) return value;
  const double number = value.asReal();
  if (parameter.type == ParameterType::boolean && (number == 0 || number == 1)) return Value(number == 1);
  if (parameter.type == ParameterType::integer && number == std::floor(number) && std::abs(number) < 1e15)
    return Value(static_cast<std::int64_t>(number));
  return value;
}

/// A name as programs spell it, in one spelling: "RRT*", "rrtstar"; "RRT#", "RRTsharp".
std::string plainName(std::string_view name) {
  std::string plain;
  for (const char c : lowerCase(name)) {
    if (c == '*')
      plain += "star";
    else if (c == '#')
      plain += "sharp";
    else
      plain += c;
  }
  return plain;
}

/// By its name or alias; those of OMPL also as "ompl:NAME" in any case. nullptr: there is none.
const ComponentInfo* plannerNamed(const Registry& registry, const std::string& type) {
  if (const ComponentInfo* info = registry.find(Kind::planner, type)) return info;
  std::string wanted = plainName(type);
  if (wanted.rfind("ompl", 0) != 0 || wanted.size() < 5 || (wanted[4] != ':' && wanted[4] != '.')) return nullptr;
  wanted[4] = '.';
  for (const ComponentInfo& info : registry.components()) {
    if (info.kind != Kind::planner || info.name.rfind("ompl.", 0) != 0) continue;
    if (plainName(info.name) == wanted) return &info;
    for (const std::string& alias : info.aliases)
      if (alias.rfind("ompl:", 0) == 0 && "ompl." + plainName(alias.substr(5)) == wanted) return &info;
  }
  return nullptr;
}

/// Lends functions to a planner while a call lasts, and then counts what it asked.
class Lent {
 public:
  Lent(FunctionsInUse& use, const PlanningFunctions& functions) : use_(use) { use_.functions = &functions; }
  ~Lent() {
    if (use_.functions->full != nullptr) use_.functions->full->count();
    use_.functions = nullptr;
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;

 private:
  FunctionsInUse& use_;
};

/// A planner at work on one problem.
class PlannerModel {
 public:
  PlannerModel(const std::string& type, const py::dict& settings) : environment_(python::environment()) {
    const ComponentInfo* info = plannerNamed(environment_->registry, type);
    if (info == nullptr) refuseUnsolved(type);
    if (info == nullptr)
      throw Error("there is no planner '" + type + "'", {},
                  componentNameHint(environment_->registry, Kind::planner, type));
    Value chosen = Value::map();
    for (const auto& [key, value] : settings) {
      const Parameter* parameter = info->schema.find(py::str(key).cast<std::string>());
      if (parameter != nullptr) chosen.set(parameter->name, settingOf(*parameter, python::valueFrom(value)));
    }
    Diagnostics problems;
    const Value complete = environment_->registry.completeSettings(*info, chosen, problems);
    problems.throwIfErrors("the planner cannot be made");
    host_ =
        std::make_unique<ComponentHost>(type, 0, environment_->log, nullptr, channels_, std::string(), std::string());
    planner_ = environment_->registry.create<Planner>(*info, complete, *host_);
    random_ = RandomStream(sharedRandom().bits(), "planner");
  }

  /// `goal` empty: by the goal's test.
  void start(const PlanningFunctions& functions, ProgramSpace::Options options, std::vector<VectorXd> starts,
             std::vector<VectorXd> goals, bool costs) {
    const Lent lent(use_, functions);
    space_ = std::make_unique<ProgramSpace>(std::move(options), use_);
    if (goals.empty())
      goal_ = std::make_unique<ProgramGoal>(*space_, use_);
    else
      goal_ = std::make_unique<ConfigurationGoal>(*space_, std::move(goals));
    objective_ = costs ? std::make_unique<ProgramObjective>(*space_, use_) : nullptr;
    problem_.emplace(PlanningProblem{*space_, std::move(starts), *goal_, objective_.get()});
    planner_->start(*problem_, random_);
  }

  void plan(const PlanningFunctions& functions, std::int64_t iterations) {
    const Lent lent(use_, functions);
    StopConditions conditions;
    conditions.foundSolution = false;
    conditions.iterations = iterations;
    StopClock stop(conditions, [] { return PyErr_CheckSignals() != 0; });
    outcome_ = planner_->plan(stop);
    iterations_ += stop.iterations();
    if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  }

  py::object path() const {
    if (outcome_.path.empty()) return py::none();
    py::list list;
    for (const VectorXd& q : outcome_.path) list.append(listOf(q));
    return list;
  }

  py::tuple roadmap(const PlanningFunctions& functions) {
    const Lent lent(use_, functions);
    Roadmap map;
    if (!planner_->roadmap(map)) {
      map = {};
      map.configurations = problem_ ? problem_->starts : std::vector<VectorXd>();
    }
    py::list vertices, edges;
    for (const VectorXd& q : map.configurations) vertices.append(listOf(q));
    for (const Roadmap::Edge& edge : map.edges) edges.append(py::make_tuple(edge.a, edge.b));
    return py::make_tuple(vertices, edges);
  }

  py::dict stats() const {
    py::dict result;
    for (const Value::Entry& entry : outcome_.statistics.entries())
      result[py::str(entry.key)] = python::toPython(entry.value);
    result["numIters"] = iterations_;
    result["status"] = std::string(planningStatusName(outcome_.status));
    if (!outcome_.message.empty()) result["message"] = outcome_.message;
    if (space_) {
      result["configurationsChecked"] = space_->counts().configurations;
      result["edgesChecked"] = space_->counts().edges;
    }
    return result;
  }

 private:
  python::EnvironmentPtr environment_;
  ChannelTable channels_;
  std::unique_ptr<ComponentHost> host_;
  FunctionsInUse use_;
  std::unique_ptr<ProgramSpace> space_;
  std::unique_ptr<PlanningGoal> goal_;
  std::unique_ptr<ProgramObjective> objective_;
  std::optional<PlanningProblem> problem_;
  RandomStream random_;
  PlanningOutcome outcome_;
  std::int64_t iterations_ = 0;
  ComponentPtr<Planner> planner_;
};

std::vector<VectorXd> vectorsFrom(const std::vector<Reals>& list) {
  std::vector<VectorXd> result;
  for (const Reals& q : list) result.push_back(q.v);
  return result;
}

void startPlanner(PlannerModel& planner, const PlanningFunctions& f, bool straight, const std::vector<Reals>& starts,
                  const std::vector<Reals>& goals, double resolution, const Reals& low, const Reals& high,
                  double volume) {
  f.refresh();
  ProgramSpace::Options options;
  options.dimension = static_cast<int>(starts.at(0).v.size());
  options.resolution = resolution;
  options.low = low.v;
  options.high = high.v;
  options.volume = volume;
  options.straight = straight;
  for (const auto& [name, test] : f.feasible) options.names.push_back(name);
  if (f.full != nullptr && options.dimension != f.full->dimension())
    throw py::value_error("starts: expected one number a link that moves");
  if (f.robot && options.dimension != f.robot->numLinks())
    throw py::value_error("starts: expected one number a link of the robot");
  planner.start(f, std::move(options), vectorsFrom(starts), vectorsFrom(goals),
                !f.edgeCost.is_none() || !f.terminalCost.is_none());
}

/// Times, positions and velocities at which a ramp changes.
py::tuple knotsOf(const ParabolicRamp& ramp) {
  std::vector<double> times = {0};
  for (const double t : {ramp.t1, ramp.t2, ramp.T})
    if (t > times.back() + 1e-12) times.push_back(t);
  std::vector<double> x, v;
  for (const double t : times) {
    double position = 0, rate = 0, unused = 0;
    if (t >= ramp.T)
      position = ramp.x1, rate = ramp.v1;
    else
      ramp.evaluate(t, position, rate, unused);
    x.push_back(position);
    v.push_back(rate);
  }
  return py::make_tuple(times, x, v);
}

CoordinateLimits limitsFrom(double low, double high, double v, double a) {
  CoordinateLimits limits;
  limits.xMin = low;
  limits.xMax = high;
  limits.vMin = -v;
  limits.vMax = v;
  limits.aMax = a;
  return limits;
}

void bindRamps(py::module_& m) {
  define(m, "minimumTime",
         [](const Reals& x0, const Reals& v0, const Reals& x1, const Reals& v1, const Reals& v, const Reals& a) {
           std::vector<RampEnds> goals;
           std::vector<CoordinateLimits> limits;
           for (Eigen::Index i = 0; i < x0.v.size(); ++i) {
             goals.push_back({x0.v[i], v0.v[i], x1.v[i], v1.v[i]});
             limits.push_back(limitsFrom(-kInfinity, kInfinity, v.v[i], a.v[i]));
           }
           return minimumTime(goals, limits);
         });
  define(m, "rampOfTime",
         [](double x0, double v0, double x1, double v1, double low, double high, double v, double a,
            double T) -> py::object {
           const auto ramp = rampOfTime({x0, v0, x1, v1}, limitsFrom(low, high, v, a), T);
           return ramp ? py::object(knotsOf(*ramp)) : py::object(py::none());
         });
  define(m, "shortestRamp",
         [](double x0, double v0, double x1, double v1, double low, double high, double v, double a) -> py::object {
           const auto ramp = shortestRamp({x0, v0, x1, v1}, limitsFrom(low, high, v, a));
           return ramp ? py::object(knotsOf(*ramp)) : py::object(py::none());
         });
  define(m, "brakingRamp", [](double x0, double v0, double a, double T) {
    return knotsOf(brakingRamp(x0, v0, a, std::max(T, brakingTime(v0, a))));
  });
  define(m, "brakingTime", [](double v0, double a) { return brakingTime(v0, a); });
}

}  // namespace

void bindPlanners(py::module_& m) {
  Class<PlanningFunctions>(m, "PlanningFunctions", "The functions of a space and a planner, by name.")
      .def(constructor([](const py::dict& functions) { return std::make_unique<PlanningFunctions>(functions); }))
      .def("alone", &PlanningFunctions::alone);
  Class<PlannerModel>(m, "Planner", "What stands behind a PlannerInterface.")
      .def(constructor([](const std::string& type, const py::dict& settings) {
        return std::make_unique<PlannerModel>(type, settings);
      }))
      .def("start", &startPlanner)
      .def("plan",
           [](PlannerModel& p, const PlanningFunctions& f, std::int64_t iterations) {
             f.refresh();
             p.plan(f, iterations);
           })
      .def("path", &PlannerModel::path)
      .def("roadmap",
           [](PlannerModel& p, const PlanningFunctions& f) {
             f.refresh();
             return p.roadmap(f);
           })
      .def("stats", &PlannerModel::stats);
  define(m, "plannerSettings", [](const std::string& type) -> py::object {
    const python::EnvironmentPtr environment = python::environment();
    const ComponentInfo* info = plannerNamed(environment->registry, type);
    if (info == nullptr) return py::none();
    py::list names;
    for (const Parameter& parameter : info->schema.parameters()) {
      names.append(parameter.name);
      for (const std::string& alias : parameter.options.aliases) names.append(alias);
    }
    return names;
  });
  bindRobotTests(m);
  bindDirectSpace(m);
  bindRamps(m);
}

}  // namespace mortise::robotsim
