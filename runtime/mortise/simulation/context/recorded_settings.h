#pragma once

#include <utility>

#include "mortise/settings/settings.h"

namespace mortise {

/// Returns the settings of `S` that are set, by name, and then `others`: what `S` reads again.
template <typename S>
Value recordedSettings(S settings, const Value& others = Value::map()) {
  SettingBinder binder;
  settings.bind(binder);
  const Value all = binder.values();
  Value given = Value::map();
  for (const Value::Entry& entry : all.entries())
    if (!entry.value.isNull()) given.set(entry.key, entry.value);
  for (const Value::Entry& entry : others.entries()) given.set(entry.key, entry.value);
  return given;
}

}  // namespace mortise
