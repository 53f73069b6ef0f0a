#include "mortise/pipeline/record/run_directory.h"

#include <filesystem>

#include "mortise/base/position.h"
#include "mortise/settings/output_path.h"

namespace mortise {

namespace fs = std::filesystem;

namespace {

/// Name of a pipeline's file without folder and extension; for a lock file that of the pipeline that it locks.
std::string pipelineStem(const Pipeline& pipeline) {
  std::string file = pipeline.file.path;
  if (const Value* locked = pipeline.file.root.findPath("locked.file"); locked != nullptr && locked->isString())
    file = locked->asString();
  const std::string stem = fs::path(file).stem().string();
  return stem.empty() ? "run" : stem;
}

}  // namespace

void checkRunFile(const std::string& name, const SourcePosition& where) {
  checkOutputName(name, where);
  if (!fs::path(name).has_filename()) throw Error("'" + name + "' is the name of a folder, not of a file", where);
  const std::string inside = fs::path(name).lexically_normal().string();
  if (inside == "result.json" || inside == "run.lock.yaml")
    throw Error("'" + inside + "' is written by every run", where, "choose another name");
}

std::string makeRunDirectory(const std::string& wanted, const Pipeline& pipeline) {
  const auto make = [](const fs::path& folder) {
    std::error_code code;
    fs::create_directories(folder, code);
    // Creating "a/" says that nothing was created though it is there now, so only the outcome counts.
    if (!fs::is_directory(folder))
      throw Error(
          "cannot make the folder of the run: " + (code ? code.message() : std::string("there is a file of that name")),
          inFile(folder.string()), "choose another one with --output DIR");
    return folder.string();
  };
  if (!wanted.empty()) return make(fs::path(wanted).lexically_normal());
  const fs::path runs("runs");
  make(runs);
  const std::string stem = pipelineStem(pipeline);
  for (int number = 1;; ++number) {
    const fs::path folder = runs / (number == 1 ? stem : stem + "-" + std::to_string(number));
    std::error_code code;
    // Atomic, so that two runs at once never share a folder.
    if (fs::create_directory(folder, code)) return folder.string();
    if (code && !fs::exists(folder))
      throw Error("cannot make the folder of the run: " + code.message(), inFile(folder.string()),
                  "choose another one with --output DIR");
  }
}

}  // namespace mortise
