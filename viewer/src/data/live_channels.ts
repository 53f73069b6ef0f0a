// Feeds a log from the channels of a running simulation.
import {type Log, Series} from './log';
import {FIRST_IMAGE, type Hello, RECORD_ALIGNMENT, RECORD_HEAD} from './protocol';

export class LiveChannels {
  private channels: Series[] = [];

  constructor(private readonly log: Log) {}

  /** A run that goes on from a tick of the log keeps its samples up to there. */
  hello({channels, sensors, from}: Hello): void {
    if (sensors.length > 0) this.log.sensors = sensors;
    this.channels = channels.map(({topic, columns}) => {
      const old = this.log.series.get(topic);
      if (from === undefined || !old || JSON.stringify(old.names) !== JSON.stringify(columns)) return new Series(topic, columns);
      old.cutAfter(from);
      return old;
    });
  }

  /** Takes a packet of records: u32 channel, u32 length, i64 tick, then as many bytes, padded. */
  take(bytes: ArrayBuffer): void {
    const view = new DataView(bytes);
    for (let at = 0; at + RECORD_HEAD <= bytes.byteLength;) {
      const channel = view.getUint32(at, true), length = view.getUint32(at + 4, true);
      const content = new Uint8Array(bytes, at + RECORD_HEAD, length);
      const camera = this.log.sensors.filter((s) => s.camera)[channel - FIRST_IMAGE];
      if (camera) {
        // The time is that of the states that came with it; only the newest image is kept.
        this.log.pictures.set(camera.topic, [{time: -Infinity, png: content}]);
      }
      const series = this.channels[channel];
      if (series) {
        series.add(content);
        series.finish(true);
        // The first samples take the place of the log that the page began with.
        if (this.log.series.get(series.topic) !== series) this.log.series.set(series.topic, series);
      }
      at += RECORD_HEAD + RECORD_ALIGNMENT * Math.ceil(length / RECORD_ALIGNMENT);
    }
  }

  cutAfter(tick: number): void {
    for (const series of this.channels) series.cutAfter(tick);
  }
}
