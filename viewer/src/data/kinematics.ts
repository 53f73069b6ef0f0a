// Forward kinematics of robots whose links each have one degree of freedom, as world.json describes them.

/** A pose: R row-major, then t. */
export type Pose = Float64Array;

export interface Link {
  id: number;
  name: string;
  parent: number;
  motion: 'revolute' | 'prismatic';
  axis: number[];
  /** Pose in the parent's frame at q = 0: 12 numbers. */
  T: number[];
  mass: number;
  com: number[];
  inertia?: {size: number[]; T: number[]} | null;
  /** Smallest and largest coordinate; null: none. */
  limits?: (number | null)[];
}

/** out = a * b. */
export function multiply(a: ArrayLike<number>, b: ArrayLike<number>, out: Pose): Pose {
  for (let i = 0; i < 3; ++i) {
    for (let j = 0; j < 3; ++j)
      out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
    out[9 + i] = a[3 * i] * b[9] + a[3 * i + 1] * b[10] + a[3 * i + 2] * b[11] + a[9 + i];
  }
  return out;
}

/** A rotation by `angle` times the length of `axis` about it (Rodrigues). */
function rotation(axis: number[], angle: number, out: Pose): Pose {
  const length = Math.sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]) || 1;
  const x = axis[0] / length, y = axis[1] / length, z = axis[2] / length;
  const c = Math.cos(angle * length), s = Math.sin(angle * length), d = 1 - c;
  out[0] = c + d * x * x; out[1] = d * x * y - s * z; out[2] = d * x * z + s * y;
  out[3] = d * x * y + s * z; out[4] = c + d * y * y; out[5] = d * y * z - s * x;
  out[6] = d * x * z - s * y; out[7] = d * y * z + s * x; out[8] = c + d * z * z;
  out[9] = out[10] = out[11] = 0;
  return out;
}

export class Robot {
  readonly poses: Pose[];
  /** The configuration that `poses` are of. */
  readonly q: Float64Array;
  private readonly moved = new Float64Array(12);
  private readonly joint = new Float64Array(12);

  constructor(readonly name: string, readonly links: Link[]) {
    this.poses = links.map(() => new Float64Array(12));
    this.q = new Float64Array(links.length);
  }

  /** Poses of all links in the world at the configuration that begins at `q[from]`. */
  update(q: ArrayLike<number>, from = 0): void {
    this.links.forEach((link, i) => {
      const value = (this.q[i] = q[from + i]);
      if (link.motion === 'prismatic') {
        this.joint.set([1, 0, 0, 0, 1, 0, 0, 0, 1, value * link.axis[0], value * link.axis[1], value * link.axis[2]]);
      } else {
        rotation(link.axis, value, this.joint);
      }
      multiply(link.T, this.joint, this.moved);
      if (link.parent < 0) this.poses[i].set(this.moved);
      else multiply(this.poses[link.parent], this.moved, this.poses[i]);
    });
  }
}

/** A pose from a position and a quaternion x, y, z, w. */
export function poseFromQuaternion(v: ArrayLike<number>, from: number, out: Pose): Pose {
  let x = v[from + 3], y = v[from + 4], z = v[from + 5], w = v[from + 6];
  const n = Math.sqrt(x * x + y * y + z * z + w * w) || 1;
  x /= n; y /= n; z /= n; w /= n;
  out[0] = 1 - 2 * (y * y + z * z); out[1] = 2 * (x * y - z * w); out[2] = 2 * (x * z + y * w);
  out[3] = 2 * (x * y + z * w); out[4] = 1 - 2 * (x * x + z * z); out[5] = 2 * (y * z - x * w);
  out[6] = 2 * (x * z - y * w); out[7] = 2 * (y * z + x * w); out[8] = 1 - 2 * (x * x + y * y);
  out[9] = v[from]; out[10] = v[from + 1]; out[11] = v[from + 2];
  return out;
}
