#include <algorithm>
#include <istream>
#include <map>
#include <optional>
#include <set>
#include <streambuf>
#include <vector>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "mortise/base/files.h"
#include "mortise/base/interruption.h"
#include "mortise/base/position.h"
#include "mortise/base/value_text.h"
#include "mortise/base/yaml/yaml_brackets.h"
#include "mortise/text/hex.h"
#include "mortise/text/utf8.h"

namespace mortise {

namespace {

// Far beyond any file that a person writes, and small enough that a hostile one ends in a message.
constexpr std::size_t kMaxNesting = 200;
constexpr std::size_t kMaxNodes = 5'000'000;
/// Values that aliases copy. Few lines of them can ask for any number.
constexpr std::size_t kMaxCopies = 500'000;

/// Builds a `Value` from yaml-cpp's parser events. Going by events instead of `YAML::Node` keeps the difference between
/// plain and quoted scalars, lets duplicate keys be seen, and needs one pass.
class ValueBuilder final : public YAML::EventHandler {
 public:
  ValueBuilder(std::string_view text, const std::string& fileName) : text_(text), fileName_(fileName) {}

  Value take() { return std::move(root_); }
  /// Says whether the last scalar of the document was quoted.
  bool lastQuoted() const { return lastQuoted_; }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Value value;
    const bool impliedNull = !frames_.empty() && !expectsKey() && !writtenAt(mark);
    const SourcePosition before = impliedNull ? placeOfMissingValue(mark) : SourcePosition();
    finish(std::move(value), mark, anchor, impliedNull ? &before : nullptr);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    lastQuoted_ = tag == "!";
    if (expectsKey()) {
      beginEntry(text, mark);
      frames_.back().merges = text == "<<" && !lastQuoted_;
      if (anchor) anchors_[anchor] = Value(text);
      return;
    }
    // yaml-cpp gives quoted scalars the tag "!", plain ones "?"; the long forms come from explicit tags.
    const bool quoted = lastQuoted_ || tag == "!!str" || tag == "tag:yaml.org,2002:str";
    finish(Value::fromText(text, quoted), mark, anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) fail("this alias refers to the value it is part of", mark);
    if (expectsKey()) {
      if (!found->second.isScalar()) fail("a key must be a single value", mark);
      beginEntry(found->second.text(), mark);
      return;
    }
    Value copy = found->second;
    count(copy, mark, frames_.size());
    finish(std::move(copy), mark, 0);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    begin(Value::list(), mark, anchor);
  }
  void OnSequenceEnd() override { end(); }

  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    begin(Value::map(), mark, anchor);
  }
  void OnMapEnd() override { end(); }

 private:
  /// A list or map that is being read.
  struct Frame {
    Value value;
    YAML::Mark mark;
    YAML::anchor_t anchor = 0;
    std::size_t pathSize = 0;  ///< Length of the key path up to and including this list or map.
    std::optional<std::string> key;
    SourcePosition keyPosition;
    std::set<std::string, std::less<>> keys;
    bool merges = false;             ///< The key being read is a plain `<<`.
    std::vector<Value> merged = {};  ///< Values after it.
  };

  [[noreturn]] void fail(const std::string& message, const YAML::Mark& mark, std::string hint = {}) {
    throw Error(message, position(mark), std::move(hint));
  }

  SourcePosition position(const YAML::Mark& mark) const {
    if (mark.is_null()) return {fileName_, 0, 0, path_};
    return {fileName_, mark.line + 1, mark.column + 1, path_};
  }

  bool expectsKey() const { return !frames_.empty() && frames_.back().value.isMap() && !frames_.back().key; }

  void extendPath(std::string_view part) {
    if (!path_.empty()) path_ += '.';
    path_ += part;
  }

  void beginEntry(const std::string& key, const YAML::Mark& mark) {
    Frame& frame = frames_.back();
    extendPath(key);
    if (!frame.keys.insert(key).second) {
      path_.resize(frame.pathSize);
      for (const Value::Entry& entry : frame.value.entries())
        if (entry.key == key)
          fail("the key '" + key + "' is given twice; first on line " + std::to_string(entry.keyPosition.line), mark,
               "remove one of the two");
    }
    frame.key = key;
    frame.keyPosition = position(mark);
  }

  /// Begins a value: gives list entries their place in the key path.
  void enter(const YAML::Mark& mark) {
    points_.pass();
    if (++nodes_ > kMaxNodes) fail("the file holds more than " + std::to_string(kMaxNodes) + " values", mark);
    if (frames_.empty()) return;
    const Frame& frame = frames_.back();
    if (frame.value.isList()) extendPath(std::to_string(frame.value.size()));
  }

