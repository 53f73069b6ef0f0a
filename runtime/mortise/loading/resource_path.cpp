#include "mortise/loading/resource_path.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/base/position.h"
#include "mortise/modeling/packages.h"

namespace mortise {

namespace fs = std::filesystem;

namespace {

bool exists(const std::string& path) {
  std::error_code code;
  return fs::exists(path, code);
}

}  // namespace

void ResourcePath::add(std::string folder) { folders_.push_back(std::move(folder)); }

void ResourcePath::addPackage(std::string name, std::string folder) {
  packages_.insert_or_assign(std::move(name), std::move(folder));
}

std::string ResourcePath::tryFind(std::string_view reference, std::string_view referringFile,
                                  std::vector<std::string>* tried) const {
  if (reference.empty() || reference.find('\0') != std::string_view::npos) return {};
  std::vector<std::string> candidates;
  const auto candidate = [&](const fs::path& path) {
    std::string text = path.lexically_normal().string();
    if (std::find(candidates.begin(), candidates.end(), text) == candidates.end())
      candidates.push_back(std::move(text));
  };
  constexpr std::string_view kFile = "file://";
  const bool inPackage = reference.starts_with(kPackagePrefix);
  if (reference.starts_with(kFile)) reference.remove_prefix(kFile.size());
  const fs::path wanted{std::string(reference)};
  if (inPackage) {
    for (const std::string& path : packageCandidates(reference, referringFile, packages_)) candidate(path);
  } else if (wanted.is_absolute()) {
    candidate(wanted);
  } else {
    if (!referringFile.empty()) candidate(fs::path(std::string(referringFile)).parent_path() / wanted);
    candidate(wanted);
    for (const std::string& folder : folders_) candidate(fs::path(folder) / wanted);
  }
  for (const std::string& path : candidates) {
    if (exists(path)) {
      refusePipe(path, referringFile);
      return path;
    }
    if (tried) tried->push_back(path);
  }
  return {};
}

std::string ResourcePath::find(std::string_view reference, std::string_view referringFile) const {
  std::vector<std::string> tried;
  std::string found = tryFind(reference, referringFile, &tried);
  if (!found.empty()) return found;
  if (tried.empty() && reference.starts_with(kPackagePrefix))
    throw Error("'" + std::string(reference) + "' names no file of a package", inFile(std::string(referringFile)),
                "write package://NAME/FILE");
  if (tried.empty() && reference.find('\0') != std::string_view::npos)
    throw Error("the name of a file holds a zero byte", inFile(std::string(referringFile)));
  if (tried.empty()) throw Error("the name of a file is empty", inFile(std::string(referringFile)));
  std::string message = "cannot find '" + std::string(reference) + "'; tried ";
  for (std::size_t i = 0; i < tried.size(); ++i) message += (i ? ", " : "") + tried[i];
  std::string hint = nearFile(tried);
  const std::string_view package = insidePackages(reference);
  const auto given = packages_.find(std::string(package.substr(0, package.find('/'))));
  if (hint.empty() && reference.starts_with(kPackagePrefix) && given != packages_.end())
    hint = "--package says that '" + given->first + "' is '" + given->second + "', and no other place is searched then";
  else if (hint.empty() && reference.starts_with(kPackagePrefix))
    hint = "say where the package is with --package NAME=DIR, or list its parent folder in ROS_PACKAGE_PATH";
  else if (hint.empty() && reference.starts_with("ros:"))
    hint = "worlds are read without ROS: give a file; in Python, a geometry follows a topic (docs/ros.md)";
  throw Error(std::move(message), inFile(std::string(referringFile)), std::move(hint));
}

}  // namespace mortise
