// Knowledge of a page about the simulation that it watches, and its requests.
import {Events} from './events';
import {LiveChannels} from './live_channels';
import type {Log} from './log';
import type {Controllers, LiveRequest, ServerMessage, Status} from './protocol';
import {ProgramClient} from './program_client';
import {LOST, Session, type SessionState} from './session';

export interface LiveEvents {
  /** The status, the connection or the problem is another one. */
  change: undefined;
  /** The log has more samples. */
  data: undefined;
  /** The log has lost samples. */
  cut: undefined;
  /** The page shows something that is no more. */
  outdated: undefined;
}

export class LiveClient {
  readonly events = new Events<LiveEvents>();
  /** What a program shows besides, where one shows the page. */
  readonly program = new ProgramClient((request) => this.session.send(request));
  status: Status | null = null;
  /** Whether the server is there, or may come back: it has not said that it ends. */
  connected = true;
  /** A recorded run can go on. */
  canGoOn = false;
  problem = '';
  /** What can be commanded and changed; null: nothing is known yet. */
  controllers: Controllers | null = null;
  /** When the first samples are there. */
  readonly arrival: Promise<void>;
  private arrived: () => void = () => undefined;
  private readonly channels: LiveChannels;
  private readonly session: Session;

  /** `drawn`: when all that the page has got is drawn, and it is ready for more. */
  constructor(token: string, private readonly version: number, log: Log, private readonly drawn: () => Promise<void>) {
    this.arrival = new Promise((done) => (this.arrived = done));
    this.channels = new LiveChannels(log);
    this.session = new Session(token, (message) => this.hear(message), (bytes) => this.take(bytes), (state) => this.follow(state));
  }

  send(request: LiveRequest): void { this.session.send(request); }

  /** The page shows something else. */
  end(): void { this.session.end(); }

  /** Commands a controller or a sensor, or edits the world: an entry of `commands` without its time. */
  command(entry: Record<string, unknown>): void { this.send({type: 'command', entry: JSON.stringify(entry)}); }

  forgetProblem(): void { this.set({problem: ''}); }

  private follow(state: SessionState): void {
    const problem = state === 'lost' ? LOST : this.problem === LOST ? '' : this.problem;
    this.set({connected: state !== 'ended', problem});
  }

  private set(news: Partial<Pick<LiveClient, 'status' | 'connected' | 'problem' | 'canGoOn' | 'controllers'>>): void {
    Object.assign(this, news);
    this.events.emit('change', undefined);
  }

  private hear(message: ServerMessage): void {
    switch (message.type) {
      case 'hello':
        this.program.reset();
        this.channels.hello(message);
        return this.set({canGoOn: message.can_go_on ?? false});
      case 'status': return this.set({status: message});
      case 'controllers': return this.set({controllers: message});
      case 'problem': return this.set({problem: message.text});
      case 'reload': return this.events.emit('outdated', undefined);
      case 'version':
        if (message.version !== this.version) this.events.emit('outdated', undefined);
        return;
      case 'cut':
        this.channels.cutAfter(message.tick);
        return this.events.emit('cut', undefined);
      default: return this.program.hear(message);
    }
  }

  private async take(bytes: ArrayBuffer): Promise<void> {
    this.channels.take(bytes);
    this.arrived();
    this.events.emit('data', undefined);
    await this.drawn();
  }
}
