// A log of a run: its world, and its series of numbers.
import {ContactForces} from './contact_forces';
import {indexAt} from './curves';
import {type Link, Robot, poseFromQuaternion, type Pose} from './kinematics';
import {type Records, readRecords} from './mcap/log_file';
import {type SeriesBlock, unpackSeries} from './mcap/series_packing';

export interface Entity {
  id: number;
  kind: 'terrain' | 'object' | 'robot' | 'link';
  name: string;
  frame: string;
  padding?: number;
  mass?: number;
  com?: number[];
  inertia?: InertiaBox | null;
}

/** A box of uniform density: edges, and its pose in the body's frame. */
export interface InertiaBox { size: number[]; T: number[] }

/** A camera or a laser; `T` is its pose in its link's frame. */
export interface SensorDescription {
  robot: number;
  name: string;
  topic: string;
  link: number;
  T: number[];
  camera?: {width: number; height: number; fx: number; fy: number; cx: number; cy: number; near: number; far: number | null};
  scan?: {minimum: number; maximum: number | null; directions: number[]; sweeps: boolean};
}

/** Lines, each pair of points a piece, and points, in the world. */
export interface Overlay { name: string; color: string; lines: number[]; points: number[] }

export interface Picture { time: number; png: Uint8Array }

export interface WorldDescription {
  world: string;
  background: number[];
  gravity: number[];
  entities: Entity[];
  /** Of a driver: link `links[i]` has the coordinate `scale[i] * value + offset[i]`; null for drivers that do more. */
  robots: {id: number; name: string; links: Link[]; drivers?: ({links: number[]; scale: number[]; offset: number[]} | null)[]}[];
}

/** The most that a series of a live view keeps, in bytes; beyond, the oldest part is dropped. */
const kMostBytes = 32e6;

/** The data of a foxglove.CompressedImage: field 2. */
function imageOf(message: Uint8Array): Uint8Array | null {
  let at = 0;
  const varint = (): number => {
    let value = 0, scale = 1;
    for (;;) {
      const byte = message[at++];
      value += (byte & 127) * scale;
      if (byte < 128 || byte === undefined) return value;
      scale *= 128;
    }
  };
  while (at < message.length) {
    const key = varint();
    if ((key & 7) !== 2) return null;
    const length = varint();
    if (key >> 3 === 2) return message.slice(at, at + length);
    at += length;
  }
  return null;
}

/** Columns of numbers over time. */
export class Series {
  times: Float64Array = new Float64Array(0);
  ticks: Float64Array = new Float64Array(0);
  columns: Float32Array[];
  private whole: {times: Float64Array; ticks: Float64Array; columns: Float32Array[]; bits: Int32Array[]};
  private blocks: SeriesBlock[] = [];

  constructor(readonly topic: string, readonly names: string[]) {
    this.columns = names.map(() => new Float32Array(0));
    this.whole = {times: this.times, ticks: this.ticks, columns: this.columns, bits: []};
  }

  /** A message mortise.Series: ticks = 1, times = 2, columns = 3, values = 4, column by column; or packed = 5 and columns. */
  add(message: Uint8Array): void {
    const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
    let at = 0;
    const varint = (): number => {
      let value = 0, scale = 1;
      for (;;) {
        const byte = view.getUint8(at++);
        value += (byte & 127) * scale;
        if (byte < 128) return value;
        scale *= 128;
      }
    };
    const ticks: number[] = [];
    let columns = this.names.length;
    let times = new Float64Array(0), values = new Int32Array(0);
    while (at < message.byteLength) {
      const key = varint(), field = key >> 3, type = key & 7;
      if (type === 0) {
        const value = varint();
        if (field === 3) columns = value;
        continue;
      }
      if (type !== 2) throw new Error('a series has a field of an unknown kind');
      const length = varint(), end = at + length;
      if (field === 1) {
        while (at < end) ticks.push(varint());
      } else if (field === 2) {
        times = new Float64Array(message.slice(at, end).buffer);
      } else if (field === 4) {
        values = new Int32Array(message.slice(at, end).buffer);
      } else if (field === 5) {
        if (columns !== this.names.length) throw new Error(`${this.topic}: a block of wrong size`);
        this.blocks.push(unpackSeries(message.subarray(at, end), this.names.length));
        return;
      }
      at = end;
    }
    const count = times.length;
    if (values.length !== count * this.names.length) throw new Error(`${this.topic}: a block of wrong size`);
    const write = (columns: Int32Array[], start: number) => columns.forEach((column, c) => {
      for (let i = 0; i < count; ++i) column[start + i] = values[c * count + i];
    });
    this.blocks.push({times, ticks, count, write});
  }

