// A movie of the scene while it moves, as the browser makes it.
import {save} from '../ui/download';

/** Pictures a second. */
const RATE = 30;
const KINDS = ['video/mp4;codecs=avc1.42E01F', 'video/webm;codecs=vp9', 'video/webm'];

export class Movie {
  private readonly recorder: MediaRecorder;
  private readonly parts: Blob[] = [];

  /** Begins; throws where the browser makes none. `ended`: with what was wrong, or nothing. */
  constructor(canvas: HTMLCanvasElement) {
    const kind = typeof MediaRecorder === 'undefined' ? undefined : KINDS.find((name) => MediaRecorder.isTypeSupported(name));
    if (!kind) throw new Error('this browser makes no movies: `mortise render` does');
    this.recorder = new MediaRecorder(canvas.captureStream(RATE), {mimeType: kind, videoBitsPerSecond: 8e6});
    this.recorder.ondataavailable = ({data}) => { if (data.size > 0) this.parts.push(data); };
    this.recorder.start(1000);
  }

  /** Ends it, and saves the file. */
  async end(): Promise<void> {
    const {recorder} = this;
    await new Promise((done) => {
      recorder.onstop = done;
      recorder.stop();
    });
    save(`mortise.${recorder.mimeType.includes('mp4') ? 'mp4' : 'webm'}`, new Blob(this.parts, {type: recorder.mimeType}));
  }
}
