#include "mortise/planning/problem_sets/xml_reader.h"

#include <cstdint>

#include "mortise/base/utf8.h"

namespace mortise {

namespace {

constexpr int kMaxDepth = 100;

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool isNameCharacter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '.' || c == ':' || byte > 127;
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  XmlNode document() {
    if (text_.starts_with("\xEF\xBB\xBF")) skip(3);
    misc();
    if (done()) fail("the file holds no element");
    XmlNode root = element(0);
    misc();
    if (!done()) fail("there is something behind the root element </" + root.name + ">");
    return root;
  }

 private:
  bool done() const { return at_ >= text_.size(); }
  bool sees(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  char look() const { return done() ? '\0' : text_[at_]; }

  void skip(std::size_t count) {
    for (std::size_t i = 0; i < count && !done(); ++i, ++at_) {
      if (text_[at_] == '\n') {
        ++line_;
        lineStart_ = at_ + 1;
      }
    }
  }
  void space() {
    while (!done() && isSpace(text_[at_])) skip(1);
  }
  SourcePosition here() const { return {file_, line_, static_cast<int>(at_ - lineStart_) + 1, {}}; }

  [[noreturn]] void fail(const std::string& message, const std::string& hint = {}) const {
    throw Error(message, here(), hint);
  }
  /// Behind the next `end`.
  void skipPast(std::string_view end, const std::string& what) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) fail(what + " has no end: '" + std::string(end) + "' is missing");
    skip(found + end.size() - at_);
  }

  /// Spaces, comments and instructions between elements of the document.
  void misc() {
    for (;;) {
      space();
      if (sees("<?")) {
        skipPast("?>", "an instruction");
      } else if (sees("<!--")) {
        skipPast("-->", "a comment");
      } else if (sees("<!DOCTYPE")) {
        fail("documents with a DTD are not read", "remove <!DOCTYPE ...>");
      } else {
        return;
      }
    }
  }

  std::string name(const std::string& of) {
    const std::size_t start = at_;
    while (!done() && isNameCharacter(text_[at_])) ++at_;
    if (at_ == start) fail("expected the name of " + of);
    return std::string(text_.substr(start, at_ - start));
  }

  XmlNode element(int depth) {
    if (depth > kMaxDepth) fail("elements are more than " + std::to_string(kMaxDepth) + " deep");
    XmlNode node;
    node.position = here();
    if (look() != '<') fail("expected an element, '<...>'");
    skip(1);
    node.name = name("an element");
    for (;;) {
      const bool gap = !done() && isSpace(look());
      space();
      if (sees("/>")) {
        skip(2);
        return node;
      }
      if (look() == '>') {
        skip(1);
        break;
      }
      if (done()) fail("the file ends inside of <" + node.name + ">");
      if (!gap) fail("expected a space before the next attribute of <" + node.name + ">");
      attribute(node);
    }
    content(node, depth);
    return node;
  }

  void attribute(XmlNode& node) {
    XmlAttribute attribute;
    attribute.position = here();
    attribute.name = name("an attribute of <" + node.name + ">");
    space();
    if (look() != '=') fail("expected '=' behind the attribute '" + attribute.name + "'");
    skip(1);
    space();
    const char quote = look();
    if (quote != '"' && quote != '\'') fail("expected the value of '" + attribute.name + "' in quotes");
    skip(1);
    while (!done() && look() != quote) {
      if (look() == '<') fail("'<' in the value of '" + attribute.name + "'; is its closing quote missing?");
      if (look() == '&') {
        attribute.value += entity();
      } else {
        attribute.value += isSpace(look()) ? ' ' : look();
        skip(1);
      }
    }
    if (done()) fail("the value of '" + attribute.name + "' has no closing quote");
    skip(1);
    if (node.find(attribute.name) != nullptr)
      throw Error("<" + node.name + "> has '" + attribute.name + "' twice", attribute.position);
    node.attributes.push_back(std::move(attribute));
  }

  std::string entity() {
    const std::size_t end = text_.find(';', at_);
    if (end == std::string_view::npos || end - at_ > 12) fail("expected ';' behind '&...'", "write '&amp;' for '&'");
    const std::string_view body = text_.substr(at_ + 1, end - at_ - 1);
    std::string out;
    if (body == "lt") {
      out = "<";
    } else if (body == "gt") {
      out = ">";
    } else if (body == "amp") {
      out = "&";
    } else if (body == "quot") {
      out = "\"";
    } else if (body == "apos") {
      out = "'";
    } else if (body.starts_with('#')) {
      const bool hex = body.starts_with("#x");
      const std::string_view digits = body.substr(hex ? 2 : 1);
      std::uint32_t code = 0;
      bool good = !digits.empty();
      for (const char c : digits) {
        const int digit = c >= '0' && c <= '9'          ? c - '0'
                          : hex && c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : hex && c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                        : -1;
        good = good && digit >= 0 && code <= 0x10FFFF;
        if (good) code = code * (hex ? 16 : 10) + static_cast<std::uint32_t>(digit);
      }
      if (!good || code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
        fail("'&" + std::string(body) + ";' stands for no character");
      appendUtf8(out, code);
    } else {
      fail("'&" + std::string(body) + ";' is not known", "write '&amp;' for '&'");
    }
    skip(end + 1 - at_);
    return out;
  }

  void content(XmlNode& node, int depth) {
    for (;;) {
      const std::size_t next = text_.find('<', at_);
      if (next == std::string_view::npos) {
        skip(text_.size() - at_);
        fail("</" + node.name + "> is missing; the element begins on line " + std::to_string(node.position.line));
      }
      skip(next - at_);
      if (sees("<!--")) {
        skipPast("-->", "a comment");
      } else if (sees("<![CDATA[")) {
        skipPast("]]>", "a text");
      } else if (sees("<?")) {
        skipPast("?>", "an instruction");
      } else if (sees("</")) {
        const SourcePosition where = here();
        skip(2);
        const std::string end = name("the element that ends");
        space();
        if (look() != '>') fail("expected '>' behind '</" + end + "'");
        if (end != node.name)
          throw Error("expected </" + node.name + ">, found </" + end + ">", where,
                      "the element begins on line " + std::to_string(node.position.line));
        skip(1);
        return;
      } else {
        node.children.push_back(element(depth + 1));
      }
    }
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0, lineStart_ = 0;
  int line_ = 1;
};

}  // namespace

const XmlAttribute* XmlNode::find(std::string_view attribute) const {
  for (const XmlAttribute& each : attributes)
    if (each.name == attribute) return &each;
  return nullptr;
}

const XmlNode* XmlNode::child(std::string_view element) const {
  for (const XmlNode& each : children)
    if (each.name == element) return &each;
  return nullptr;
}

XmlNode parseXml(std::string_view text, const std::string& file) { return Reader(text, file).document(); }

}  // namespace mortise
