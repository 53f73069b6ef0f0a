#pragma once

/// Text literals in the sources of the project, for tests that none is missing in a list.

#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace mortise::test {

/// The literals of one call in C++ text that begins behind its parenthesis.
inline std::vector<std::string> literalsOfCall(const std::string& text, std::size_t at) {
  std::vector<std::string> literals;
  bool joined = false;  // Whether the next literal goes on with the last one.
  for (int depth = 1; depth > 0 && at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\'' && (at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0)) {
      at += at + 1 < text.size() && text[at + 1] == '\\' ? 3 : 2;  // A character, which may be a quotation mark.
      continue;
    }
    if (c == '"') {
      std::string literal;
      for (++at; at < text.size() && text[at] != '"'; ++at) {
        if (text[at] == '\\') ++at;
        literal += text[at];
      }
      if (joined)
        literals.back() += literal;
      else
        literals.push_back(literal);
      joined = true;
      continue;
    }
    depth += (c == '(') - (c == ')');
    joined = joined && (c == ' ' || c == '\n');
  }
  return literals;
}

inline std::string fullFile(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// All text literals of the tests, one after another, pieces of one joined.
inline std::string literalsOfTests() {
  std::string all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(MORTISE_SOURCE_DIR "/tests")) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".py")
      all += fullFile(entry.path());
    else if (extension == ".cpp" || extension == ".h")
      for (const std::string& literal : literalsOfCall(fullFile(entry.path()) + ")", 0)) all += literal + "\n";
  }
  return all;
}

}  // namespace mortise::test
