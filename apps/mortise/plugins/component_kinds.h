#pragma once

/// Texts and settings that components of a kind have in common, for the pages that explain them.

#include <string>
#include <vector>

#include "mortise/base/schema.h"
#include "mortise/plugin/registry.h"

namespace mortise::app {

/// The names of all kinds: "physics", "controller", ...
std::vector<std::string> kindNames();
/// The kind that an option names. Throws `UsageError` that lists the kinds.
Kind parseKind(const std::string& name);
/// "Controllers": for headings and sentences.
std::string kindPlural(Kind kind);
/// Returns what they are for, in a sentence or two of Markdown.
std::string kindPurpose(Kind kind);
/// Returns how files name one of them, as Markdown with code blocks; NAME, ROBOT, SETTING and VALUE stand for what they
/// say.
std::string kindUsage(Kind kind);
/// A map with the kind, the name and the aliases of a component, for --json.
Value componentNames(const ComponentInfo& info);
/// Returns what the runtime takes next to a component's own settings ("rate", "enabled", ...); empty for kinds that
/// have none.
Schema runtimeSettings(Kind kind);

}  // namespace mortise::app
