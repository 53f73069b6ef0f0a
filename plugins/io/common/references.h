#pragma once

#include <optional>
#include <string>
#include <utility>

#include "mortise/base/diagnostics.h"

namespace mortise::io {

/// Runs `load`, which reads a file that another file refers to at `where`. An error goes to the diagnostics, with
/// `where` when it has no position of its own. Empty as well when reading added errors.
template <typename Load>
auto loadReference(Diagnostics& diagnostics, const SourcePosition& where, Load load)
    -> std::optional<decltype(load())> {
  const int errorsBefore = diagnostics.errorCount();
  try {
    auto result = load();
    if (diagnostics.errorCount() > errorsBefore) return std::nullopt;
    return std::optional<decltype(load())>(std::move(result));
  } catch (const DiagnosticsError& error) {
    // Readers record what they find before they throw; only add what is new.
    if (diagnostics.errorCount() == errorsBefore)
      for (const Diagnostic& entry : error.list()) diagnostics.add(entry);
  } catch (const Error& error) {
    // A missing file is reported at the place that names it; an unreadable one where it is unreadable.
    const bool precise = error.where().line > 0 || (error.where().known() && error.where().file != where.file);
    diagnostics.error(error.message(), precise ? error.where() : where, error.hint());
  }
  return std::nullopt;
}

/// File name without folder and extension.
std::string stemOf(const std::string& path);

}  // namespace mortise::io
