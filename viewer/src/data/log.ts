// A log of a run: its world, and its series of numbers.
//
// Short logs, live views and pages in one file are in memory as a whole. Of a long log (`isLong`) it holds what lies about the time that is
// shown: `show(time)` puts `series` there when that part of the file is in memory; else it keeps what it shows, begins to read, and emits
// `loaded` when the time that was asked for last can be shown. `load(time)` waits for that (for movies, say). So
//
// - `series.get(topic)` has names, and its times, ticks and columns hold at least the last sample not after the shown time, and the next;
// - curves over all times are asked for by `sampled(log, curve, range)` in curves.ts, as often as `curves` is emitted: the outline first, as
//   far as it is known, and exact samples within the range to which a plot is zoomed;
// - `start` and `end` are those of the whole log, `damage` says where a file ends too early, and `problem` what is missing within it.
//
// A log of another tool has no world: its frames are the bodies, and `foreign` holds what its messages say (see foreign/content.ts). Where its
// times are dates, they count from its beginning, `begin`.
import {type ByteSource, MemorySource} from './bytes';
import {ContactForces} from './contact_forces';
import type {Curve} from './curves';
import {Events} from './events';
import {ForeignContent} from './foreign/content';
import {channelsBeside, worldOfFrames} from './foreign/world';
import {Robot, poseFromQuaternion, type Pose} from './kinematics';
import {LastMessages} from './last_messages';
import {LogFile} from './log_file';
import {CurveScan, type CurveSource, LongCurve} from './long_curves';
import {curveSource} from './curve_sources';
import {type Picture, lastPicture, pictureOf} from './pictures';
import {Series, SeriesPart} from './series';
import {Windows} from './windows';
import type {Contact, Overlay, SensorDescription, WorldDescription} from './world';

export type {Picture} from './pictures';
export {Series} from './series';
export type {Contact, Entity, InertiaBox, Overlay, SensorDescription, WorldDescription} from './world';

export interface LogEvents {
  /** What was asked for is in memory: show it. */
  loaded: undefined;
  /** More of the curves is known. */
  curves: undefined;
}

/** Logs of more bytes, of series or with images, are read in parts. */
const MOST_SERIES = 4e6, MOST_BYTES = 48e6;
/** Later times than this are dates, s. */
const DATES = 1e8;
/** Curves that are kept. */
const MOST_CURVES = 32;

export class Log {
  readonly series = new Map<string, Series>();
  ending = new Map<string, string>();
  attachments = new Map<string, Uint8Array>();
  robots: Robot[] = [];
  /** Poses by id, of what moves; terrains stay where they are. */
  readonly poses = new Map<number, Pose>();
  readonly events = new Events<LogEvents>();
  private objects: {id: number; column: number}[] = [];
  private row = new Float32Array(0);
  world!: WorldDescription;
  damage = '';
  sensors: SensorDescription[] = [];
  overlays: Overlay[] = [];
  /** What cameras saw, by topic, in the order of time; of a long log, see `pictureAt`. */
  readonly pictures = new Map<string, Picture[]>();
  private posed = false;
  /** What other tools' messages say; null: there are none. */
  foreign: ForeignContent | null = null;
  /** When a log of another tool begins, s since 1970; 0: its times are no dates. */
  begin = 0;
  private readonly foreignTopics = new Set<string>();
  private readonly frameIds = new Map<string, number>();
  private frameNames: readonly string[] = [];
  readonly forces = new ContactForces(this);
  private file: LogFile | null = null;
  private windows: Windows | null = null;
  private ofFile = new Map<string, Series>();
  private inFile = {start: 0, end: 0};
  private shown: number | null = null;
  private wanted = NaN;
  private readonly images = new Map<string, LastMessages>();
  private readonly curves = new Map<string, LongCurve>();
  private readonly scan = new CurveScan(() => this.events.emit('curves', undefined));

  constructor(readonly name: string) {}

