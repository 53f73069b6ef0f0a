#include "mortise/settings/permissions.h"

#include <atomic>

#include "mortise/settings/output_path.h"

namespace mortise {

namespace {

std::atomic<bool> onlyChecks = false;

}  // namespace

void checkOnly(bool only) { onlyChecks = only; }

Permissions permissionsOf(Origin origin) {
  Permissions permissions;
  const bool users = origin == Origin::commandLine;
  permissions.writesAnywhere = users || (outputOutsideAllowed() && origin != Origin::log);
  permissions.runs = users || (!onlyChecks && origin != Origin::log);
  permissions.readsStreams = users;
  return permissions;
}

std::string_view originName(Origin origin) {
  switch (origin) {
    case Origin::unknown:
      return "a file";
    case Origin::commandLine:
      return "the command line";
    case Origin::pipeline:
      return "the pipeline";
    case Origin::world:
      return "a world";
    case Origin::robot:
      return "a robot";
    case Origin::lock:
      return "the lock file";
    case Origin::log:
      return "the record of an earlier run";
  }
  return "a file";
}

SourcePosition onCommandLine(std::string option, std::string path) {
  SourcePosition where;
  where.file = std::move(option);
  where.path = std::move(path);
  where.origin = Origin::commandLine;
  return where;
}

void setOrigin(Value& value, Origin origin) {
  if (value.position().origin == Origin::unknown) {
    SourcePosition place = value.position();
    place.origin = origin;
    value.setPosition(std::move(place));
  }
  for (Value& item : value.items()) setOrigin(item, origin);
  for (Value::Entry& entry : value.entries()) {
    if (entry.keyPosition.origin == Origin::unknown) entry.keyPosition.origin = origin;
    setOrigin(entry.value, origin);
  }
}

}  // namespace mortise
