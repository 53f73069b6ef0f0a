// What a log holds of other tools' messages: frames, drawings, images and numbers, by what the file says of their schemas.
import type {Message} from '../chunks';
import {LastMessages} from '../last_messages';
import type {LogFile} from '../log_file';
import type {Pose} from '../kinematics';
import type {Channel} from '../mcap_records';
import type {Picture} from '../pictures';
import {type Fields, type ReadMessage, numbersOf, readerOf} from '../schemas/tree';
import {Series} from '../series';
import type {SeriesChannel} from '../windows';
import type {Item, Placed} from './drawn';
import {ENTITIES} from './entities';
import {Frames, type TransformChannel} from './frames';
import {entryOf} from './geometry';
import {IMAGES} from './images';
import {MessagesAbout} from './messages_about';
import {ColumnBuilder, ColumnNames, messageBlock} from './number_columns';
import {SceneStates} from './scene_states';
import {LAST, plainSchema} from './schemas_shown';
import {TRANSFORMS} from './transforms';

/** Of a channel of a long log, messages that are read for what numbers it has. */
const SAMPLED = 8;

interface Readable { channel: Channel; topic: string; read: ReadMessage }
interface LastShown { topic: string; messages: LastMessages; placed: (message: Message) => Placed | null; old: {time: number; placed: Placed | null} | null }
interface ImageShown { messages: LastMessages; picture: (message: Message) => Picture | null; old: Picture | null }

export class ForeignContent {
  /** Sentences about what is not shown. */
  readonly notes: string[] = [];
  readonly frames: Frames;
  readonly images = new Map<string, ImageShown>();
  private readonly readable: Readable[] = [];
  private readonly lasts: LastShown[] = [];
  private readonly scenes: {topic: string; states: SceneStates}[] = [];
  private readonly complained = new Set<string>();

  /** `changed`: called when there is more to be shown. */
  constructor(private readonly file: LogFile, channels: Channel[], private readonly changed: () => void) {
    const topics = new Set<string>(), unread: string[] = [], transforms: TransformChannel[] = [];
    for (const channel of channels) {
      const read = this.readerFor(channel, unread);
      if (!read) continue;
      let {topic} = channel;
      for (let n = 2; topics.has(topic); ++n) topic = `${channel.topic} (${n})`;
      topics.add(topic);
      this.readable.push({channel, topic, read});
      this.show(topic, channel, (message) => this.attempt(topic, () => read(message.data)), transforms);
    }
    if (unread.length > 0) this.notes.push(`Not shown, as their encoding or schema is not known: ${unread.join(', ')}.`);
    this.frames = new Frames(transforms);
  }

  /** Channels whose numbers are plotted. */
  get channels(): Channel[] { return this.readable.map(({channel}) => channel); }

  private readerFor(channel: Channel, unread: string[]): ReadMessage | null {
    const {topic, schema, encoding} = channel;
    try {
      const read = readerOf(channel);
      if (!read) unread.push(`${topic} (${[encoding || 'no encoding', schema?.name].filter(Boolean).join(', ')})`);
      return read;
    } catch (error) {
      unread.push(`${topic} (${error instanceof Error ? error.message : String(error)})`);
      return null;
    }
  }

  /** What a message says, or null, which is said once a topic. */
  private attempt<T>(topic: string, make: () => T): T | null {
    try {
      return make();
    } catch (error) {
      this.complain(`${topic}: ${error instanceof Error ? error.message : String(error)}.`);
      return null;
    }
  }

  private complain(text: string): void {
    if (this.complained.has(text) || this.complained.size > 100) return;
    this.complained.add(text);
    this.notes.push(`Not shown of ${text}`);
    this.changed();
  }