  /** Joins the blocks to what is there. */
  finish(bounded = false): void {
    const total = this.blocks.reduce((sum, block) => sum + block.count, 0);
    let start = this.times.length;
    if (bounded && (start + total) * (16 + 4 * this.names.length) > kMostBytes && start > 1000) {
      const dropped = start >> 2;
      for (const values of [this.whole.times, this.whole.ticks, ...this.whole.columns]) values.copyWithin(0, dropped, start);
      start -= dropped;
    }
    const length = start + total;
    if (length > this.whole.times.length) {
      const room = start === 0 ? length : Math.max(length, 2 * start);
      const grown = <T extends Float32Array | Float64Array>(old: T, fresh: T): T => {
        fresh.set(old.subarray(0, start));
        return fresh;
      };
      const columns = this.whole.columns.map((column) => grown(column, new Float32Array(room)));
      this.whole = {
        times: grown(this.whole.times, new Float64Array(room)),
        ticks: grown(this.whole.ticks, new Float64Array(room)),
        columns, bits: columns.map((column) => new Int32Array(column.buffer)),
      };
    }
    for (const block of this.blocks) {
      this.whole.times.set(block.times, start);
      this.whole.ticks.set(block.ticks, start);
      block.write(this.whole.bits, start);
      start += block.count;
    }
    this.blocks = [];
    this.resize(length);
  }

  /** Drops all samples after a tick. */
  cutAfter(tick: number): void {
    let length = this.ticks.length;
    while (length > 0 && this.ticks[length - 1] > tick) --length;
    this.resize(length);
  }

  private resize(length: number): void {
    this.times = this.whole.times.subarray(0, length);
    this.ticks = this.whole.ticks.subarray(0, length);
    this.columns = this.whole.columns.map((column) => column.subarray(0, length));
  }

  /** The last sample that is not after `time`; 0 before all. */
  indexAt(time: number): number { return indexAt(this.times, time); }
}

export interface Contact {
  a: number;
  b: number;
  point: number[];
  normal: number[];
  depth: number;
  force: number[];
}

export class Log {
  readonly series = new Map<string, Series>();
  readonly ending = new Map<string, string>();
  readonly attachments = new Map<string, Uint8Array>();
  robots: Robot[] = [];
  /** Poses by id, of what moves; terrains stay where they are. */
  readonly poses = new Map<number, Pose>();
  private objects: {id: number; column: number}[] = [];
  private row = new Float32Array(0);
  world!: WorldDescription;
  damage = '';
  sensors: SensorDescription[] = [];
  overlays: Overlay[] = [];
  /** What cameras saw, by topic, in the order of time. */
  readonly pictures = new Map<string, Picture[]>();
  private posed = false;
  readonly forces = new ContactForces(this);

  constructor(readonly name: string) {}

  get state(): Series { return this.series.get('/mortise/state')!; }
  get start(): number { return this.state.times[0]; }
  get end(): number { return this.state.times[this.state.times.length - 1]; }

  static async read(name: string, bytes: Uint8Array): Promise<Log> {
    const log = new Log(name);
    log.damage = await readRecords(bytes, () => log.records());
    log.finish();
    return log;
  }

  /** Takes what a file holds in place of what was there. */
  private records(): Records {
    for (const kept of [this.series, this.attachments, this.ending, this.pictures]) kept.clear();
    const series = new Map<number, Series>(), images = new Map<number, string>();
    return {
      channel: (id, topic, schema, metadata) => {
        if (schema === 'foxglove.CompressedImage') images.set(id, topic);
        else if (schema !== 'mortise.Series') return false;
        else {
          series.set(id, new Series(topic, JSON.parse(metadata.get('columns') ?? '[]')));
          this.series.set(topic, series.get(id)!);
        }
        return true;
      },
      message: (channel, time, data) => {
        const topic = images.get(channel);
        if (topic === undefined) series.get(channel)!.add(data);
        else this.addPicture(topic, time, imageOf(data));
      },
      attachment: (name, data) => { if (!name.startsWith('states/')) this.attachments.set(name, data); },
      metadata: (name, entries) => { if (name === 'mortise.run') for (const [key, value] of entries) this.ending.set(key, value); },
    };
  }

