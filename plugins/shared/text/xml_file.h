#pragma once

/// XML files with the position of every element and attribute, and typed access that reports what is wrong.

#include <optional>
#include <string>
#include <string_view>
#include <tinyxml2.h>
#include <vector>

#include "mortise/base/diagnostics.h"
#include "mortise/base/value.h"
#include "mortise/math/transform.h"
#include "text/text_file.h"

namespace mortise::io {

/// A parsed file. TinyXML2 knows lines only, so columns come from a second pass over the tags of the text.
class XmlFile {
 public:
  /// Reads and parses. Throws `Error` with the parser's reason and position.
  explicit XmlFile(std::string path) : XmlFile(TextFile(std::move(path))) {}
  explicit XmlFile(TextFile text);
  XmlFile(const XmlFile&) = delete;
  XmlFile& operator=(const XmlFile&) = delete;

  const std::string& path() const { return text_.path(); }
  const tinyxml2::XMLElement& root() const { return *document_.RootElement(); }
  SourcePosition position(const tinyxml2::XMLElement& element) const;
  SourcePosition position(const tinyxml2::XMLElement& element, const char* attribute) const;

 private:
  struct Tag {
    std::size_t offset = 0;
    std::vector<std::pair<std::string, std::size_t>> attributes;  ///< By name; of one name in the order of the text.
  };
  void findTags();
  void number(tinyxml2::XMLElement& element, std::size_t& next);
  const Tag* tagOf(const tinyxml2::XMLElement& element) const;

  TextFile text_;
  tinyxml2::XMLDocument document_;
  std::vector<Tag> tags_;  ///< In document order; each element's user data points into it.
};

/// One element with typed attributes. Every attribute that is asked for counts as known; `warnAboutOthers` reports the
/// rest.
class XmlElement {
 public:
  XmlElement(const XmlFile& file, const tinyxml2::XMLElement& element, Diagnostics& diagnostics)
      : file_(file), element_(element), diagnostics_(diagnostics) {}

  const XmlFile& file() const { return file_; }
  const tinyxml2::XMLElement& raw() const { return element_; }
  Diagnostics& diagnostics() const { return diagnostics_; }
  std::string_view name() const { return element_.Name(); }
  SourcePosition position() const { return file_.position(element_); }
  SourcePosition position(const char* attribute) const { return file_.position(element_, attribute); }

  /// From now on numbers may be separated by commas as well, with a warning.
  void allowCommas() { commas_ = true; }

  bool has(const char* attribute);
  std::optional<std::string> text(const char* attribute);
  std::optional<double> real(const char* attribute);  ///< "inf" is allowed, NaN is not.
  std::optional<double> finite(const char* attribute);
  /// Like `finite`, and not below zero.
  std::optional<double> nonNegative(const char* attribute, bool infinite = true);
  std::optional<int> integer(const char* attribute);
  /// 0, 1, true or false.
  std::optional<bool> flag(const char* attribute);
  std::optional<Vector3d> vector3(const char* attribute);
  /// Numbers separated by blanks; `count` < 0 for any number of them.
  std::optional<std::vector<double>> reals(const char* attribute, int count = -1);
  /// Klamp't's vector: the length first.
  std::optional<std::vector<double>> countedReals(const char* attribute);

  void expect(std::initializer_list<const char*> attributes);
  /// Warns about attributes that nobody asked for, naming the nearest one that exists. Returns them as a map.
  Value warnAboutOthers();
  void error(const char* attribute, std::string message, std::string hint = {});

  /// The attributes as a map, typed by their text, with positions, leaving out `except`.
  Value attributes(std::initializer_list<std::string_view> except = {}) const;

 private:
  const XmlFile& file_;
  const tinyxml2::XMLElement& element_;
  Diagnostics& diagnostics_;
  std::vector<std::string> known_;
  bool commas_ = false;
};

/// Warns about a child element that has no meaning in `parent`.
void warnAboutElement(const XmlFile& file, const tinyxml2::XMLElement& child, const std::vector<std::string>& known,
                      Diagnostics& diagnostics);

}  // namespace mortise::io
