// What entities there are at a time, by all that was said of them before.
import type {Message} from '../chunks';
import type {Fields} from '../schemas/tree';
import {type Entity, type Update, isDeleted} from './entities';
import type {MessagesAbout} from './messages_about';

interface Present { entity: Entity; time: number }

/** After so many messages a state is kept, from which others follow. */
const APART = 64;

export class SceneStates {
  private list: Message[] = [];
  private readonly kept = new Map<number, Map<string, Present>>();
  private state = new Map<string, Present>();
  /** Messages that are in `state`. */
  private count = 0;

  constructor(private readonly about: MessagesAbout, private readonly read: (message: Message) => Fields | null,
      private readonly update: (message: Fields) => Update, private readonly left: (names: string[]) => void) {}

  load(time: number): Promise<void> { return this.about.load(time); }

  /** What is there at a time, by id. */
  at(time: number): Present[] {
    const list = this.about.at(time);
    if (list !== this.list) {
      this.list = list;
      this.kept.clear();
      this.restart(0);
    }
    let wanted = 0, high = list.length;
    while (wanted < high) {
      const middle = (wanted + high) >> 1;
      if (list[middle].time <= time + 5e-10) wanted = middle + 1;
      else high = middle;
    }
    if (wanted < this.count || wanted - this.count > APART) this.restart(wanted - (wanted % APART));
    while (this.count < wanted) this.take(list[this.count]);
    return [...this.state.values()].filter(({entity: {lifetime}, time: since}) => !(lifetime > 0) || since + lifetime > time);
  }

  /** From the last state that is kept. */
  private restart(wanted: number): void {
    let from = wanted;
    while (from > 0 && !this.kept.has(from)) from -= APART;
    if (from < this.count && this.count <= wanted) return;
    this.state = new Map(this.kept.get(from) ?? []);
    this.count = Math.max(from, 0);
  }

  private take(message: Message): void {
    this.count += 1;
    const tree = this.read(message), update = tree && this.updateOf(tree);
    if (update) {
      for (const deletion of update.deleted) for (const id of [...this.state.keys()]) if (isDeleted(id, deletion)) this.state.delete(id);
      for (const entity of update.entities) this.state.set(entity.id, {entity, time: message.time});
      if (update.left.length > 0) this.left(update.left);
    }
    if (this.count % APART === 0) this.kept.set(this.count, new Map(this.state));
  }

  private updateOf(tree: Fields): Update | null {
    try {
      return this.update(tree);
    } catch (error) {
      this.left([error instanceof Error ? error.message : String(error)]);
      return null;
    }
  }
}
