#pragma once

#include <string>
#include <vector>

#include "mortise/pipeline/file/pipeline.h"

namespace mortise {

/// The value that one layer of settings gives to a key.
struct SettingLayer {
  std::string name;  ///< "--set", "pipeline", "world", "plugin default", "default"
  Value value;
  bool present = false;  ///< The layer says something.
  bool holds = false;    ///< Its value is the one in force.
  std::string alias;     ///< Under which the layer has it; empty: under its name.
  std::string where;     ///< "file:3:5", empty when unknown.
};

struct SettingExplanation {
  std::string key;  ///< With indices instead of names, and the setting's name instead of an alias.
  /// The name that was asked for, where it is an alias of the setting.
  std::string alias;
  Value value;  ///< The one that holds.
  std::string unit;
  std::string summary;
  std::vector<SettingLayer> layers;                  ///< Strongest first.
  std::vector<std::pair<std::string, Value>> below;  ///< For a map or list: the key and value of everything in it.
};

/// Explains where the value of `key` ("simulation.backend", "components.wrist.rate") comes from. Throws `Error` with
/// the nearest name for a key that no layer knows.
SettingExplanation explainSetting(const Pipeline& pipeline, const Registry& registry, const std::string& key);

}  // namespace mortise
