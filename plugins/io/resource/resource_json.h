#pragma once

/// Resources as JSON, by the conventions of Klamp't's C++ resources and of its Python loader.

#include <optional>
#include <string>
#include <string_view>

#include "common/json_file.h"
#include "mortise/base/diagnostics.h"
#include "mortise/base/value.h"
#include "mortise/component/resource.h"

namespace mortise::io {

/// The name of a kind in Klamp't's files ("Config", "IKGoal", ...); empty for kinds that it has no name for.
std::string_view klamptType(FileContent kind);
/// The kind that a type of Klamp't's stands for; nothing for unknown names.
std::optional<FileContent> kindOfKlamptType(std::string_view type);

/// The kind of what a JSON value holds; nothing when it is none of ours.
std::optional<FileContent> jsonKind(const JsonValue& value);

/// Reads a value as `jsonKind` says. Throws `Error` with the position.
Resource readJsonResource(const JsonFile& file, const JsonValue& value, Diagnostics& diagnostics);

/// The value as Klamp't's Python reads it: bare lists for configurations and transforms, objects for the rest. `named`
/// asks for an object with a type in any case, as items of libraries need. Throws `Error` for kinds without a form.
Value jsonValue(const Resource& resource, bool named, Diagnostics& diagnostics);

}  // namespace mortise::io
