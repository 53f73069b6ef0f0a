// The frames of a log over time.
import type {Pose} from '../kinematics';
import type {MessagesAbout} from './messages_about';
import type {Fields} from '../schemas/tree';
import {TransformTree} from './transform_tree';
import type {Transform} from './transforms';
import type {Message} from '../chunks';

/** Of a long log, chunks that are read for what frames there are. */
const SAMPLED = 16;

export interface TransformChannel { about: MessagesAbout; read: (message: Message) => Fields | null; transforms: (message: Fields) => Transform[] }

export class Frames {
  /** What is known of all times, and, of long logs, of a few; and what of the time that was asked for last. */
  private readonly sparse = new TransformTree();
  private tree = this.sparse;
  private lists: Message[][] = [];

  constructor(private readonly channels: TransformChannel[]) {}

  get names(): readonly string[] { return this.tree.frames(); }
  get root(): string { return this.tree.root; }
  get roots(): string[] { return this.tree.roots(); }

  async open(): Promise<void> {
    for (const channel of this.channels) {
      if (channel.about.complete) await channel.about.load(0);
      const messages = channel.about.complete ? channel.about.at(0) : await channel.about.samples(SAMPLED);
      this.add(this.sparse, channel, messages);
    }
  }

  private add(tree: TransformTree, {read, transforms}: TransformChannel, messages: Message[]): void {
    for (const message of messages) {
      const said = read(message);
      if (said) for (const transform of transforms(said)) tree.add(message.time, transform);
    }
  }

  async load(time: number): Promise<void> {
    for (const {about} of this.channels) await about.load(time);
  }

  /** Makes `poseAt` know what there is about a time. */
  show(time: number): void {
    const parts = this.channels.filter(({about}) => !about.complete), lists = parts.map(({about}) => about.at(time));
    if (parts.length === 0 || (lists.length === this.lists.length && lists.every((list, i) => list === this.lists[i]))) return;
    this.lists = lists;
    const tree = new TransformTree(), first = Math.min(...lists.map((list) => list[0]?.time ?? Infinity));
    parts.forEach((channel, i) => this.add(tree, channel, lists[i]));
    // What is sent seldom is where it was when it was last read.
    for (const frame of this.sparse.frames()) {
      const since = tree.since(frame), last = this.sparse.last(frame, Math.min(first, since));
      if (last && (last.time < since || since === Infinity)) tree.add(last.time, last.transform);
    }
    for (const channel of this.channels) if (channel.about.complete) this.add(tree, channel, channel.about.at(time));
    this.tree = tree;
  }

  poseAt(frame: string, time: number, out: Pose): Pose { return this.tree.poseAt(frame, time, out); }
}
