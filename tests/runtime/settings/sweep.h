#pragma once

/// Changes every declared setting of something away from its default, one at a time, and demands another outcome, or a
/// remark that says why there is none.

#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "mortise/base/value_text.h"
#include "tests/runtime/settings/support.h"

namespace mortise::test {

/// Knowledge of a setting beyond its schema. All are YAML; empty: nothing.
struct SettingRemark {
  std::string value = {};    ///< A value to try, for settings whose schema names none that does something.
  std::string with = {};     ///< Other settings, a map, without which this one has nothing to act on; those
                             ///< that the schema does not have are left out.
  std::string nothing = {};  ///< Why nothing changes: a sentence.
};

/// By "Component.setting", or by "*.setting" for one that many components have.
using SettingRemarks = std::map<std::string, SettingRemark>;

inline const SettingRemark* remarkOf(const SettingRemarks& remarks, const std::string& of, const std::string& setting) {
  for (const std::string& key : {of + "." + setting, "*." + setting})
    if (const auto found = remarks.find(key); found != remarks.end()) return &found->second;
  return nullptr;
}

struct SweepCount {
  int swept = 0, remarked = 0;
};

/// Outcomes of settings in one of several scenes, as text; "refused: ..." where there is none.
using Outcome = std::function<std::string(const Value& settings, int scene)>;

/// Every setting of the schema in scenes 0, 1, ... until one shows a difference.
inline SweepCount sweepSettings(const std::string& of, const Schema& schema, const Value& base,
                                const SettingRemarks& remarks, int scenes, const Outcome& outcome) {
  SweepCount count;
  std::map<std::string, std::string> usual;  // By what goes with a setting, and the scene.
  for (const Parameter& parameter : schema.parameters()) {
    ++count.swept;
    const SettingRemark* remark = remarkOf(remarks, of, parameter.name);
    if (remark != nullptr && !remark->nothing.empty()) {
      ++count.remarked;
      continue;
    }
    Value start = base;
    if (remark != nullptr && !remark->with.empty()) {
      const Value with = parseYaml(remark->with, "with");
      for (const auto& entry : with.entries())
        if (schema.find(entry.key) != nullptr || schema.otherKeysAllowed()) start.set(entry.key, entry.value);
    }
    std::vector<Value> values = otherValues(parameter);
    if (remark != nullptr && !remark->value.empty())
      values = {parseYaml(remark->value, "value")};
    else if (const Value* chosen = start.find(parameter.name); chosen != nullptr && chosen->isBool())
      values = {Value(!chosen->asBool())};
    bool does = false;
    std::string last;
    for (int scene = 0; scene < scenes && !does; ++scene) {
      std::string& before = usual[(remark == nullptr ? std::string() : remark->with) + " " + std::to_string(scene)];
      if (before.empty()) before = outcome(start, scene);
      last = before;
      if (before.empty() || before.starts_with("refused")) continue;  // Not a scene for this setting.
      for (const Value& value : values) {
        Value settings = start;
        settings.set(parameter.name, value);
        last = outcome(settings, scene);
        does = last != before && !last.starts_with("refused");
        if (does) break;
      }
    }
    EXPECT_TRUE(does) << of << "." << parameter.name << " changes nothing: make it work, or add a remark\n"
                      << values.size() << " values; the last gave " << last.substr(0, 400);
  }
  return count;
}

/// A remark about what does not exist says nothing, and a reason is a sentence.
inline void expectRemarksOfSettings(const SettingRemarks& remarks,
                                    const std::function<std::vector<const Schema*>(const std::string&)>& schemas) {
  for (const auto& [name, remark] : remarks) {
    const std::size_t dot = name.rfind('.');
    bool found = false;
    const std::vector<const Schema*> all = schemas(name.substr(0, dot));
    for (const Schema* schema : all) found = found || schema->find(name.substr(dot + 1)) != nullptr;
    EXPECT_TRUE(found || all.empty()) << name << " is no setting";
    if (!remark.nothing.empty()) {
      EXPECT_TRUE(remark.nothing.ends_with('.')) << name;
    }
  }
}

/// Schemas of the components of a kind whose names end with `name`, or of all of them for "*".
inline std::vector<const Schema*> schemasOf(Kind kind, const std::string& name) {
  std::vector<const Schema*> all;
  for (const ComponentInfo& info : settingsRegistry().components())
    if (info.kind == kind && (name == "*" || info.name == name)) all.push_back(&info.schema);
  return all;
}

inline void reportCount(const char* what, const SweepCount& count) {
  testing::Test::RecordProperty(
      what, std::to_string(count.swept) + " settings, " + std::to_string(count.remarked) + " with a remark");
}

}  // namespace mortise::test
