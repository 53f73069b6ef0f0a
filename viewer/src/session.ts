// The connection to what the server runs: a simulation, or a robot that is posed.
import {type Log, type SensorDescription, Series} from './log';

/** Records from this channel on are images, in the order of the cameras. */
const kFirstImage = 1000;

export type Message = {type: string} & Record<string, unknown>;

export class Session {
  private socket: WebSocket | null = null;
  private tries = 0;

  /** `onBytes` returns when the page is ready for more. */
  constructor(
      private readonly token: string, private readonly onMessage: (message: Message) => void,
      private readonly onBytes: (bytes: ArrayBuffer) => Promise<void>, private readonly onState: (open: boolean) => void) {
    this.connect();
  }

  send(message: Message): void {
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
    socket.onmessage = (event) => {
      if (typeof event.data === 'string') this.onMessage(JSON.parse(event.data));
      else void this.onBytes(event.data as ArrayBuffer).then(() => this.send({type: 'drawn'}));
    };
    socket.onclose = () => {
      this.onState(false);
      // A server that has ended is not asked for ever.
      if (this.tries++ < 3) setTimeout(() => this.connect(), 500 * this.tries);
    };
  }
}

/** Feeds a log from the channels of a running simulation. */
export class LiveChannels {
  private channels: Series[] = [];

  constructor(private readonly log: Log) {}

  /** `from`: the run goes on from this tick of the log, whose samples up to there are kept. */
  hello(channels: {topic: string; columns: string[]}[], sensors: SensorDescription[], from?: number): void {
    if (sensors.length > 0) this.log.sensors = sensors;
    this.channels = channels.map(({topic, columns}) => {
      const old = this.log.series.get(topic);
      if (from === undefined || !old || JSON.stringify(old.names) !== JSON.stringify(columns)) return new Series(topic, columns);
      old.cutAfter(from);
      return old;
    });
  }

  /** Records: u32 channel, u32 length, i64 tick, a mortise.Series padded to a multiple of 8 bytes. */
  take(bytes: ArrayBuffer): void {
    const view = new DataView(bytes);
    for (let at = 0; at + 16 <= bytes.byteLength;) {
      const channel = view.getUint32(at, true), length = view.getUint32(at + 4, true);
      const camera = this.log.sensors.filter((s) => s.camera)[channel - kFirstImage];
      if (camera) {
        // The time is that of the states that came with it; only the newest image is kept.
        this.log.pictures.set(camera.topic, [{time: -Infinity, png: new Uint8Array(bytes, at + 16, length)}]);
      }
      const series = this.channels[channel];
      if (series) {
        series.add(new Uint8Array(bytes, at + 16, length));
        series.finish(true);
        // The first samples take the place of the log that the page began with.
        if (this.log.series.get(series.topic) !== series) this.log.series.set(series.topic, series);
      }
      at += 16 + 8 * Math.ceil(length / 8);
    }
  }

  cutAfter(tick: number): void {
    for (const series of this.channels) series.cutAfter(tick);
  }
}
