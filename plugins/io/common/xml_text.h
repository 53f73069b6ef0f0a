#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mortise::io {

/// Builds XML. New lines and tabs inside attributes and texts become character references, as Klamp't writes them, so
/// that no reader folds them.
///
///   XmlText xml;
///   xml.open("path").attribute("name", "a").open("point").text("1 2").close().close();
class XmlText {
 public:
  /// Throws `Error` for what is no name of an element or attribute.
  XmlText& open(std::string_view name);
  XmlText& attribute(std::string_view name, std::string_view value);
  XmlText& text(std::string_view text);
  XmlText& close();
  std::string take() { return std::move(out_); }

 private:
  void endTag();

  std::string out_;
  std::vector<std::string> open_;
  bool inTag_ = false;    ///< The last start tag may still take attributes.
  bool hasText_ = false;  ///< The innermost element holds text: its end tag stays on the line.
};

/// Says whether an element or attribute may be called that (letters, digits, '_', '-', '.', ':'; bytes above 127 pass).
bool isXmlName(std::string_view name);

}  // namespace mortise::io
