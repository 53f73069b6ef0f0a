#pragma once

/// The subcommands of `mortise plugins`, each in the file of its name.

#include <string>

#include "command_line/commands.h"
#include "mortise/plugin/registry.h"

namespace mortise::app {

int pluginsList(const Arguments& arguments);      // plugins_list.cpp
int pluginsInfo(const Arguments& arguments);      // plugins_info.cpp
int pluginsDoctor(const Arguments& arguments);    // plugins_doctor.cpp
int pluginsProbe(const Arguments& arguments);     // plugins_probe.cpp: what the doctor runs for each library
int pluginsDescribe(const Arguments& arguments);  // plugins_describe.cpp
int pluginsDocs(const Arguments& arguments);      // plugins_docs.cpp

/// Precedes the probe's answer, so that it is told from what a library writes by itself.
constexpr const char* kProbeAnswer = "\n--- answer of mortise plugins probe\n";

/// A parameter's type, unit, default, bounds and choices as people read them: "real, m, default 0.1, 0 to 1".
std::string parameterTraits(const Parameter& parameter);
std::string typeText(const Parameter& parameter);     ///< "real", "list of 3 real values".
std::string defaultText(const Parameter& parameter);  ///< "0.1", "[]"; empty when there is none.
std::string boundsText(const Parameter& parameter);   ///< ">= 0", "0 to 1"; empty when unbounded.
std::string trim(std::string text);                   ///< Without empty lines at start and end.
/// Everything about a component, as --json prints it.
Value componentValue(const ComponentInfo& info);
/// Returns the meaning of an attribute of a component's declaration for people: "Default estimator".
std::string attributeLabel(Kind kind, const std::string& attribute);

}  // namespace mortise::app
