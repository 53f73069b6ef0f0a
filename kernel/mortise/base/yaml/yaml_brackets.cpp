#include "mortise/base/yaml/yaml_brackets.h"

#include <vector>

namespace mortise {

namespace {

/// Walks over the text as far as brackets need it: quotes, comments, keys and block scalars are told apart.
class BracketScanner {
 public:
  explicit BracketScanner(std::string_view text) : text_(text) {}

  std::optional<YamlBracket> scan() {
    while (at_ < text_.size()) {
      if (open_.empty())
        blockStep();
      else if (!flowStep())
        return open_.back();
    }
    return open_.empty() ? std::nullopt : std::optional(open_.back());
  }

 private:
  char here(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\n'; }
  static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

  void step() {
    if (text_[at_] == '\n') {
      ++line_;
      lineStart_ = at_ + 1;
      valueMayStart_ = true;
    }
    ++at_;
  }
  void skipLine() {
    while (at_ < text_.size() && text_[at_] != '\n') step();
  }

  void push() { open_.push_back({here(), line_, static_cast<int>(at_ - lineStart_) + 1}); }

  void skipQuoted() {
    const char quote = here();
    for (step(); at_ < text_.size(); step()) {
      if (quote == '"' && here() == '\\' && at_ + 1 < text_.size())
        step();
      else if (here() == quote && quote == '\'' && here(1) == '\'')
        step();
      else if (here() == quote)
        break;
    }
    if (at_ < text_.size()) step();
  }

  /// The lines of a block scalar: those that are indented deeper than the line it starts in.
  void skipBlockScalar() {
    std::size_t indent = lineStart_;
    while (indent < text_.size() && text_[indent] == ' ') ++indent;
    indent -= lineStart_;
    for (skipLine(); at_ < text_.size();) {
      std::size_t first = at_ + 1;
      while (first < text_.size() && text_[first] == ' ') ++first;
      const bool empty = first >= text_.size() || text_[first] == '\n' || text_[first] == '\r';
      if (!empty && first - at_ - 1 <= indent) return;
      step();
      skipLine();
    }
  }

  void blockStep() {
    const char c = here();
    if (blank(c)) return step();
    if (c == '#' && (at_ == lineStart_ || blank(text_[at_ - 1]))) return skipLine();
    if ((c == '-' || c == '?' || c == ':') && blank(here(1))) {
      valueMayStart_ = true;
      return step();
    }
    if (valueMayStart_) {
      if (c == '[' || c == '{') {
        push();
        last_ = c;
        return step();
      }
      if (c == '&' || c == '!' || c == '*') {
        while (at_ < text_.size() && !blank(here())) step();
        return;
      }
      valueMayStart_ = false;
      if (c == '"' || c == '\'') return skipQuoted();
      if (c == '|' || c == '>') return skipBlockScalar();
    }
    step();
  }

  /// False at a bracket that closes one of the other kind.
  bool flowStep() {
    const char c = here();
    if (c == '#' && (at_ == lineStart_ || blank(text_[at_ - 1]))) {
      skipLine();
      return true;
    }
    if ((c == '"' || c == '\'') && (last_ == '[' || last_ == '{' || last_ == ',' || last_ == ':')) {
      skipQuoted();
      last_ = c;
      return true;
    }
    if (c == '[' || c == '{') push();
    if (c == ']' || c == '}') {
      if (open_.back().bracket != (c == ']' ? '[' : '{')) return false;
      open_.pop_back();
      valueMayStart_ = false;
    }
    if (!blank(c)) last_ = c;
    step();
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0, lineStart_ = 0;
  int line_ = 1;
  bool valueMayStart_ = true;  ///< Outside of brackets: a bracket here opens a list or map.
  char last_ = '\n';           ///< Inside of brackets: the last character that is no blank.
  std::vector<YamlBracket> open_;
};

}  // namespace

std::optional<YamlBracket> unclosedYamlBracket(std::string_view text) { return BracketScanner(text).scan(); }

}  // namespace mortise
