#include "text/xml_file.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "mortise/base/position.h"
#include "mortise/text/excerpt.h"
#include "mortise/text/suggest.h"
#include "text/xml_fault.h"

namespace mortise::io {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";
/// The number of attributes of one element. Parsers look through those before for each of them.
constexpr std::size_t kMaxAttributes = 250;
/// Attributes of one element that are told one by one where nothing knows them.
constexpr std::size_t kMaxListed = 20;

std::vector<std::string_view> splitWords(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = text.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(kBlanks, end);
  }
  return words;
}

/// Who writes files with this root; sensors and controllers in files of their own belong to robots.
Origin originOf(std::string_view root) {
  if (root == "world") return Origin::world;
  if (root == "robot" || root == "sensors" || root == "controller") return Origin::robot;
  return Origin::unknown;
}

}  // namespace

XmlFile::XmlFile(TextFile text) : text_(std::move(text)) {
  findTags();
  if (document_.Parse(text_.text().data(), text_.text().size()) != tinyxml2::XML_SUCCESS) {
    SourcePosition where = inFile(text_.path());
    where.line = document_.ErrorLineNum();
    // The name is of the form XML_ERROR_MISMATCHED_ELEMENT.
    std::string reason = document_.ErrorName();
    for (const std::string_view prefix : {"XML_ERROR_", "XML_"})
      if (reason.rfind(prefix, 0) == 0) reason.erase(0, prefix.size());
    std::transform(reason.begin(), reason.end(), reason.begin(),
                   [](unsigned char c) { return c == '_' ? ' ' : static_cast<char>(std::tolower(c)); });
    if (document_.ErrorID() == tinyxml2::XML_ERROR_EMPTY_DOCUMENT)
      throw Error("the file holds no XML element", where, "it may have been emptied when it was saved or copied");
    if (const auto fault = xmlFault(text_.text())) {
      const SourcePosition at = text_.position(fault->offset);
      throw Error("not well-formed XML: " + fault->message, at,
                  fault->hint + (where.line > at.line ? "; the parser gave up in line " + std::to_string(where.line)
                                                      : std::string()));
    }
    throw Error("not well-formed XML: " + reason, where);
  }
  if (document_.RootElement() == nullptr) throw Error("the file holds no XML element", inFile(text_.path()));
  text_.setOrigin(originOf(document_.RootElement()->Name()));
  std::size_t next = 0;
  for (auto* element = document_.FirstChildElement(); element != nullptr; element = element->NextSiblingElement())
    number(*element, next);
}

