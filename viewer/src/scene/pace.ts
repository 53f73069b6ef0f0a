// When the scene is drawn, and how finely: what moves is drawn as finely as the graphics keep pace with, what stands in full.
import type * as THREE from 'three';

/** What a frame of something that moves may cost, ms: screens show 60 a second. */
const BUDGET = 14;
/** Detail is not given up for a frame that was late once, unless it was very late. */
const LATE = 18, VERY_LATE = 150;
/** By how much detail grows where there is time, along each side. */
const GROWTH = 1.1;
/** Between two looks at whether a frame is finished, ms. */
const LOOK = 2;
/** Pixels of a picture that moves, of those of one that stands, along each side. */
const LEAST_DETAIL = 0.35;
/** A scene that has not changed for so long stands, ms. */
const STANDS = 250;

export class Pace {
  dirty = true;
  private started = false;
  private detail = 1;
  private sharp = true;
  private late = 0;
  private drawn = 0;
  private changed = 0;
  /** Set while the graphics have not finished the frame before: another one would only wait behind it. */
  private fence: WebGLSync | null = null;
  private begun = 0;
  private look: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly renderer: THREE.WebGLRenderer, private readonly render: () => void) {
    renderer.setPixelRatio(this.full);
  }

  private get full(): number { return Math.min(window.devicePixelRatio, 2); }

  /** Nothing is left to be drawn. */
  get settled(): boolean { return !this.dirty && this.sharp && !this.fence; }

  /** Nothing is drawn before; again it does nothing. */
  start(): void {
    if (this.started) return;
    this.started = true;
    const frame = (now: number) => {
      requestAnimationFrame(frame);
      if (this.fence && !this.finished()) return;
      if (this.dirty) {
        this.changed = now;
        this.draw(this.detail, now);
      } else if (!this.sharp && now - this.changed > STANDS) {
        this.draw(1, now);
      }
    };
    requestAnimationFrame(frame);
  }

  /** At once, and in full. */
  drawSharp(): void {
    this.forget();
    this.draw(1, 0);
  }

  private draw(detail: number, now: number): void {
    this.dirty = false;
    const ratio = detail * this.full;
    if (this.renderer.getPixelRatio() !== ratio) this.renderer.setPixelRatio(ratio);
    this.sharp = detail === 1;
    this.render();
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    this.forget();
    if (now === 0) return;
    this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    this.begun = performance.now();
    this.watch();
  }

  /** Between the screen's pictures, so that what a frame costs is not rounded to how far these are apart. */
  private watch(): void {
    this.look = setTimeout(() => {
      if (this.fence && !this.finished()) this.watch();
    }, LOOK);
  }

  private forget(): void {
    clearTimeout(this.look);
    if (this.fence) (this.renderer.getContext() as WebGL2RenderingContext).deleteSync(this.fence);
    this.fence = null;
  }

  /** Whether the frame before is on its way to the screen, from whose cost the detail of the next one follows. */
  private finished(): boolean {
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    if (!gl.isContextLost() && gl.getSyncParameter(this.fence!, gl.SYNC_STATUS) !== gl.SIGNALED) return false;
    this.forget();
    const cost = performance.now() - this.begun;
    // The first frames compile, and are no measure.
    if (++this.drawn <= 2) return true;
    this.late = cost > VERY_LATE ? 3 : cost > LATE ? this.late + 1 : 0;
    const used = this.sharp ? 1 : this.detail;
    // The cost goes with the number of pixels.
    if (this.late >= 3) this.detail = Math.max(LEAST_DETAIL, Math.min(this.detail, used * Math.sqrt(BUDGET / cost)));
    else if (!this.sharp && cost * GROWTH ** 2 < BUDGET) this.detail = Math.min(1, this.detail * GROWTH);
    return true;
  }
}
