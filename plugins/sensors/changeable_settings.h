#pragma once

#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/base/bytes.h"
#include "mortise/base/value.h"
#include "noise.h"

namespace mortise {

/// The settings of a sensor, and those of them that may change while it runs: numbers such as variances and
/// resolutions. What is registered here is read at once, checked whenever it changes, and saved.
class ChangeableSettings {
 public:
  struct Limits {
    double min = 0;
    bool infinite = false;  ///< Whether infinite numbers are allowed.
  };

  /// `complete`: as the schema completed them. The variables that are registered must outlive this object.
  explicit ChangeableSettings(const Value& complete) : settings_(complete) {}

  void number(std::string name, double& variable, Limits limits);
  void number(std::string name, double& variable) { number(std::move(name), variable, Limits()); }
  void vector(std::string name, Vector3d& variable, Limits limits);
  void vector(std::string name, Vector3d& variable) { vector(std::move(name), variable, Limits()); }
  /// A list whose length `checkCount` judges: it throws `Error` at the position it is given. It may be null until the
  /// length is known; call `checkList` then.
  using CheckCount = std::function<void(std::size_t count, const SourcePosition& where)>;
  void list(std::string name, std::vector<double>& variable, std::vector<std::string> aliases, CheckCount checkCount);
  /// Nine numbers, row by row.
  void covariance(std::string name, CovarianceNoise& variable);

  const Value& at(std::string_view name) const { return settings_.at(name); }

  // What `Sensor` asks for.
  Value values() const { return settings_; }
  bool change(std::string_view name, const Value& value);
  void save(ByteWriter& out) const;
  void restore(ByteReader& in);

 private:
  struct Entry {
    std::string name;
    std::vector<std::string> aliases;
    std::function<std::vector<double>()> get;
    /// Checks, then sets; changes nothing when it throws.
    std::function<void(const std::vector<double>&, const SourcePosition&)> set;
  };
  void add(Entry entry);
  void numbers(std::string name, std::span<double> variables, Limits limits);

  Value settings_;
  std::vector<Entry> entries_;
};

/// Throws `Error` at `where` for a number that is NaN, too small, or infinite where that is not allowed.
void checkNumber(double number, std::string_view name, const ChangeableSettings::Limits& limits,
                 const SourcePosition& where);

}  // namespace mortise