  /** The states of the world; of a log of another tool, its most frequent numbers. */
  get state(): Series { return this.series.get(this.stateTopic)!; }
  private stateTopic = '/mortise/state';
  /** Whether it was written by another tool. */
  get isOfOthers(): boolean { return !this.attachments.has('world.json') || !this.attachments.has('scene.glb'); }
  get start(): number { return this.windows || this.isOfOthers ? this.inFile.start : this.state.times[0]; }
  get end(): number {
    if (this.isOfOthers) return this.inFile.end;
    if (!this.windows) return this.state.times[this.state.times.length - 1];
    const {times} = this.state.added;
    return times.length > 0 ? times[times.length - 1] : this.inFile.end;
  }
  /** Whether numbers of a topic are those of other tools' messages. */
  isForeign(topic: string): boolean { return this.foreignTopics.has(topic); }
  /** Whether only a part is in memory. */
  get isLong(): boolean { return this.windows !== null; }
  /** What is missing before the end; empty: nothing that was read. */
  get problem(): string { return this.file?.chunks.damage ?? ''; }
  /** What was read from the file, and how many chunks were unpacked. */
  get cost(): {requests: number; bytes: number; chunks: number} { return {requests: 0, bytes: 0, ...this.file?.bytes.read, chunks: this.file?.chunks.unpacked ?? 0}; }

  static read(name: string, bytes: Uint8Array): Promise<Log> { return Log.open(name, new MemorySource(bytes)); }

  static async open(name: string, source: ByteSource): Promise<Log> {
    const log = new Log(name);
    let file = await LogFile.open(source);
    if (!await log.take(file)) {
      file = await file.scanned();
      await log.take(file);
    }
    log.damage = file.index.damage;
    if (log.damage !== '' && file.index.channels.size === 0) throw new Error(`${name} cannot be shown: ${log.damage}`);
    if (log.windows && !log.isOfOthers) await log.openWindows(log.windows);
    if (log.isOfOthers) await log.describeForeign();
    else log.describe();
    return log;
  }

  /** Takes what a file holds in place of what was there; false where it is to be read from its beginning. */
  private async take(file: LogFile): Promise<boolean> {
    this.file = file;
    this.series.clear();
    this.foreignTopics.clear();
    this.pictures.clear();
    this.attachments = file.attachments;
    this.ending = file.ending;
    const begin = this.isOfOthers ? file.span?.start ?? 0 : 0;
    this.begin = begin > DATES ? begin : 0;
    if (this.begin > 0) file.beginAt(this.begin);
    this.inFile = file.span ?? this.inFile;
    const others = channelsBeside(file, this.isOfOthers);
    this.foreign = others.length > 0 ? new ForeignContent(file, others, () => this.events.emit('loaded', undefined)) : null;
    await this.foreign?.open();
    const series = file.channelsOf('mortise.Series'), images = file.channelsOf('foxglove.CompressedImage').filter((channel) => !others.includes(channel)), byId = new Map<number, Series>();
    for (const {id, topic, metadata} of series) {
      byId.set(id, new Series(topic, JSON.parse(metadata.get('columns') ?? '[]')));
      this.series.set(topic, byId.get(id)!);
    }
    const besides = this.foreign?.channels ?? [];
    if ((series.length > 0 && file.bytesOf(series) > MOST_SERIES) || file.bytesOf([...series, ...images, ...besides]) > MOST_BYTES) {
      const more = await this.foreign?.seriesChannels(this.begin) ?? [];
      for (const {topic, names} of more) this.addForeign(new Series(topic, names));
      this.ofFile = new Map(this.series);
      this.windows = new Windows(file.chunks, series.filter(({id, topic}) => this.series.get(topic) === byId.get(id)).map(({id, topic}) => ({id, topic, names: byId.get(id)!.names})).concat(more));
      for (const {id, topic} of images) this.images.set(topic, new LastMessages(file.chunks, id, () => this.events.emit('loaded', undefined)));
      return true;
    }
    await file.readAll([...series, ...images], ({id, topic}, message) => {
      const own = byId.get(id), picture = own ? null : pictureOf(message);
      if (own) own.add(message.data);
      else if (picture) this.addPicture(topic, picture);
    });
    for (const one of this.series.values()) one.finish();
    await this.foreign?.readSeries(this.begin, (one) => this.addForeign(one));
    return file.chunks.damage === '';
  }

