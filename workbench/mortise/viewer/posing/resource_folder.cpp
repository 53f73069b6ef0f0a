#include "mortise/viewer/posing/resource_folder.h"

#include <filesystem>

#include "mortise/base/error.h"
#include "mortise/modeling/resource_packing.h"

namespace mortise::viewer {

namespace fs = std::filesystem;

ResourceLibrary ResourceFolder::read(Diagnostics& diagnostics) {
  std::error_code code;
  if (!fs::exists(folder_, code)) return {};
  if (!fs::is_directory(folder_, code)) throw Error("'" + folder_ + "' is no folder", {}, "name another one");
  ResourceLibrary library = loader_.load<ResourceLibrary>(folder_, {}, diagnostics);
  sortByName(library);
  own_.clear();
  for (const ResourceItem& item : library.items) own_.insert(item.name);
  return library;
}

std::string ResourceFolder::write(const ResourceLibrary& library) {
  ResourceLibrary own;
  std::set<std::string> names;
  for (const ResourceItem& item : library.items) {
    names.insert(item.name);
    // Models stay the files that they are.
    if (!std::holds_alternative<FileResource>(item.value)) own.items.push_back(item);
  }
  Diagnostics diagnostics;
  loader_.write(own, folder_ + "/", diagnostics);
  diagnostics.throwIfErrors("the resources cannot be saved");
  for (const std::string& name : own_) {
    if (names.contains(name)) continue;
    const fs::path stem = fs::path(folder_) / name;
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(stem.parent_path(), code))
      if (entry.is_regular_file() && entry.path().stem() == stem.filename()) fs::remove(entry.path(), code);
  }
  own_ = names;
  std::string text =
      std::to_string(own.items.size()) + (own.items.size() == 1 ? " resource" : " resources") + " saved in " + folder_;
  for (const Diagnostic& problem : diagnostics.all()) text += "; " + problem.message;
  return text;
}

}  // namespace mortise::viewer
