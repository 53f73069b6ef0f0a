#include "common/xml_text.h"

#include <algorithm>
#include <cctype>

#include "mortise/base/error.h"
#include "mortise/text/xml_escape.h"

namespace mortise::io {

namespace {

void requireName(std::string_view name, const char* what) {
  if (!isXmlName(name))
    throw Error("'" + std::string(name.substr(0, 60)) + "' cannot be the name of an XML " + what, {},
                "names are letters, digits, '_', '-', '.' and ':' and begin with a letter or '_'");
}

}  // namespace

bool isXmlName(std::string_view name) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c < 0; };
  return !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
    return letter(c) || std::isdigit(static_cast<unsigned char>(c)) || c == '-' || c == '.' || c == ':';
  });
}

XmlText& XmlText::open(std::string_view name) {
  requireName(name, "element");
  endTag();
  if (!out_.empty()) out_ += '\n';
  out_.append(2 * open_.size(), ' ');
  out_ += '<';
  out_ += name;
  open_.emplace_back(name);
  inTag_ = true;
  hasText_ = false;
  return *this;
}

XmlText& XmlText::attribute(std::string_view name, std::string_view value) {
  requireName(name, "attribute");
  out_ += ' ';
  out_ += name;
  out_ += "=\"";
  appendXml(out_, value);
  out_ += '"';
  return *this;
}

XmlText& XmlText::text(std::string_view text) {
  endTag();
  appendXml(out_, text);
  hasText_ = true;
  return *this;
}

XmlText& XmlText::close() {
  const std::string name = std::move(open_.back());
  open_.pop_back();
  if (inTag_) {
    out_ += "/>";
  } else {
    if (!hasText_) {
      out_ += '\n';
      out_.append(2 * open_.size(), ' ');
    }
    out_ += "</" + name + ">";
  }
  inTag_ = hasText_ = false;
  if (open_.empty()) out_ += '\n';
  return *this;
}

void XmlText::endTag() {
  if (inTag_) out_ += '>';
  inTag_ = false;
}

}  // namespace mortise::io
