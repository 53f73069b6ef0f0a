// A posed world in the scene: where everything is, what collides, goals, contacts and balance.
import type {PosedHold, State} from '../data/protocol';
import {COLLISION, SELF_COLLISION} from '../scene/palette';
import type {Posing} from './posing';

const NORMAL_LENGTH = 0.05;

function collisionColors(posing: Posing, collisions: [number, number][]): Map<number, number> {
  const {entities} = posing, colors = new Map<number, number>();
  for (const [a, b] of collisions) {
    const self = entities[a].kind === 'link' && entities[b].kind === 'link' && posing.robotOfLink(a) === posing.robotOfLink(b);
    for (const id of [a, b]) if (entities[id].kind !== 'terrain') colors.set(id, self ? SELF_COLLISION : COLLISION);
  }
  return colors;
}

/** Places everything, and marks goals, the polygon of balance, and the contacts of `holds`. */
export function showPose(posing: Posing, state: State, holds: PosedHold[]): void {
  const {log, view} = posing, {goals, balance} = state;
  log.setPose(state.q, state.objects);
  view.setTints(collisionColors(posing, state.collisions));
  const lines = goals.flatMap((g) => [g.at, g.target]);
  const height = balance && balance.points.length > 0 ? balance.points[0][2] + 0.002 : 0;
  const polygon = balance?.bounded ? balance.polygon.map(([x, y]) => [x, y, height]) : [];
  polygon.forEach((p, i) => lines.push(p, polygon[(i + 1) % polygon.length]));
  if (balance) lines.push(balance.com, [balance.com[0], balance.com[1], height]);
  const contacts = holds.flatMap((h) => h.contacts);
  for (const [x, y, z, nx, ny, nz] of contacts) lines.push([x, y, z], [x + NORMAL_LENGTH * nx, y + NORMAL_LENGTH * ny, z + NORMAL_LENGTH * nz]);
  const points = [...goals.map((g) => g.target), ...(balance ? [...balance.points, balance.com] : []), ...contacts.map((c) => c.slice(0, 3))];
  view.setMarks(points, lines);
}
