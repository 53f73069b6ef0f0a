// The connection to what the server runs: a simulation, or a robot that is posed.
import {parseServerMessage} from './messages';
import type {PageMessage, ServerMessage} from './protocol';

/** `lost`: it is tried again, for ever. `ended`: the server has said that nothing more comes. */
export type SessionState = 'open' | 'lost' | 'ended';

/** Said while the connection is lost. */
export const LOST = 'The connection to the server is lost. It is tried again until the server answers.';

/** What a server says when it ends, and when it does not know the token: it is another one. */
const GOING_AWAY = 1001, REFUSED = 1008;
/** How long after a failure it is tried again: longer each time, up to the last, ms. */
const PAUSES = [250, 500, 1000, 2000, 4000];

/** The part of a WebSocket that is needed; tests have their own. */
export type Socket = Pick<WebSocket, 'readyState' | 'binaryType' | 'send' | 'onopen' | 'onmessage' | 'onclose'> & {close?: () => void};

const openSocket = (): Socket => new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/session`);

export class Session {
  private socket: Socket | null = null;
  private failures = 0;
  private told = false;
  private over = false;

  /** `onBytes` returns when the page is ready for more. */
  constructor(
      private readonly token: string, private readonly onMessage: (message: ServerMessage) => void,
      private readonly onBytes: (bytes: ArrayBuffer) => Promise<void>, private readonly onState: (state: SessionState) => void,
      private readonly open: () => Socket = openSocket, private readonly later: (call: () => void, ms: number) => void = (call, ms) => void setTimeout(call, ms)) {
    this.connect();
  }

  send(message: PageMessage): void {
    if (this.socket?.readyState === 1) this.socket.send(JSON.stringify(message));
  }

  /** Nothing more is said, and nothing heard. */
  end(): void {
    this.over = true;
    this.socket?.close?.();
  }

  private connect(): void {
    const socket = this.open();
    this.socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => socket.send(this.token);
    socket.onmessage = ({data}: MessageEvent<string | ArrayBuffer>) => {
      // Only who knows the token is told anything.
      if (!this.told) this.onState('open');
      this.told = true;
      this.failures = 0;
      if (typeof data === 'string') this.take(data);
      else void this.onBytes(data).then(() => this.send({type: 'drawn'}));
    };
    socket.onclose = ({code}) => {
      if (this.over) return;
      this.told = false;
      if (code === GOING_AWAY || code === REFUSED) return this.onState('ended');
      if (this.failures === 0) this.onState('lost');
      this.later(() => { if (!this.over) this.connect(); }, PAUSES[Math.min(this.failures++, PAUSES.length - 1)]);
    };
  }

  private take(text: string): void {
    let message: ServerMessage;
    try {
      message = parseServerMessage(text);
    } catch (error) {
      message = {type: 'problem', text: error instanceof Error ? error.message : String(error)};
    }
    this.onMessage(message);
  }
}
