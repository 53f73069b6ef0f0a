// Four numbers in one register. Included by one source file only, inside its target attribute.

#define MORTISE_INLINE inline __attribute__((always_inline))

namespace mortise::detail::avx2 {

typedef double Pack __attribute__((vector_size(32), may_alias));
typedef std::int64_t Bits __attribute__((vector_size(32), may_alias));

MORTISE_INLINE Pack load(const Lanes& a) { return *reinterpret_cast<const Pack*>(a.v); }
MORTISE_INLINE void store(Lanes& a, Pack b) { *reinterpret_cast<Pack*>(a.v) = b; }
MORTISE_INLINE void storeAnywhere(double* to, Pack b) { _mm256_storeu_pd(to, b); }
MORTISE_INLINE Pack all(double x) { return Pack{x, x, x, x}; }
MORTISE_INLINE Pack masked(Pack a, const std::int64_t* mask) {
  return (Pack)((Bits)a & *reinterpret_cast<const Bits*>(mask));
}
MORTISE_INLINE Pack yzx(Pack a) { return _mm256_permute4x64_pd(a, 0xC9); }
MORTISE_INLINE Pack zxy(Pack a) { return _mm256_permute4x64_pd(a, 0xD2); }
/// Returns the sum of all four.
MORTISE_INLINE double sum(Pack a) {
  const __m128d pairs = _mm256_castpd256_pd128(a) + _mm256_extractf128_pd(a, 1);
  return pairs[0] + pairs[1];
}
/// The first `count` numbers of `a`, then those of `b`.
MORTISE_INLINE Pack chosen(Pack a, Pack b, int count) {
  return count == 1 ? _mm256_blend_pd(b, a, 1) : count == 2 ? _mm256_blend_pd(b, a, 3) : _mm256_blend_pd(b, a, 7);
}
MORTISE_INLINE void transpose(Pack& a, Pack& b, Pack& c, Pack& d) {
  const Pack ab0 = _mm256_unpacklo_pd(a, b), ab1 = _mm256_unpackhi_pd(a, b);
  const Pack cd0 = _mm256_unpacklo_pd(c, d), cd1 = _mm256_unpackhi_pd(c, d);
  a = _mm256_permute2f128_pd(ab0, cd0, 0x20);
  b = _mm256_permute2f128_pd(ab1, cd1, 0x20);
  c = _mm256_permute2f128_pd(ab0, cd0, 0x31);
  d = _mm256_permute2f128_pd(ab1, cd1, 0x31);
}

MORTISE_INLINE Bits bitsOf(Pack a) { return (Bits)a; }
MORTISE_INLINE Pack packOf(Bits a) { return (Pack)a; }
MORTISE_INLINE Bits allBits(std::int64_t x) { return Bits{x, x, x, x}; }
MORTISE_INLINE Bits shiftedLeft(Bits a, int count) { return a << count; }

}  // namespace mortise::detail::avx2
