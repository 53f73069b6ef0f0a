// Vectors of the sweeps, sines and cosines, on whatever `Pack` the including file has chosen.

// Loops of a few steps, written out also where the optimizer is told to spare code.
#if defined(__clang__)
#define MORTISE_UNROLL _Pragma("clang loop unroll(full)")
#else
#define MORTISE_UNROLL _Pragma("GCC unroll 16")
#endif

namespace mortise::detail::MORTISE_SWEEPS {
namespace {

// Vectors of four links at once.

struct P3 {
  Pack x, y, z;
};
struct P6 {
  P3 w, v;  ///< Angular, linear.
};

MORTISE_INLINE P3 operator+(const P3& a, const P3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
MORTISE_INLINE P3 operator-(const P3& a, const P3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
MORTISE_INLINE P3 operator*(Pack s, const P3& a) { return {s * a.x, s * a.y, s * a.z}; }
MORTISE_INLINE Pack dot(const P3& a, const P3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
MORTISE_INLINE P3 cross(const P3& a, const P3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
MORTISE_INLINE P3 load3(const Lanes* a) { return {load(a[0]), load(a[1]), load(a[2])}; }
MORTISE_INLINE P6 load6(const Lanes* a) { return {load3(a), load3(a + 3)}; }
MORTISE_INLINE void store3(Lanes* a, const P3& b) {
  store(a[0], b.x);
  store(a[1], b.y);
  store(a[2], b.z);
}
MORTISE_INLINE void store6(Lanes* a, const P6& b) {
  store3(a, b.w);
  store3(a + 3, b.v);
}
/// Symmetric matrix xx, yy, zz, xy, xz, yz times a vector.
MORTISE_INLINE P3 timesSymmetric(const Lanes* s, const P3& v) {
  const Pack xy = load(s[3]), xz = load(s[4]), yz = load(s[5]);
  return {load(s[0]) * v.x + xy * v.y + xz * v.z, xy * v.x + load(s[1]) * v.y + yz * v.z,
          xz * v.x + yz * v.y + load(s[2]) * v.z};
}

/// All bits of the lanes that are set in the index, none of the others.
struct LaneMasks {
  alignas(32) std::int64_t of[16][kLanes];
};
constexpr LaneMasks laneMasks() {
  LaneMasks masks{};
  for (int i = 0; i < 16; ++i)
    for (int lane = 0; lane < kLanes; ++lane) masks.of[i][lane] = (i >> lane & 1) != 0 ? -1 : 0;
  return masks;
}
constexpr LaneMasks masks = laneMasks();

// Sines and cosines, as fdlibm computes them, within one unit in the last place.

constexpr double kLargeAngle = 1e6;

MORTISE_INLINE void sineCosine(Pack x, Pack& sine, Pack& cosine) {
  // Adding 1.5 * 2^52 rounds to an integer, which stands in the low bits.
  const Pack magic = all(6755399441055744.0);
  const Pack shifted = x * all(0.63661977236758134308) + magic;
  const Pack n = shifted - magic;
  // pi/2 in three parts, the first two of 33 bits, so that their products with n are exact.
  const Pack near = x - n * all(1.57079632673412561417e+00);
  const Pack part = n * all(6.07710050630396597660e-11);
  const Pack y = near - part;
  const Pack tail = ((near - y) - part) - n * all(2.02226624879595063154e-21);
  const Pack z = y * y;
  const Pack half = all(0.5);
  const Pack s = all(8.33333333332248946124e-03) +
                 z * (all(-1.98412698298579493134e-04) +
                      z * (all(2.75573137070700676789e-06) +
                           z * (all(-2.50507602534068634195e-08) + z * all(1.58969099521155010221e-10))));
  const Pack v = z * y;
  const Pack sinY = y - ((z * (half * tail - v * s) - tail) - v * all(-1.66666666666666324348e-01));
  const Pack zz = z * z;
  const Pack c = z * (all(4.16666666666666019037e-02) +
                      z * (all(-1.38888888888741095749e-03) + z * all(2.48015872894767294178e-05))) +
                 zz * zz *
                     (all(-2.75573143513906633035e-07) +
                      z * (all(2.08757232129817482790e-09) + z * all(-1.13596475577881948265e-11)));
  const Pack hz = half * z;
  const Pack one = all(1.0);
  const Pack w = one - hz;
  const Pack cosY = w + (((one - w) - hz) + (z * c - y * tail));
  const Bits quadrant = bitsOf(shifted);
  const Bits swapped = allBits(0) - (quadrant & allBits(1));
  const Bits sb = bitsOf(sinY), cb = bitsOf(cosY);
  sine = packOf(((swapped & cb) | (~swapped & sb)) ^ shiftedLeft(quadrant & allBits(2), 62));
  cosine = packOf(((swapped & sb) | (~swapped & cb)) ^ shiftedLeft((quadrant + allBits(1)) & allBits(2), 62));
}

}  // namespace
}  // namespace mortise::detail::MORTISE_SWEEPS
