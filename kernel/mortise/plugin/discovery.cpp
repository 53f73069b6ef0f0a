#include "mortise/plugin/discovery.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <optional>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/base/position.h"
#include "mortise/plugin/abi.h"
#include "mortise/plugin/library.h"
#include "mortise/plugin/side_car.h"
#include "mortise/plugin/side_car_index.h"

namespace mortise {

namespace fs = std::filesystem;

namespace {

void report(Diagnostics& diagnostics, bool asError, std::string message, const std::string& file, std::string hint) {
  if (asError)
    diagnostics.error(std::move(message), inFile(file), std::move(hint));
  else
    diagnostics.warning(std::move(message), inFile(file), std::move(hint));
}

std::string describeCommand(const std::string& library) { return "mortise plugins describe '" + library + "' --write"; }

std::string findSideCar(const std::string& shownAs, const std::string& real) {
  for (const auto& candidate : {sideCarPath(shownAs), sideCarPath(real)}) {
    std::error_code ignored;
    if (fs::exists(candidate, ignored)) return candidate;
  }
  return {};
}

/// Resolves links. Asks for every folder on the way, unless the file itself is no link and its folder is known.
fs::path realFile(const fs::path& file, const std::string& realFolder, std::error_code& ec) {
  if (!realFolder.empty() && fs::is_regular_file(fs::symlink_status(file, ec))) return realFolder / file.filename();
  return fs::canonical(file, ec);
}

}  // namespace

FoundLibrary examineLibrary(const std::string& path, const std::string& origin, int place, bool explicitly,
                            Diagnostics& diagnostics, SideCarIndex* index, const std::string& realFolder) {
  std::error_code ec;
  FoundLibrary found;
  found.shownAs = fs::absolute(path).lexically_normal().string();
  const fs::path real = realFile(found.shownAs, realFolder, ec);
  if (ec || !fs::is_regular_file(real))
    throw Error("plugin library '" + path + "' " + (ec ? "cannot be found: " + ec.message() : "is not a file"), {},
                "looked for '" + found.shownAs + "'");
  found.path = real.string();
  found.origin = origin;
  found.place = place;
  found.explicitly = explicitly;
  found.sideCar = findSideCar(found.shownAs, found.path);
  if (found.sideCar.empty()) {
    if (!explicitly)
      diagnostics.warning("this library has no side-car manifest; it is opened only when a name is found nowhere else",
                          inFile(found.shownAs), "run: " + describeCommand(found.path));
    return found;
  }
  SideCar sideCar;
  try {
    std::optional<SideCarOutline> known;
    if (index != nullptr) known = index->outline(found.sideCar, found.path);
    if (known) {
      sideCar = std::move(known->sideCar);
      found.unread = std::move(known->unread);
    } else {
      sideCar = readSideCar(found.sideCar);
      found.staleness = staleness(sideCar, found.path);
      if (index != nullptr && found.staleness.empty()) index->add(found.sideCar, found.path, sideCar);
    }
    if (!found.staleness.empty())
      diagnostics.warning("this side-car manifest is stale: it describes another build of '" + found.path + "' (" +
                              found.staleness + ")",
                          inFile(found.sideCar), "run: " + describeCommand(found.path));
  } catch (const Error& error) {
    found.staleness = error.message();
    diagnostics.warning("this side-car manifest cannot be used: " + error.message(),
                        error.where().known() ? error.where() : inFile(found.sideCar),
                        "run: " + describeCommand(found.path));
  }
  if (!found.staleness.empty()) return found;

  found.described = true;
  found.components = std::move(sideCar.components);
  const std::string differences = compareAbiTags(currentAbiTag(), sideCar.abi);
  if (!differences.empty() && !Library::isScript(found.path)) {
    found.unusable = "it was built differently from this program: " + differences;
    report(diagnostics, explicitly, "this plugin cannot be used; " + found.unusable, found.shownAs,
           "rebuild the plugin with the Mortise package of this program");
  }
  return found;
}

std::vector<FoundLibrary> examineFolder(const std::string& folder, const std::string& origin, int place,
                                        Diagnostics& diagnostics) {
  std::error_code ec;
  std::vector<fs::path> libraries, sideCars;
  for (fs::directory_iterator at(folder, ec), end; !ec && at != end; at.increment(ec)) {
    const fs::path path = at->path();
    if (path.extension() == ".so") libraries.push_back(path);
    if (path.string().ends_with(".mortise.yaml")) sideCars.push_back(path);
  }
  if (ec)
    diagnostics.warning("this plugin folder cannot be read: " + ec.message(), inFile(folder),
                        "correct the name in " + origin + ", or make the folder readable");
  // The order in which a file system lists names must not decide anything.
  std::sort(libraries.begin(), libraries.end());
  std::sort(sideCars.begin(), sideCars.end());

  // A side-car may be all that was linked into the folder: the library then lies beside the file it points to.
  for (const auto& sideCar : sideCars) {
    const std::string name = sideCar.filename().string();
    const std::string library = name.substr(0, name.size() - std::string(".mortise.yaml").size()) + ".so";
    if (std::binary_search(libraries.begin(), libraries.end(), sideCar.parent_path() / library)) continue;
    const fs::path real = fs::canonical(sideCar, ec);
    fs::path beside = real.parent_path() / library;
    const bool script = !fs::exists(beside, ec) && fs::exists(beside.replace_extension(".py"), ec);
    if (script || (!ec && real != sideCar && fs::exists(beside, ec))) {
      libraries.insert(std::upper_bound(libraries.begin(), libraries.end(), beside), beside);
      continue;
    }
    diagnostics.warning("this side-car manifest describes '" + library + "', which is not there",
                        inFile(sideCar.string()), "delete it, or put the library beside it");
  }

  std::vector<FoundLibrary> found;
  SideCarIndex index(folder);
  const std::string realFolder = fs::canonical(fs::absolute(folder).lexically_normal(), ec).string();
  for (const auto& library : libraries) {
    try {
      found.push_back(examineLibrary(library.string(), origin, place, false, diagnostics, &index,
                                     library.parent_path() == folder ? realFolder : std::string()));
    } catch (const Error& error) {
      diagnostics.warning(error.message(), inFile(library.string()), "delete the link, or restore what it points to");
    }
  }
  index.keep();
  return found;
}

void describeInProcess(FoundLibrary& found, Diagnostics& diagnostics) {
  found.described = true;
  found.components.clear();
  found.unread.clear();
  try {
    const Library& library = Library::open(found.path);
    for (const auto& declaration : library.components())
      found.components.push_back(componentInfo(declaration, library.manifest()));
  } catch (const Error& error) {
    found.unusable = error.message();
    report(diagnostics, found.explicitly, error.message(), {}, error.hint());
  }
}

std::vector<std::string> installFolders() {
  std::vector<std::string> folders;
  const auto add = [&](const fs::path& folder) {
    std::error_code ec;
    const fs::path real = fs::canonical(folder, ec);
    if (!ec && fs::is_directory(real, ec) && std::find(folders.begin(), folders.end(), real.string()) == folders.end())
      folders.push_back(real.string());
  };
  std::error_code ec;
  Dl_info info = {};
  if (dladdr(reinterpret_cast<const void*>(&installFolders), &info) != 0 && info.dli_fname != nullptr) {
    const fs::path kernel = fs::canonical(info.dli_fname, ec);
    if (!ec) add(kernel.parent_path() / "mortise" / "plugins");
  }
  const fs::path program = fs::read_symlink("/proc/self/exe", ec);
  if (!ec) add(program.parent_path().parent_path() / "lib" / "mortise" / "plugins");
  return folders;
}

std::string userFolder() {
  // The XDG base directory specification: relative values are to be ignored.
  if (const char* data = std::getenv("XDG_DATA_HOME"); data != nullptr && data[0] == '/')
    return (fs::path(data) / "mortise" / "plugins").string();
  if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/')
    return (fs::path(home) / ".local" / "share" / "mortise" / "plugins").string();
  return {};
}

}  // namespace mortise
