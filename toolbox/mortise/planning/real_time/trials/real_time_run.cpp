#include "mortise/planning/real_time/trials/real_time_run.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"

namespace mortise {

namespace {

/// Random configurations that are tried for one target.
constexpr int kTargetTries = 10000;

/// {median, p90, p99, largest}; null for none.
Value quantilesOf(std::vector<double> values) {
  if (values.empty()) return Value();
  std::sort(values.begin(), values.end());
  const auto at = [&](double p) {
    return values[std::min(values.size() - 1, static_cast<std::size_t>(p * static_cast<double>(values.size())))];
  };
  Value map = Value::map();
  map.set("median", at(0.5));
  map.set("p90", at(0.9));
  map.set("p99", at(0.99));
  map.set("largest", values.back());
  return map;
}

class Run {
 public:
  Run(std::shared_ptr<const World> world, const RealTimeRunSettings& settings)
      : settings_(settings),
        world_(std::move(world)),
        random_(settings.seed, "real-time targets"),
        robot_(world_, settings.robot, start(), options(settings)),
        audit_(robot_.space(), realTimeCollider(world_), robot_.limits().limits, motions()) {
    for (VectorXd* v : {&q_, &dq_, &ddq_}) v->setZero(robot_.space().dimension());
    robot_.start(start(), 0);
  }

  RealTimeRunResult result() {
    const std::size_t count =
        settings_.given.empty() ? static_cast<std::size_t>(settings_.targets) : settings_.given.size();
    for (std::size_t i = 0; i < count && !stopped(); ++i) {
      const VectorXd target = settings_.given.empty() ? randomTarget() : givenTarget(i);
      robot_.session().setTarget(robot_.configurationTarget(target), now());
      const bool interrupt = random_.uniform() < settings_.interrupt;
      pursue(interrupt ? random_.uniform(settings_.soonest, settings_.latest) : settings_.patience, interrupt);
    }
    robot_.session().setTarget(nullptr, now());
    while (now() < robot_.session().queue().endTime() && !stopped()) tick();
    result_.findings = audit_.findings();
    result_.duration = now();
    result_.report = report();
    return std::move(result_);
  }

 private:
  static RealTimeRobotOptions options(const RealTimeRunSettings& settings) {
    RealTimeRobotOptions options = settings.options;
    options.session.seed = settings.seed;
    return options;
  }
  std::vector<KnownMotion> motions() const {
    std::vector<KnownMotion> all = settings_.options.motions;
    all.insert(all.end(), settings_.unknown.begin(), settings_.unknown.end());
    return all;
  }
  const VectorXd& start() const { return world_->robots.at(static_cast<std::size_t>(settings_.robot)).q; }
  double now() const { return static_cast<double>(ticks_) * settings_.tick; }
  bool stopped() const { return settings_.stopRequested && settings_.stopRequested(); }

  VectorXd randomTarget() {
    VectorXd q;
    std::string reason;
    for (int k = 0; k < kTargetTries; ++k) {
      robot_.space().sample(random_, q);
      if (robot_.canStay(q, now(), &reason)) return q;
    }
    throw Error("no free target in " + std::to_string(kTargetTries) + " random configurations; the last: " + reason);
  }

  VectorXd givenTarget(std::size_t i) {
    VectorXd q;
    robot_.space().reduce(settings_.given[i], q);
    std::string reason;
    if (!robot_.canStay(q, now(), &reason)) throw Error("target " + std::to_string(i + 1) + " is not free: " + reason);
    return q;
  }

  void pursue(double seconds, bool interrupt) {
    const double end = now() + seconds;
    const RealTimeSession& session = robot_.session();
    const auto there = [&] { return session.reaches() && now() >= session.queue().endTime(); };
    while (now() < end && !stopped() && (interrupt || !there())) tick();
    result_.responses.push_back(session.response());
    result_.reached.push_back(there());
    result_.interrupted.push_back(interrupt && !there());
  }

  void tick() {
    RealTimeSession& session = robot_.session();
    session.advance(now());
    const int checks = std::max(settings_.checks, 1);
    for (int k = 0; k < checks; ++k) {
      const double t = (static_cast<double>(ticks_) + static_cast<double>(k) / checks) * settings_.tick;
      session.queue().evaluate(t, q_, dq_, ddq_);
      if (settings_.checks > 0) audit_.observe(t, q_, dq_);
      if (k > 0) continue;
      result_.hash = hashBytes(q_.data(), static_cast<std::size_t>(q_.size()) * sizeof(double), result_.hash);
      result_.motion.times.push_back(t);
      result_.motion.configurations.emplace_back();
      robot_.space().lift(q_, result_.motion.configurations.back());
    }
    ++ticks_;
  }

  Value checkReport() const {
    const MotionAudit::Findings& f = result_.findings;
    Value check = Value::map();
    check.set("valid", f.clean());
    check.set("places", f.places);
    check.set("jumps", f.jumps);
    check.set("beyond_limits", f.beyondLimits);
    check.set("collisions", f.collisions);
    check.set("peak_velocity", f.peakVelocity);
    check.set("peak_acceleration", f.peakAcceleration);
    if (!f.first.empty()) check.set("first", f.first);
    return check;
  }

