#include "mortise/viewer/viewer_page.h"

#include <algorithm>
#include <filesystem>

#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/simulation/saving/saved_state.h"
#include "mortise/text/xml_escape.h"

namespace mortise::viewer {

namespace {

/// Browsers take scripts of this size; a multiple of 3, so that blocks join without padding.
constexpr std::size_t kBlock = 24 * 1024 * 1024;

std::string escaped(const std::string& text) {
  std::string out;
  appendXml(out, text);
  return out;
}

}  // namespace

std::string viewerPage() {
  namespace fs = std::filesystem;
  std::error_code code;
  const fs::path program = fs::read_symlink("/proc/self/exe", code);
  const fs::path page = program.parent_path().parent_path() / "share/mortise/viewer.html";
  if (!fs::is_regular_file(page, code))
    throw Error("this build has no viewer: '" + page.string() + "' is not there", {},
                "install Node.js and npm (Debian: apt install nodejs npm), and build again; `mortise render` makes "
                "pictures without it");
  return readFile(page.string());
}

std::string scriptOfPage(const std::string& page) {
  constexpr std::string_view kBefore = "script-src '";
  const std::size_t from = page.find(kBefore), end = page.find('\'', from + kBefore.size());
  const std::string script = from == std::string::npos || end == std::string::npos
                                 ? ""
                                 : page.substr(from + kBefore.size(), end - from - kBefore.size());
  const bool wellFormed = script.rfind("sha256-", 0) == 0 &&
                          script.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=",
                                                   7) == std::string::npos;
  if (!wellFormed) throw Error("the viewer's page does not name its script", {}, "build Mortise again");
  return "'" + script + "'";
}

std::string pageWithLogs(const std::vector<std::pair<std::string, std::string>>& namesAndFiles) {
  constexpr std::string_view kPlace = "<!--LOGS-->";
  std::string page = viewerPage();
  const std::size_t at = page.find(kPlace);
  if (at == std::string::npos) throw Error("the viewer's page has no place for logs", {}, "build Mortise again");
  std::string blocks;
  for (const auto& [name, file] : namesAndFiles) {
    const std::string bytes = readFile(file);
    for (std::size_t from = 0; from < bytes.size(); from += kBlock)
      blocks += "<script type=\"application/mcap+base64\" data-name=\"" + escaped(name) + "\">" +
                toBase64(std::string_view(bytes).substr(from, kBlock)) + "</script>\n";
  }
  page.replace(at, kPlace.size(), blocks);
  return page;
}

}  // namespace mortise::viewer
