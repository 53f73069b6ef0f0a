#pragma once

/// A page of the documentation as the checker reads it.
///
/// Fenced blocks whose lines begin with "$ " are sessions: commands, each followed by what it prints. A line "..."
/// stands for any lines left out, "..." at the end of a line for the rest of that line. A command goes on in the next
/// line after a backslash. Every session begins in the same folder, which holds data/ and the files that the page
/// showed before. Comments before a block, which no reader sees, say more about it:
///
///   <!-- file: NAME -->             the block is a file, kept under this name
///   <!-- not run: REASON -->        the session is not run
///   <!-- numbers vary: REASON -->   only the words of the output are compared, not its numbers
///   <!-- runs in: klampt-data -->   the session runs beside what this folder of MORTISE_REFERENCE_DIR holds, and only
///                                   where that is set; what it writes stays out of the folder

#include <string>
#include <vector>

namespace mortise::docs {

struct Command {
  int line = 0;  ///< Of the page, from 1.
  std::string text;
  std::vector<std::string> shown;  ///< What the page says it prints.
  int shownLine = 0;               ///< The line of the page where that begins.
};

struct Block {
  int line = 0;             ///< Of its opening fence.
  std::string language;     ///< "yaml", or empty.
  std::string file;         ///< The name to keep it under; empty: it is no file.
  std::string notRun;       ///< Why it is not run; empty: it is.
  std::string numbersVary;  ///< Why its numbers differ; empty: they do not.
  std::string runsIn;       ///< A folder of the reference data; empty: where the page's other sessions run.
  std::vector<std::string> lines;
  std::vector<Command> commands;  ///< Of a session.
};

struct Page {
  std::vector<std::string> lines;
  std::vector<Block> blocks;
  /// What breaks the convention: "LINE: what".
  std::vector<std::string> faults;
};

/// Reads a page of Markdown.
Page readPage(const std::string& text);

}  // namespace mortise::docs