  private addForeign(series: Series): void {
    if (this.series.has(series.topic)) return;
    this.series.set(series.topic, series);
    this.foreignTopics.add(series.topic);
  }

  /** The frames of a log of another tool are its bodies. */
  private async describeForeign(): Promise<void> {
    this.world = worldOfFrames(this.name, []);
    this.addFrames();
    await this.load(this.start);
    if (!this.series.has(this.stateTopic)) {
      // Of a long log, as far as its beginning says it.
      const counts = [...this.series.values()].map((one) => ({topic: one.topic, count: (this.windows?.peek(0)?.get(one.topic) ?? one).times.length}));
      counts.sort((a, b) => b.count - a.count);
      if (counts.length === 0) this.series.set('', new Series('', []));
      this.stateTopic = counts[0]?.topic ?? '';
    }
    this.show(this.start);
  }

  /** Frames that were not known become bodies. */
  private addFrames(): void {
    const names = this.foreign?.frames.names ?? [];
    // The same list as long as none is new.
    if (names === this.frameNames) return;
    this.frameNames = names;
    const fresh = names.filter((name) => !this.frameIds.has(name));
    if (fresh.length === 0) return;
    this.world = worldOfFrames(this.name, [...this.frameIds.keys(), ...fresh]);
    for (const name of fresh) {
      this.poses.set(this.frameIds.size, new Float64Array(12));
      this.frameIds.set(name, this.frameIds.size);
    }
  }

  private showForeign(time: number): void {
    if (!this.foreign) return;
    this.foreign.frames.show(time);
    if (!this.isOfOthers) return;
    this.addFrames();
    for (const [name, id] of this.frameIds) this.foreign.poseOf(name, time, this.poses.get(id)!);
  }

  /** Puts where a frame is into `out`: by messages, or of the world's bodies where it is now. */
  framePose(frame: string, time: number, out: Pose): Pose {
    const body = this.isOfOthers || this.foreign?.frames.names.includes(frame) ? undefined : this.world.entities.find((entity) => entity.frame === frame);
    const pose = body && this.poses.get(body.id);
    if (pose) out.set(pose);
    else this.foreign?.poseOf(frame, time, out);
    return out;
  }

  /** Finds where a long log begins and ends, and shows its beginning. */
  private async openWindows(windows: Windows): Promise<void> {
    if (!this.ofFile.has('/mortise/state') || windows.ranges.length === 0) return;
    const last = (await windows.load(windows.ranges.length - 1)).get('/mortise/state')!.times;
    const first = (await windows.load(0)).get('/mortise/state')!.times;
    this.inFile = {start: first[0] ?? 0, end: last[last.length - 1] ?? first[first.length - 1] ?? 0};
    this.position(this.inFile.start);
  }

  addPicture(topic: string, picture: Picture): void {
    const list = this.pictures.get(topic);
    if (!list) this.pictures.set(topic, [picture]);
    else list.push(picture);
  }

  /** What a camera saw last at a time; of a long log, what is known of that: `loaded` follows. */
  pictureAt(topic: string, time: number): Picture | null {
    if (this.foreign?.images.has(topic)) return this.foreign.pictureAt(topic, time);
    const images = this.images.get(topic);
    if (!images || this.pictures.has(topic)) return lastPicture(this.pictures.get(topic) ?? [], time);
    const message = images.at(time), old = this.latest.get(topic);
    if (!message) return null;
    if (old?.time === message.time) return old;
    const picture = pictureOf(message);
    if (picture) this.latest.set(topic, picture);
    return picture;
  }
  private readonly latest = new Map<string, Picture>();

