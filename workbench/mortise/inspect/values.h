#pragma once

/// Numbers as the commands print them.

#include <vector>

#include "mortise/base/value.h"
#include "mortise/geometry/geometry.h"
#include "mortise/math/transform.h"

namespace mortise::inspect {

inline Value list(const Vector3d& v) { return std::vector<double>{v.x(), v.y(), v.z()}; }
inline Value list(const VectorXd& v) { return std::vector<double>(v.data(), v.data() + v.size()); }

/// Row-major.
inline Value list(const Matrix3d& m) {
  std::vector<double> rows;
  for (int i = 0; i < 9; ++i) rows.push_back(m(i / 3, i % 3));
  return rows;
}

/// R row-major, then t.
inline Value list(const RigidTransform& X) {
  std::vector<double> rows(12);
  X.toRows(rows.data());
  return rows;
}

/// Returns how many parts of a shape can have a friction of their own.
int numElements(const Geometry& geometry);

/// {type, verts, tris, elements, margin, bmin, bmax}; null for no shape.
Value geometryInfo(const GeometryPtr& geometry);

}  // namespace mortise::inspect
