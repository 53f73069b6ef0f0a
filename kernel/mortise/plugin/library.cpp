#include "mortise/plugin/library.h"

#include <atomic>
#include <boost/dll/shared_library.hpp>
#include <boost/exception/diagnostic_information.hpp>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <link.h>
#include <memory>
#include <mutex>

#include "mortise/base/error.h"
#include "mortise/plugin/abi.h"
#include "mortise/plugin/guard.h"

namespace mortise {

namespace {

/// Boost.DLL wraps what dlopen said in words of its own; people search for the original.
std::string loaderText(const std::exception& e) {
  const std::string text = e.what();
  const std::string before = "dlerror system message: ";
  const auto start = text.find(before);
  if (start == std::string::npos) return text;
  const auto end = text.rfind(')');
  if (end == std::string::npos || end < start) return text.substr(start + before.size());
  return text.substr(start + before.size(), end - start - before.size());
}

std::string loaderHint(const std::string& reason, const std::string& path) {
  if (reason.find("undefined symbol") != std::string::npos)
    return "link the plugin with the library that defines the symbol: mortise_add_plugin(NAME SOURCES ... LIBRARIES "
           "...) finds this when linking";
  if (reason.find("cannot open shared object file") != std::string::npos)
    return "install the library that it needs, or add that library's folder to the plugin's RPATH; `ldd " + path +
           "` lists what is missing";
  if (reason.find("ELF") != std::string::npos || reason.find("file too short") != std::string::npos)
    return "give the .so file that the linker wrote, built for this machine";
  return "`mortise plugins doctor` examines every plugin";
}

std::size_t symbolSize(const void* address) {
  Dl_info info = {};
  const ElfW(Sym)* symbol = nullptr;
  if (dladdr1(address, &info, reinterpret_cast<void**>(const_cast<ElfW(Sym)**>(&symbol)), RTLD_DL_SYMENT) == 0)
    return 0;
  return symbol != nullptr && info.dli_saddr == address ? symbol->st_size : 0;
}

/// Everything ever opened, refused libraries included, so that no library is closed. Never destroyed.
struct OpenedLibrary {
  std::string path;
  boost::dll::shared_library handle;
  std::unique_ptr<Library> library;  ///< Null when it was refused.
  std::unique_ptr<Error> refusal;
};
struct OpenedLibraries {
  std::mutex mutex;
  std::vector<std::filesystem::path> closed;  ///< Libraries and folders of libraries that are not to be opened.
  std::vector<std::unique_ptr<OpenedLibrary>> list;
};
OpenedLibraries& openedLibraries() {
  static OpenedLibraries& opened = *new OpenedLibraries;
  return opened;
}

std::filesystem::path realPath(const std::string& path) {
  std::error_code code;
  std::filesystem::path real = std::filesystem::weakly_canonical(std::filesystem::absolute(path, code), code);
  return code ? std::filesystem::path(path) : real;
}

std::atomic<Library::ScriptOpener> scriptOpener = nullptr;

constexpr const char* kRebuild = "rebuild the plugin with the Mortise package of this program";

}  // namespace

const MortisePluginManifest& acceptManifest(const void* symbol, std::size_t available, const std::string& what) {
  constexpr char magic[8] = {'M', 'O', 'R', 'T', 'I', 'S', 'E', 0};
  constexpr std::size_t headSize = offsetof(MortisePluginManifest, abi);
  const auto* bytes = static_cast<const char*>(symbol);
  if ((available != 0 && available < headSize) || std::memcmp(bytes, magic, sizeof(magic)) != 0)
    throw Error(what + " is not a Mortise plugin: its symbol '" MORTISE_PLUGIN_SYMBOL "' is not a manifest", {},
                "declare the plugin with MORTISE_PLUGIN(package, version) { ... }");
  std::uint32_t size = 0, version = 0;
  std::memcpy(&size, bytes + offsetof(MortisePluginManifest, size), sizeof(size));
  std::memcpy(&version, bytes + offsetof(MortisePluginManifest, manifestVersion), sizeof(version));
  if (version > MORTISE_MANIFEST_VERSION)
    throw Error(what + " has a manifest of version " + std::to_string(version) +
                    "; this program reads versions up to " + std::to_string(MORTISE_MANIFEST_VERSION),
                {}, "update Mortise, or " + std::string(kRebuild));
  if (version < 1) throw Error(what + " has a manifest of version 0, which never existed", {}, kRebuild);
  if (size < sizeof(MortisePluginManifest) || (available != 0 && available < sizeof(MortisePluginManifest)))
    throw Error(what + " has a manifest of " + std::to_string(available != 0 && available < size ? available : size) +
                    " bytes; version " + std::to_string(version) + " has " +
                    std::to_string(sizeof(MortisePluginManifest)),
                {}, kRebuild);
  const auto& manifest = *static_cast<const MortisePluginManifest*>(symbol);
  const std::string differences = compareAbiTags(currentAbiTag(), manifest.abi);
  if (!differences.empty())
    throw Error(what + " was built differently from this program and cannot be called: " + differences, {}, kRebuild);
  if (manifest.package == nullptr || manifest.version == nullptr || manifest.describe == nullptr)
    throw Error(what + " has a manifest without package, version or description", {},
                "declare the plugin with MORTISE_PLUGIN(package, version) { ... }");
  return manifest;
}

std::vector<ComponentDeclaration> describeComponents(const MortisePluginManifest& manifest, const std::string& what) {
  PluginBuilder builder;
  std::string message;
  if (guarded(what, "describing its components", message, [&] { manifest.describe(&builder); }) ==
      ComponentStatus::fault)
    throw Error(message, {}, "correct the block after MORTISE_PLUGIN in the plugin's source");
  std::vector<ComponentDeclaration> components = builder.declarations();
  for (auto& component : components) {
    const auto& version = manifest.abi.interfaces[static_cast<int>(component.kind)];
    component.interface = {version.major, version.minor};
  }
  return components;
}

void Library::keepClosed(const std::string& path) {
  const std::lock_guard lock(openedLibraries().mutex);
  openedLibraries().closed.push_back(realPath(path));
}

bool Library::isKeptClosed(const std::string& path) {
  const std::filesystem::path real = realPath(path);
  const std::lock_guard lock(openedLibraries().mutex);
  for (const std::filesystem::path& closed : openedLibraries().closed) {
    const std::filesystem::path relative = real.lexically_relative(closed);
    if (!relative.empty() && *relative.begin() != "..") return true;
  }
  return false;
}

void Library::setScriptOpener(ScriptOpener opener) { scriptOpener = opener; }

namespace {

/// Returns the file that a path leads to. Throws `Error` where there is none, and for one that a check keeps closed.
std::string openableFile(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::path absolute = std::filesystem::absolute(path, ignored);
  const std::filesystem::path real = std::filesystem::canonical(absolute, ignored);
  if (real.empty())
    throw Error("plugin library '" + path + "' does not exist", {}, "looked for '" + absolute.string() + "'");
  const std::string file = real.string();
  const std::string what = "plugin library '" + file + "'";
  if (Library::isKeptClosed(file))
    throw Error(what + " is not opened: the pipeline names it, and a check opens no library that a file names", {},
                "`mortise plugins describe " + file +
                    " --write` makes the description that a check reads, or give --plugin " + file +
                    "; both open the library");
  return file;
}

}  // namespace

const Library& Library::open(const std::string& path) {
  const std::string file = openableFile(path);
  const std::string what = "plugin library '" + file + "'";
  if (isScript(file)) {
    if (const ScriptOpener opener = scriptOpener) return opener(file);
    throw Error(what + " is written in Python, which this program cannot run", {},
                "install the plugin mortise_python_host");
  }
  auto& opened = openedLibraries();
  const std::lock_guard lock(opened.mutex);
  for (const auto& entry : opened.list) {
    if (entry->path != file) continue;
    if (entry->refusal) throw Error(*entry->refusal);
    return *entry->library;
  }

  auto entry = std::make_unique<OpenedLibrary>();
  entry->path = file;
  const void* symbol = nullptr;
  std::string reason;
  try {
    // The overload with an error code reports "Bad file descriptor" instead of the loader's reason.
    entry->handle.load(boost::dll::fs::path(file), boost::dll::load_mode::rtld_now | boost::dll::load_mode::rtld_local);
  } catch (const std::exception& e) {
    reason = loaderText(e);
  }
  if (!reason.empty())
    throw Error(what + " cannot be opened; the loader says: " + reason, {}, loaderHint(reason, file));

  // From here on the library stays, accepted or not: its code may have left something behind.
  opened.list.push_back(std::move(entry));
  auto& kept = *opened.list.back();
  try {
    try {
      symbol = &kept.handle.get<const char>(MORTISE_PLUGIN_SYMBOL);
    } catch (const std::exception& e) {
      reason = loaderText(e);
    }
    if (symbol == nullptr)
      throw Error(
          what + " is not a Mortise plugin: it does not export '" MORTISE_PLUGIN_SYMBOL "'; the loader says: " + reason,
          {}, "declare the plugin with MORTISE_PLUGIN(package, version) { ... } and build it with mortise_add_plugin");
    const MortisePluginManifest& manifest = acceptManifest(symbol, symbolSize(symbol), what);
    kept.library = std::make_unique<Library>(file, manifest, describeComponents(manifest, what));
  } catch (const Error& error) {
    kept.refusal = std::make_unique<Error>(error.message(), error.where(), error.hint());
    throw Error(*kept.refusal);
  }
  return *kept.library;
}

const ComponentDeclaration* Library::find(Kind kind, const std::string& name) const {
  for (const auto& component : components_)
    if (component.kind == kind && component.name == name) return &component;
  return nullptr;
}

}  // namespace mortise
