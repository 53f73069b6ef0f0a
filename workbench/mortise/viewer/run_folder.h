#pragma once

#include <string>
#include <vector>

#include "mortise/viewer/view_server.h"

namespace mortise::viewer {

/// The logs (.mcap) in a folder and those below, by their paths, named by what their names differ in.
std::vector<ViewFile> logsOfFolder(const std::string& folder);
/// Makes equal names of logs of several runs different, by the folders that they are in: "first/simulate_log".
void makeNamesUnique(std::vector<ViewFile>& logs);

}  // namespace mortise::viewer
