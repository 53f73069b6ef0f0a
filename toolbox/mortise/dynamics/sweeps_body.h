// The sweeps, on whatever `Pack` the including file has chosen. No templates and nothing but functions that are inlined
// or belong to this copy's namespace, so that no code for one processor can stand in for the other's.

// Loops of a few steps, written out also where the optimiser is told to spare code.
#if defined(__clang__)
#define MORTISE_UNROLL _Pragma("clang loop unroll(full)")
#else
#define MORTISE_UNROLL _Pragma("GCC unroll 16")
#endif

namespace mortise::detail::MORTISE_SWEEPS {
namespace {

using Data = RobotDynamics::Data;

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

/// x, y, z of four links from a column of each.
MORTISE_INLINE P3 gather(const Lanes& a, const Lanes& b, const Lanes& c, const Lanes& d) {
  Pack p = load(a), q = load(b), r = load(c), s = load(d);
  transpose(p, q, r, s);
  return {p, q, r};
}

void place(Data& d) {
  for (int b = 0; b < d.blocks; ++b) {
    const LinkBlockConstants& k = d.constants[b];
    LinkBlock& x = d.block[b];
    const Pack q = load(d.q[b]);
    const Pack angle = load(k.turn) * q;
    Pack s, c;
    sineCosine(angle, s, c);
    Lanes angles;
    store(angles, angle);
    bool large = false;
    MORTISE_UNROLL
    for (int i = 0; i < kLanes; ++i) large = large || !(std::abs(angles.v[i]) < kLargeAngle);
    if (large) {
      Lanes sines, cosines;
      MORTISE_UNROLL
      for (int i = 0; i < kLanes; ++i) {
        sines.v[i] = std::sin(angles.v[i]);
        cosines.v[i] = std::cos(angles.v[i]);
      }
      s = load(sines);
      c = load(cosines);
    }
    const P3 c0 = load3(k.C), c1 = load3(k.C + 3), c2 = load3(k.C + 6);
    store3(x.Rl, c * c0 + s * c1);
    store3(x.Rl + 3, c * c1 - s * c0);
    store3(x.Rl + 6, c2);
    store3(x.pl, load3(k.p0) + (load(k.slide) * q) * c2);
  }
  Pack f0{}, f1{}, f2{}, fp{};
  int above = -2;  // The link whose frame these are.
  for (int i = 0; i < d.n; ++i) {
    const LinkBlock& x = d.block[i / kLanes];
    const int lane = i % kLanes;
    const int parent = d.parent[i];
    if (parent != above) {
      const LinkFrame& f = d.frames[parent + 1];
      f0 = load(f.c[0]), f1 = load(f.c[1]), f2 = load(f.c[2]), fp = load(f.p);
    }
    const Lanes* R = x.Rl;
    const Pack r0 = (f0 * all(R[0].v[lane]) + f1 * all(R[1].v[lane])) + f2 * all(R[2].v[lane]);
    const Pack r1 = (f0 * all(R[3].v[lane]) + f1 * all(R[4].v[lane])) + f2 * all(R[5].v[lane]);
    const Pack r2 = (f0 * all(R[6].v[lane]) + f1 * all(R[7].v[lane])) + f2 * all(R[8].v[lane]);
    fp = fp + ((f0 * all(x.pl[0].v[lane]) + f1 * all(x.pl[1].v[lane])) + f2 * all(x.pl[2].v[lane]));
    f0 = r0, f1 = r1, f2 = r2;
    LinkFrame& to = d.frames[i + 1];
    store(to.c[0], f0), store(to.c[1], f1), store(to.c[2], f2), store(to.p, fp);
    above = i;
  }
}

void motions(Data& d) {
  const V3 origin = d.reference();
  const P3 o = {all(origin.x), all(origin.y), all(origin.z)};
  for (int b = 0; b < d.blocks; ++b) {
    const LinkBlockConstants& k = d.constants[b];
    LinkBlock& x = d.block[b];
    const LinkFrame* f = &d.frames[kLanes * b + 1];
    const P3 r = gather(f[0].p, f[1].p, f[2].p, f[3].p) - o;
    const P3 c0 = gather(f[0].c[0], f[1].c[0], f[2].c[0], f[3].c[0]);
    const P3 c1 = gather(f[0].c[1], f[1].c[1], f[2].c[1], f[3].c[1]);
    const P3 c2 = gather(f[0].c[2], f[1].c[2], f[2].c[2], f[3].c[2]);
    const P3 w = load(k.turn) * c2;
    store6(x.S, {w, cross(r, w) + load(k.slide) * c2});
    store3(x.com, r + (load(k.com[0]) * c0 + load(k.com[1]) * c1 + load(k.com[2]) * c2));
  }
}

/// a[i] += a[parent of i], from the root up.
MORTISE_INLINE void addAbove(Data& d, Lanes (LinkBlock::*field)[6]) {
  double s[6] = {0, 0, 0, 0, 0, 0};
  int above = -1;
  for (int i = 0; i < d.n; ++i) {
    const int parent = d.parent[i];
    if (parent != above) {
      const Lanes* from = parent < 0 ? nullptr : d.block[parent / kLanes].*field;
      MORTISE_UNROLL
      for (int k = 0; k < 6; ++k) s[k] = from == nullptr ? 0 : from[k].v[parent % kLanes];
    }
    Lanes* a = d.block[i / kLanes].*field;
    const int lane = i % kLanes;
    MORTISE_UNROLL
    for (int k = 0; k < 6; ++k) a[k].v[lane] = s[k] = s[k] + a[k].v[lane];
    above = i;
  }
}

/// a[parent of i] += a[i], from the leaves down.
template <int size>
MORTISE_INLINE void addBelow(Data& d, Lanes (LinkBlock::*field)[size]) {
  double s[size] = {};
  for (int i = d.n - 1; i >= 0; --i) {
    Lanes* a = d.block[i / kLanes].*field;
    const int lane = i % kLanes;
    MORTISE_UNROLL
    for (int k = 0; k < size; ++k) a[k].v[lane] = s[k] = s[k] + a[k].v[lane];
    const int parent = d.parent[i];
    if (parent == i - 1) continue;
    if (parent >= 0) {
      Lanes* to = d.block[parent / kLanes].*field;
      MORTISE_UNROLL
      for (int k = 0; k < size; ++k) to[k].v[parent % kLanes] += s[k];
    }
    MORTISE_UNROLL
    for (int k = 0; k < size; ++k) s[k] = 0;
  }
}

void velocities(Data& d) {
  for (int b = 0; b < d.blocks; ++b) {
    LinkBlock& x = d.block[b];
    const Pack rate = load(d.dq[b]);
    const P6 S = load6(x.S);
    store6(x.V, {rate * S.w, rate * S.v});
  }
  addAbove(d, &LinkBlock::V);
}

void inertias(Data& d) {
  for (int b = 0; b < d.blocks; ++b) {
    const LinkBlockConstants& k = d.constants[b];
    if (!k.hasMass) continue;  // Zero from the start.
    LinkBlock& x = d.block[b];
    const LinkFrame* f = &d.frames[kLanes * b + 1];
    const P3 r0 = gather(f[0].c[0], f[1].c[0], f[2].c[0], f[3].c[0]);
    const P3 r1 = gather(f[0].c[1], f[1].c[1], f[2].c[1], f[3].c[1]);
    const P3 r2 = gather(f[0].c[2], f[1].c[2], f[2].c[2], f[3].c[2]);
    const Pack xy = load(k.I[3]), xz = load(k.I[4]), yz = load(k.I[5]);
    // Columns of R I, then (R I) R^T.
    const P3 a0 = load(k.I[0]) * r0 + xy * r1 + xz * r2;
    const P3 a1 = xy * r0 + load(k.I[1]) * r1 + yz * r2;
    const P3 a2 = xz * r0 + yz * r1 + load(k.I[2]) * r2;
    const Pack Ixx = a0.x * r0.x + a1.x * r1.x + a2.x * r2.x;
    const Pack Iyy = a0.y * r0.y + a1.y * r1.y + a2.y * r2.y;
    const Pack Izz = a0.z * r0.z + a1.z * r1.z + a2.z * r2.z;
    const Pack Ixy = a0.x * r0.y + a1.x * r1.y + a2.x * r2.y;
    const Pack Ixz = a0.x * r0.z + a1.x * r1.z + a2.x * r2.z;
    const Pack Iyz = a0.y * r0.z + a1.y * r1.z + a2.y * r2.z;
    store(x.I[0], Ixx), store(x.I[1], Iyy), store(x.I[2], Izz);
    store(x.I[3], Ixy), store(x.I[4], Ixz), store(x.I[5], Iyz);
  }
}

/// Rigid bodies about the reference, from those about the centres of mass.
void rigidBodies(Data& d) {
  for (int b = 0; b < d.blocks; ++b) {
    const LinkBlockConstants& k = d.constants[b];
    LinkBlock& x = d.block[b];
    if (!k.hasMass) {
      for (Lanes& number : x.X) number = Lanes();
      continue;
    }
    const Pack m = load(k.mass);
    const P3 c = load3(x.com);
    const P3 h = m * c;
    store(x.X[0], load(x.I[0]) + (h.y * c.y + h.z * c.z));
    store(x.X[1], load(x.I[1]) + (h.x * c.x + h.z * c.z));
    store(x.X[2], load(x.I[2]) + (h.x * c.x + h.y * c.y));
    store(x.X[3], load(x.I[3]) - h.x * c.y);
    store(x.X[4], load(x.I[4]) - h.x * c.z);
    store(x.X[5], load(x.I[5]) - h.y * c.z);
    store3(x.X + 6, h);
    store(x.X[9], m);
  }
}

void linkForces(Data& d, bool accelerating, bool moving, const V3& up) {
  const P3 base = {all(up.x), all(up.y), all(up.z)};
  const bool turning = accelerating || moving;
  if (turning) {
    for (int b = 0; b < d.blocks; ++b) {
      LinkBlock& x = d.block[b];
      const P6 S = load6(x.S);
      P6 a{};
      if (accelerating) {
        const Pack rate = load(d.in[b]);
        a = {rate * S.w, rate * S.v};
      }
      if (moving) {  // The joint's motion turns with the link: V x S dq.
        const Pack rate = load(d.dq[b]);
        const P6 V = load6(x.V);
        const P3 w = rate * S.w;
        a.w = a.w + cross(V.w, w);
        a.v = a.v + (cross(V.v, w) + cross(V.w, rate * S.v));
      }
      store6(x.A, a);
    }
    addAbove(d, &LinkBlock::A);
  }
  for (int b = 0; b < d.blocks; ++b) {
    const LinkBlockConstants& k = d.constants[b];
    LinkBlock& x = d.block[b];
    if (!k.hasMass) {
      for (Lanes& number : x.F) number = Lanes();
      continue;
    }
    const P3 c = load3(x.com);
    P3 a = base, moment{};
    if (turning) {
      const P6 A = load6(x.A);
      a = a + A.v + cross(A.w, c);
      moment = timesSymmetric(x.I, A.w);
    }
    if (moving) {
      const P6 V = load6(x.V);
      a = a + cross(V.w, V.v + cross(V.w, c));
      moment = moment + cross(V.w, timesSymmetric(x.I, V.w));
    }
    const P3 f = load(k.mass) * a;
    store6(x.F, {moment + cross(c, f), f});
  }
}

void jointForces(Data& d) {
  addBelow<6>(d, &LinkBlock::F);
  for (int b = 0; b < d.blocks; ++b) {
    const P6 S = load6(d.block[b].S), F = load6(d.block[b].F);
    store(d.out[b], dot(S.w, F.w) + dot(S.v, F.v));
  }
}

/// Components of one link's force along four joints.
MORTISE_INLINE Pack along(const P6& S, const Lanes* F, int i) {
  return ((S.w.x * all(F[0].v[i]) + S.w.y * all(F[1].v[i])) + (S.w.z * all(F[2].v[i]) + S.v.x * all(F[3].v[i]))) +
         (S.v.y * all(F[4].v[i]) + S.v.z * all(F[5].v[i]));
}

MORTISE_INLINE void storeSome(double* to, Pack value, int count) {
  if (count >= kLanes) return storeAnywhere(to, value);
  Lanes numbers;
  store(numbers, value);
  for (int i = 0; i < count; ++i) to[i] = numbers.v[i];
}

void massMatrix(Data& d, double* B, std::ptrdiff_t stride) {
  rigidBodies(d);
  addBelow<10>(d, &LinkBlock::X);
  for (int b = 0; b < d.blocks; ++b) {  // Force of the composite body for a unit acceleration of the joint.
    LinkBlock& x = d.block[b];
    const P6 S = load6(x.S);
    const P3 h = load3(x.X + 6);
    store6(x.F, {timesSymmetric(x.X, S.w) + cross(h, S.v), load(x.X[9]) * S.v - cross(h, S.w)});
  }
  for (const MassTile& tile : d.tiles) {
    // Four links at once as columns of the lower half (rows of the upper one).
    Pack e0 = all(0), e1 = e0, e2 = e0, e3 = e0;
    if (tile.shares != 0) {
      const P6 S = load6(d.block[tile.column].S);
      const Lanes* F = d.block[tile.row].F;
      e0 = along(S, F, 0), e1 = along(S, F, 1), e2 = along(S, F, 2), e3 = along(S, F, 3);
      if (tile.shares != 0xffff) {
        e0 = masked(e0, masks.of[tile.shares & 15]), e1 = masked(e1, masks.of[tile.shares >> 4 & 15]);
        e2 = masked(e2, masks.of[tile.shares >> 8 & 15]), e3 = masked(e3, masks.of[tile.shares >> 12]);
      }
    }
    const int rows = std::min(kLanes, d.n - kLanes * tile.row);
    double* upper = B + kLanes * tile.row * stride + kLanes * tile.column;
    if (tile.row == tile.column) {  // Its own mirror image: the mask has left the half above the diagonal.
      Pack m0 = e0, m1 = e1, m2 = e2, m3 = e3;
      transpose(m0, m1, m2, m3);
      m0 = chosen(e0, m0, 1), m1 = chosen(e1, m1, 2), m2 = chosen(e2, m2, 3);
      storeSome(upper, m0, rows);
      if (rows > 1) storeSome(upper + stride, m1, rows);
      if (rows > 2) storeSome(upper + 2 * stride, m2, rows);
      if (rows > 3) storeSome(upper + 3 * stride, e3, rows);
      continue;
    }
    storeAnywhere(upper, e0);
    if (rows > 1) storeAnywhere(upper + stride, e1);
    if (rows > 2) storeAnywhere(upper + 2 * stride, e2);
    if (rows > 3) storeAnywhere(upper + 3 * stride, e3);
    transpose(e0, e1, e2, e3);
    double* lower = B + kLanes * tile.column * stride + kLanes * tile.row;
    storeSome(lower, e0, rows);
    storeSome(lower + stride, e1, rows);
    storeSome(lower + 2 * stride, e2, rows);
    storeSome(lower + 3 * stride, e3, rows);
  }
}

/// Each link's rigid body as an articulated one.
MORTISE_INLINE void articulate(Data& d) {
  rigidBodies(d);
  const Pack zero = all(0);
  for (int b = 0; b < d.blocks; ++b) {
    const Lanes* X = d.block[b].X;
    ArticulatedBody* to = &d.body[kLanes * b];
    const Pack xy = load(X[3]), xz = load(X[4]), yz = load(X[5]);
    const P3 h = load3(X + 6);
    const Pack m = load(X[9]);
    const P3 a[3] = {{load(X[0]), xy, xz}, {xy, load(X[1]), yz}, {xz, yz, load(X[2])}};
    const P3 cross[3] = {{zero, h.z, -h.y}, {-h.z, zero, h.x}, {h.y, -h.x, zero}};
    MORTISE_UNROLL
    for (int column = 0; column < 3; ++column) {
      Pack p = a[column].x, q = a[column].y, r = a[column].z, s = zero;
      transpose(p, q, r, s);
      store(to[0].A[column], p), store(to[1].A[column], q), store(to[2].A[column], r), store(to[3].A[column], s);
      p = cross[column].x, q = cross[column].y, r = cross[column].z, s = zero;
      transpose(p, q, r, s);
      store(to[0].H[column], p), store(to[1].H[column], q), store(to[2].H[column], r), store(to[3].H[column], s);
      store(to[0].T[column], -p), store(to[1].T[column], -q), store(to[2].T[column], -r), store(to[3].T[column], -s);
    }
    // The mass on the diagonal needs no transposing.
    MORTISE_UNROLL
    for (int i = 0; i < kLanes; ++i) {
      const Pack mass = all(X[9].v[i]);
      store(to[i].M[0], masked(mass, masks.of[1]));
      store(to[i].M[1], masked(mass, masks.of[2]));
      store(to[i].M[2], masked(mass, masks.of[4]));
    }
    Lanes angular, linear;
    store(angular, load(X[0]) + load(X[1]) + load(X[2]));
    store(linear, all(3.0) * m);
    MORTISE_UNROLL
    for (int i = 0; i < kLanes; ++i) d.size[kLanes * b + i] = {angular.v[i], linear.v[i]};
  }
}

/// The part of the force to be balanced that the joint does not yield to goes on to the parent.
MORTISE_INLINE void balance(Data& d, int i) {
  const Lanes* S = d.block[i / kLanes].S;
  const int lane = i % kLanes;
  JointShare& s = d.share[i];
  const double* n = s.pn.v;
  const double* f = s.pf.v;
  const double u = d.in[i / kLanes].v[lane] -
                   (((S[0].v[lane] * n[0] + S[1].v[lane] * n[1]) + (S[2].v[lane] * n[2] + S[3].v[lane] * f[0])) +
                    (S[4].v[lane] * f[1] + S[5].v[lane] * f[2]));
  s.u = u;
  const int parent = d.parent[i];
  if (parent < 0) return;
  JointShare& to = d.share[parent];
  store(to.pn, load(to.pn) + (load(s.pn) + load(s.kUn) * all(u)));
  store(to.pf, load(to.pf) + (load(s.pf) + load(s.kUf) * all(u)));
}

MORTISE_INLINE void clearForces(Data& d) {
  for (JointShare& s : d.share) s.pn = s.pf = Lanes();
}

bool factor(Data& d) {
  articulate(d);
  clearForces(d);
  bool good = true;
  for (const int i : d.leavesFirst) {
    const Lanes* S = d.block[i / kLanes].S;
    const int lane = i % kLanes;
    const double wx = S[0].v[lane], wy = S[1].v[lane], wz = S[2].v[lane];
    const double vx = S[3].v[lane], vy = S[4].v[lane], vz = S[5].v[lane];
    const ArticulatedBody& b = d.body[i];
    JointShare& s = d.share[i];
    const Pack bx = all(wx), by = all(wy), bz = all(wz), ux = all(vx), uy = all(vy), uz = all(vz);
    const Pack n = ((load(b.A[0]) * bx + load(b.A[1]) * by) + (load(b.A[2]) * bz + load(b.H[0]) * ux)) +
                   (load(b.H[1]) * uy + load(b.H[2]) * uz);
    const Pack f = ((load(b.T[0]) * bx + load(b.T[1]) * by) + (load(b.T[2]) * bz + load(b.M[0]) * ux)) +
                   (load(b.M[1]) * uy + load(b.M[2]) * uz);
    store(s.Un, n);
    store(s.Uf, f);
    const double* un = s.Un.v;
    const double* uf = s.Uf.v;
    const double D = ((wx * un[0] + wy * un[1]) + (wz * un[2] + vx * uf[0])) + (vy * uf[1] + vz * uf[2]);
    const RigidShare size = d.size[i];
    const double limit =
        kFewDigits * ((wx * wx + wy * wy + wz * wz) * size.angular + (vx * vx + vy * vy + vz * vz) * size.linear);
    good = good && (D > limit || limit == 0);
    const double k = D > limit ? 1 / D : 0;
    s.inverseD = k;
    const Pack kn = all(k) * n, kf = all(k) * f;
    store(s.kUn, kn);
    store(s.kUf, kf);
    balance(d, i);
    const int parent = d.parent[i];
    if (parent < 0) continue;
    ArticulatedBody& to = d.body[parent];
    MORTISE_UNROLL
    for (int j = 0; j < 3; ++j) {
      const Pack nj = all(un[j]), fj = all(uf[j]);
      store(to.A[j], load(to.A[j]) + (load(b.A[j]) - kn * nj));
      store(to.H[j], load(to.H[j]) + (load(b.H[j]) - kn * fj));
      store(to.T[j], load(to.T[j]) + (load(b.T[j]) - kf * nj));
      store(to.M[j], load(to.M[j]) + (load(b.M[j]) - kf * fj));
    }
    d.size[parent].angular += size.angular;
    d.size[parent].linear += size.linear;
  }
  return good;
}

void reduce(Data& d) {
  clearForces(d);
  for (const int i : d.leavesFirst) balance(d, i);
}

void spread(Data& d) {
  for (int k = d.n - 1; k >= 0; --k) {
    const int i = d.leavesFirst[k];
    const Lanes* S = d.block[i / kLanes].S;
    const int lane = i % kLanes;
    JointShare& s = d.share[i];
    const int parent = d.parent[i];
    double w[3] = {0, 0, 0}, v[3] = {0, 0, 0};
    if (parent >= 0) MORTISE_UNROLL
    for (int j = 0; j < 3; ++j) w[j] = d.share[parent].aw.v[j], v[j] = d.share[parent].av.v[j];
    const double* n = s.kUn.v;
    const double* f = s.kUf.v;
    const double result =
        s.inverseD * s.u - (((n[0] * w[0] + n[1] * w[1]) + (n[2] * w[2] + f[0] * v[0])) + (f[1] * v[1] + f[2] * v[2]));
    d.out[i / kLanes].v[lane] = result;
    MORTISE_UNROLL
    for (int j = 0; j < 3; ++j) {
      s.aw.v[j] = w[j] + S[j].v[lane] * result;
      s.av.v[j] = v[j] + S[j + 3].v[lane] * result;
    }
  }
}

}  // namespace
}  // namespace mortise::detail::MORTISE_SWEEPS

namespace mortise::detail {

const Sweeps MORTISE_SWEEPS_TABLE = {
    MORTISE_SWEEPS::place,      MORTISE_SWEEPS::motions,     MORTISE_SWEEPS::velocities, MORTISE_SWEEPS::inertias,
    MORTISE_SWEEPS::linkForces, MORTISE_SWEEPS::jointForces, MORTISE_SWEEPS::massMatrix, MORTISE_SWEEPS::factor,
    MORTISE_SWEEPS::reduce,     MORTISE_SWEEPS::spread,
};

}  // namespace mortise::detail
