// Results that pickles hold: what one process finds, another one can read.

#include "common/bindings.h"
#include "model/archive.h"
#include "mortise/collision/query.h"
#include "mortise/ik/ik_problem.h"
#include "mortise/mechanics/contact_torques.h"
#include "mortise/mechanics/equilibrium.h"
#include "mortise/mechanics/wrench_space.h"
#include "mortise/motion/multipath.h"
#include "mortise/timing/multipath/multipath_timing.h"
#include "mortise/timing/parabolic_ramp.h"
#include "planning/plan_result.h"

namespace mortise::python {

// Found by the type of their first argument, which is why they are in no unnamed namespace.

static void fields(Archive& a, IKSolution& s) { a(s.solved, s.q, s.residual, s.restarts, s.iterations, s.levels); }

static void fields(Archive& a, ElementId& e) { a(e.part, e.index); }
static void fields(Archive& a, ElementFeature& f) { a(f.kind, f.index); }
static void fields(Archive& a, FeaturePair& p) { a(p.a, p.b); }
static void fields(Archive& a, RayHit& h) { a(h.hit, h.t, h.p_W, h.normal_W, h.element, h.feature); }

static void fields(Archive& a, DistanceResult& d) {
  a(d.found, d.distance, d.p_WA, d.p_WB, d.normal_W, d.elements, d.featureA, d.featureB);
}

static void fields(Archive& a, ParabolicRamp& r) { a(r.x0, r.v0, r.a0, r.t1, r.v, r.t2, r.x1, r.v1, r.a1, r.T); }
static void fields(Archive& a, Equilibrium& e) { a(e.balanced, e.forces_W); }

static void fields(Archive& a, GraspQuality& g) {
  a(g.forceClosure, g.quality, g.upper, g.weakestForce_W, g.weakestTorque_W, g.origin_W, g.length, g.supports);
}

static void fields(Archive& a, ContactTorques& t) {
  a(t.balanced, t.withinLimits, t.torques, t.forces_W, t.utilization, t.largestUtilization, t.largestLink);
}

static void fields(Archive& a, Roadmap::Edge& e) { a(e.a, e.b, e.cost, e.checked); }
static void fields(Archive& a, Roadmap& r) { a(r.configurations, r.edges, r.starts, r.goals); }
static void fields(Archive& a, PlanResult& p) { a(p.path, p.dimension, p.motion, p.report, p.roadmap); }

static void fields(Archive& a, IKGoal& g) {
  a(g.link, g.destination, g.position, g.p_LP, g.p_DP, g.direction_D, g.rotation, g.axis_L, g.axis_D,
    g.rotationVector_DL);
}

static void fields(Archive& a, ContactPoint& c) { a(c.p_WC, c.n_W, c.friction); }
static void fields(Archive& a, Hold& h) { a(h.link, h.contacts, h.goal); }
static void fields(Archive& a, MultiPath::NamedHold& h) { a(h.name, h.hold); }

static void fields(Archive& a, MultiPath::Section& s) {
  a(s.settings, s.milestones, s.times, s.velocities, s.goals, s.holds, s.holdIndices, s.holdNames);
}

static void fields(Archive& a, MultiPath& p) { a(p.settings, p.sections, p.holds); }

static void fields(Archive& a, MultiPathTiming& t) {
  a(t.path, t.motion, t.duration, t.durationBefore, t.peakVelocity, t.peakAcceleration, t.peakTorque, t.peakJerk,
    t.jerkDeviation, t.segments, t.stretch, t.unbounded, t.assumed);
}

namespace {

template <typename... T>
void addPickles() {
  (addPickle<T>(), ...);
}

}  // namespace

void bindPickles() {
  addPickles<IKSolution, RayHit, DistanceResult, ParabolicRamp, Equilibrium, GraspQuality, ContactTorques, PlanResult,
             MultiPath, MultiPathTiming>();
}

}  // namespace mortise::python
