#pragma once

/// The interface of a metric: numbers that are computed from a simulation while it runs, such as the largest tracking
/// error of a robot or the time at which an object fell.

#include <span>
#include <string>

#include "mortise/base/bytes.h"
#include "mortise/component/simulation_view.h"

namespace mortise {

struct MetricSetup {
  const World& world;  ///< Outlives the metric.
  double timeStep;     ///< Physics time step, s.
  int robot = -1;      ///< The robot that the entry names; -1: none.
};

/// A number that a metric computes.
struct MetricColumn {
  std::string name;  ///< Unique within the metric, such as "elbow.max"; empty where it has one number only.
  std::string unit;  ///< As settings have units; empty for a pure number.
};

class Metric {
 public:
  virtual ~Metric();

  /// Once before the first state, and again after a reset. Throws `Error` where the world lacks what is measured.
  virtual void start(const MetricSetup& setup) = 0;
  /// The numbers, the same from `start` on; valid until the next `start`.
  virtual std::span<const MetricColumn> columns() const = 0;
  /// The state at the start, then the state after every step. Must not allocate once it was called.
  virtual void observe(const SimulationView& view) = 0;
  /// The numbers as of the states so far, one a column; NaN where there is none yet.
  virtual void values(std::span<double> out) const = 0;

  /// Everything that later values depend on.
  virtual void save(ByteWriter& out) const;
  virtual void restore(ByteReader& in);
};

}  // namespace mortise
