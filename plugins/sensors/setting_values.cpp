#include "setting_values.h"

#include <cmath>
#include <string>

#include "mortise/base/error.h"
#include "mortise/math/rotation.h"

namespace mortise {

namespace {

constexpr double kTypedTolerance = 1e-3;

std::string inQuotes(std::string_view name) { return "'" + std::string(name) + "'"; }

std::vector<Value> piecesOf(const Value& setting) {
  if (setting.isList()) return setting.items();
  if (!setting.isString()) return {setting};
  std::vector<Value> pieces;
  std::string word;
  for (const char c : setting.asString() + " ") {
    if (c != ' ' && c != ',' && c != '\t' && c != '\n' && c != '\r') {
      word += c;
      continue;
    }
    if (!word.empty()) pieces.push_back(Value::fromText(word));
    word.clear();
  }
  return pieces;
}

Matrix3d checkedRotation(const Matrix3d& R, const Value& setting, std::string_view name) {
  const bool orthonormal =
      R.allFinite() && (R.transpose() * R - Matrix3d::Identity()).cwiseAbs().maxCoeff() <= kTypedTolerance;
  if (!orthonormal || R.determinant() < 0)
    throw Error(inQuotes(name) + " holds a matrix that is " +
                    (orthonormal ? std::string("a reflection") : std::string("not a rotation")),
                setting.position(),
                "write the rotation row by row; its columns are the sensor's axes in the link's frame");
  return orthonormalized(R);
}

void requireCount(const std::vector<double>& numbers, std::size_t count, const Value& setting, std::string_view name,
                  const char* meaning) {
  if (numbers.size() != count)
    throw Error("expected " + std::to_string(count) + " numbers for " + inQuotes(name) + ", found " +
                    std::to_string(numbers.size()),
                setting.position(), meaning);
}

}  // namespace

std::vector<double> numbersFromSetting(const Value& setting, std::string_view name) {
  std::vector<double> numbers;
  for (const Value& piece : piecesOf(setting)) {
    if (!piece.isNumber() || std::isnan(piece.asReal()))
      throw Error("expected numbers for " + inQuotes(name) + ", found " +
                      (piece.isScalar() && !piece.isNull() ? inQuotes(piece.text())
                                                           : std::string(Value::typeName(piece.type()))),
                  setting.position());
    numbers.push_back(piece.asReal());
  }
  return numbers;
}

std::array<bool, 3> axesFromSetting(const Value& setting, std::string_view name) {
  const std::vector<Value> pieces = piecesOf(setting);
  if (pieces.size() != 1 && pieces.size() != 3)
    throw Error("expected three switches for " + inQuotes(name) + ", found " + std::to_string(pieces.size()),
                setting.position(), "one for each of x, y and z: 1 0 1");
  std::array<bool, 3> axes{};
  for (std::size_t i = 0; i < 3; ++i) {
    const Value& piece = pieces[pieces.size() == 1 ? 0 : i];
    if (piece.isBool())
      axes[i] = piece.asBool();
    else if (piece.isNumber() && (piece.asReal() == 0 || piece.asReal() == 1))
      axes[i] = piece.asReal() == 1;
    else
      throw Error("expected true or false (1 or 0) for each axis of " + inQuotes(name) + ", found " +
                      (piece.isScalar() && !piece.isNull() ? inQuotes(piece.text())
                                                           : std::string(Value::typeName(piece.type()))),
                  setting.position());
  }
  return axes;
}

Matrix3d rotationFromSetting(const Value& setting, std::string_view name) {
  if (setting.isNull()) return Matrix3d::Identity();
  const std::vector<double> v = numbersFromSetting(setting, name);
  requireCount(v, 9, setting, name, "a rotation, row by row");
  Matrix3d R;
  R << v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8];
  return checkedRotation(R, setting, name);
}

RigidTransform transformFromSetting(const Value& setting, std::string_view name) {
  if (setting.isNull()) return {};
  const std::vector<double> v = numbersFromSetting(setting, name);
  requireCount(v, 12, setting, name, "a rotation, row by row, then a translation in m");
  RigidTransform X = RigidTransform::fromRows(v.data());
  X.R = checkedRotation(X.R, setting, name);
  if (!X.p.allFinite()) throw Error(inQuotes(name) + " holds a number that is not finite", setting.position());
  return X;
}

}  // namespace mortise
