#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>

#include "mortise/base/files.h"
#include "mortise/base/random.h"
#include "mortise/component/host.h"

namespace mortise::test {

/// A library that fixtures/CMakeLists.txt built.
inline std::string fixture(const std::string& name) { return MORTISE_BINARY_DIR "/tests/plugins/" + name + ".so"; }

/// A folder of its own for one test, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "mortise_test_XXXXXX").string();
    path_ = std::filesystem::canonical(mkdtemp(pattern.data()));
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }

  std::string write(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << content;
    return *this / name;
  }

  /// Copies a fixture, and its side-car unless `sideCar` is false, under another name. Returns the library's path.
  std::string copyPlugin(const std::string& name, const std::string& as, bool sideCar = true) const {
    namespace fs = std::filesystem;
    const std::string library = *this / (as + ".so");
    fs::create_directories(fs::path(library).parent_path());
    fs::copy_file(fixture(name), library);
    if (sideCar)
      fs::copy_file(fs::path(fixture(name)).replace_extension(".mortise.yaml"), *this / (as + ".mortise.yaml"));
    return library;
  }

 private:
  std::filesystem::path path_;
};

/// Replaces every `from` in a file; fails the test's assumption loudly when there is none.
inline void replaceInFile(const std::string& path, const std::string& from, const std::string& to) {
  std::string text = readFile(path);
  auto at = text.find(from);
  if (at == std::string::npos) throw Error("'" + from + "' is not in " + path);
  for (; at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
  writeFile(path, text);
}

inline bool mapped(const std::string& library) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.find(library) != std::string::npos) return true;
  return false;
}

/// What an expression's `Error` says: message and hint apart. Empty message when nothing was thrown.
struct Said {
  std::string message;
  std::string hint;
  std::string where;
};
template <typename Call>
Said errorOf(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return {error.message(), error.hint(), error.where().describe()};
  }
  return {};
}

}  // namespace mortise::test

/// Checks that text contains a part, and shows the text when it does not.
#define EXPECT_SAYS(text, part) EXPECT_NE(std::string(text).find(part), std::string::npos) << "said: " << (text)
