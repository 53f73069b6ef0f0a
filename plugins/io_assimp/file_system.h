#pragma once

#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "mortise/component/file_format.h"

namespace mortise::io_assimp {

/// Shows Assimp the file that is read, and other files through the loader alone: so they are found by the same rules as
/// everything that files refer to, and nothing is ever written. Files are read whole.
class FileSystem final : public Assimp::IOSystem {
 public:
  /// `context` outlives the file system.
  explicit FileSystem(ReadContext& context);

  bool Exists(const char* path) const override;
  char getOsSeparator() const override { return '/'; }
  Assimp::IOStream* Open(const char* path, const char* mode) override;
  void Close(Assimp::IOStream* stream) override;
  /// Assimp keeps stacks of folders for formats of many files; paths here are found without.
  bool PushDirectory(const std::string&) override { return true; }
  bool PopDirectory() override { return true; }

  /// Files that were asked for and not found.
  const std::vector<std::string>& missing() const { return missing_; }
  /// Other files than the one that is read, as they were asked for, found or not.
  const std::vector<std::string>& requestedFiles() const { return requestedFiles_; }

 private:
  std::string find(const char* path) const;

  ReadContext& context_;
  std::map<std::string, std::shared_ptr<const std::string>> contents_;  ///< By path.
  std::vector<std::string> missing_;
  mutable std::vector<std::string> requestedFiles_;
};

}  // namespace mortise::io_assimp
