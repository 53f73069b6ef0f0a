#include "mortise/simulation/scene/substitution.h"

#include <algorithm>
#include <array>

#include "mortise/base/diagnostics.h"
#include "mortise/base/error.h"
#include "mortise/text/message_shape.h"

namespace mortise {

namespace {

constexpr std::array<std::string_view, kNumSubstitutionKinds> kSubstitutionNames = {
    "mass",          "inertia",   "padding",        "backend", "backend_settings", "contacts",    "adaptive_steps",
    "motion",        "motors",    "recording_rate", "state",   "component",        "constraints", "friction",
    "accelerations", "clearance", "ik_start"};

std::string sentence(const Substitution& substitution) {
  return (substitution.subject.empty() ? "" : substitution.subject + ": ") + substitution.text;
}

constexpr LogLevel kLevels[] = {LogLevel::debug, LogLevel::info, LogLevel::warning};  // By weight.

LogLevel levelOf(SubstitutionKind kind) { return kLevels[static_cast<std::size_t>(weightOf(kind))]; }

/// Components speak for themselves.
void say(const Substitution& each, LogSink& log) {
  if (each.kind == SubstitutionKind::component)
    log.write(levelOf(each.kind), each.subject, each.text);
  else
    log.write(levelOf(each.kind), static_cast<int>(each.kind) < kNumSimulationSubstitutions ? "simulation" : "plan",
              sentence(each));
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
    case SubstitutionKind::motors:
    case SubstitutionKind::recordingRate:
    case SubstitutionKind::state:
    case SubstitutionKind::component:
    case SubstitutionKind::constraints:
    case SubstitutionKind::friction:
    case SubstitutionKind::accelerations:
    case SubstitutionKind::clearance:
    case SubstitutionKind::ikStart:
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
    log.write(levelOf(kind), "simulation", text);
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

SubstitutionRecord::~SubstitutionRecord() = default;

void SubstitutionRecord::write(LogLevel level, std::string_view source, std::string_view message) {
  log_.write(level, source, message);
}

bool SubstitutionRecord::keepSubstitution(std::string_view kind, std::string_view subject, std::string_view text) {
  const auto known = std::find(kSubstitutionNames.begin(), kSubstitutionNames.end(), kind);
  if (known == kSubstitutionNames.end()) return false;
  add({static_cast<SubstitutionKind>(known - kSubstitutionNames.begin()), std::string(subject), std::string(text)});
  return true;
}

void SubstitutionRecord::begin(std::span<const Substitution> list) {
  keep(list);
  if (strict_) refuseSubstitutions(list);
  writeSubstitutions(list, log_);
}

void SubstitutionRecord::keep(std::span<const Substitution> list) {
  for (const Substitution& each : list) kept_.push_back({each, {}});
}

void SubstitutionRecord::add(const Substitution& substitution) {
  const std::string said = sentence(substitution);
  std::string shape = messageShape(said);
  const auto same = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) {
    return kept.substitution.kind == substitution.kind && kept.shape == shape;
  });
  const bool isNew = same == kept_.end();
  if (isNew)
    kept_.push_back({substitution, std::move(shape)});
  else
    ++same->more;
  if (strict_ && weightOf(substitution.kind) != SubstitutionWeight::byDefault) {
    if (refused_.empty()) refused_ = said;
    if (substitution.kind != SubstitutionKind::component) throwIfRefused();
  }
  if (isNew || substitution.kind == SubstitutionKind::component) say(substitution, log_);
}

void SubstitutionRecord::throwIfRefused() const {
  if (!refused_.empty()) throw Error("strict: " + refused_, {}, "ask for what is there, or run without --strict");
}

Value SubstitutionRecord::value() const {
  if (kept_.empty()) return {};
  std::vector<Substitution> list;
  for (const Kept& kept : kept_) {
    list.push_back(kept.substitution);
    if (kept.more > 0) list.back().text += " (and " + std::to_string(kept.more) + " more like it)";
  }
  return substitutionsValue(list);
}

void substitute(LogSink& log, const Substitution& substitution) {
  if (!log.keepSubstitution(substitutionName(substitution.kind), substitution.subject, substitution.text))
    say(substitution, log);
}

}  // namespace mortise
