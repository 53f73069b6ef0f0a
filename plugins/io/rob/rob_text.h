#pragma once

#include <string>
#include <string_view>

#include "mortise/math/transform.h"

namespace mortise::io {

/// Builds the lines of a .rob file: a keyword and its values, broken with '\' where they get long.
class RobText {
 public:
  RobText& keyword(std::string_view name);
  RobText& word(std::string_view text);  ///< Writes a word as it stands.
  /// In quotes with escapes where it needs them. Throws `Error` when it holds a '#'.
  RobText& name(std::string_view text);
  RobText& real(double value);
  RobText& integer(int value);
  RobText& vector(const Vector3d& v);
  RobText& matrix(const Matrix3d& rows);
  RobText& transform(const RigidTransform& X);
  /// Goes on in a new line of the file.
  RobText& breakLine();
  RobText& endLine();
  RobText& comment(std::string_view text);

  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::size_t lineStart_ = 0;
};

/// The property that names a robot; without it the file does.
constexpr std::string_view kNameProperty = "name";

/// Says whether the format can hold this text at all.
bool fitsRob(std::string_view text);

}  // namespace mortise::io
