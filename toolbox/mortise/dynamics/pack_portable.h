// Four numbers in two registers of two, which every processor of today has. Included by one source file only.

#define MORTISE_INLINE inline __attribute__((always_inline))

namespace mortise::detail::portable {

typedef double Pair __attribute__((vector_size(16), may_alias));
typedef std::int64_t BitPair __attribute__((vector_size(16), may_alias));

struct Pack {
  Pair lo, hi;
};
struct Bits {
  BitPair lo, hi;
};

MORTISE_INLINE Pack operator+(Pack a, Pack b) { return {a.lo + b.lo, a.hi + b.hi}; }
MORTISE_INLINE Pack operator-(Pack a, Pack b) { return {a.lo - b.lo, a.hi - b.hi}; }
MORTISE_INLINE Pack operator*(Pack a, Pack b) { return {a.lo * b.lo, a.hi * b.hi}; }
MORTISE_INLINE Pack operator-(Pack a) { return {-a.lo, -a.hi}; }

MORTISE_INLINE Pack load(const Lanes& a) {
  return {*reinterpret_cast<const Pair*>(a.v), *reinterpret_cast<const Pair*>(a.v + 2)};
}
MORTISE_INLINE void store(Lanes& a, Pack b) {
  *reinterpret_cast<Pair*>(a.v) = b.lo;
  *reinterpret_cast<Pair*>(a.v + 2) = b.hi;
}
MORTISE_INLINE void storeAnywhere(double* to, Pack b) { std::memcpy(to, &b, sizeof b); }
MORTISE_INLINE Pack all(double x) { return {Pair{x, x}, Pair{x, x}}; }
MORTISE_INLINE Pack masked(Pack a, const std::int64_t* mask) {
  const BitPair* m = reinterpret_cast<const BitPair*>(mask);
  return {(Pair)((BitPair)a.lo & m[0]), (Pair)((BitPair)a.hi & m[1])};
}
MORTISE_INLINE Pack yzx(Pack a) { return {Pair{a.lo[1], a.hi[0]}, Pair{a.lo[0], a.hi[1]}}; }
MORTISE_INLINE Pack zxy(Pack a) { return {Pair{a.hi[0], a.lo[0]}, Pair{a.lo[1], a.hi[1]}}; }
/// Returns the sum of all four.
MORTISE_INLINE double sum(Pack a) {
  const Pair pairs = a.lo + a.hi;
  return pairs[0] + pairs[1];
}
/// The first `count` numbers of `a`, then those of `b`.
MORTISE_INLINE Pack chosen(Pack a, Pack b, int count) {
  return {count == 1 ? Pair{a.lo[0], b.lo[1]} : a.lo, count == 3 ? Pair{a.hi[0], b.hi[1]} : b.hi};
}
MORTISE_INLINE void transpose(Pack& a, Pack& b, Pack& c, Pack& d) {
  const Pack e = a, f = b, g = c, h = d;
  a = {Pair{e.lo[0], f.lo[0]}, Pair{g.lo[0], h.lo[0]}};
  b = {Pair{e.lo[1], f.lo[1]}, Pair{g.lo[1], h.lo[1]}};
  c = {Pair{e.hi[0], f.hi[0]}, Pair{g.hi[0], h.hi[0]}};
  d = {Pair{e.hi[1], f.hi[1]}, Pair{g.hi[1], h.hi[1]}};
}

MORTISE_INLINE Bits operator+(Bits a, Bits b) { return {a.lo + b.lo, a.hi + b.hi}; }
MORTISE_INLINE Bits operator-(Bits a, Bits b) { return {a.lo - b.lo, a.hi - b.hi}; }
MORTISE_INLINE Bits operator&(Bits a, Bits b) { return {a.lo & b.lo, a.hi & b.hi}; }
MORTISE_INLINE Bits operator|(Bits a, Bits b) { return {a.lo | b.lo, a.hi | b.hi}; }
MORTISE_INLINE Bits operator^(Bits a, Bits b) { return {a.lo ^ b.lo, a.hi ^ b.hi}; }
MORTISE_INLINE Bits operator~(Bits a) { return {~a.lo, ~a.hi}; }
MORTISE_INLINE Bits bitsOf(Pack a) { return {(BitPair)a.lo, (BitPair)a.hi}; }
MORTISE_INLINE Pack packOf(Bits a) { return {(Pair)a.lo, (Pair)a.hi}; }
MORTISE_INLINE Bits allBits(std::int64_t x) { return {BitPair{x, x}, BitPair{x, x}}; }
MORTISE_INLINE Bits shiftedLeft(Bits a, int count) { return {a.lo << count, a.hi << count}; }

}  // namespace mortise::detail::portable
