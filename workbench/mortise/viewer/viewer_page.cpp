#include "mortise/viewer/viewer_page.h"

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>

#include "mortise/base/error.h"
#include "mortise/base/files.h"
#include "mortise/simulation/saving/saved_state.h"
#include "mortise/text/xml_escape.h"

namespace mortise::viewer {

namespace {

namespace fs = std::filesystem;

/// Returns the files that may be the page, the likeliest first: above the program, above the library, whose folder may
/// have one for the machine's kind within it, and, in a wheel, beside it.
std::vector<fs::path> placesOfPage() {
  const fs::path below = "share/mortise/viewer.html";
  std::error_code code;
  std::vector<fs::path> places = {fs::read_symlink("/proc/self/exe", code).parent_path().parent_path() / below};
  Dl_info info = {};
  if (dladdr(reinterpret_cast<const void*>(&viewerPage), &info) == 0 || info.dli_fname == nullptr) return places;
  const fs::path folder = fs::canonical(info.dli_fname, code).parent_path();
  for (const fs::path& above : {folder.parent_path(), folder.parent_path().parent_path(), folder})
    places.push_back(above / below);
  return places;
}

/// Browsers take scripts of this size; a multiple of 3, so that blocks join without padding.
constexpr std::size_t kBlock = 24 * 1024 * 1024;

std::string escaped(const std::string& text) {
  std::string out;
  appendXml(out, text);
  return out;
}

}  // namespace

std::string viewerPage() {
  const std::vector<fs::path> places = placesOfPage();
  std::error_code code;
  for (const fs::path& page : places)
    if (fs::is_regular_file(page, code)) return readFile(page.string());
  throw Error("this build has no viewer: '" + places.front().string() + "' is not there", {},
              "install Node.js and npm (Debian: apt install nodejs npm), and build again; `mortise render` makes "
              "pictures without it");
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
