#include "mortise/settings/record_path.h"

#include <filesystem>

#include "mortise/settings/output_path.h"

namespace mortise {

std::string recordPath(const std::string& directory, const std::string& prefix, const PlacedText& output) {
  const auto& [name, where] = output;
  // Settings that stand in no file were given by a program that uses the library.
  if (directory.empty() || (!where.known() && name.find('/') != std::string::npos)) return name;
  const std::filesystem::path given(name);
  // A file that is named with a place of its own keeps its name.
  const bool elsewhere =
      given.is_absolute() || (where.origin == Origin::commandLine && name.find('/') != std::string::npos);
  const std::string prefixed = elsewhere ? name : (given.parent_path() / (prefix + given.filename().string())).string();
  std::string path = outputPath(directory, prefixed, where);
  if (name.find('/') != std::string::npos && !elsewhere) makeParentFolder(path);
  return path;
}

}  // namespace mortise