  void begin(Value container, const YAML::Mark& mark, YAML::anchor_t anchor) {
    // Also what yaml-cpp makes of a bracket that is never closed.
    if (expectsKey())
      fail("a key must be a single value, not a list or a map", mark,
           "if none was meant: a closing bracket is missing, or the file is cut off");
    enter(mark);
    if (frames_.size() >= kMaxNesting) fail("nested deeper than " + std::to_string(kMaxNesting) + " levels", mark);
    Frame frame;
    frame.value = std::move(container);
    frame.value.setPosition(position(mark));
    frame.mark = mark;
    frame.anchor = anchor;
    frame.pathSize = path_.size();
    frames_.push_back(std::move(frame));
  }

  void end() {
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    for (const Value& merged : frame.merged) mergeInto(frame, merged);
    if (frame.anchor) anchors_[frame.anchor] = frame.value;
    attach(std::move(frame.value));
  }

  /// `where`: instead of the mark; may be null.
  void finish(Value value, const YAML::Mark& mark, YAML::anchor_t anchor, const SourcePosition* where = nullptr) {
    if (expectsKey()) fail("a key must be a single value", mark);
    enter(mark);
    SourcePosition place = position(mark);
    if (where != nullptr) {
      place.line = where->line;
      place.column = where->column;
    }
    value.setPosition(std::move(place));
    if (anchor) anchors_[anchor] = value;
    attach(std::move(value));
  }

  void attach(Value value) {
    if (frames_.empty()) {
      root_ = std::move(value);
      return;
    }
    Frame& frame = frames_.back();
    if (frame.value.isList()) {
      frame.value.items().push_back(std::move(value));
    } else if (frame.merges) {
      rememberMerge(frame, std::move(value));
      frame.merges = false;
      frame.key.reset();
    } else {
      frame.value.entries().push_back({std::move(*frame.key), std::move(value), std::move(frame.keyPosition)});
      frame.key.reset();
    }
    path_.resize(frame.pathSize);
  }

  /// `<<: *a` and `<<: [*a, *b]` (YAML's merge key).
  void rememberMerge(Frame& frame, Value value) {
    const auto wrong = [&](const Value& found) {
      throw Error("'<<' merges maps into this one; found " + std::string(Value::typeName(found.type())),
                  frame.keyPosition, "write <<: *NAME, where &NAME stands at a map");
    };
    if (value.isList()) {
      for (Value& item : value.items()) {
        if (!item.isMap()) wrong(item);
        frame.merged.push_back(std::move(item));
      }
    } else {
      if (!value.isMap()) wrong(value);
      frame.merged.push_back(std::move(value));
    }
  }

  /// The map's own keys hold over those that are merged, and earlier merged maps over later ones.
  static void mergeInto(Frame& frame, const Value& merged) {
    for (const Value::Entry& entry : merged.entries())
      if (frame.keys.insert(entry.key).second) frame.value.entries().push_back(entry);
  }

  /// Says whether a null stands at the mark in so many letters; where a value is missing, the mark is at what follows.
  bool writtenAt(const YAML::Mark& mark) const {
    if (mark.is_null() || mark.pos < 0 || static_cast<std::size_t>(mark.pos) >= text_.size()) return false;
    const std::string_view rest = text_.substr(static_cast<std::size_t>(mark.pos));
    for (const char* word : {"~", "null", "Null", "NULL"})
      if (rest.starts_with(word)) return true;
    return false;
  }

  /// The key whose value is missing, or the dash of the list entry.
  SourcePosition placeOfMissingValue(const YAML::Mark& mark) const {
    const Frame& frame = frames_.back();
    if (frame.key) return frame.keyPosition;
    SourcePosition where{fileName_, mark.line + 1, mark.column + 1, {}};
    std::size_t end = std::min(text_.size(), static_cast<std::size_t>(std::max(mark.pos, 0)));
    for (int line = mark.line + 1; line > 0; --line) {
      const std::size_t start = end == 0 ? 0 : text_.rfind('\n', end - 1) + 1;  // npos + 1 is 0.
      const std::string_view words = text_.substr(start, end - start);
      const std::size_t first = words.find_first_not_of(" \t\r");
      if (first != std::string_view::npos && words[first] == '-') {
        where.line = line;
        where.column = static_cast<int>(first) + 1;
        return where;
      }
      if (start == 0) break;
      end = start - 1;
    }
    return where;
  }

  /// Counts what an alias copies, so that nested aliases cannot grow without bound.
  void count(const Value& value, const YAML::Mark& mark, std::size_t depth) {
    if (++copies_ > kMaxCopies) fail("aliases expand to more than " + std::to_string(kMaxCopies) + " values", mark);
    if (depth >= kMaxNesting) fail("nested deeper than " + std::to_string(kMaxNesting) + " levels", mark);
    for (const Value& item : value.items()) count(item, mark, depth + 1);
    for (const Value::Entry& entry : value.entries()) count(entry.value, mark, depth + 1);
  }