  addPicture(topic: string, time: number, png: Uint8Array | null): void {
    if (!png) return;
    const list = this.pictures.get(topic);
    if (!list) this.pictures.set(topic, [{time, png}]);
    else list.push({time, png});
  }

  /** What a camera saw last at a time. */
  pictureAt(topic: string, time: number): Picture | null {
    const list = this.pictures.get(topic) ?? [];
    let low = 0, high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle].time <= time + 5e-10) low = middle + 1;
      else high = middle;
    }
    return low > 0 ? list[low - 1] : null;
  }

  private finish(): void {
    for (const series of this.series.values()) series.finish();
    const sensors = this.attachments.get('sensors.json');
    if (sensors) this.sensors = JSON.parse(new TextDecoder().decode(sensors));
    const description = this.attachments.get('world.json');
    if (!description || !this.attachments.has('scene.glb'))
      throw new Error(`${this.name} holds no world: it was not written by Mortise`);
    this.world = JSON.parse(new TextDecoder().decode(description));
    if (!this.series.has('/mortise/state') || this.state.times.length === 0)
      throw new Error(`${this.name} holds no states`);
    this.robots = this.world.robots.map((robot) => new Robot(robot.name, robot.links));
    let column = 0;
    for (const robot of this.robots) {
      for (const [i, link] of robot.links.entries()) this.poses.set(link.id, robot.poses[i]);
      column += robot.links.length;
    }
    for (const entity of this.world.entities) {
      if (entity.kind !== 'object') continue;
      this.objects.push({id: entity.id, column});
      this.poses.set(entity.id, new Float64Array(12));
      column += 7;
    }
    this.row = new Float32Array(column);
  }

  /** Puts everything where it is posed, from now on: configurations of robots, and poses of objects (R row-major, then t). */
  setPose(q: number[][], objects: number[][]): void {
    this.posed = true;
    this.robots.forEach((robot, r) => robot.update(q[r]));
    this.objects.forEach((object, i) => this.poses.get(object.id)!.set(objects[i]));
  }

  /** Puts `poses` where everything was at a time. Between two samples, objects and joints are interpolated. */
  show(time: number): void {
    if (this.posed) return;
    const state = this.state, i = state.indexAt(time);
    const next = Math.min(i + 1, state.times.length - 1);
    const span = state.times[next] - state.times[i];
    const u = span > 0 ? Math.min(Math.max((time - state.times[i]) / span, 0), 1) : 0;
    for (let c = 0; c < this.row.length; ++c) {
      const column = state.columns[c], a = column[i];
      if (u === 0) {
        this.row[c] = a;
        continue;
      }
      // Angles that turn over, and quaternions that change sign, are not interpolated.
      const b = column[next];
      this.row[c] = Math.abs(b - a) > 1 ? a : a + u * (b - a);
    }
    let column = 0;
    for (const robot of this.robots) {
      robot.update(this.row, column);
      column += robot.links.length;
    }
    for (const object of this.objects) poseFromQuaternion(this.row, object.column, this.poses.get(object.id)!);
  }

  /** Coordinates of all robots' links at the last sample that is not after `time`. */
  coordinatesAt(time: number): Float64Array {
    const i = this.state.indexAt(time), count = this.robots.reduce((sum, robot) => sum + robot.links.length, 0);
    return Float64Array.from({length: count}, (_, c) => this.state.columns[c][i]);
  }

  /** The contacts of the last sample that is not after `time`. */
  contactsAt(time: number): Contact[] {
    const series = this.series.get('/mortise/contacts');
    if (!series || series.times.length === 0) return [];
    const state = this.state, tick = state.ticks[state.indexAt(time)];
    const contacts: Contact[] = [];
    const c = series.columns;
    for (let i = series.indexAt(time); i >= 0 && series.ticks[i] >= tick; --i) {
      if (series.ticks[i] !== tick) continue;
      contacts.push({
        a: c[0][i], b: c[1][i], point: [c[2][i], c[3][i], c[4][i]], normal: [c[5][i], c[6][i], c[7][i]],
        depth: c[8][i], force: [c[9][i], c[10][i], c[11][i]],
      });
    }
    return contacts;
  }
}
