#include "mortise/viewer/plan_view.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>

#include "mortise/model/robot_state.h"

namespace mortise::viewer {

namespace {

/// Numbers that pages get for a roadmap, at most.
constexpr std::size_t kMaxPoints = 200000;
constexpr std::size_t kMaxTraces = 2;

RigidTransform poseFrom(const VectorXd& full, const Mover& mover) {
  const Vector3d p = full.segment<3>(mover.first), rotation = full.segment<3>(mover.first + 3);
  const double angle = rotation.norm();
  const Vector3d axis = angle > 0 ? Vector3d(rotation / angle) : Vector3d::UnitX();
  return RigidTransform(Eigen::AngleAxisd(angle, axis).toRotationMatrix(), p);
}

void place(const std::vector<Mover>& movers, const VectorXd& full, World& world) {
  for (const Mover& mover : movers) {
    const auto index = static_cast<std::size_t>(mover.index);
    if (mover.kind == Mover::Kind::robot)
      world.robots[index].q = full.segment(mover.first, mover.size);
    else
      world.objects[index].X_WO = poseFrom(full, mover);
  }
}

/// Points whose ways are drawn, by mover and link (-1: an object's origin).
struct Trace {
  Mover mover;
  int link;
};

class Tracer {
 public:
  Tracer(const World& world, const ShownPlan& plan) : world_(world) {
    for (const Mover& mover : plan.movers) {
      if (mover.kind == Mover::Kind::object)
        traces_.push_back({mover, -1});
      else
        addLinks(mover, plan.path);
    }
  }
  std::size_t size() const { return traces_.size(); }

  /// Returns the points of all traces, at a full configuration.
  std::vector<Vector3d> at(const VectorXd& full) const {
    std::vector<Vector3d> points;
    int last = -1;
    std::optional<RobotState> state;
    for (const Trace& trace : traces_) {
      if (trace.link < 0) {
        points.emplace_back(full.segment<3>(trace.mover.first));
        continue;
      }
      const Robot& robot = *world_.robots[static_cast<std::size_t>(trace.mover.index)].robot;
      if (last != trace.mover.index) {
        state.emplace(robot);
        state->q = full.segment(trace.mover.first, trace.mover.size);
        updateFrames(robot, *state);
        last = trace.mover.index;
      }
      points.push_back(state->X_WL[static_cast<std::size_t>(trace.link)].p);
    }
    return points;
  }

 private:
  /// Adds the links, of those that carry no other, that move farthest along the path.
  void addLinks(const Mover& mover, const std::vector<VectorXd>& path) {
    const Robot& robot = *world_.robots[static_cast<std::size_t>(mover.index)].robot;
    const auto links = static_cast<std::size_t>(robot.numLinks());
    std::vector<double> length(links, 0);
    std::vector<bool> outermost(links, true);
    for (int l = 0; l < robot.numLinks(); ++l)
      if (robot.link(l).parent >= 0) outermost[static_cast<std::size_t>(robot.link(l).parent)] = false;
    RobotState state(robot);
    std::vector<RigidTransform> before;
    for (const VectorXd& full : path) {
      state.q = full.segment(mover.first, mover.size);
      updateFrames(robot, state);
      for (std::size_t l = 0; l < links && !before.empty(); ++l) length[l] += (state.X_WL[l].p - before[l].p).norm();
      before.assign(state.X_WL.begin(), state.X_WL.end());
    }
    std::vector<int> chosen;
    for (int l = 0; l < robot.numLinks(); ++l)
      if (outermost[static_cast<std::size_t>(l)] && length[static_cast<std::size_t>(l)] > 1e-6) chosen.push_back(l);
    std::stable_sort(chosen.begin(), chosen.end(), [&](int a, int b) {
      return length[static_cast<std::size_t>(a)] > length[static_cast<std::size_t>(b)];
    });
    chosen.resize(std::min(chosen.size(), kMaxTraces));
    for (const int link : chosen) traces_.push_back({mover, link});
  }

  const World& world_;
  std::vector<Trace> traces_;
};

void append(std::vector<double>& out, const Vector3d& p) { out.insert(out.end(), p.data(), p.data() + 3); }

/// Lines between two whole configurations, each pair of points a piece.
void appendEdge(const Tracer& tracer, const VectorXd& a, const VectorXd& b, int pieces, std::vector<double>& lines) {
  std::vector<Vector3d> before = tracer.at(a);
  for (int i = 1; i <= pieces; ++i) {
    const std::vector<Vector3d> now = tracer.at(a + (b - a) * (static_cast<double>(i) / pieces));
    for (std::size_t t = 0; t < now.size(); ++t) {
      append(lines, before[t]);
      append(lines, now[t]);
    }
    before = now;
  }
}

Value overlay(const std::string& name, const std::string& color, const std::vector<double>& lines,
              const std::vector<double>& points) {
  Value out = Value::map();
  out.set("name", name);
  out.set("color", color);
  out.set("lines", lines);
  out.set("points", points);
  return out;
}

}  // namespace

ShownMotion planMotion(const ShownPlan& plan) {
  if (plan.motion) {
    ShownMotion motion{plan.motion->startTime(), plan.motion->endTime(), {}};
    motion.place = [movers = plan.movers, path = *plan.motion](double time, World& world) {
      VectorXd q = path.configurations.front(), dq = q;
      path.evaluate(time, q, dq);
      place(movers, q, world);
    };
    return motion;
  }
  Trajectory path;
  for (std::size_t i = 0; i < plan.path.size(); ++i) path.times.push_back(static_cast<double>(i));
  path.configurations = plan.path;
  ShownMotion motion{path.startTime(), path.endTime(), {}};
  motion.place = [movers = plan.movers, path = std::move(path)](double time, World& world) {
    VectorXd q = path.configurations.front(), dq = q;
    path.evaluate(time, q, dq);
    place(movers, q, world);
  };
  return motion;
}

Value planOverlays(const World& world, const ShownPlan& plan) {
  const Tracer tracer(world, plan);
  Value list = Value::list();
  if (tracer.size() == 0) return list;
  if (plan.roadmap) {
    const Roadmap& roadmap = *plan.roadmap;
    const std::size_t numbers = 6 * tracer.size() * std::max<std::size_t>(roadmap.edges.size(), 1);
    const int pieces = static_cast<int>(std::clamp<std::size_t>(kMaxPoints / numbers, 1, 6));
    std::vector<double> lines, points;
    for (const Roadmap::Edge& edge : roadmap.edges) {
      if (lines.size() > 6 * kMaxPoints) break;
      appendEdge(tracer, roadmap.configurations[static_cast<std::size_t>(edge.a)],
                 roadmap.configurations[static_cast<std::size_t>(edge.b)], pieces, lines);
    }
    for (const VectorXd& q : roadmap.configurations) {
      if (points.size() > kMaxPoints) break;
      for (const Vector3d& p : tracer.at(q)) append(points, p);
    }
    list.push_back(overlay("roadmap", "#7f7f7f", lines, points));
  }
  std::vector<double> lines, points;
  for (std::size_t i = 0; i < plan.path.size(); ++i) {
    for (const Vector3d& p : tracer.at(plan.path[i])) append(points, p);
    if (i > 0) appendEdge(tracer, plan.path[i - 1], plan.path[i], 16, lines);
  }
  list.push_back(overlay("path", "#1f77b4", lines, points));
  return list;
}

}  // namespace mortise::viewer