  Value report() const {
    std::vector<double> responses, arrivals, planning, slowest, loads;
    std::int64_t reached = 0, interrupted = 0, unanswered = 0, cycles = 0, splices = 0, failures = 0, refusals = 0,
                 iterations = 0;
    for (std::size_t i = 0; i < result_.responses.size(); ++i) {
      const RealTimeResponse& r = result_.responses[i];
      if (r.response >= 0)
        responses.push_back(r.response);
      else
        ++unanswered;
      if (r.arrival >= 0) arrivals.push_back(r.arrival);
      if (r.cycles > 0) {
        planning.push_back(r.planningSeconds / r.cycles);
        slowest.push_back(r.slowestCycle);
        loads.push_back(r.largestLoad);
      }
      reached += result_.reached[i];
      interrupted += result_.interrupted[i];
      cycles += r.cycles;
      splices += r.splices;
      failures += r.failures;
      refusals += r.refusals;
      iterations += r.iterations;
    }
    Value map = Value::map();
    map.set("targets", static_cast<std::int64_t>(result_.responses.size()));
    map.set("reached", reached);
    map.set("interrupted", interrupted);
    map.set("unreached", static_cast<std::int64_t>(result_.responses.size()) - reached - interrupted);
    map.set("unanswered", unanswered);
    map.set("response", quantilesOf(std::move(responses)));
    map.set("arrival", quantilesOf(std::move(arrivals)));
    map.set("cycles", cycles);
    map.set("splices", splices);
    map.set("failed_cycles", failures);
    map.set("refused_splices", refusals);
    map.set("iterations", iterations);
    map.set("duration", result_.duration);
    if (settings_.checks > 0) map.set("check", checkReport());
    map.set("planning_time", quantilesOf(std::move(planning)));
    map.set("slowest_cycle", quantilesOf(std::move(slowest)));
    map.set("largest_load", quantilesOf(std::move(loads)));
    map.set("seed", static_cast<std::int64_t>(settings_.seed));
    char hash[17];
    std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(result_.hash));
    map.set("motion_hash", hash);
    return map;
  }

  RealTimeRunSettings settings_;
  std::shared_ptr<const World> world_;
  RandomStream random_;
  RealTimeRobot robot_;
  MotionAudit audit_;
  std::int64_t ticks_ = 0;
  VectorXd q_, dq_, ddq_;
  RealTimeRunResult result_;
};

std::string quantilesText(const Value& q, double scale, const char* unit) {
  if (!q.isMap()) return "none";
  const auto number = [&](const char* key) { return formatReal(scale * q.at(key).asReal(), 3); };
  return "median " + number("median") + unit + ", 90 % within " + number("p90") + unit + ", 99 % within " +
         number("p99") + unit + ", at most " + number("largest") + unit;
}

}  // namespace

RealTimeRunResult runRealTime(std::shared_ptr<const World> world, const RealTimeRunSettings& settings) {
  if (settings.robot < 0 || settings.robot >= static_cast<int>(world->robots.size()))
    throw Error("there is no robot " + std::to_string(settings.robot) + "; the world has " +
                std::to_string(world->robots.size()));
  if (!(settings.tick > 0) || !std::isfinite(settings.tick)) throw Error("the tick must be above 0");
  return Run(std::move(world), settings).result();
}

std::string realTimeReportText(const Value& report) {
  std::ostringstream text;
  const auto count = [&](const char* key) { return std::to_string(report.at(key).asInteger()); };
  text << count("targets") << " targets: " << count("reached") << " reached, " << count("interrupted")
       << " replaced on the way, " << count("unreached") << " not reached in time\n"
       << "response  " << quantilesText(report.at("response"), 1e3, " ms") << "\n"
       << "arrival   " << quantilesText(report.at("arrival"), 1, " s") << "\n"
       << "planning  " << count("cycles") << " cycles, " << count("splices") << " splices, " << count("failed_cycles")
       << " cycles without success, " << count("refused_splices") << " splices refused, " << count("iterations")
       << " iterations\n";
  if (const Value* check = report.find("check")) {
    const auto found = [&](const char* key) { return std::to_string(check->at(key).asInteger()); };
    text << "check     " << found("places") << " places: " << found("jumps") << " jumps, " << found("beyond_limits")
         << " beyond limits, " << found("collisions") << " collisions; peak velocity "
         << formatReal(check->at("peak_velocity").asReal(), 4) << " and acceleration "
         << formatReal(check->at("peak_acceleration").asReal(), 4) << " of the limits\n";
    if (const Value* first = check->find("first")) text << "          " << first->asString() << "\n";
  }
  text << "duration  " << formatReal(report.at("duration").asReal(), 6) << " s, motion "
       << report.at("motion_hash").asString() << "\n";
  return text.str();
}

}  // namespace mortise