  private show(topic: string, channel: Channel, read: (message: Message) => Fields | null, transforms: TransformChannel[]): void {
    const schema = plainSchema(channel.schema?.name ?? ''), {chunks} = this.file, {id} = channel;
    const about = () => new MessagesAbout(chunks, id, this.changed), last = () => new LastMessages(chunks, id, this.changed);
    const frames = entryOf(TRANSFORMS, schema), placed = entryOf(LAST, schema), update = entryOf(ENTITIES, schema), image = entryOf(IMAGES, schema);
    const made = <T>(message: Message, make: (tree: Fields) => T): T | null => this.attempt(topic, () => {
      const tree = read(message);
      return tree && make(tree);
    });
    if (frames) transforms.push({about: about(), read, transforms: frames});
    if (placed) this.lasts.push({topic, messages: last(), placed: (message) => made(message, placed), old: null});
    if (image) this.images.set(topic, {messages: last(), picture: (message) => made(message, (tree) => image(tree, message.time)), old: null});
    if (update) {
      const left = (names: string[]) => { for (const name of new Set(names)) this.complain(`${topic}: ${name}.`); };
      this.scenes.push({topic, states: new SceneStates(about(), read, update, left)});
    }
  }

  /** Reads what is needed before anything is shown. */
  async open(): Promise<void> {
    await this.frames.open();
    const {roots} = this.frames;
    if (roots.length > 1) this.notes.push(`Nothing says how ${roots.slice(0, 8).map((root) => `'${root}'`).join(', ')}${roots.length > 8 ? ', ...' : ''} are placed to each other: their origins are drawn in one place.`);
  }

  /** Reads what is needed to show a time. */
  async load(time: number): Promise<void> {
    await this.frames.load(time);
    for (const {states} of this.scenes) await states.load(time);
    for (const {messages} of [...this.lasts, ...this.images.values()]) await messages.load(time);
  }

  /** What is drawn at a time; what is not in memory is read. */
  itemsAt(time: number): Item[] {
    const items: Item[] = [];
    for (const last of this.lasts) {
      const message = last.messages.at(time);
      if (!message) continue;
      if (last.old?.time !== message.time) last.old = {time: message.time, placed: last.placed(message)};
      if (last.old.placed) items.push({...last.old.placed, key: last.topic, topic: last.topic, time: message.time});
    }
    for (const {topic, states} of this.scenes)
      for (const {entity, time: since} of states.at(time))
        items.push({key: `${topic}\n${entity.id}`, topic, frame: entity.frame, pose: entity.pose, drawing: entity.drawing, time: entity.locked ? time : since});
    return items;
  }

  pictureAt(topic: string, time: number): Picture | null {
    const image = this.images.get(topic), message = image?.messages.at(time);
    if (!image || !message) return null;
    if (image.old?.time !== message.time) image.old = image.picture(message) ?? image.old;
    return image.old;
  }

  /** All numbers of a short log. `begin`: the log's, of which times are told. */
  async readSeries(begin: number, take: (series: Series) => void): Promise<void> {
    const builders = new Map(this.readable.map((one) => [one.channel.id, {...one, builder: new ColumnBuilder()}]));
    await this.file.readAll(this.channels, ({id}, message) => {
      const {topic, read, builder} = builders.get(id)!, tree = this.attempt(topic, () => read(message.data));
      if (tree) builder.add(message.time, tree, begin);
    });
    for (const {topic, builder} of builders.values()) {
      const series = new Series(topic, builder.names.names);
      series.addBlock(builder.block());
      series.finish();
      take(series);
    }
  }

  /** Those of a long log, as windows have them. */
  async seriesChannels(begin: number): Promise<SeriesChannel[]> {
    const out: SeriesChannel[] = [];
    for (const {channel: {id}, topic, read} of this.readable) {
      const names = new ColumnNames(), about = new MessagesAbout(this.file.chunks, id, () => undefined);
      const messages = await about.samples(SAMPLED), step = Math.max(1, Math.floor(messages.length / (4 * SAMPLED)));
      for (let i = 0; i < messages.length; i += step) {
        const tree = this.attempt(topic, () => read(messages[i].data));
        if (tree) for (const name of numbersOf(tree, begin).keys()) names.add(name);
      }
      out.push({id, topic, names: names.names, block: (message) => messageBlock(message, read, names, begin)});
    }
    return out;
  }

  poseOf(frame: string, time: number, out: Pose): Pose { return this.frames.poseAt(frame, time, out); }
}
