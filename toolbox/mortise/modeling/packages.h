#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mortise {

/// Beginning of references into a ROS package.
inline constexpr std::string_view kPackagePrefix = "package://";

/// NAME/REST of `package://NAME/REST`; slashes too many, as in `package:///NAME/REST`, are left out.
std::string_view insidePackages(std::string_view reference);

/// Lists where `package://NAME/REST`, written in `referringFile`, may be, most likely place first. No ROS is needed:
/// `given` (folders by package name; when it holds the name, that is the only place), the folders above the referring
/// file that are the package (by the name in their package.xml, or by their own name) or hold it, then
/// ROS_PACKAGE_PATH, searched in depth as `rospack` does, and the `share` folders of AMENT_PREFIX_PATH. Last, for files
/// that were moved out of their package: REST below the folders above the referring file, then REST without its first
/// parts.
std::vector<std::string> packageCandidates(std::string_view reference, std::string_view referringFile,
                                           const std::map<std::string, std::string>& given);

/// The folder that stands for the package when `found` is one of the candidates of the last sort and lies in no folder
/// that is the package by its name or its package.xml; otherwise empty.
std::string folderInsteadOfPackage(std::string_view reference, std::string_view referringFile,
                                   const std::string& found);

/// Lists where the same may be when the referring file says that packages are in the folder `root` (Klamp't's
/// package_root): below it, or in it where that is the package itself.
std::vector<std::string> candidatesBelowRoot(std::string_view reference, std::string_view referringFile,
                                             const std::string& root);

}  // namespace mortise
