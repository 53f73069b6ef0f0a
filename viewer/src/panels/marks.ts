// Instants of logs that are worth going to: contacts made and lost, the first difference between runs, faults.
import {type Curve, resampled, sampled} from '../data/curves';
import type {Log} from '../data/log';

export interface Mark {
  time: number;
  kind: 'made' | 'lost' | 'diverged' | 'fault';
  text: string;
  /** Of the bodies that it is about. */
  ids: number[];
}

/** A contact that is lost for less than this is the same contact, s. */
const FLICKER = 0.05;
/** Times of a state and of its contacts differ by rounding alone, s. */
const SAME = 5e-10;
/** Runs differ from here on, m or rad. */
export const DIVERGED = 1e-3;

/** Contacts over time: a row a contact. */
export interface ContactRows { times: ArrayLike<number>; a: ArrayLike<number>; b: ArrayLike<number> }

export interface ContactChange { time: number; kind: 'made' | 'lost'; a: number; b: number }

/** Finds contacts made and lost, pair by pair of bodies, part by part of a log. What touches at the first state was not made. */
export class ContactScan {
  private readonly changes: ContactChange[] = [];
  private readonly last = new Map<string, {a: number; b: number; time: number}>();
  private first = true;
  private end = -Infinity;

  /** Takes the states of a part, and the contacts then. */
  add(states: ArrayLike<number>, {times, a, b}: ContactRows): void {
    for (let i = 0, row = 0; i < states.length; ++i) {
      const time = states[i];
      while (row < times.length && times[row] < time - SAME) ++row;
      for (; row < times.length && times[row] <= time + SAME; ++row) this.touch(time, Math.min(a[row], b[row]), Math.max(a[row], b[row]));
      this.lose(time - FLICKER);
      this.first = false;
      this.end = time;
    }
  }

  /** All changes, in the order of time. */
  finish(): ContactChange[] {
    this.lose(this.end - SAME);
    return this.changes.sort((x, y) => x.time - y.time);
  }

  private touch(time: number, a: number, b: number): void {
    const key = `${a} ${b}`, known = this.last.get(key);
    if (!known && !this.first) this.changes.push({time, kind: 'made', a, b});
    if (known) known.time = time;
    else this.last.set(key, {a, b, time});
  }

  private lose(before: number): void {
    for (const [key, {a, b, time}] of this.last) {
      if (time >= before) continue;
      this.last.delete(key);
      this.changes.push({time, kind: 'lost', a, b});
    }
  }
}

/** The first time at which a column of one log is farther than `DIVERGED` from the other's; none: Infinity. */
export function firstApart(times: ArrayLike<number>, a: ArrayLike<number>, b: ArrayLike<number>): number {
  for (let i = 0; i < times.length; ++i) if (Math.abs(a[i] - b[i]) > DIVERGED) return times[i];
  return Infinity;
}

/** Coordinates of joints, and places of objects: what runs are compared by. */
const isCompared = (column: string): boolean => !/\.q[xyzw]$/.test(column);

function divergenceOf(first: Log, other: Log): Mark | null {
  let time = Infinity, what = '';
  for (const column of first.state.names.filter(isCompared)) {
    const curve: Curve = {topic: first.state.topic, column}, base = sampled(first, curve), own = sampled(other, curve);
    if (!base || !own) continue;
    const at = firstApart(base.times, base.values, resampled(own, base.times));
    if (at < time) [time, what] = [at, column];
  }
  return time < Infinity ? {time, kind: 'diverged', text: `${other.name} leaves ${first.name} by more than ${DIVERGED} m or rad, first ${what}`, ids: []} : null;
}

const CONTACTS = '/mortise/contacts';

function contactMarks(log: Log, name: string, changes: ContactChange[]): Mark[] {
  const nameOf = (id: number) => log.world.entities[id]?.name || `#${id}`;
  return changes.map(({time, kind, a, b}) => ({time, kind, text: `${name}${nameOf(a)} and ${nameOf(b)} ${kind === 'made' ? 'touch' : 'part'}`, ids: [a, b]}));
}

function shortScan(log: Log): ContactChange[] {
  const rows = log.series.get(CONTACTS), scan = new ContactScan();
  if (!rows || rows.times.length === 0) return [];
  scan.add(log.state.times, {times: rows.times, a: rows.columns[0], b: rows.columns[1]});
  return scan.finish();
}

/** Of a long log: part by part, while nothing else is to be done. */
async function longScan(log: Log): Promise<ContactChange[]> {
  const scan = new ContactScan(), source = (topic: string, column: string) => log.sourceOf({topic, column});
  const states = source(log.state.topic, log.state.names[0]), a = source(CONTACTS, 'a'), b = source(CONTACTS, 'b');
  if (!states || !a || !b) return [];
  for (let k = 0; k < states.count; ++k) {
    const [{times}, first, second] = [await states.read(k), await a.read(k), await b.read(k)];
    scan.add(times, {times: first.times, a: first.values, b: second.values});
    await new Promise((done) => setTimeout(done, 0));
  }
  return scan.finish();
}

function faultMarks(log: Log, name: string): Mark[] {
  const status = log.ending.get('status'), time = Number(log.ending.get('time') ?? log.end);
  const marks: Mark[] = status && status !== 'normal' ? [{time, kind: 'fault', text: `${name}the simulation is ${status}`, ids: []}] : [];
  return log.damage ? [...marks, {time: log.end, kind: 'fault', text: `${name}the log was cut short`, ids: []}] : marks;
}

const prefixOf = (logs: Log[], log: Log): string => (logs.length > 1 ? `${log.name}: ` : '');
const sorted = (marks: Mark[]): Mark[] => marks.sort((a, b) => a.time - b.time);

/** In the order of time; of long logs, what is known without reading all of them. */
export function marksOf(logs: Log[]): Mark[] {
  const marks = logs.flatMap((log) => [...faultMarks(log, prefixOf(logs, log)), ...(log.isLong ? [] : contactMarks(log, prefixOf(logs, log), shortScan(log)))]);
  if (logs.some((log) => log.isLong)) return sorted(marks);
  for (const other of logs.slice(1)) {
    const mark = divergenceOf(logs[0], other);
    if (mark) marks.push(mark);
  }
  return sorted(marks);
}

/** Likewise, with the contacts of long logs, which are read for that. */
export async function allMarksOf(logs: Log[]): Promise<Mark[]> {
  const marks = marksOf(logs);
  for (const log of logs) if (log.isLong) marks.push(...contactMarks(log, prefixOf(logs, log), await longScan(log)));
  return sorted(marks);
}

/** Those about a body, and those about none. */
export const marksAbout = (marks: Mark[], ids: ReadonlySet<number>): Mark[] =>
  ids.size === 0 ? marks : marks.filter((mark) => mark.ids.length === 0 || mark.ids.some((id) => ids.has(id)));
