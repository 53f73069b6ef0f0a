#include <sys/resource.h>

#include "command_line/command_line.h"
#include "mortise/base/error.h"
#include "mortise/json/json_writer.h"
#include "mortise/plugin/abi.h"
#include "mortise/plugin/declaration_check.h"
#include "mortise/plugin/library.h"
#include "mortise/plugin/side_car.h"
#include "plugins/plugins_commands.h"

namespace mortise::app {

namespace {

const ComponentInfo* find(const SideCar& sideCar, const ComponentInfo& wanted) {
  for (const auto& info : sideCar.components)
    if (info.kind == wanted.kind && info.name == wanted.name) return &info;
  return nullptr;
}

std::string nameOf(const ComponentInfo& info) { return std::string(kindName(info.kind)) + " '" + info.name + "'"; }

/// Finds where the side-car and the library disagree, although the side-car claims to describe this build.
void compare(const SideCar& written, const SideCar& now, Value& findings) {
  const auto same = [&](const char* what, const std::string& theirs, const std::string& ours) {
    if (theirs != ours)
      findings.push_back("the side-car says " + std::string(what) + " '" + theirs + "', and the library '" + ours +
                         "'");
  };
  same("package", written.package, now.package);
  same("version", written.version, now.version);
  same("license", written.license, now.license);
  for (const auto& info : now.components) {
    const ComponentInfo* other = find(written, info);
    if (other == nullptr)
      findings.push_back("the side-car does not mention " + nameOf(info) + ", which the library offers");
    else if (const std::string differences = descriptionDifferences(*other, info); !differences.empty())
      findings.push_back("the side-car describes " + nameOf(info) + " otherwise than the library does: " + differences);
  }
  for (const auto& info : written.components)
    if (find(now, info) == nullptr)
      findings.push_back("the side-car mentions " + nameOf(info) + ", which the library does not offer");
}

}  // namespace

int pluginsProbe(const Arguments& arguments) {
  CommandLine line("mortise plugins probe", "open a library and report on it, for `mortise plugins doctor`");
  line.positional("LIBRARY", "a plugin library");
  line.positional("SIDECAR", "its side-car manifest", 0);
  if (!line.parse(arguments)) return 0;

  // A crash is an answer here; it need not leave a core file behind.
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);

  const SideCar now = describe(Library::open(line.positionals()[0]));
  Value findings = Value::list();
  for (const auto& info : now.components) {
    const std::string differences = compareInterfaces(info.kind, interfaceVersion(info.kind), info.interface);
    if (!differences.empty()) findings.push_back(nameOf(info) + " cannot be used; " + differences);
    for (const std::string& fault : declarationFaults(info)) findings.push_back(fault);
  }
  if (line.positionals().size() > 1) compare(readSideCar(line.positionals()[1]), now, findings);

  Value report = Value::map();
  report.set("package", now.package);
  report.set("version", now.version);
  report.set("components", static_cast<std::int64_t>(now.components.size()));
  report.set("findings", std::move(findings));
  print(std::string(kProbeAnswer) + toJson(report) + "\n");
  return 0;
}

}  // namespace mortise::app
