// What the server says of a posed world.
import type {Message} from '../session';

export interface Range { min: number | null; max: number | null }
export interface Driver extends Range { name: string }
export interface PosedRobot {
  name: string;
  base: 'fixed' | 'floating' | 'planar';
  /** The last link of a base that moves; -1: none. */
  base_link: number;
  drivers: Driver[];
  links: Range[];
  /** By link; -1: none. */
  driver_of_link: number[];
}
export interface Goal {
  robot: number; link: number; kind: string; at: number[]; target: number[];
  position: string; rotation: string; point: number[]; direction: number[]; axis: number[]; destination: number;
}
/** Contacts have a point, a normal into the link, and friction: seven numbers. */
export interface Hold { link: number; contacts: number[][] }
export interface Resource {
  name: string; kind: string; editable: boolean; milestones?: number; times?: number[]; convertible: string[]; holds?: Hold[];
  /** Of what is nothing but numbers. */
  values?: number[];
  /** Links that a grasp keeps, and where. */
  fingers?: number[][];
  triangles?: number;
}
export interface Torques { balanced: boolean; within_limits?: boolean; shares?: (number | null)[]; largest_share?: number; largest_link?: string }
export interface Balance { balanced: boolean; bounded: boolean; margin: number | null; polygon: number[][]; com: number[]; points: number[][]; fixed: boolean; torques: Torques }
export interface Path { times: number[]; configurations: number[][] }

export interface State {
  n?: number;
  q: number[][];
  drivers: number[][];
  objects: number[][];
  goals: Goal[];
  collisions: [number, number][];
  limits: number[];
  touch: number;
  undo: number;
  redo: number;
  solved?: boolean;
  residual?: number;
  problem?: string;
  text?: string;
  added?: number;
  resources?: Resource[];
  robots?: PosedRobot[];
  path?: Path;
  faults?: string[];
  balance?: Balance;
  mesh?: {points: number[]; triangles: number[]};
}

export const kStored = ['configuration', 'configurations', 'trajectory', 'ik_goal', 'hold', 'stance', 'grasp', 'transform', 'vector3', 'geometry'];

export const percent = (share: number) => `${Number((100 * share).toPrecision(3))} %`;
export const digits = (v: number) => v.toFixed(3).replace(/^-(0\.0*)$/, '$1');

/** What `balance` says, in words. */
export function balanceText(balance: Balance, touch: number): string {
  const {torques} = balance;
  const motors = torques.largest_share === undefined ? '' :
    `; torques up to ${percent(torques.largest_share)} of the limit (${torques.largest_link})${torques.within_limits ? '' : ', too much'}`;
  if (balance.points.length === 0) {
    if (balance.fixed) return `fixed to the world${motors}`;
    return `nothing is within ${Number((1000 * touch).toFixed(3))} mm of the robot: it stands nowhere`;
  }
  // A fixed base needs no contacts to stand.
  if (!balance.balanced) return (balance.fixed ? 'its contacts alone would not hold it' : 'not balanced') + (balance.fixed ? motors : '');
  if (balance.bounded) return `balanced, ${(1000 * (balance.margin ?? 0)).toFixed(1)} mm inside${motors}`;
  return `balanced, wherever the center of mass is${motors}`;
}

/** Numbers as people and Klamp't's files write them, with or without their count before a tab; null: something else. */
export function numbersFrom(text: string, count?: number): number[] | null {
  const words = text.trim().split(/[\s,;]+/).filter((word) => word !== '');
  const numbers = words.map(Number);
  if (numbers.some((v) => !Number.isFinite(v))) return null;
  if (numbers.length === numbers[0] + 1 && (count === undefined ? text.includes('\t') : numbers.length === count + 1)) numbers.shift();
  return numbers;
}

/** Messages to the server; of gestures, which may be faster than the solver, those that come too fast are left out, but the last. */
export class Gestures {
  gesture = 0;
  private n = 0;
  private waiting = false;
  private moved = false;
  private next: Message | null = null;
  private last: Message | null = null;

  constructor(private readonly write: (message: Message) => void) {}

  get count(): number { return this.n; }
  send(message: Message): void { this.write({...message, n: ++this.n}); }

  /** Of these the newest is sent when the one before is answered. */
  move(message: Message): void {
    this.moved = true;
    if (this.waiting) {
      this.next = {...message, gesture: this.gesture};
      return;
    }
    this.waiting = true;
    this.send({...message, gesture: this.gesture});
  }

  /** What follows is another step; `last` still belongs to the one that ends, and is sent in any case, if anything was moved. */
  end(last?: Message): void {
    const gesture = this.gesture++, {moved} = this;
    this.moved = false;
    if (!last || !moved) return;
    const message = {...last, gesture};
    if (this.waiting) this.last = message;
    else this.send(message);
  }

  answered(): void {
    if (!this.waiting) return;
    this.waiting = false;
    const {next, last} = this;
    this.next = this.last = null;
    if (next) {
      this.waiting = true;
      this.send(next);
      this.last = last;
    } else if (last) {
      this.send(last);
    }
  }
}
