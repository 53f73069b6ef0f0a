#include "problem_files.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <tuple>

#include "mortise/base/diagnostics.h"
#include "mortise/base/error.h"

namespace mortise::io_moveit {

namespace {

namespace fs = std::filesystem;

bool matches(std::string_view text, std::string_view pattern) {
  // Greedy, with one place to come back to: the last star.
  std::size_t t = 0, p = 0, star = std::string_view::npos, mark = 0;
  while (t < text.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t]) && pattern[p] != '*') {
      ++t, ++p;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

/// Stem without its last digits, those digits without zeros in front, and the name: what files are ordered by.
std::tuple<std::string, std::size_t, std::string, std::string> orderOf(const std::string& path) {
  const std::string stem = fs::path(path).stem().string();
  std::size_t digits = stem.size();
  while (digits > 0 && std::isdigit(static_cast<unsigned char>(stem[digits - 1]))) --digits;
  std::string number = stem.substr(digits);
  number.erase(0, std::min(number.find_first_not_of('0'), number.size()));
  return {stem.substr(0, digits), number.size(), number, path};
}

std::vector<std::string> entriesOf(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code problem;
  for (fs::directory_iterator it(folder.empty() ? "." : folder, problem), end; !problem && it != end;
       it.increment(problem))
    out.push_back(it->path().filename().string());
  if (problem) throw Error("'" + folder + "' cannot be read: " + problem.message());
  std::sort(out.begin(), out.end());
  return out;
}

std::string inFolder(const std::string& folder, const std::string& name) {
  return folder.empty() ? name : (fs::path(folder) / name).string();
}

/// Relative to the file that mentions it, unless it is a reference into a package.
std::string besides(const std::string& reference, const std::string& file) {
  if (reference.empty() || reference.find("://") != std::string::npos || fs::path(reference).is_absolute())
    return reference;
  return inFolder(fs::path(file).parent_path().string(), reference);
}

/// The files in a folder that a name with * and ? in its last part matches, in the order of the numbers that they end
/// in; the name itself where it has none of these.
std::vector<std::string> filesLike(const std::string& pattern) {
  const fs::path path(pattern);
  const std::string name = path.filename().string();
  if (name.find_first_of("*?") == std::string::npos || pattern.find("://") != std::string::npos) return {pattern};
  const std::string folder = path.parent_path().string();
  std::vector<std::string> out;
  for (const std::string& entry : entriesOf(folder))
    if (matches(entry, name)) out.push_back(inFolder(folder, entry));
  if (out.empty())
    throw Error("no file matches '" + pattern + "'", {}, "* stands for any characters, ? for a single one");
  std::sort(out.begin(), out.end(), [](const std::string& a, const std::string& b) { return orderOf(a) < orderOf(b); });
  return out;
}

/// A part of a setting that is wrong, at its position.
void addError(Diagnostics& diagnostics, const Error& error, const Value& value) {
  diagnostics.error(error.message(), error.where().known() ? error.where() : value.position(), error.hint());
}

}  // namespace

ProblemSetFiles problemSetOfFolder(const std::string& folder) {
  if (!fs::is_directory(folder)) throw Error("'" + folder + "' is not a folder");
  ProblemSetFiles files;
  std::vector<std::string> urdf, srdf;
  for (const std::string& entry : entriesOf(folder)) {
    const std::string path = inFolder(folder, entry);
    const bool yaml = entry.ends_with(".yaml") || entry.ends_with(".yml");
    const bool sensed = entry.find("_sensed") != std::string::npos || entry.find("_pcd") != std::string::npos;
    if (yaml && entry.starts_with("scene") && !sensed) files.scenes.push_back(path);
    if (yaml && entry.starts_with("request")) files.requests.push_back(path);
    if (yaml && fs::path(entry).stem() == "config") files.config = path;
    if (yaml && fs::path(entry).stem() == "joint_limits") files.jointLimits = path;
    if (entry.ends_with(".urdf")) urdf.push_back(path);
    if (entry.ends_with(".srdf")) srdf.push_back(path);
  }
  if (files.requests.empty())
    throw Error("folder '" + folder + "' has no request", {}, "requests are called request0001.yaml and so on");
  if (urdf.size() == 1) files.urdf = urdf.front();
  if (srdf.size() == 1) files.srdf = srdf.front();
  for (std::vector<std::string>* list : {&files.scenes, &files.requests})
    std::sort(list->begin(), list->end(),
              [](const std::string& a, const std::string& b) { return orderOf(a) < orderOf(b); });
  return files;
}

bool isProblemSet(const std::string& folder) {
  try {
    return !problemSetOfFolder(folder).requests.empty();
  } catch (const Error&) {
    return false;
  }
}

void MoveItSettings::bind(SettingBinder& b) {
  b.add("urdf", urdf, "The robot, in place of the folder's *.urdf.");
  b.add("srdf", srdf, "Its groups and the pairs of links that may touch.");
  b.add("joint_limits", jointLimits, "Limits that replace those of the robot (joint_limits.yaml).");
  b.add("scenes", scenes,
        "Scenes (moveit_msgs/PlanningScene), a name with * and ? in its last part, or a list of such.");
  b.add("requests", requests, "Requests (moveit_msgs/MotionPlanRequest), named in the same way.");
  b.add("config", config,
        "MotionBenchMaker's config.yaml, or robowflex's file of a robot, which names the robot's files.");
}

void applySettings(const MoveItSettings& settings, ProblemSetFiles& files) {
  const auto take = [](const PlacedText& name, std::string& into) {
    if (!name.empty()) into = besides(name.text, name.where.file);
  };
  take(settings.urdf, files.urdf);
  take(settings.srdf, files.srdf);
  take(settings.jointLimits, files.jointLimits);
  take(settings.config, files.config);
  Diagnostics diagnostics;
  const auto takeAll = [&](const Value& names, std::vector<std::string>& into) {
    if (names.isNull()) return;
    into.clear();
    try {
      for (const std::string& name : names.asStrings())
        for (std::string& file : filesLike(besides(name, names.position().file))) into.push_back(std::move(file));
    } catch (const Error& error) {
      addError(diagnostics, error, names);
    }
  };
  takeAll(settings.scenes, files.scenes);
  takeAll(settings.requests, files.requests);
  diagnostics.throwIfErrors("the problem set cannot be used");
}

}  // namespace mortise::io_moveit
