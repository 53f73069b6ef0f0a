#include "robotsim/planning/direct_space.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

#include "common/define.h"
#include "mortise/collision/edge_subdivision.h"
#include "mortise/math/constants.h"

namespace mortise::robotsim {

namespace {

enum : std::size_t { kLimits, kPose, kSelf, kFirstBody };
using Clock = std::chrono::steady_clock;

/// An item of a list in Python.
py::object itemOf(const py::object& list, Py_ssize_t i) {
  auto item = py::reinterpret_steal<py::object>(PySequence_GetItem(list.ptr(), i));
  if (!item) throw py::error_already_set();
  return item;
}

ShapePtr shapeOf(const py::object& entry) { return itemOf(entry, 1).attr("_shape").cast<ShapePtr>(); }

bool equal(const VectorXd& a, const VectorXd& b) { return a.size() == b.size() && a == b; }

double uniform(const py::object& random, double a, double b) {
  const py::object drawn = random();
  return a + (b - a) * PyFloat_AsDouble(drawn.ptr());
}

}  // namespace

DirectSpace::DirectSpace(Parts parts) : parts_(std::move(parts)) {
  if (parts_.tests.size() < kFirstBody) throw py::value_error("the tests of the space are not those of a RobotCSpace");
  for (const py::object& test : parts_.tests) {
    if (!py::isinstance<RobotTest>(test)) throw py::value_error("a test of the space is not one of a RobotCSpace");
    tests_.push_back(&python::objectOf<RobotTest>(test.ptr()));
  }
  if (tests_[kLimits]->bounds() == nullptr) throw py::value_error("the first test of the space is not that of limits");
  if (parts_.samples) random_ = py::module_::import("random").attr("random");
  failed_.assign(parts_.tests.size(), 0);
}

bool DirectSpace::refresh() {
  tests_[kLimits]->refresh();
  const RobotTest::Bounds& bounds = *tests_[kLimits]->bounds();
  bool same = equal(bounds.low, low_) && equal(bounds.high, high_);
  low_ = bounds.low;
  high_ = bounds.high;
  requireSize(low_, parts_.robot->numLinks(), "the list of bounds");
  VectorXd rest = rest_;
  std::vector<int> mapping = mapping_;
  if (const py::object embedded = parts_.embedded.is_none() ? py::none() : parts_.embedded(); !embedded.is_none()) {
    mapping = embedded.attr("mapping").cast<std::vector<int>>();
    rest = embedded.attr("xinit").cast<Reals>().v;
    requireSize(rest, parts_.robot->numLinks(), "the configuration of links that do not move");
    for (const int link : mapping) parts_.robot->requireLink(link);
  }
  same = same && mapping == mapping_ && equal(rest, rest_);
  mapping_ = std::move(mapping);
  rest_ = std::move(rest);
  if (!parts_.collider.is_none()) readCollider();
  usable_ = readShapes();
  if (!usable_) return false;
  if (changed_) {
    rebuild();
    same = false;
  }
  for (const Body& body : bodies_)
    if (body.id >= 0) {
      const RigidTransform& X = state_->pose(body.id);
      if (X.p == body.seen.shape->X.p && X.R == body.seen.shape->X.R) continue;
      state_->setPose(body.id, body.seen.shape->X);
      same = false;
    }
  if (!same) free_.clear();
  return true;
}

/// Bodies, and which links they are tested with.
void DirectSpace::readCollider() {
  const py::object collider = parts_.collider, entries = collider.attr("geomList"), masks = collider.attr("mask");
  const py::object links = itemOf(collider.attr("robots"), parts_.index);
  std::size_t next = 0;
  for (const char* kind : {"rigidObjects", "terrains"}) {
    const py::object list = collider.attr(kind);
    const auto count = static_cast<Py_ssize_t>(py::len(list));
    for (Py_ssize_t i = 0; i < count; ++i, ++next) {
      if (next == bodies_.size()) bodies_.emplace_back();
      Body& body = bodies_[next];
      const py::object number = itemOf(list, i);
      const auto at = number.cast<Py_ssize_t>();
      const py::object entry = at < 0 ? py::object() : itemOf(entries, at);
      if (body.number && entry.is(body.entry) && at == body.number.cast<Py_ssize_t>()) continue;
      body.entry = entry;
      body.number = number;
      body.seen = {at < 0 ? nullptr : shapeOf(entry), -1};
      changed_ = true;
    }
  }
  if (next != bodies_.size()) changed_ = true;
  bodies_.resize(next);
  const auto n = static_cast<Py_ssize_t>(parts_.robot->numLinks());
  std::vector<char> pairs(static_cast<std::size_t>(n) * bodies_.size(), 0);
  for (Py_ssize_t link = 0; link < n; ++link) {
    const auto at = itemOf(links, link).cast<Py_ssize_t>();
    if (at < 0) continue;
    const py::object mask = itemOf(masks, at);
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      if (!bodies_[k].entry) continue;
      const int tested = PySequence_Contains(mask.ptr(), bodies_[k].number.ptr());
      if (tested < 0) throw py::error_already_set();
      pairs[static_cast<std::size_t>(link) * bodies_.size() + k] = static_cast<char>(tested);
    }
  }
  if (pairs != pairs_) changed_ = true;
  pairs_ = std::move(pairs);
}

