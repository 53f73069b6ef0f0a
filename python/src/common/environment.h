#pragma once

/// The things that functions of the package share: the registry of plugins, the log, and how files are read.

#include <functional>
#include <memory>
#include <pybind11/pybind11.h>
#include <string>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/base/interruption.h"
#include "mortise/base/log.h"
#include "mortise/loading/format_loader.h"
#include "mortise/plugin/registry.h"

namespace mortise::python {

namespace py = pybind11;

/// Hands messages to Python's `logging`, logger "mortise".
class PythonLog final : public LogSink {
 public:
  void write(LogLevel level, std::string_view source, std::string_view message) override;
};

/// A registry belongs to one thread at a time, so each thread that asks has one of its own; what is created through it
/// holds it. Libraries are opened once a process all the same.
struct Environment {
  Environment();
  PythonLog log;
  Registry registry;
  int version = 0;
};
using EnvironmentPtr = std::shared_ptr<Environment>;

/// Returns the environment of the calling thread. Works with and without the GIL.
EnvironmentPtr environment();

/// Components of the extension itself, for every registry from now on. `manifest` lives for ever.
void addBuiltInPlugin(const MortisePluginManifest& manifest);
/// Plugins in a file or a folder, for every registry from now on; they come before those found elsewhere.
void addPluginFile(const std::string& library);
void addPluginFolder(const std::string& folder);
/// Folders in which files are found that other files refer to.
void addResourceFolder(const std::string& folder);
void addPackage(const std::string& name, const std::string& folder);
ResourcePath resourcePath();

/// Calls `work` with a loader, without the GIL. Warnings go to the log; errors that were collected are thrown.
void withLoader(const std::string& what, const std::function<void(FormatLoader&, Diagnostics&)>& work);

/// The path that a str or a path object holds. Throws TypeError for anything else, and for a text with a zero in it.
std::string pathFrom(py::handle path, const char* name = "path");

/// Says whether Ctrl-C, or another signal, made Python raise an exception; it is then set. Takes the GIL; returns at
/// once where the last look is less than 20 ms ago. For loops that run without the GIL in any thread; signals act in
/// the main one.
class SignalCheck {
 public:
  bool interrupted();

 private:
  std::int64_t last_ = 0;
};

/// From now on Ctrl-C ends any long work of this thread, the one that imports the package, that asks
/// (`mortise/base/interruption.h`), with and without the GIL. No lock may be held there that a thread waits for which
/// has the GIL.
void listenForInterruptions();

/// Sets Python's exception where work was interrupted, whatever became of `Interrupted` on its way. Needs the GIL.
bool restoreInterruption();

}  // namespace mortise::python
