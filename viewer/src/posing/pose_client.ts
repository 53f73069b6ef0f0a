// Knowledge of a page about the world that is posed, and its requests to the server, which keeps and solves it.
import {Events} from '../data/events';
import type {ListedResource, PosedRobot, PoseMessage, ServerMessage, State} from '../data/protocol';
import {LOST, Session, type SessionState} from '../data/session';

export interface PoseEvents {
  /** The server has answered, or said by itself how everything is. */
  state: State;
  problem: string;
  connected: boolean;
}

/** Messages to the server; of gestures, which may be faster than the solver, those that come too fast are left out, but the last. */
export class Gestures {
  gesture = 0;
  private n = 0;
  private waiting = false;
  private moved = false;
  private next: PoseMessage | null = null;
  private last: PoseMessage | null = null;

  constructor(private readonly write: (message: PoseMessage) => void) {}

  /** The number of the message that was sent last. */
  get count(): number { return this.n; }
  send(message: PoseMessage): void { this.write({...message, n: ++this.n}); }

  /** Of these the newest is sent when the one before is answered. */
  move(message: PoseMessage): void {
    this.moved = true;
    if (this.waiting) {
      this.next = {...message, gesture: this.gesture};
      return;
    }
    this.waiting = true;
    this.send({...message, gesture: this.gesture});
  }

  /** What follows is another step; `last` still belongs to the one that ends, and is sent in any case, if anything was moved. */
  end(last?: PoseMessage): void {
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

export class PoseClient {
  readonly events = new Events<PoseEvents>();
  state: State | null = null;
  robots: PosedRobot[] = [];
  resources: ListedResource[] = [];
  /** Whose balance every answer tells, and on which resource's contacts; null: none. */
  watched: {robot: number; held?: number} | null = null;
  readonly gestures = new Gestures((message) => this.session?.send(this.watched ? {...this.watched, ...message, balance: true} : message));
  private session: Session | null = null;

  constructor(private readonly token: string) {}

  /** The server tells at once how everything is. */
  connect(): void {
    this.session = new Session(this.token, (message) => this.hear(message), async () => undefined, (state) => this.follow(state));
  }

  private follow(state: SessionState): void {
    this.events.emit('connected', state !== 'ended');
    this.events.emit('problem', state === 'lost' ? LOST : '');
    // What was asked for while nobody listened is not answered any more.
    if (state === 'open') this.gestures.answered();
  }

  send(message: PoseMessage): void { this.gestures.send(message); }

  private hear(message: ServerMessage): void {
    if (message.type === 'state') {
      this.state = message;
      this.robots = message.robots ?? this.robots;
      this.resources = message.resources ?? this.resources;
      this.events.emit('state', message);
    } else if (message.type === 'problem') {
      this.events.emit('problem', message.text);
    } else {
      return;
    }
    if (message.n !== undefined) this.gestures.answered();
  }
}
