#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mortise {

/// Finds files that other files refer to, and remembers where it looked so that an error can say so.
class ResourcePath {
 public:
  /// Folders tried after the referring file's own folder and the current folder, in order.
  void add(std::string folder);
  const std::vector<std::string>& folders() const { return folders_; }

  /// The folder of a package, for references `package://NAME/...`; comes before every place where packages are
  /// searched.
  void addPackage(std::string name, std::string folder);

  /// Resolves `reference` as written in `referringFile` (may be empty): an absolute path as is; otherwise the
  /// referring file's folder, then the current folder, then the added folders. `package://` is searched as
  /// `packageCandidates` says, `file://` stands for an absolute path. Returns the first that exists. Throws `Error`
  /// that lists every path tried, and names a near file name in the same folder.
  std::string find(std::string_view reference, std::string_view referringFile = {}) const;
  /// The same without throwing; empty when nothing was found. `tried` (optional) receives every path tried.
  std::string tryFind(std::string_view reference, std::string_view referringFile,
                      std::vector<std::string>* tried = nullptr) const;

 private:
  std::vector<std::string> folders_;
  std::map<std::string, std::string> packages_;  ///< Folders by name.
};

}  // namespace mortise
