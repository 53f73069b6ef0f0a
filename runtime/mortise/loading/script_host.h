#pragma once

/// Plugins written in Python: who runs them, and components that are named by their files.

#include <string>

#include "mortise/base/diagnostics.h"
#include "mortise/plugin/library.h"
#include "mortise/plugin/registry.h"

namespace mortise {

/// The exports of the host's library: the head that all plugins have, and how it opens a file.
struct ScriptHostManifest {
  MortisePluginManifest plugin;
  Library::ScriptOpener open;
};

/// From now on `Library::open` opens files of Python: with the plugin mortise_python_host, which is opened when the
/// first one is. Programs that are no Python interpreter themselves call this once.
void enableScripts();

/// Says whether a component is named by its file: "damper.py", or "damper.py:acme.Damper".
bool namesScript(std::string_view type);
/// The registered name of a component that is named by its file, which becomes a plugin of the registry; other names
/// are returned as they are. A relative file is looked for beside `referringFile`, then in the current folder. Throws
/// `Error` at `where` for a file that is not there or cannot be used, for one with several components of this kind
/// where none is named, and where whoever wrote `where` may not run it (`settings/permissions.h`).
std::string scriptComponent(Registry& registry, Kind kind, const std::string& type, const std::string& referringFile,
                            const SourcePosition& where);
/// The file of "damper.py:acme.Damper"; of other names the name.
std::string scriptFile(std::string_view type);
/// Finds a component as `scriptComponent` does, in a registry that has discovered the file: runs nothing, and changes
/// nothing. Throws `Error` for a file that the registry knows but has not opened, so that nobody knows what it offers.
std::string discoveredScript(const Registry& registry, Kind kind, const std::string& type,
                             const std::string& referringFile, const SourcePosition& where);

/// For checks that run no files: a note that a component is named by a file which stays closed, or a warning where the
/// file is not there.
void noteClosedScript(Kind kind, const std::string& type, const std::string& referringFile, const SourcePosition& where,
                      Diagnostics& diagnostics);

}  // namespace mortise
