#include "mortise/settings/output_path.h"

#include <atomic>
#include <filesystem>

#include "mortise/base/position.h"
#include "mortise/settings/permissions.h"

namespace mortise {

namespace fs = std::filesystem;

namespace {

std::atomic<bool> outsideAllowed = false;

constexpr const char* kSwitch = "name a file below the folder of the run, or allow this with --allow-outside";

bool usersOwn(const SourcePosition& where) { return where.origin == Origin::commandLine; }

/// The path with every symbolic link in it resolved, those that lead nowhere included.
fs::path withoutLinks(const fs::path& path) {
  std::error_code code;
  fs::path rest = fs::absolute(path, code).lexically_normal();
  constexpr int kMaxLinks = 40;
  for (int links = 0; links < kMaxLinks; ++links) {
    fs::path done;
    bool link = false;
    for (auto part = rest.begin(); part != rest.end() && !link; ++part) {
      const fs::path next = done / *part;
      if (!fs::is_symlink(next, code)) {
        done = next;
        continue;
      }
      fs::path target = done / fs::read_symlink(next, code);
      for (++part; part != rest.end(); ++part) target /= *part;
      rest = target.lexically_normal();
      link = true;
      break;
    }
    if (!link) return done;
  }
  return rest;
}

bool isBelow(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

}  // namespace

void allowOutputOutside(bool allowed) { outsideAllowed = allowed; }

bool outputOutsideAllowed() { return outsideAllowed; }

void checkOutputName(const std::string& name, const SourcePosition& where) {
  if (name.empty()) throw Error("the name of a file to write is empty", where);
  if (permissionsOf(where.origin).writesAnywhere) return;
  const fs::path path(name);
  if (path.is_absolute())
    throw Error("'" + name + "' would be written outside of the folder of the run: it is an absolute path", where,
                kSwitch);
  for (const fs::path& part : path)
    if (part == "..")
      throw Error("'" + name + "' would be written outside of the folder of the run: '..' leads out of it", where,
                  kSwitch);
}

std::string outputPath(const std::string& folder, const std::string& name, const SourcePosition& where) {
  checkOutputName(name, where);
  if (usersOwn(where) && name.find('/') != std::string::npos) return name;
  const fs::path path = folder.empty() ? fs::path(name) : fs::path(folder) / name;
  if (permissionsOf(where.origin).writesAnywhere) return path.string();
  const fs::path root = withoutLinks(folder.empty() ? fs::path(".") : fs::path(folder));
  const fs::path real = withoutLinks(path);
  if (!isBelow(real, root) && real != root)
    throw Error("'" + path.string() + "' leads out of the folder of the run through a symbolic link, to '" +
                    real.string() + "'",
                where, "remove the link, or allow this with --allow-outside");
  return path.string();
}

void makeParentFolder(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  if (folder.empty()) return;
  std::error_code code;
  fs::create_directories(folder, code);
  if (!fs::is_directory(folder))
    throw Error("cannot make the folder '" + folder.string() +
                    "': " + (code ? code.message() : std::string("there is a file of that name")),
                inFile(path), "choose another name");
}

}  // namespace mortise