  private describe(): void {
    const sensors = this.attachments.get('sensors.json');
    if (sensors) this.sensors = JSON.parse(new TextDecoder().decode(sensors));
    const description = this.attachments.get('world.json')!;
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

  /** Puts `series` where they hold a time; false where that must be read first, which begins. */
  private position(time: number): boolean {
    const {windows} = this;
    if (!windows) return true;
    this.wanted = time;
    const {times} = this.state.added;
    if (this.state !== this.ofFile.get(this.stateTopic) || (times.length > 0 && time >= times[0] - 1e-9)) {
      this.showWindow(null);
      return true;
    }
    const k = windows.at(time), window = windows.peek(k);
    if (!window) {
      void this.load(time).then(() => { if (this.wanted === time) this.events.emit('loaded', undefined); });
      return false;
    }
    if (this.shown !== k) {
      this.showWindow(k);
      // What comes next is read before it is wanted.
      if (k + 1 < windows.ranges.length) void windows.load(k + 1);
    }
    return true;
  }

  /** The samples that are seen: of a window, or those that were added to the log. */
  private showWindow(k: number | null): void {
    if (this.shown === k) return;
    this.shown = k;
    const window = k === null ? null : this.windows!.peek(k);
    for (const series of this.ofFile.values()) series.show(window ? window.get(series.topic) ?? new SeriesPart([], series.names.length) : null);
  }

  /** Reads what is needed to show a time. */
  async load(time: number): Promise<void> {
    if (this.windows) await this.windows.load(this.windows.at(time));
    await this.foreign?.load(time);
  }

  /** Puts everything where it is posed, from now on: configurations of robots, and poses of objects (R row-major, then t). */
  setPose(q: number[][], objects: number[][]): void {
    this.posed = true;
    this.robots.forEach((robot, r) => robot.update(q[r]));
    this.objects.forEach((object, i) => this.poses.get(object.id)!.set(objects[i]));
  }

  /** Puts `poses` where everything was at a time. Between two samples, objects and joints are interpolated. */
  show(time: number): void {
    this.showForeign(time);
    if (this.posed || !this.position(time) || this.isOfOthers) return;
    const state = this.state, i = state.indexAt(time);
    const next = Math.min(i + 1, state.times.length - 1);
    const span = state.times[next] - state.times[i];
    const u = span > 0 ? Math.min(Math.max((time - state.times[i]) / span, 0), 1) : 0;
    const {columns} = state;
    for (let c = 0; c < this.row.length; ++c) {
      const column = columns[c], a = column[i];
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
    this.position(time);
    const {columns} = this.state, i = this.state.indexAt(time), count = this.robots.reduce((sum, robot) => sum + robot.links.length, 0);
    return Float64Array.from({length: count}, (_, c) => columns[c][i]);
  }

  /** The contacts of the last sample that is not after `time`; none where they are not yet read. */
  contactsAt(time: number): Contact[] {
    const series = this.series.get('/mortise/contacts');
    if (!series || this.isOfOthers || !this.position(time) || series.times.length === 0) return [];
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

  /** Where the samples of a curve of a long log come from; null: it has no such curve. */
  sourceOf(curve: Curve): CurveSource | null { return this.windows && curveSource(this, this.windows, this.ofFile, curve); }

  /** A curve of a long log over all times; null: it has no such curve. */
  longCurve(curve: Curve): LongCurve | null {
    const source = this.sourceOf(curve);
    return source && this.kept(`${curve.topic}\n${curve.column}\n${this.state.lastOfFile}`, () => source);
  }

  /** A curve that is found when it is first asked for. */
  kept(key: string, source: () => CurveSource): LongCurve {
    let curve = this.curves.get(key);
    if (curve) this.curves.delete(key);
    else this.scan.add(curve = new LongCurve(source(), () => this.events.emit('curves', undefined)));
    this.curves.set(key, curve);
    for (const other of this.curves.keys()) {
      if (this.curves.size <= MOST_CURVES) break;
      this.curves.delete(other);
    }
    return curve;
  }
}
