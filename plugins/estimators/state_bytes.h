#pragma once

/// Bytes that estimators put into snapshots, checked when they are read back.

#include "mortise/base/bytes.h"
#include "mortise/base/error.h"
#include "mortise/math/transform.h"

namespace mortise::estimators {

inline void putVector(ByteWriter& out, const VectorXd& v) { out.put(std::span<const double>(v.data(), v.size())); }

/// Fills `v`, which has its size already; throws `Error` for another size and for numbers that are not finite.
inline void getFiniteVector(ByteReader& in, VectorXd& v) {
  in.get(std::span<double>(v.data(), v.size()));
  if (!v.allFinite()) throw Error("snapshot of an estimator holds a number that is not finite");
}

inline double getFinite(ByteReader& in) {
  const auto value = in.get<double>();
  if (!(value - value == 0)) throw Error("snapshot of an estimator holds a number that is not finite");
  return value;
}

inline bool getFlag(ByteReader& in) {
  const auto flag = in.get<std::uint8_t>();
  if (flag > 1) throw Error("snapshot of an estimator holds something else than a flag");
  return flag == 1;
}

}  // namespace mortise::estimators