void XmlFile::findTags() {
  const std::string& s = text_.text();
  const auto skipPast = [&s](std::size_t at, const char* what) {
    const std::size_t found = s.find(what, at);
    return found == std::string::npos ? s.size() : found + std::char_traits<char>::length(what);
  };
  std::size_t at = 0;
  while ((at = s.find('<', at)) != std::string::npos) {
    if (s.compare(at, 4, "<!--") == 0) {
      at = skipPast(at + 4, "-->");
    } else if (s.compare(at, 9, "<![CDATA[") == 0) {
      at = skipPast(at, "]]>");
    } else if (at + 1 < s.size() && (s[at + 1] == '?' || s[at + 1] == '!' || s[at + 1] == '/')) {
      at = skipPast(at, ">");
    } else {
      Tag tag;
      tag.offset = at;
      at = std::min(s.find_first_of(" \t\r\n/>", at), s.size());
      while (at < s.size() && s[at] != '>') {
        if (kBlanks.find(s[at]) != std::string_view::npos || s[at] == '/') {
          ++at;
          continue;
        }
        const std::size_t begin = at;
        at = std::min(s.find_first_of("= \t\r\n>", at), s.size());
        tag.attributes.emplace_back(s.substr(begin, at - begin), begin);
        if (tag.attributes.size() > kMaxAttributes)
          throw Error("an element has more than " + std::to_string(kMaxAttributes) + " attributes",
                      text_.position(tag.offset),
                      "long lists belong into one attribute, or into elements of their own");
        at = std::min(s.find_first_of("\"'>", at), s.size());
        if (at < s.size() && s[at] != '>') at = std::min(s.find(s[at], at + 1), s.size() - 1) + 1;
      }
      std::stable_sort(tag.attributes.begin(), tag.attributes.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
      tags_.push_back(std::move(tag));
    }
  }
}

void XmlFile::number(tinyxml2::XMLElement& element, std::size_t& next) {
  if (next < tags_.size()) element.SetUserData(&tags_[next]);
  ++next;
  for (auto* child = element.FirstChildElement(); child != nullptr; child = child->NextSiblingElement())
    number(*child, next);
}

const XmlFile::Tag* XmlFile::tagOf(const tinyxml2::XMLElement& element) const {
  return static_cast<const Tag*>(element.GetUserData());
}

SourcePosition XmlFile::position(const tinyxml2::XMLElement& element) const {
  if (const Tag* tag = tagOf(element)) return text_.position(tag->offset);
  SourcePosition where = inFile(path());
  where.line = element.GetLineNum();
  return where;
}

SourcePosition XmlFile::position(const tinyxml2::XMLElement& element, const char* attribute) const {
  if (const Tag* tag = tagOf(element)) {
    const auto found = std::lower_bound(tag->attributes.begin(), tag->attributes.end(), std::string_view(attribute),
                                        [](const auto& entry, std::string_view name) { return entry.first < name; });
    if (found != tag->attributes.end() && found->first == attribute) return text_.position(found->second);
  }
  return position(element);
}

bool XmlElement::has(const char* attribute) {
  expect({attribute});
  return element_.Attribute(attribute) != nullptr;
}

void XmlElement::expect(std::initializer_list<const char*> attributes) {
  for (const char* attribute : attributes) known_.emplace_back(attribute);
}

std::optional<std::string> XmlElement::text(const char* attribute) {
  if (!has(attribute)) return std::nullopt;
  return element_.Attribute(attribute);
}

std::optional<std::vector<double>> XmlElement::reals(const char* attribute, int count) {
  if (!has(attribute)) return std::nullopt;
  std::vector<double> values;
  std::string numbers = element_.Attribute(attribute);
  if (commas_ && numbers.find(',') != std::string::npos) {
    diagnostics_.warning(
        "<" + std::string(name()) + "> " + attribute + ": numbers are separated by blanks; commas are read as such",
        position(attribute));
    std::replace(numbers.begin(), numbers.end(), ',', ' ');
  }
  for (const std::string_view word : splitWords(numbers)) {
    const auto value = parseReal(word);
    if (!value || std::isnan(*value)) {
      error(attribute, "expected a number, found '" + std::string(word.substr(0, 40)) + "'");
      return std::nullopt;
    }
    values.push_back(*value);
  }
  if (count >= 0 && static_cast<int>(values.size()) != count) {
    error(attribute, "expected " + std::to_string(count) + (count == 1 ? " number" : " numbers") + ", found " +
                         std::to_string(values.size()));
    return std::nullopt;
  }
  return values;
}

std::optional<std::vector<double>> XmlElement::countedReals(const char* attribute) {
  auto values = reals(attribute);
  if (!values) return std::nullopt;
  if (values->empty() || (*values)[0] != static_cast<double>(values->size() - 1)) {
    error(attribute, "expected the number of values and then the values, found " + std::to_string(values->size()) +
                         " numbers" + (values->empty() ? "" : ", the first of which is not the number of the others"));
    return std::nullopt;
  }
  values->erase(values->begin());
  for (const double v : *values)
    if (!std::isfinite(v)) {
      error(attribute, "expected finite numbers");
      return std::nullopt;
    }
  return values;
}

std::optional<double> XmlElement::real(const char* attribute) {
  const auto values = reals(attribute, 1);
  return values ? std::optional<double>((*values)[0]) : std::nullopt;
}

std::optional<double> XmlElement::finite(const char* attribute) {
  const auto value = real(attribute);
  if (value && !std::isfinite(*value)) {
    error(attribute, "expected a finite number");
    return std::nullopt;
  }
  return value;
}

std::optional<double> XmlElement::nonNegative(const char* attribute, bool infinite) {
  const auto value = infinite ? real(attribute) : finite(attribute);
  if (value && *value < 0) {
    error(attribute, "must not be negative");
    return std::nullopt;
  }
  return value;
}

std::optional<int> XmlElement::integer(const char* attribute) {
  if (!has(attribute)) return std::nullopt;
  const auto words = splitWords(element_.Attribute(attribute));
  const auto value = words.size() == 1 ? parseInteger(words[0]) : std::nullopt;
  if (!value) error(attribute, "expected an integer, found '" + excerpt(element_.Attribute(attribute)) + "'");
  return value;
}

std::optional<bool> XmlElement::flag(const char* attribute) {
  if (!has(attribute)) return std::nullopt;
  const auto words = splitWords(element_.Attribute(attribute));
  if (words.size() == 1) {
    if (words[0] == "true") return true;
    if (words[0] == "false") return false;
    if (const auto number = parseInteger(words[0])) {
      if (*number != 0 && *number != 1)
        diagnostics_.warning("<" + std::string(name()) + "> " + attribute + ": expected 0 or 1; " +
                                 std::string(words[0]) + " counts as 1",
                             position(attribute));
      return *number != 0;
    }
  }
  error(attribute, "expected 0 or 1, found '" + excerpt(element_.Attribute(attribute)) + "'");
  return std::nullopt;
}

std::optional<Vector3d> XmlElement::vector3(const char* attribute) {
  const auto values = reals(attribute, 3);
  if (!values) return std::nullopt;
  const Vector3d v((*values)[0], (*values)[1], (*values)[2]);
  if (!v.allFinite()) {
    error(attribute, "expected finite numbers");
    return std::nullopt;
  }
  return v;
}

void XmlElement::error(const char* attribute, std::string message, std::string hint) {
  diagnostics_.error("<" + std::string(name()) + "> " + attribute + ": " + std::move(message), position(attribute),
                     std::move(hint));
}

Value XmlElement::warnAboutOthers() {
  Value others = Value::map();
  std::set<std::string_view> named;
  std::size_t unknown = 0;
  for (const auto* attribute = element_.FirstAttribute(); attribute != nullptr; attribute = attribute->Next()) {
    if (std::find(known_.begin(), known_.end(), attribute->Name()) != known_.end()) continue;
    if (++unknown <= kMaxListed)
      diagnostics_.warning("<" + std::string(name()) + "> has no attribute '" + attribute->Name() + "'; it is ignored",
                           position(attribute->Name()), didYouMean(attribute->Name(), known_));
    if (named.insert(attribute->Name()).second) others.entries().push_back({attribute->Name(), attribute->Value(), {}});
  }
  if (unknown > kMaxListed)
    diagnostics_.warning("<" + std::string(name()) + "> has " + std::to_string(unknown - kMaxListed) +
                             " further attributes that it does not know; they are ignored",
                         position(), "is this the file that was meant?");
  return others;
}

Value XmlElement::attributes(std::initializer_list<std::string_view> except) const {
  Value map = Value::map();
  std::map<std::string_view, std::size_t> entryOf;  // Of one name, the last counts.
  for (const auto* attribute = element_.FirstAttribute(); attribute != nullptr; attribute = attribute->Next()) {
    if (std::find(except.begin(), except.end(), attribute->Name()) != except.end()) continue;
    Value value = Value::fromText(attribute->Value());
    SourcePosition where = position(attribute->Name());
    value.setPosition(where);
    const auto [known, isNew] = entryOf.try_emplace(attribute->Name(), map.size());
    if (isNew)
      map.entries().push_back({attribute->Name(), std::move(value), std::move(where)});
    else
      map.entries()[known->second].value = std::move(value);
  }
  map.setPosition(position());
  return map;
}

void warnAboutElement(const XmlFile& file, const tinyxml2::XMLElement& child, const std::vector<std::string>& known,
                      Diagnostics& diagnostics) {
  const auto* parent = child.Parent()->ToElement();
  const std::string inside = parent != nullptr ? "in <" + std::string(parent->Name()) + ">" : "here";
  diagnostics.warning("<" + std::string(child.Name()) + "> means nothing " + inside + "; it is ignored",
                      file.position(child), didYouMean(child.Name(), known));
}

}  // namespace mortise::io
