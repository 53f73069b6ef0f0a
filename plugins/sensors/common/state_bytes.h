#pragma once

/// Numbers of a sensor's state in a snapshot. Reading refuses what is not finite: a damaged snapshot must not come to
/// life as a reading.

#include <cmath>

#include "mortise/base/bytes.h"
#include "mortise/math/transform.h"

namespace mortise::sensors {

inline double getFinite(ByteReader& in) {
  const auto value = in.get<double>();
  if (!std::isfinite(value)) throw Error("snapshot holds a number that is not finite");
  return value;
}

inline bool getFlag(ByteReader& in) {
  const auto value = in.get<std::uint8_t>();
  if (value > 1) throw Error("snapshot holds a flag that is neither set nor clear");
  return value == 1;
}

inline void putFlag(ByteWriter& out, bool flag) { out.put(static_cast<std::uint8_t>(flag)); }

template <int rows, int columns>
void putNumbers(ByteWriter& out, const Eigen::Matrix<double, rows, columns>& matrix) {
  for (int i = 0; i < rows * columns; ++i) out.put(matrix.data()[i]);
}

template <int rows, int columns>
void getNumbers(ByteReader& in, Eigen::Matrix<double, rows, columns>& matrix) {
  for (int i = 0; i < rows * columns; ++i) matrix.data()[i] = getFinite(in);
}

inline void putPose(ByteWriter& out, const RigidTransform& X) {
  putNumbers(out, X.R);
  putNumbers(out, X.p);
}

inline void getPose(ByteReader& in, RigidTransform& X) {
  getNumbers(in, X.R);
  getNumbers(in, X.p);
}

}  // namespace mortise::sensors
