// The sweeps, on whatever `Pack` the including file has chosen. Nothing but functions that are inlined or belong to
// this copy's namespace, so that no code for one processor can stand in for the other's.

namespace mortise::detail::MORTISE_SWEEPS {
namespace {

using Data = RobotDynamics::Data;

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

/// Rigid bodies about the reference, from those about the centers of mass.
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
    if (tile.related != 0) {
      const P6 S = load6(d.block[tile.column].S);
      const Lanes* F = d.block[tile.row].F;
      e0 = along(S, F, 0), e1 = along(S, F, 1), e2 = along(S, F, 2), e3 = along(S, F, 3);
      if (tile.related != 0xffff) {
        e0 = masked(e0, masks.of[tile.related & 15]), e1 = masked(e1, masks.of[tile.related >> 4 & 15]);
        e2 = masked(e2, masks.of[tile.related >> 8 & 15]), e3 = masked(e3, masks.of[tile.related >> 12]);
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

/// Four columns from three rows.
MORTISE_INLINE void scatter(Pack x, Pack y, Pack z, Lanes& a, Lanes& b, Lanes& c, Lanes& d) {
  Pack p = x, q = y, r = z, s = all(0);
  transpose(p, q, r, s);
  store(a, p), store(b, q), store(c, r), store(d, s);
}

/// Each link's rigid body as an articulated one, and its joint's motion.
MORTISE_INLINE void articulate(Data& d) {
  rigidBodies(d);
  for (int b = 0; b < d.blocks; ++b) {
    const Lanes* X = d.block[b].X;
    const Lanes* S = d.block[b].S;
    ArticulatedBody* to = &d.body[kLanes * b];
    JointTerms* terms = &d.jointTerms[kLanes * b];
    const Pack xx = load(X[0]), yy = load(X[1]), zz = load(X[2]);
    const P3 h = load3(X + 6);
    scatter(xx, yy, zz, to[0].A0, to[1].A0, to[2].A0, to[3].A0);
    scatter(load(X[3]), load(X[5]), load(X[4]), to[0].A1, to[1].A1, to[2].A1, to[3].A1);
    scatter(-h.z, -h.x, -h.y, to[0].H1, to[1].H1, to[2].H1, to[3].H1);
    scatter(h.y, h.z, h.x, to[0].H2, to[1].H2, to[2].H2, to[3].H2);
    scatter(load(S[0]), load(S[1]), load(S[2]), terms[0].Sw, terms[1].Sw, terms[2].Sw, terms[3].Sw);
    scatter(load(S[3]), load(S[4]), load(S[5]), terms[0].Sv, terms[1].Sv, terms[2].Sv, terms[3].Sv);
    Lanes angular;
    store(angular, xx + yy + zz);
    const Pack zero = all(0);
    MORTISE_UNROLL
    for (int i = 0; i < kLanes; ++i) {
      const double mass = X[9].v[i];
      store(to[i].H0, zero);
      store(to[i].M0, masked(all(mass), masks.of[7]));
      store(to[i].M1, zero);
      store(terms[i].pn, zero);
      store(terms[i].pf, zero);
      d.size[kLanes * b + i] = {angular.v[i], 3 * mass};
    }
  }
}

/// The part of the force to be balanced that the joint does not yield to goes on to the parent.
MORTISE_INLINE void balance(Data& d, int i) {
  JointTerms& s = d.jointTerms[i];
  const Pack n = load(s.pn), f = load(s.pf);
  const double u = d.in[i / kLanes].v[i % kLanes] - sum(load(s.Sw) * n + load(s.Sv) * f);
  s.u = u;
  const int parent = d.parent[i];
  if (parent < 0) return;
  JointTerms& to = d.jointTerms[parent];
  store(to.pn, load(to.pn) + (n + load(s.kUn) * all(u)));
  store(to.pf, load(to.pf) + (f + load(s.kUf) * all(u)));
}

bool factor(Data& d) {
  articulate(d);
  bool good = true;
  for (const int i : d.leavesFirst) {
    const ArticulatedBody& b = d.body[i];
    JointTerms& s = d.jointTerms[i];
    const Pack w = load(s.Sw), v = load(s.Sv);
    const Pack A0 = load(b.A0), A1 = load(b.A1), M0 = load(b.M0), M1 = load(b.M1);
    const Pack H0 = load(b.H0), H1 = load(b.H1), H2 = load(b.H2);
    const Pack yv = yzx(v);
    const Pack n = ((A0 * w + A1 * yzx(w)) + (zxy(A1 * w) + H0 * v)) + (H1 * yv + H2 * zxy(v));
    const Pack f = ((H0 * w + zxy(H1 * w)) + (yzx(H2 * w) + M0 * v)) + (M1 * yv + zxy(M1 * v));
    const double D = sum(w * n + v * f);
    const RigidTerms size = d.size[i];
    const double limit = kFewDigits * (sum(w * w) * size.angular + sum(v * v) * size.linear);
    good = good && (D > limit || limit == 0);
    const double k = D > limit ? 1 / D : 0;
    s.inverseD = k;
    const Pack kn = all(k) * n, kf = all(k) * f;
    store(s.kUn, kn);
    store(s.kUf, kf);
    balance(d, i);
    const int parent = d.parent[i];
    if (parent < 0) continue;
    // What the joint does not take up.
    ArticulatedBody& to = d.body[parent];
    const Pack yf = yzx(f);
    store(to.A0, load(to.A0) + (A0 - kn * n));
    store(to.A1, load(to.A1) + (A1 - kn * yzx(n)));
    store(to.H0, load(to.H0) + (H0 - kn * f));
    store(to.H1, load(to.H1) + (H1 - kn * yf));
    store(to.H2, load(to.H2) + (H2 - kn * zxy(f)));
    store(to.M0, load(to.M0) + (M0 - kf * f));
    store(to.M1, load(to.M1) + (M1 - kf * yf));
    d.size[parent].angular += size.angular;
    d.size[parent].linear += size.linear;
  }
  return good;
}

void reduce(Data& d) {
  const Pack zero = all(0);
  for (JointTerms& s : d.jointTerms) store(s.pn, zero), store(s.pf, zero);
  for (const int i : d.leavesFirst) balance(d, i);
}

void spread(Data& d) {
  for (int k = d.n - 1; k >= 0; --k) {
    const int i = d.leavesFirst[k];
    JointTerms& s = d.jointTerms[i];
    const int parent = d.parent[i];
    Pack w = all(0), v = w;
    if (parent >= 0) w = load(d.jointTerms[parent].aw), v = load(d.jointTerms[parent].av);
    const double result = s.inverseD * s.u - sum(load(s.kUn) * w + load(s.kUf) * v);
    d.out[i / kLanes].v[i % kLanes] = result;
    store(s.aw, w + load(s.Sw) * all(result));
    store(s.av, v + load(s.Sv) * all(result));
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
