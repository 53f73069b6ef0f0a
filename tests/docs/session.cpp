#include "tests/docs/session.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <unistd.h>

#include "tests/support/reference.h"
#include "tests/support/run_program.h"

namespace mortise::docs {

namespace fs = std::filesystem;

namespace {

/// Parts the outputs of commands; no command prints it.
constexpr char kMark = '\x1e';

std::string quoted(const std::string& text) { return "'" + std::regex_replace(text, std::regex("'"), "'\\''") + "'"; }

bool isRun(const Block& block) { return !block.commands.empty() && block.notRun.empty() && !lacksReference(block); }

/// Files and commands in the order of the page, as one script: what a command leaves is there for the next.
std::string script(const Page& page, const fs::path& folder) {
  std::ostringstream out;
  // As on a terminal of 80 columns.
  out << "exec 2>&1 </dev/null\nls() { command ls -C \"$@\"; }\n";
  for (std::size_t b = 0; b < page.blocks.size(); ++b) {
    const Block& block = page.blocks[b];
    if (lacksReference(block)) continue;
    out << "cd " << quoted((folder / block.runsIn).string()) << "\n";
    if (!block.file.empty() && !fs::exists(fs::path(MORTISE_SOURCE_DIR) / block.file)) {
      out << "mkdir -p \"$(dirname " << quoted(block.file) << ")\"\n";
      out << "cat > " << quoted(block.file) << " <<'MORTISE_END_OF_FILE'\n";
      for (const std::string& line : block.lines) out << line << "\n";
      out << "MORTISE_END_OF_FILE\n";
    }
    if (!isRun(block)) continue;
    for (std::size_t c = 0; c < block.commands.size(); ++c)
      out << "printf '" << kMark << b << " " << c << "\\n'\n"
          << block.commands[c].text << "\nprintf '\\n"
          << kMark << "= %d\\n' $?\n";
  }
  return out.str();
}

/// A copy of a folder of the reference data, which commands of pages may write to.
void copyReference(const fs::path& folder, const std::string& name) {
  if (fs::exists(folder / name)) return;
  fs::copy(fs::path(test::referenceDir()) / name, folder / name, fs::copy_options::recursive);
  for (const auto& entry : fs::recursive_directory_iterator(folder / name))
    fs::permissions(entry.path(), fs::perms::owner_write, fs::perm_options::add);
  fs::permissions(folder / name, fs::perms::owner_write, fs::perm_options::add);
}

std::string relativePaths(std::string text, const fs::path& folder, const std::set<std::string>& copied) {
  std::vector<std::pair<std::string, std::string>> places;
  for (const std::string& name : copied) {
    places.push_back({(folder / name).string() + "/", ""});
  }
  places.insert(places.end(), {{folder.string() + "/", ""},
                               {folder.string(), "."},
                               {std::string(MORTISE_BINARY_DIR) + "/", "build/release/"},
                               {std::string(MORTISE_SOURCE_DIR) + "/", ""}});
  for (const auto& [from, to] : places)
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  return text;
}

}  // namespace

bool lacksReference(const Block& block) {
  if (!test::referenceDir().empty()) return false;
  if (!block.runsIn.empty()) return true;
  for (const Command& command : block.commands)
    if (command.text.find("MORTISE_REFERENCE_DIR") != std::string::npos) return true;
  return false;
}

std::vector<std::vector<CommandRun>> runPage(const Page& page) {
  std::vector<std::vector<CommandRun>> runs;
  bool any = false;
  for (const Block& block : page.blocks) {
    runs.emplace_back(block.commands.size());
    any = any || isRun(block);
  }
  if (!any) return runs;
  std::string name = (fs::temp_directory_path() / "mortise_docs_XXXXXX").string();
  const fs::path folder = mkdtemp(name.data());
  fs::copy(fs::path(MORTISE_SOURCE_DIR) / "data", folder / "data", fs::copy_options::recursive);
  fs::create_directories(folder / "build");
  fs::create_directory_symlink(MORTISE_BINARY_DIR, folder / "build" / "release");
  std::set<std::string> copied;
  for (const Block& block : page.blocks)
    if (!block.runsIn.empty() && !lacksReference(block)) copied.insert(block.runsIn);
  for (const std::string& part : copied) copyReference(folder, part);
  const fs::path file = folder.string() + ".sh";
  std::ofstream(file) << script(page, folder);
  const char* path = std::getenv("PATH");
  const test::Ran ran =
      test::runProgram({"/bin/bash", "--norc", file.string()},
                       {std::string("PATH=" MORTISE_BINARY_DIR "/bin:") + (path == nullptr ? "/usr/bin:/bin" : path),
                        "XDG_DATA_HOME=/nonexistent", "NO_COLOR=1", "COLUMNS=80", "LC_ALL=C.UTF-8"});
  fs::remove_all(folder);
  fs::remove(file);
  std::istringstream out(relativePaths(ran.out, folder, copied));
  CommandRun* current = nullptr;
  for (std::string line; std::getline(out, line);) {
    if (line.empty() || line[0] != kMark) {
      if (current != nullptr) current->printed.push_back(line);
    } else if (line.size() > 2 && line[1] == '=') {
      current->exitCode = std::atoi(line.c_str() + 2);
      auto& printed = current->printed;
      while (!printed.empty() && printed.back().find_first_not_of(" \t") == std::string::npos) printed.pop_back();
      current = nullptr;
    } else {
      std::size_t block = 0, command = 0;
      std::istringstream(line.substr(1)) >> block >> command;
      current = &runs.at(block).at(command);
    }
  }
  return runs;
}

}  // namespace mortise::docs
