#pragma once

/// Substitutions: values that simulations, plans and stages compute with in place of what files and options say, or
/// where they say nothing.

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
  motion,           ///< A body moves farther in a step than its engine can follow.
  motors,           ///< Limits or models of motors have no effect, or another one.
  recordingRate,    ///< Logs have rows at another rate.
  state,            ///< A part taken of a saved state, or one of two starts.
  component,        ///< A component says that it does something else than it was asked for.
  // Of plans and motions.
  constraints,    ///< A start or goal that violates constraints is moved onto them.
  friction,       ///< Contacts without friction get some.
  accelerations,  ///< Nothing limits accelerations, and a motion takes some limits.
  clearance,      ///< An optimization keeps a larger distance than its own setting says.
  ikStart         ///< Inverse kinematics does not begin at its start, which lies outside of limits.
};
constexpr int kNumSubstitutionKinds = 17;
constexpr int kNumSimulationSubstitutions = 12;            ///< The first ones, of simulations.
std::string_view substitutionName(SubstitutionKind kind);  ///< "mass", ..., "backend_settings", "adaptive_steps".
/// The weight of a substitution for who asked.
enum class SubstitutionWeight : std::uint8_t {
  byDefault,  ///< Fills in what nobody gave, by a documented default: said with --verbose.
  repair,     ///< Without it no engine could simulate the world: said.
  override    ///< Falls short of what somebody asked for: a warning.
};
SubstitutionWeight weightOf(SubstitutionKind kind);

struct Substitution {
  SubstitutionKind kind = SubstitutionKind::mass;
  std::string subject;  ///< The body or setting that it is about; may be empty.
  std::string text;     ///< A full sentence without its period.
};

/// One message a kind: the first of its kind, and how many more there are.
void writeSubstitutions(std::span<const Substitution> list, LogSink& log);
/// Throws `DiagnosticsError` with all that are no mere defaults, if there are any: what --strict asks for.
void refuseSubstitutions(std::span<const Substitution> list);
/// For the record of a run: by the name of their kind, lists of texts.
Value substitutionsValue(std::span<const Substitution> list);

/// A log that takes in what is substituted while something runs: says it, keeps it for the record, and, where it is
/// strict, refuses it. Everything else that is written goes on as it is.
class SubstitutionRecord final : public LogSink {
 public:
  /// `log` outlives the record.
  SubstitutionRecord(LogSink& log, bool strict) : log_(log), strict_(strict) {}
  ~SubstitutionRecord() override;

  void write(LogLevel level, std::string_view source, std::string_view message) override;
  /// Adds a substitution as `add` does; false for a kind that there is not.
  bool keepSubstitution(std::string_view kind, std::string_view subject, std::string_view text) override;
  /// Reports what is known before anything runs, all at once: one message a kind. Strict: throws `DiagnosticsError`
  /// with all.
  void begin(std::span<const Substitution> list);
  /// Without a message, and never refused.
  void keep(std::span<const Substitution> list);
  /// Strict: throws `Error` for anything that is no mere default. Components are not thrown at, who may speak from
  /// anywhere; what they say is refused by who asks `refused` next. It is said each time; of messages that differ in
  /// names and numbers only, the first is kept.
  void add(const Substitution& substitution);

  /// Strict: the first that is to be refused; else empty.
  const std::string& refused() const { return refused_; }
  void throwIfRefused() const;
  Value value() const;  ///< `substitutionsValue`; null where there are none.

 private:
  struct Kept {
    Substitution substitution;
    std::string shape;  ///< Shape of the sentence; empty: it is kept for itself.
    int more = 0;       ///< Others of the same shape.
  };
  LogSink& log_;
  bool strict_;
  std::vector<Kept> kept_;
  std::string refused_;
};

/// Adds it to the record that the log is; where it is none, says it.
void substitute(LogSink& log, const Substitution& substitution);

}  // namespace mortise
