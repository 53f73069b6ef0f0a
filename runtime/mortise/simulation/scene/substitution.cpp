#include "mortise/simulation/scene/substitution.h"

#include <array>

#include "mortise/base/diagnostics.h"

namespace mortise {

namespace {

constexpr std::array<std::string_view, kNumSubstitutionKinds> kSubstitutionNames = {
    "mass", "inertia", "padding", "backend", "backend_settings", "contacts", "adaptive_steps", "motion"};

std::string sentence(const Substitution& substitution) {
  return (substitution.subject.empty() ? "" : substitution.subject + ": ") + substitution.text;
}

}  // namespace

std::string_view substitutionName(SubstitutionKind kind) { return kSubstitutionNames[static_cast<std::size_t>(kind)]; }

SubstitutionWeight weightOf(SubstitutionKind kind) {
  switch (kind) {
    case SubstitutionKind::padding:
    case SubstitutionKind::backend:
      return SubstitutionWeight::byDefault;
    case SubstitutionKind::mass:
    case SubstitutionKind::inertia:
      return SubstitutionWeight::repair;
    case SubstitutionKind::backendSettings:
    case SubstitutionKind::contacts:
    case SubstitutionKind::adaptiveSteps:
    case SubstitutionKind::motion:
      break;
  }
  return SubstitutionWeight::override;
}

void writeSubstitutions(std::span<const Substitution> list, LogSink& log) {
  for (int k = 0; k < kNumSubstitutionKinds; ++k) {
    const auto kind = static_cast<SubstitutionKind>(k);
    const Substitution* first = nullptr;
    int more = -1;
    for (const Substitution& each : list) {
      if (each.kind != kind) continue;
      if (first == nullptr) first = &each;
      ++more;
    }
    if (first == nullptr) continue;
    std::string text = sentence(*first);
    if (more > 0) text += " (and " + std::to_string(more) + " more; the record of the run lists them)";
    constexpr LogLevel kLevels[] = {LogLevel::debug, LogLevel::info, LogLevel::warning};
    log.write(kLevels[static_cast<std::size_t>(weightOf(kind))], "simulation", text);
  }
}

void refuseSubstitutions(std::span<const Substitution> list) {
  Diagnostics problems;
  for (const Substitution& each : list)
    if (weightOf(each.kind) != SubstitutionWeight::byDefault)
      problems.error(sentence(each), {}, "give it in the file, or run without --strict");
  problems.throwIfErrors("strict: the simulation would compute with other values than the files say");
}

Value substitutionsValue(std::span<const Substitution> list) {
  Value value = Value::map();
  for (const Substitution& each : list) {
    const std::string_view name = substitutionName(each.kind);
    if (!value.contains(name)) value.set(name, Value::list());
    value.find(name)->push_back(Value(sentence(each)));
  }
  return value;
}

}  // namespace mortise
