#include "mortise/viewer/run_folder.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace mortise::viewer {

namespace {

/// Names without the words (with underscores between them) that all of them begin and end with: "compare_ode_log" and
/// "compare_bullet_log" are "ode" and "bullet".
void shorten(std::vector<ViewFile>& logs) {
  if (logs.size() < 2) return;
  const std::string first = logs.front().name;
  std::size_t head = first.size(), tail = first.size();
  for (const ViewFile& log : logs) {
    std::size_t same = 0, sameEnd = 0;
    while (same < std::min(head, log.name.size()) && log.name[same] == first[same]) ++same;
    while (sameEnd < std::min(tail, log.name.size()) &&
           log.name[log.name.size() - 1 - sameEnd] == first[first.size() - 1 - sameEnd])
      ++sameEnd;
    head = same;
    tail = sameEnd;
  }
  while (head > 0 && first[head - 1] != '_') --head;
  while (tail > 0 && first[first.size() - tail] != '_') --tail;
  for (const ViewFile& log : logs)
    if (log.name.size() <= head + tail) return;
  for (ViewFile& log : logs) log.name = log.name.substr(head, log.name.size() - head - tail);
}

}  // namespace

std::vector<ViewFile> logsOfFolder(const std::string& folder) {
  std::vector<ViewFile> logs;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".mcap") logs.push_back({entry.path().stem().string(), entry.path().string()});
  std::sort(logs.begin(), logs.end(), [](const ViewFile& a, const ViewFile& b) { return a.path < b.path; });
  shorten(logs);
  return logs;
}

void makeNamesUnique(std::vector<ViewFile>& logs) {
  const auto rename = [&](const auto& nameOf) {
    std::map<std::string, int> count;
    for (const ViewFile& log : logs) ++count[log.name];
    for (ViewFile& log : logs)
      if (count[log.name] > 1) log.name = nameOf(log);
  };
  rename([](const ViewFile& log) {
    const std::string folder = std::filesystem::absolute(log.path).lexically_normal().parent_path().filename().string();
    return folder + "/" + log.name;
  });
  rename([](const ViewFile& log) { return log.path; });
}

}  // namespace mortise::viewer
