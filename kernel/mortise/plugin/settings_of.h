#pragma once

namespace mortise {

/// Stands for a settings struct where its schema is asked for: `schemaOf(SettingsOf<S>(), defaults)` is found by
/// argument-dependent lookup, in whatever library binds settings structs (Mortise's is `mortise/settings/settings.h`).
template <typename S>
struct SettingsOf {};

}  // namespace mortise
