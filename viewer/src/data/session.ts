// The connection to what the server runs: a simulation, or a robot that is posed.
import {parseServerMessage} from './messages';
import type {PageMessage, ServerMessage} from './protocol';

export class Session {
  private socket: WebSocket | null = null;
  private tries = 0;

  /** `onBytes` returns when the page is ready for more. */
  constructor(
      private readonly token: string, private readonly onMessage: (message: ServerMessage) => void,
      private readonly onBytes: (bytes: ArrayBuffer) => Promise<void>, private readonly onState: (open: boolean) => void) {
    this.connect();
  }

  send(message: PageMessage): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private connect(): void {
    const socket = new WebSocket(`ws://${location.host}/session`);
    this.socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      this.tries = 0;
      socket.send(this.token);
      this.onState(true);
    };
    socket.onmessage = ({data}: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data === 'string') this.take(data);
      else void this.onBytes(data).then(() => this.send({type: 'drawn'}));
    };
    socket.onclose = () => {
      this.onState(false);
      // A server that has ended is not asked for ever.
      if (this.tries++ < 3) setTimeout(() => this.connect(), 500 * this.tries);
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