  std::string_view text_;
  const std::string& fileName_;
  Value root_;
  std::vector<Frame> frames_;
  std::map<YAML::anchor_t, Value> anchors_;
  std::string path_;
  std::size_t nodes_ = 0, copies_ = 0;
  InterruptionPoints points_;
  bool lastQuoted_ = false;
};

/// Listens to nothing; refuses documents beyond the number allowed.
class DocumentCounter final : public YAML::EventHandler {
 public:
  explicit DocumentCounter(int allowed) : allowed_(allowed) {}
  void OnDocumentStart(const YAML::Mark& mark) override {
    if (--allowed_ < 0) throw YAML::ParserException(mark, "a second document starts here; one is expected");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

 private:
  int allowed_;
};

/// Reads from memory without copying.
class ViewBuffer final : public std::streambuf {
 public:
  explicit ViewBuffer(std::string_view text) {
    char* begin = const_cast<char*>(text.data());
    setg(begin, begin, begin + text.size());
  }
};

/// Control characters end yaml-cpp's input early, silently; they are never part of a YAML file, and neither is anything
/// that is not UTF-8.
void refuseOddBytes(std::string_view text, const std::string& fileName) {
  int line = 1, column = 1;
  for (std::size_t i = 0; i < text.size(); ++column) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 && c != '\n' && c != '\t' && c != '\r') {
      throw Error("control character 0x" + hexText({&c, 1}) + " is not allowed in YAML", {fileName, line, column, {}},
                  "is this a text file?");
    }
    const std::size_t length = utf8Length(text, i);
    if (length == 0) throw Error("this is not UTF-8 text", {fileName, line, column, {}}, "save the file as UTF-8");
    i += length;
    if (c == '\n') {
      ++line;
      column = 0;
    }
  }
}

}  // namespace

namespace {

Value parsedYaml(std::string_view text, const std::string& fileName) {
  ViewBuffer buffer(text);
  std::istream stream(&buffer);
  try {
    YAML::Parser parser(stream);
    ValueBuilder builder(text, fileName);
    parser.HandleNextDocument(builder);
    DocumentCounter refuseMore(0);
    parser.HandleNextDocument(refuseMore);
    // yaml-cpp overlooks a quote that is never closed when blanks or line ends follow; without those it does not.
    const auto end = text.find_last_not_of(" \t\r\n");
    if (builder.lastQuoted() && end + 1 < text.size()) {
      ViewBuffer trimmed(text.substr(0, end + 1));
      std::istream again(&trimmed);
      DocumentCounter listener(1);
      YAML::Parser(again).HandleNextDocument(listener);
    }
    return builder.take();
  } catch (const YAML::Exception& exception) {
    SourcePosition where = inFile(fileName);
    if (!exception.mark.is_null()) {
      where.line = exception.mark.line + 1;
      where.column = exception.mark.column + 1;
    }
    throw Error("not valid YAML: " + exception.msg, std::move(where));
  }
}

/// The last line up to `last` that is indented with a tab, as a position; without line where there is none.
SourcePosition tabIndentation(std::string_view text, const std::string& fileName, int last) {
  SourcePosition where = inFile(fileName);
  int line = 1;
  for (std::size_t start = 0; start < text.size() && line <= last; ++line) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view words = text.substr(start, end - start);
    const std::size_t indentation = words.find_first_not_of(" \t\r"), tab = words.find('\t');
    if (indentation != std::string_view::npos && tab < indentation) {
      where.line = line;
      where.column = static_cast<int>(tab) + 1;
    }
    start = end + 1;
  }
  return where;
}

}  // namespace

Value parseYaml(std::string_view text, const std::string& fileName) {
  refuseOddBytes(text, fileName);
  try {
    return parsedYaml(text, fileName);
  } catch (const Error& error) {
    const std::optional<YamlBracket> open = unclosedYamlBracket(text);
    if (!open) {
      if (!error.message().starts_with("not valid YAML")) throw;
      // The parser stops at the tab, or at the line after it.
      const SourcePosition tab = tabIndentation(text, fileName, error.where().line);
      if (tab.line == 0 || tab.line + 1 < error.where().line) throw;
      throw Error("not valid YAML: this line is indented with a tab", tab, "indent with spaces");
    }
    const std::string closing = open->bracket == '[' ? "]" : "}";
    throw Error(std::string("not valid YAML: this '") + open->bracket + "' is not closed",
                {fileName, open->line, open->column, {}},
                "add the '" + closing + "' that belongs to it, or the file is cut off" +
                    (error.where().line > 0 ? "; the parser gave up in line " + std::to_string(error.where().line)
                                            : std::string()));
  }
}

Value loadYaml(const std::string& path) { return parseYaml(readFile(path), path); }

}  // namespace mortise
