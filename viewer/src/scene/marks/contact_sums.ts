// Contacts of two bodies as one: the sum of their forces, at the center of pressure.
import type {Contact, Log} from '../../data/log';

export interface ContactSum { a: number; b: number; point: [number, number, number]; force: [number, number, number]; count: number }

/** One a pair of bodies, in the order in which pairs come first. The forces are on `a`. */
export function sumsOf(contacts: readonly Contact[]): ContactSum[] {
  const pairs = new Map<string, Contact[]>();
  for (const contact of contacts) {
    const [low, high] = contact.a < contact.b ? [contact.a, contact.b] : [contact.b, contact.a], key = `${low} ${high}`;
    const known = pairs.get(key);
    if (known) known.push(contact);
    else pairs.set(key, [contact]);
  }
  return [...pairs.values()].map(sumOf);
}

function sumOf(contacts: Contact[]): ContactSum {
  const {a, b} = contacts[0], force: [number, number, number] = [0, 0, 0], point: [number, number, number] = [0, 0, 0];
  const weights = contacts.map((contact) => Math.abs(contact.force.reduce((sum, f, k) => sum + f * contact.normal[k], 0)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  contacts.forEach((contact, i) => {
    const share = total > 0 ? weights[i] / total : 1 / contacts.length, sign = contact.a === a ? 1 : -1;
    for (let k = 0; k < 3; ++k) {
      force[k] += sign * contact.force[k];
      point[k] += share * contact.point[k];
    }
  });
  return {a, b, point, force, count: contacts.length};
}

/** The least force, N, that only few of a log's pairs exceed: arrows are as long as the scene allows for it. */
export function usualForce(forces: readonly number[], share = 0.98): number {
  const sorted = forces.filter((force) => force > 0 && Number.isFinite(force)).sort((x, y) => x - y);
  return sorted.length > 0 ? sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] : 0;
}

/** Instants of a log that are asked. */
const INSTANTS = 200;

/** Likewise of what is in memory of logs, N; 0: nothing touches. */
export function usualForceOf(logs: readonly Log[]): number {
  const forces: number[] = [];
  for (const log of logs) {
    const {times} = log.state, step = Math.max(1, Math.floor(times.length / INSTANTS));
    for (let i = 0; i < times.length; i += step) for (const {force} of sumsOf(log.contactsAt(times[i]))) forces.push(Math.hypot(...force));
  }
  return usualForce(forces);
}