/// Says whether the shapes are those that the bodies and links have.
bool DirectSpace::readShapes() {
  if (tests_.size() != kFirstBody + bodies_.size()) return false;
  const RobotPtr& robot = parts_.robot->robot();
  if (robot != robot_) changed_ = true;
  robot_ = robot;
  const auto n = static_cast<std::size_t>(parts_.robot->numLinks());
  links_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const ShapePtr& shape = parts_.robot->shape(static_cast<int>(i));
    if (links_[i].shape == shape && links_[i].version == shape->version()) continue;
    links_[i] = {shape, shape->version()};
    changed_ = true;
  }
  for (Body& body : bodies_)
    if (body.seen.shape && body.seen.version != body.seen.shape->version()) {
      body.seen.version = body.seen.shape->version();
      changed_ = true;
    }
  if (!changed_ || parts_.collider.is_none()) return true;
  const py::object entries = parts_.collider.attr("geomList"),
                   links = itemOf(parts_.collider.attr("robots"), parts_.index);
  for (std::size_t i = 0; i < n; ++i) {
    const auto at = itemOf(links, static_cast<Py_ssize_t>(i)).cast<Py_ssize_t>();
    if (at >= 0 && shapeOf(itemOf(entries, at)) != links_[i].shape) return false;
  }
  return true;
}

/// A world of the robot and the bodies, and the pairs that are tested.
void DirectSpace::rebuild() {
  auto world = std::make_shared<World>();
  WorldRobot placed;
  placed.name = parts_.robot->name;
  placed.robot = parts_.robot->completeRobot();
  placed.q = parts_.robot->q();
  placed.dq = VectorXd::Zero(placed.q.size());
  world->robots.push_back(std::move(placed));
  WorldColliderOptions options;
  for (const Seen& link : links_)
    if (!link.shape->empty()) options.prepared.push_back(link.shape->prepared());
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    Body& body = bodies_[k];
    body.id = -1;
    bool tested = false;
    for (std::size_t i = 0; i < links_.size(); ++i) tested = tested || pairs_[i * bodies_.size() + k] != 0;
    if (!tested || !body.seen.shape || body.seen.shape->empty()) continue;
    RigidObject object;
    object.name = "body " + std::to_string(world->objects.size());
    object.geometry = body.seen.shape->geometry();
    object.X_WO = body.seen.shape->X;
    body.id = world->objectId(static_cast<int>(world->objects.size()));
    world->objects.push_back(std::move(object));
    options.prepared.push_back(body.seen.shape->prepared());
  }
  const WorldCollider full(world, options);
  PairTable pairs(full.numIds());
  for (const auto& [a, b] : parts_.robot->description().selfCollisionPairs)
    if (a != b) pairs.set(world->linkId(0, a), world->linkId(0, b), true);
  for (std::size_t i = 0; i < links_.size(); ++i)
    for (std::size_t k = 0; k < bodies_.size(); ++k)
      if (bodies_[k].id >= 0 && pairs_[i * bodies_.size() + k] != 0)
        pairs.set(world->linkId(0, static_cast<int>(i)), bodies_[k].id, true);
  state_.emplace(std::make_shared<const WorldCollider>(full.withPairs(pairs)));
  own_ = state_->selection(IdFilter::robots(0));
  everything_ = state_->selection(IdFilter::everything());
  changed_ = false;
}

void DirectSpace::lift(const VectorXd& q, VectorXd& full) const {
  if (mapping_.empty()) {
    full = q;
    return;
  }
  full = rest_;
  for (std::size_t k = 0; k < mapping_.size(); ++k) full[mapping_[k]] = q[static_cast<Eigen::Index>(k)];
}

void DirectSpace::project(const VectorXd& full, VectorXd& q) const {
  if (mapping_.empty()) {
    q = full;
    return;
  }
  q.resize(static_cast<Eigen::Index>(mapping_.size()));
  for (std::size_t k = 0; k < mapping_.size(); ++k) q[static_cast<Eigen::Index>(k)] = full[mapping_[k]];
}

bool DirectSpace::feasible(const VectorXd& q) {
  lift(q, full_);
  if (!(*tests_[kLimits])(full_) || !full_.allFinite()) return false;
  // Reading the clock takes long beside a test, so one of eight stands for all, and not the first, which finds pairs.
  constexpr std::uint32_t kOneOf = 8;
  const bool timed = asked_++ % kOneOf == 1;
  const auto begin = timed ? Clock::now() : Clock::time_point();
  state_->setConfiguration(0, full_);
  const auto posed = timed ? Clock::now() : Clock::time_point();
  IdPair found;
  const bool hit = state_->anyCollision(own_, everything_, &found);
  if (timed) {
    poseSeconds_ += kOneOf * std::chrono::duration<double>(posed - begin).count();
    collisionSeconds_ += kOneOf * std::chrono::duration<double>(Clock::now() - posed).count();
  }
  posed_ += 1;
  if (!hit) return true;
  std::size_t test = kSelf;
  for (std::size_t k = 0; k < bodies_.size(); ++k)
    if (bodies_[k].id == found.a) test = kFirstBody + k;
  failed_[test] += 1;
  return false;
}

