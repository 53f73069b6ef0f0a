#include "text/xml_fault.h"

#include <algorithm>
#include <vector>

#include "mortise/text/excerpt.h"

namespace mortise::io {

namespace {

constexpr std::string_view kSpaces = " \t\r\n";
constexpr std::size_t kNone = std::string_view::npos;

struct OpenElement {
  std::string name;
  std::size_t offset = 0;  ///< Offset of its '<'.
};

/// A section that begins with one mark and ends with another.
struct Section {
  std::string_view begin, end;
  const char* name;
};
constexpr Section kSections[] = {{"<!--", "-->", "comment"},
                                 {"<![CDATA[", "]]>", "CDATA section"},
                                 {"<?", "?>", "declaration"},
                                 {"<!", ">", "declaration"}};

/// Goes through a text from tag to tag and stops at the first fault.
class FaultFinder {
 public:
  explicit FaultFinder(std::string_view text) : text_(text) {}

  std::optional<XmlFault> find() {
    while (!fault_ && (at_ = text_.find('<', at_)) != kNone) {
      if (skipsSection()) continue;
      if (text_.substr(at_, 2) == "</")
        readEnd();
      else
        readTag();
    }
    if (!fault_ && !open_.empty()) notClosed(open_.back());
    return std::move(fault_);
  }

 private:
  void fail(std::size_t offset, std::string message, std::string hint) {
    fault_ = XmlFault{std::move(message), std::move(hint), offset};
  }
  void notClosed(const OpenElement& element) {
    fail(element.offset, "<" + element.name + "> is not closed", "add </" + element.name + "> where it ends");
  }

  bool skipsSection() {
    for (const Section& section : kSections) {
      if (text_.substr(at_, section.begin.size()) != section.begin) continue;
      const std::size_t end = text_.find(section.end, at_ + section.begin.size());
      if (end == kNone)
        fail(at_, std::string("the file ends inside the ") + section.name + " that begins here",
             "add '" + std::string(section.end) + "' where it ends");
      else
        at_ = end + section.end.size();
      return true;
    }
    return false;
  }

  std::string nameAt(std::size_t begin) {
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n/>=<", begin), text_.size());
    return std::string(text_.substr(begin, end - begin));
  }

  void endsInside(const OpenElement& element) {
    fail(element.offset,
         element.name.empty() ? "the file ends inside the tag that begins here"
                              : "the file ends inside the tag <" + element.name + "> that begins here",
         "write the rest of the file; it may have been cut off when it was saved or copied");
  }

  void readEnd() {
    const OpenElement end{nameAt(at_ + 2), at_};
    const std::size_t close = text_.find('>', at_);
    if (close == kNone) return endsInside({"/" + end.name, at_});
    if (open_.empty())
      return fail(at_, "</" + end.name + "> closes an element that was never opened",
                  "remove it, or write <" + end.name + "> where the element begins");
    if (open_.back().name != end.name) return notClosed(open_.back());
    open_.pop_back();
    at_ = close + 1;
  }

  void readTag() {
    OpenElement element{nameAt(at_ + 1), at_};
    std::size_t i = at_ + 1 + element.name.size();
    while (!fault_) {
      i = text_.find_first_not_of(kSpaces, i);
      if (i == kNone) return endsInside(element);
      const char c = text_[i];
      if (c == '>') {
        if (text_[i - 1] != '/') open_.push_back(std::move(element));
        at_ = i + 1;
        return;
      }
      if (c == '<')
        return fail(element.offset, "the tag <" + element.name + "> that begins here has no '>'",
                    "add '>', or '/>' for an element without content");
      i = c == '/' ? i + 1 : pastAttribute(element, i);
    }
  }

  std::size_t pastAttribute(const OpenElement& element, std::size_t begin) {
    const std::string name = nameAt(begin);
    const std::string what = "attribute '" + excerpt(name, 40) + "' of <" + element.name + ">";
    std::size_t i = text_.find_first_not_of(kSpaces, begin + name.size());
    const std::string form = "write " + excerpt(name, 40) + "=\"...\"";
    if (i != kNone && text_[i] == '=')
      i = text_.find_first_not_of(kSpaces, i + 1);
    else if (i != kNone)
      fail(begin, what + " has no value", form);
    if (fault_) return begin;
    if (i == kNone) {
      endsInside(element);
      return begin;
    }
    const char quote = text_[i];
    if (quote != '"' && quote != '\'') {
      fail(begin, "the value of " + what + " is not in quotes", form);
      return begin;
    }
    const std::size_t close = text_.find(quote, i + 1);
    // In a text that the parser refused, a tag inside a value means that the value's quote is missing.
    if (close == kNone || text_.substr(i, close - i).find('<') != kNone) {
      fail(begin, "the value of " + what + " has no closing quote", "add " + std::string(1, quote) + " where it ends");
      return begin;
    }
    return close + 1;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<OpenElement> open_;
  std::optional<XmlFault> fault_;
};

}  // namespace

std::optional<XmlFault> xmlFault(std::string_view text) { return FaultFinder(text).find(); }

}  // namespace mortise::io
