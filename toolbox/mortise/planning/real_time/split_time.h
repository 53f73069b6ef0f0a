#pragma once

#include "mortise/base/bytes.h"

namespace mortise {

struct SplitTimeOptions {
  enum class Kind {
    constant,  ///< Always `initial`.
    adaptive   ///< Twice as late after a cycle that found nothing, half as late after one that did (Hauser 2012).
  };
  Kind kind = Kind::adaptive;
  double initial = 0.1;        ///< s
  double min = 0.02, max = 2;  ///< s; adaptive.

  /// Throws `Error` for times that make no sense.
  void check() const;
  /// Returns the smallest and the greatest time that there can be.
  double smallest() const;
  double greatest() const;
};

/// The split time of planning while a robot moves: how long after planning begins the new motion begins.
class SplitTime {
 public:
  explicit SplitTime(const SplitTimeOptions& options) : options_(options) {}

  double seconds() const { return seconds_; }
  /// Begins anew.
  void start();
  /// Begins with another target: what made the last one hard to reach says nothing about this one.
  void changeTarget();
  /// Adapts to the result of a cycle.
  void adapt(bool success);

  void save(ByteWriter& out) const { out.put(seconds_); }
  /// Throws `Error` for a time that these options do not allow.
  void restore(ByteReader& in);

 private:
  double first() const;

  SplitTimeOptions options_;
  double seconds_ = 0;
};

}  // namespace mortise