bool DirectSpace::holds(int test, const VectorXd& q) {
  lift(q, full_);
  RobotTest& asked = *tests_.at(static_cast<std::size_t>(test));
  if (usable_) {
    asked.refresh();
    parts_.robot->setConfiguration(full_);
  }
  return asked(full_);
}

bool DirectSpace::visible(const VectorXd& a, const VectorXd& b, double resolution, std::int64_t& configurations) {
  if (free_.contains(a, b)) return true;
  const double length = distance(a, b);
  if (!std::isfinite(length)) return false;
  const bool free = forEdgeFractions(edgeSteps(length, resolution), [&](double u) {
    interpolate(a, b, u, between_);
    ++configurations;
    return feasible(between_);
  });
  if (free) free_.insert(a, b);
  return free;
}

double DirectSpace::distance(const VectorXd& a, const VectorXd& b) const {
  if (mapping_.empty()) return parts_.robot->space().distance(a, b);
  lift(a, fullA_);
  lift(b, fullB_);
  return parts_.robot->space().distance(fullA_, fullB_);
}

void DirectSpace::interpolate(const VectorXd& a, const VectorXd& b, double u, VectorXd& q) const {
  if (mapping_.empty()) {
    parts_.robot->space().interpolate(a, b, u, q);
    return;
  }
  lift(a, fullA_);
  lift(b, fullB_);
  parts_.robot->space().interpolate(fullA_, fullB_, u, fullA_);
  project(fullA_, q);
}

void DirectSpace::sample(VectorXd& q) const {
  full_.resize(low_.size());
  for (Eigen::Index i = 0; i < low_.size(); ++i) full_[i] = uniform(random_, low_[i], high_[i]);
  for (double& x : full_)
    if (std::isnan(x)) x = uniform(random_, 0, kTurn);
  project(full_, q);
}

void DirectSpace::sampleNear(const VectorXd& center, double radius, VectorXd& q) const {
  lift(center, full_);
  for (Eigen::Index i = 0; i < low_.size(); ++i)
    full_[i] = uniform(random_, std::max(low_[i], full_[i] - radius), std::min(high_[i], full_[i] + radius));
  project(full_, q);
}

void DirectSpace::pose(const VectorXd& q) {
  lift(q, full_);
  parts_.robot->setConfiguration(full_);
}

void DirectSpace::count() {
  RobotTest& pose = *tests_[kPose];
  pose.calls += posed_;
  pose.passed += posed_;
  pose.seconds += poseSeconds_;
  // As if they had been asked one after another until one does not hold, and had cost the same.
  double reached = posed_, calls = 0;
  for (std::size_t i = kSelf; i < failed_.size(); ++i) {
    calls += reached;
    reached -= failed_[i];
  }
  reached = posed_;
  for (std::size_t i = kSelf; i < failed_.size(); ++i) {
    RobotTest& test = *tests_[i];
    test.calls += reached;
    test.passed += reached - failed_[i];
    if (calls > 0) test.seconds += collisionSeconds_ * reached / calls;
    reached -= failed_[i];
  }
  posed_ = poseSeconds_ = collisionSeconds_ = 0;
  std::fill(failed_.begin(), failed_.end(), 0.0);
}

void bindDirectSpace(py::module_& m) {
  Class<DirectSpace>(m, "DirectSpace", "A RobotCSpace that planners ask without the way through Python.")
      .def(constructor([](const RobotModelPtr& robot, std::vector<py::object> tests, py::object collider, int index,
                          py::object embedded, bool samples) {
             return std::make_unique<DirectSpace>(
                 DirectSpace::Parts{robot, std::move(tests), std::move(collider), index, std::move(embedded), samples});
           }),
           py::arg("robot").none(false), py::arg("tests"), py::arg("collider"), py::arg("index"), py::arg("embedded"),
           py::arg("samples"))
      .def("refresh", &DirectSpace::refresh)
      .def("feasible",
           [](DirectSpace& space, const Reals& q) {
             requireSize(q.v, space.dimension(), "the configuration");
             const bool is = space.feasible(q.v);
             space.pose(q.v);
             space.count();
             return is;
           })
      .def("visible",
           [](DirectSpace& space, const Reals& a, const Reals& b, double resolution) {
             requireSize(a.v, space.dimension(), "the first configuration");
             requireSize(b.v, space.dimension(), "the second configuration");
             std::int64_t configurations = 0;
             const bool is = space.visible(a.v, b.v, resolution, configurations);
             space.count();
             return is;
           })
      .def_property_readonly("samples", &DirectSpace::samples)
      .def_property_readonly("tests", &DirectSpace::tests);
}

}  // namespace mortise::robotsim
