#pragma once

/// What a simulation computes with in place of what files and options say, or where they say nothing.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mortise/base/log.h"
#include "mortise/base/value.h"

namespace mortise {

enum class SubstitutionKind : std::uint8_t {
  mass,             ///< A body that moves has none.
  inertia,          ///< A body that moves has none, or one that no body can have.
  padding,          ///< Nothing is said of the layer around shapes in which contacts are found.
  backend,          ///< No physics backend is named.
  backendSettings,  ///< Settings of the world belong to another backend than the one that is chosen.
  contacts,         ///< The world asks for contacts that the backend does not take.
  adaptiveSteps,    ///< Steps that were to be divided are not.
  motion            ///< A body moves farther in a step than its engine can follow.
};
constexpr int kNumSubstitutionKinds = 8;
std::string_view substitutionName(SubstitutionKind kind);  ///< "mass", ..., "adaptive_steps", "motion".
/// How much it matters to who asked.
enum class SubstitutionWeight : std::uint8_t {
  byDefault,  ///< Fills in what nobody gave, by a documented default: said with --verbose.
  repair,     ///< Without it no engine could simulate the world: said.
  override    ///< Falls short of what somebody asked for: a warning.
};
SubstitutionWeight weightOf(SubstitutionKind kind);

struct Substitution {
  SubstitutionKind kind = SubstitutionKind::mass;
  std::string subject;  ///< What it is about: a body, a setting; may be empty.
  std::string text;     ///< A full sentence without its period.
};

/// One message a kind: the first of its kind, and how many more there are.
void writeSubstitutions(std::span<const Substitution> list, LogSink& log);
/// Throws `DiagnosticsError` with all that are no mere defaults, if there are any: what --strict asks for.
void refuseSubstitutions(std::span<const Substitution> list);
/// For the record of a run: by the name of their kind, lists of texts.
Value substitutionsValue(std::span<const Substitution> list);

}  // namespace mortise
