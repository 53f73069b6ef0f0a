#pragma once

/// Vectors and matrices of the inner loops: plain numbers, no expression templates, so that compilers keep them in
/// registers.

#include "mortise/math/transform.h"

namespace mortise::detail {

struct V3 {
  double x = 0, y = 0, z = 0;
};

inline V3 operator+(const V3& a, const V3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline V3 operator-(const V3& a, const V3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline V3 operator*(double s, const V3& a) { return {s * a.x, s * a.y, s * a.z}; }
inline V3& operator+=(V3& a, const V3& b) { return a = a + b; }
inline V3& operator-=(V3& a, const V3& b) { return a = a - b; }
inline double dot(const V3& a, const V3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline V3 cross(const V3& a, const V3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// By columns.
struct M3 {
  V3 c0, c1, c2;
};

inline V3 operator*(const M3& m, const V3& v) {
  return {m.c0.x * v.x + m.c1.x * v.y + m.c2.x * v.z, m.c0.y * v.x + m.c1.y * v.y + m.c2.y * v.z,
          m.c0.z * v.x + m.c1.z * v.y + m.c2.z * v.z};
}
inline V3 transposeTimes(const M3& m, const V3& v) { return {dot(m.c0, v), dot(m.c1, v), dot(m.c2, v)}; }
inline M3 operator*(const M3& a, const M3& b) { return {a * b.c0, a * b.c1, a * b.c2}; }

/// Symmetric.
struct S3 {
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
};

inline V3 operator*(const S3& s, const V3& v) {
  return {s.xx * v.x + s.xy * v.y + s.xz * v.z, s.xy * v.x + s.yy * v.y + s.yz * v.z,
          s.xz * v.x + s.yz * v.y + s.zz * v.z};
}
inline S3& operator+=(S3& a, const S3& b) {
  a.xx += b.xx, a.yy += b.yy, a.zz += b.zz, a.xy += b.xy, a.xz += b.xz, a.yz += b.yz;
  return a;
}
/// R S R^T
inline S3 rotated(const M3& R, const S3& s) {
  const M3 t = {{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}};
  const M3 a = R * t;  // Columns of R S.
  return {a.c0.x * R.c0.x + a.c1.x * R.c1.x + a.c2.x * R.c2.x, a.c0.y * R.c0.y + a.c1.y * R.c1.y + a.c2.y * R.c2.y,
          a.c0.z * R.c0.z + a.c1.z * R.c1.z + a.c2.z * R.c2.z, a.c0.x * R.c0.y + a.c1.x * R.c1.y + a.c2.x * R.c2.y,
          a.c0.x * R.c0.z + a.c1.x * R.c1.z + a.c2.x * R.c2.z, a.c0.y * R.c0.z + a.c1.y * R.c1.z + a.c2.y * R.c2.z};
}

inline V3 v3(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }
inline Vector3d eigen(const V3& v) { return {v.x, v.y, v.z}; }
inline M3 m3(const Matrix3d& m) { return {v3(m.col(0)), v3(m.col(1)), v3(m.col(2))}; }
inline Matrix3d eigen(const M3& m) {
  Matrix3d r;
  r.col(0) = eigen(m.c0);
  r.col(1) = eigen(m.c1);
  r.col(2) = eigen(m.c2);
  return r;
}
inline S3 s3(const Matrix3d& m) {
  return {m(0, 0), m(1, 1), m(2, 2), 0.5 * (m(0, 1) + m(1, 0)), 0.5 * (m(0, 2) + m(2, 0)), 0.5 * (m(1, 2) + m(2, 1))};
}

}  // namespace mortise::detail
