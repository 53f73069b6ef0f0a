#include "common/setting_types.h"

#include <string>

#include "mortise/base/error.h"

namespace mortise {

namespace {

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

Value rows(const Matrix3d& M) {
  Value list = Value::list();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) list.push_back(M(i, j));
  return list;
}

Matrix3d fromRows(const std::vector<double>& v) {
  Matrix3d M;
  M << v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8];
  return M;
}

}  // namespace

Value SettingType<std::array<bool, 3>>::value(const std::array<bool, 3>& axes) {
  Value list = Value::list();
  for (const bool on : axes) list.push_back(on);
  return list;
}

std::array<bool, 3> SettingType<std::array<bool, 3>>::from(const Value& setting, std::string_view name) {
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

Value SettingType<sensors::CovarianceNoise>::value(const sensors::CovarianceNoise& noise) {
  return rows(noise.covariance());
}

sensors::CovarianceNoise SettingType<sensors::CovarianceNoise>::from(const Value& value, std::string_view name) {
  return sensors::CovarianceNoise(fromRows(value.asReals()), name, value.position());
}

}  // namespace mortise
