#include "tests/docs/page.h"

#include <map>
#include <sstream>

namespace mortise::docs {

namespace {

std::string trimmedEnd(std::string text) {
  text.erase(text.find_last_not_of(" \t\r") + 1);
  return text;
}

std::string trimmedStart(const std::string& text) {
  const std::size_t start = text.find_first_not_of(' ');
  return start == std::string::npos ? std::string() : text.substr(start);
}

/// Whether a line of a block is a command that should stand after "$ ".
bool isBareCommand(const std::string& line) {
  for (const char* program : {"mortise ", "build/release/bin/mortise ", "build/release/bin/bench_", "./dev "})
    if (line.starts_with(program)) return true;
  return false;
}

/// "<!-- key: value -->": comments that the next block takes.
void readComment(const std::string& line, std::map<std::string, std::string>& comments) {
  if (!line.starts_with("<!-- ") || !line.ends_with(" -->")) return;
  const std::string inside = line.substr(5, line.size() - 9);
  for (const char* key : {"file", "not run", "numbers vary", "runs in"})
    if (inside.starts_with(std::string(key) + ": ")) comments[key] = inside.substr(std::string(key).size() + 2);
}

/// Splits a session into commands and what they print.
void readCommands(Block& block, std::vector<std::string>& faults) {
  bool goesOn = false;
  for (std::size_t i = 0; i < block.lines.size(); ++i) {
    const std::string& line = block.lines[i];
    const int at = block.line + 1 + static_cast<int>(i);
    if (line.starts_with("$ ") || goesOn) {
      const std::string part = goesOn ? line : line.substr(2);
      if (!goesOn) block.commands.push_back({at, {}, {}, 0});
      goesOn = part.ends_with("\\");
      block.commands.back().text += goesOn ? part.substr(0, part.size() - 1) + "\\\n" : part;
      block.commands.back().shownLine = at + 1;
    } else if (block.commands.empty()) {
      faults.push_back(std::to_string(at) + ": a session begins with a command, after \"$ \"");
      return;
    } else {
      block.commands.back().shown.push_back(line);
    }
  }
  for (Command& command : block.commands)
    while (!command.shown.empty() && command.shown.back().empty()) command.shown.pop_back();
}

void finish(Block block, Page& page) {
  bool session = false;
  for (const std::string& line : block.lines) session = session || line.starts_with("$ ");
  if (session && block.file.empty()) readCommands(block, page.faults);
  const bool prose = block.language.empty() || block.language == "sh" || block.language == "console";
  for (std::size_t i = 0; !session && prose && block.notRun.empty() && block.file.empty() && i < block.lines.size();
       ++i)
    if (isBareCommand(block.lines[i]))
      page.faults.push_back(std::to_string(block.line + 1 + static_cast<int>(i)) +
                            ": a command stands after \"$ \", so that it is run: " + block.lines[i]);
  page.blocks.push_back(std::move(block));
}

}  // namespace

Page readPage(const std::string& text) {
  Page page;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) page.lines.push_back(line);
  std::map<std::string, std::string> comments;
  bool inside = false;
  Block block;
  std::size_t indent = 0;
  for (std::size_t i = 0; i < page.lines.size(); ++i) {
    const std::string bare = trimmedStart(page.lines[i]);
    if (bare.starts_with("```")) {
      if (inside) {
        finish(std::move(block), page);
      } else {
        indent = page.lines[i].size() - bare.size();
        block = {static_cast<int>(i) + 1,
                 bare.substr(3),
                 comments["file"],
                 comments["not run"],
                 comments["numbers vary"],
                 comments["runs in"],
                 {},
                 {}};
        comments.clear();
      }
      inside = !inside;
    } else if (inside) {
      const std::size_t blanks = std::min(indent, page.lines[i].size() - bare.size());
      block.lines.push_back(trimmedEnd(page.lines[i].substr(blanks)));
    } else if (!bare.empty()) {
      if (page.lines[i].starts_with("    ") && (bare.starts_with("$ ") || isBareCommand(bare)) && comments.empty())
        page.faults.push_back(std::to_string(i + 1) + ": a command stands in a fenced block (```), not indented");
      if (!bare.starts_with("<!--")) comments.clear();
      readComment(bare, comments);
    }
  }
  if (inside) page.faults.push_back(std::to_string(block.line) + ": this block has no end");
  return page;
}

}  // namespace mortise::docs
