#pragma once

#include <string>
#include <utility>
#include <vector>

namespace mortise::viewer {

/// The viewer's page, as the build made it: one file without anything that is loaded from elsewhere. It lies in
/// `share/mortise` beside the running program, or beside Mortise's libraries, where another program loaded them. Throws
/// `Error` where the build left it out, for want of Node.js.
std::string viewerPage();

/// The only script that runs in a page, as policies of content name it: 'sha256-...'. The build writes it into the
/// page. Throws `Error` for a page that names none.
std::string scriptOfPage(const std::string& page);

/// The page with logs in it, by name: what a browser opens without a server. Throws `Error` as `viewerPage`, and for
/// files that cannot be read.
std::string pageWithLogs(const std::vector<std::pair<std::string, std::string>>& namesAndFiles);

}  // namespace mortise::viewer
