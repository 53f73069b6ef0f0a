#include "rob/rob_text.h"

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"

namespace mortise::io {

namespace {

constexpr std::size_t kWidth = 110;

bool plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-+.:/").find(c) != std::string_view::npos;
}

}  // namespace

bool fitsRob(std::string_view text) { return text.find_first_of(std::string_view("#\0", 2)) == std::string_view::npos; }

RobText& RobText::keyword(std::string_view name) {
  text_ += name;
  return *this;
}

RobText& RobText::word(std::string_view text) {
  if (text_.size() - lineStart_ + text.size() > kWidth) breakLine();
  text_ += ' ';
  text_ += text;
  return *this;
}

RobText& RobText::name(std::string_view text) {
  if (!fitsRob(text))
    throw Error("'" + std::string(text) + "' cannot be written: in a .rob file '#' begins a comment wherever it stands",
                {}, "rename it");
  bool quotes = text.empty();
  for (const char c : text) quotes = quotes || !plain(c);
  if (!quotes) return word(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? "\\n" : c == '\t' ? "\\t" : c == '\r' ? "\\r" : std::string(1, c);
  }
  return word(quoted + "\"");
}

RobText& RobText::real(double value) { return word(formatReal(value)); }
RobText& RobText::integer(int value) { return word(std::to_string(value)); }

RobText& RobText::vector(const Vector3d& v) { return real(v[0]).real(v[1]).real(v[2]); }

RobText& RobText::matrix(const Matrix3d& rows) {
  for (int i = 0; i < 9; ++i) real(rows(i / 3, i % 3));
  return *this;
}

RobText& RobText::transform(const RigidTransform& X) { return matrix(X.R).vector(X.p); }

RobText& RobText::breakLine() {
  text_ += " \\\n ";
  lineStart_ = text_.size();
  return *this;
}

RobText& RobText::endLine() {
  text_ += '\n';
  lineStart_ = text_.size();
  return *this;
}

RobText& RobText::comment(std::string_view text) {
  text_ += "# ";
  text_ += text;
  return endLine();
}

}  // namespace mortise::io
