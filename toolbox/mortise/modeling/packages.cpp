#include "mortise/modeling/packages.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "mortise/text/normalize.h"

namespace mortise {

namespace fs = std::filesystem;

namespace {

/// Bytes of a package.xml that are read; the name stands near its beginning.
constexpr std::size_t kManifestHead = 1 << 16;
/// Limits of the search for packages below a folder of ROS_PACKAGE_PATH: its depth, and the number of folders that are
/// visited. Stops a search that was started at the root of a disk.
constexpr int kMaxFolderDepth = 8;
constexpr int kMaxFolders = 20000;

/// The name of the package whose root is `folder`: what its package.xml says, else the folder's own name where there is
/// a manifest at all; empty for any other folder.
std::optional<std::string> packageName(const fs::path& folder) {
  std::error_code code;
  if (!fs::is_regular_file(folder / "package.xml", code)) {
    if (fs::is_regular_file(folder / "manifest.xml", code)) return folder.filename().string();
    return std::nullopt;
  }
  std::ifstream file(folder / "package.xml", std::ios::binary);
  std::string text(kManifestHead, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  for (std::size_t at = text.find("<!--"); at != std::string::npos; at = text.find("<!--", at)) {
    const std::size_t end = text.find("-->", at);
    text.erase(at, end == std::string::npos ? end : end + 3 - at);
  }
  const std::size_t begin = text.find("<name>");
  const std::size_t end = begin == std::string::npos ? begin : text.find("</name>", begin);
  if (end == std::string::npos) return folder.filename().string();
  return std::string(trimmed(std::string_view(text).substr(begin + 6, end - begin - 6)));
}

bool hasFile(const fs::path& folder, const char* name) {
  std::error_code code;
  return fs::exists(folder / name, code);
}

/// The root of package `name` at or below `folder`; packages are not searched inside packages. Folders in the order of
/// their names.
std::optional<fs::path> crawl(const fs::path& folder, const std::string& name, int depth, int& budget) {
  if (--budget < 0) return std::nullopt;
  for (const char* marker : {"CATKIN_IGNORE", "AMENT_IGNORE", "COLCON_IGNORE", "rospack_nosubdirs"})
    if (hasFile(folder, marker)) return std::nullopt;
  if (const auto found = packageName(folder)) return *found == name ? std::optional(folder) : std::nullopt;
  if (depth == 0) return std::nullopt;
  std::vector<fs::path> children;
  std::error_code code;
  for (fs::directory_iterator it(folder, fs::directory_options::skip_permission_denied, code), end; !code && it != end;
       it.increment(code)) {
    std::error_code ignored;
    if (it->is_directory(ignored) && !it->path().filename().string().starts_with(".")) children.push_back(it->path());
  }
  std::sort(children.begin(), children.end());
  for (const fs::path& child : children)
    if (auto found = crawl(child, name, depth - 1, budget)) return found;
  return std::nullopt;
}

std::vector<std::string> foldersOf(const char* variable) {
  std::vector<std::string> folders;
  const char* value = std::getenv(variable);
  std::string_view rest = value == nullptr ? "" : value;
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    if (colon != 0) folders.emplace_back(rest.substr(0, colon));
    rest = colon == std::string_view::npos ? "" : rest.substr(colon + 1);
  }
  return folders;
}

/// The folder of a file and those above it, nearest first.
std::vector<fs::path> foldersAbove(std::string_view file) {
  std::vector<fs::path> above;
  if (file.empty()) return above;
  std::error_code code;
  fs::path folder = fs::absolute(fs::path(std::string(file)), code).lexically_normal().parent_path();
  for (; !code; folder = folder.parent_path()) {
    above.push_back(folder);
    if (folder == folder.parent_path()) break;
  }
  return above;
}

void addParents(std::string_view referringFile, const std::string& name, const fs::path& rest,
                std::vector<std::string>& candidates) {
  const std::vector<fs::path> above = foldersAbove(referringFile);
  // A manifest knows better than the name of a folder.
  for (const fs::path& parent : above)
    if (packageName(parent) == name) candidates.push_back((parent / rest).string());
  for (const fs::path& parent : above)
    if (parent.filename() == name) candidates.push_back((parent / rest).string());
  for (const fs::path& parent : above) candidates.push_back((parent / name / rest).string());
}

struct PackageReference {
  std::string name;
  fs::path rest;
};

PackageReference splitReference(std::string_view reference) {
  reference = insidePackages(reference);
  const std::size_t slash = reference.find('/');
  // Slashes too many behind the name mean the same, too.
  const std::size_t rest = slash == std::string_view::npos ? slash : reference.find_first_not_of('/', slash);
  return {std::string(reference.substr(0, slash)),
          rest == std::string_view::npos ? fs::path() : fs::path(std::string(reference.substr(rest)))};
}

/// The number of levels above a file up to which its package may have been taken apart.
constexpr std::size_t kMaxLevels = 4;

/// Adds the places of files when the folder of their package has another name, or when only a part of it was copied.
void addWithoutName(std::string_view referringFile, fs::path rest, std::vector<std::string>& candidates) {
  std::vector<fs::path> above = foldersAbove(referringFile);
  if (above.size() > kMaxLevels) above.resize(kMaxLevels);
  std::erase_if(above, [](const fs::path& folder) { return folder == folder.root_path(); });
  while (!rest.empty()) {
    // A bare file name says too little to be looked for far away.
    const std::size_t levels = rest.has_parent_path() ? above.size() : std::min<std::size_t>(above.size(), 1);
    for (std::size_t i = 0; i < levels; ++i) candidates.push_back((above[i] / rest).string());
    fs::path shorter;
    for (auto part = std::next(rest.begin()); part != rest.end(); ++part) shorter /= *part;
    rest = std::move(shorter);
  }
}

}  // namespace

std::string_view insidePackages(std::string_view reference) {
  reference.remove_prefix(std::min(kPackagePrefix.size(), reference.size()));
  while (reference.starts_with('/')) reference.remove_prefix(1);
  return reference;
}

std::vector<std::string> packageCandidates(std::string_view reference, std::string_view referringFile,
                                           const std::map<std::string, std::string>& given) {
  const auto [name, rest] = splitReference(reference);
  if (name.empty() || rest.is_absolute()) return {};

  if (const auto at = given.find(name); at != given.end()) return {(fs::path(at->second) / rest).string()};
  std::vector<std::string> candidates;
  addParents(referringFile, name, rest, candidates);
  std::error_code code;
  for (const std::string& found : candidates)
    if (fs::exists(found, code)) return candidates;  // The search below may take long.
  for (const std::string& folder : foldersOf("ROS_PACKAGE_PATH")) {
    const fs::path direct = fs::path(folder) / name;
    int budget = kMaxFolders;
    if (packageName(direct) != name)
      if (const auto found = crawl(folder, name, kMaxFolderDepth, budget))
        candidates.push_back((*found / rest).string());
    candidates.push_back((direct / rest).string());
  }
  for (const std::string& prefix : foldersOf("AMENT_PREFIX_PATH"))
    candidates.push_back((fs::path(prefix) / "share" / name / rest).string());
  addWithoutName(referringFile, rest, candidates);
  return candidates;
}

std::string folderInsteadOfPackage(std::string_view reference, std::string_view referringFile,
                                   const std::string& found) {
  const auto [name, rest] = splitReference(reference);
  for (const fs::path& folder : foldersAbove(found))
    if (folder.filename() == name || packageName(folder) == name) return {};
  std::vector<std::string> candidates;
  addWithoutName(referringFile, rest, candidates);
  const fs::path file = fs::absolute(found).lexically_normal();
  if (std::find(candidates.begin(), candidates.end(), file.string()) == candidates.end()) return {};
  // The folder is what remains before as much of REST as is there.
  fs::path folder = file;
  fs::path part = rest;
  while (!part.empty() && folder.filename() == part.filename()) {
    folder = folder.parent_path();
    part = part.parent_path();
  }
  return folder.string();
}

std::vector<std::string> candidatesBelowRoot(std::string_view reference, std::string_view referringFile,
                                             const std::string& root) {
  const std::string inside(insidePackages(reference));
  const fs::path folder = fs::path(std::string(referringFile)).parent_path() / root;
  std::vector<std::string> candidates = {(folder / inside).lexically_normal().string()};
  const std::size_t slash = inside.find('/');
  if (slash != std::string::npos) candidates.push_back((folder / inside.substr(slash + 1)).lexically_normal().string());
  return candidates;
}

}  // namespace mortise
