#pragma once

/// Settings that every controller, sensor and recorder of a run has beside its own. This is the one declaration of it:
/// entries of pipelines, attributes of world and robot files, dicts of Python and options of commands are read by it.

#include <optional>
#include <string>

#include "mortise/base/diagnostics.h"
#include "mortise/component/kind.h"
#include "mortise/settings/placed.h"
#include "mortise/settings/settings.h"
#include "mortise/simulation/context/simulation_options.h"

namespace mortise {

/// Settings that every component of its kind has, and the component's own.
struct ComponentEntry {
  /// `typeKey`: the key that holds the component's type; empty: the name of the kind, as in pipelines.
  explicit ComponentEntry(Kind kind = Kind::controller, std::string typeKey = {})
      : kind(kind), typeKey(typeKey.empty() ? std::string(kindName(kind)) : std::move(typeKey)) {}

  Kind kind;  ///< controller, sensor or recorder; it decides what there is.
  std::string typeKey;
  PlacedText type, name;
  PlacedTexts record = {{{"robots"}, {"objects"}, {"contacts"}, {"sensors"}}};
  Value robot;
  std::optional<double> rate;  ///< Hz
  OnError onError = OnError::stop;
  bool enabled = true;
  Value estimator;
  bool optional = false;
  Value settings;  ///< The component's own.
  void bind(SettingBinder& b);
};

/// `estimator` of a controller where it is a map: a name, and the estimator's settings.
struct EstimatorEntry {
  PlacedText name;
  Value settings;
  void bind(SettingBinder& b);
};
/// Reads a name or a map; without name where it is neither.
EstimatorEntry estimatorEntry(const Value& given);

/// Reads a map {type: NAME, rate: ..., settings of the component...}, as worlds, robots, Python and commands have it.
/// Problems go to `diagnostics`.
ComponentEntry componentEntry(Kind kind, const Value& given, Diagnostics& diagnostics);

/// The options of a component; `robot`, which names one, is left to the caller.
ComponentOptions componentOptions(const ComponentEntry& entry);
/// Returns the entry that `componentOptions` makes these options of, with the index of the robot, and `type` as the key
/// of the type.
ComponentEntry entryOf(const ComponentOptions& options);

}  // namespace mortise
