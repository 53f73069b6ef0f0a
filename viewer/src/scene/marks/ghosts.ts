// Robots where they are not: where their controllers want them, and along paths.
import * as THREE from 'three';
import {type Pose, Robot} from '../../data/kinematics';
import type {Log} from '../../data/log';
import {meshesOf, setMatrix} from '../shapes/bodies';
import type {Shapes} from '../shapes/shapes';
import {Surface} from '../light/surface';

/** One mesh of a link, drawn once a ghost; `local`: its pose in the link's frame. */
interface Part { link: number; geometry: THREE.BufferGeometry; local: THREE.Matrix4; mesh: THREE.InstancedMesh }

/** Translucent robots, as many as wanted, that share the shapes of the ones that they are of. */
export class RobotGhosts {
  readonly root = new THREE.Group();
  readonly robots: Robot[];
  /** By robot; made when it is first wanted. */
  private readonly parts = new Map<number, Part[]>();
  private readonly material: Surface;

  constructor(log: Log, private readonly shapes: Shapes, color: number, opacity: number) {
    this.robots = log.robots.map((robot) => new Robot(robot.name, robot.links));
    this.material = new Surface({color, transparent: true, opacity, depthWrite: false, flatShading: true, roughness: 0.6, side: THREE.DoubleSide});
    this.root.matrixAutoUpdate = false;
  }

  /** What is drawn from now on, in place of what was: configurations of one robot. */
  show(robot: number, configurations: ArrayLike<number>[], from = 0): void {
    if (!this.parts.has(robot)) this.parts.set(robot, this.partsOf(robot));
    const parts = this.parts.get(robot)!, model = this.robots[robot], matrix = new THREE.Matrix4();
    for (const part of parts) this.resize(part, configurations.length);
    configurations.forEach((q, i) => {
      model.update(q, from);
      for (const part of parts) part.mesh.setMatrixAt(i, placed(model.poses[part.link], part.local, matrix));
    });
    for (const part of parts) part.mesh.instanceMatrix.needsUpdate = true;
  }

  private drawn: Float64Array | null = null;

  /** Whether coordinates of all robots are not those that were given here last. */
  differs(q: Float64Array, least: number): boolean {
    const {drawn} = this;
    if (drawn && drawn.length === q.length && drawn.every((value, i) => Math.abs(value - q[i]) <= least)) return false;
    this.drawn = q.slice();
    return true;
  }

  hide(): void {
    for (const parts of this.parts.values()) for (const part of parts) part.mesh.count = 0;
  }

  private partsOf(robot: number): Part[] {
    const parts: Part[] = [];
    this.robots[robot].links.forEach(({id}, link) => {
      const body = this.shapes.bodies.get(id);
      if (!body) return;
      const seen = new Set<THREE.Object3D>(body.parts.filter((part) => part.visual).map((part) => part.object));
      for (const child of meshesOf(body.object)) {
        if (!seen.has(child)) continue;
        const local = new THREE.Matrix4();
        for (let part: THREE.Object3D = child; part !== body.object; part = part.parent!) local.premultiply(part.matrix);
        parts.push({link, geometry: child.geometry, local, mesh: this.meshOf(child.geometry, 1)});
      }
    });
    return parts;
  }

  private meshOf(geometry: THREE.BufferGeometry, room: number): THREE.InstancedMesh {
    const mesh = new THREE.InstancedMesh(geometry, this.material, room);
    mesh.frustumCulled = false;
    mesh.matrixAutoUpdate = false;
    this.root.add(mesh);
    return mesh;
  }

  private resize(part: Part, count: number): void {
    if (count > part.mesh.instanceMatrix.count) {
      this.root.remove(part.mesh);
      part.mesh.dispose();
      part.mesh = this.meshOf(part.geometry, count);
    }
    part.mesh.count = count;
  }
}

const POSE = new THREE.Matrix4();
function placed(pose: Pose, local: THREE.Matrix4, out: THREE.Matrix4): THREE.Matrix4 {
  setMatrix(POSE, pose);
  return out.multiplyMatrices(POSE, local);
}

/**
 * Where the commands of a time want the robots of a log; what no motor is led to is as it is. Whether that is seen: angles
 * and ways that differ by less than `least` are not.
 */
export function showCommanded(log: Log, time: number, ghosts: RobotGhosts, least: number): boolean {
  const commands = log.series.get('/mortise/commands');
  const q = log.coordinatesAt(time), at = commands?.indexAt(time) ?? 0;
  let column = 0;
  let first = 0;
  log.world.robots.forEach((robot) => {
    for (const driver of robot.drivers ?? []) {
      const value = commands && commands.times.length > 0 ? commands.columns[column]?.[at] : NaN;
      column += 3;
      if (driver === null || value === undefined || !Number.isFinite(value)) continue;
      driver.links.forEach((link, i) => (q[first + link] = driver.scale[i] * value + driver.offset[i]));
    }
    first += robot.links.length;
  });
  if (!ghosts.differs(q, least)) return false;
  first = 0;
  log.world.robots.forEach((robot, r) => {
    ghosts.show(r, [q], first);
    first += robot.links.length;
  });
  return true;
}
