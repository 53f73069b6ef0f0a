#pragma once

/// An opened plugin library whose manifest was accepted. Libraries are opened once a process and never closed: code of
/// a plugin may be needed until the very end (virtual destructors, texts of exceptions).

#include <cstddef>
#include <string>
#include <vector>

#include "mortise/component/kind.h"
#include "mortise/plugin/manifest.h"
#include "mortise/plugin/plugin.h"

namespace mortise {

class Library {
 public:
  Library(std::string path, const MortisePluginManifest& manifest, std::vector<ComponentDeclaration> components)
      : path_(std::move(path)), manifest_(&manifest), components_(std::move(components)) {}

  /// Opens the library at `path` (symbolic links are followed) unless that was done before, checks its manifest and
  /// asks it for its components. Throws `Error` with the loader's own words when it cannot be opened, and with what
  /// differs when it is refused. Safe to call from several threads.
  static const Library& open(const std::string& path);

  /// Keeps this process from opening the library at `path`, or any in the folder `path`: `open` throws instead.
  /// For programs that examine libraries of others without trusting them.
  static void keepClosed(const std::string& path);
  static bool isKeptClosed(const std::string& path);

  /// Says whether the file is written in Python. `open` hands those to `opener`, which may be called by several
  /// threads.
  static bool isScript(std::string_view path) { return path.ends_with(".py"); }
  using ScriptOpener = const Library& (*)(const std::string& path);
  static void setScriptOpener(ScriptOpener opener);

  const std::string& path() const { return path_; }  ///< Absolute, symbolic links resolved.
  const MortisePluginManifest& manifest() const { return *manifest_; }
  const std::vector<ComponentDeclaration>& components() const { return components_; }
  const ComponentDeclaration* find(Kind kind, const std::string& name) const;

 private:
  std::string path_;
  const MortisePluginManifest* manifest_;
  std::vector<ComponentDeclaration> components_;
};

/// Checks the head of a manifest before trusting the rest: magic, size, version, then the ABI tag. `available`: how
/// many bytes the symbol has according to the library's symbol table; 0 when that is unknown. Throws `Error`; `what`
/// names the library in it.
const MortisePluginManifest& acceptManifest(const void* symbol, std::size_t available, const std::string& what);

/// Calls the manifest's `describe` and returns the components, each with the interface version that the plugin was
/// built for. Whatever `describe` throws comes out as `Error`.
std::vector<ComponentDeclaration> describeComponents(const MortisePluginManifest& manifest, const std::string& what);

}  // namespace mortise
