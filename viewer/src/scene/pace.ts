// When the scene is drawn, and how finely: what moves is drawn as finely as the graphics keep pace with, what stands in full, and then better and better.

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
const STANDS = 150;
/** Frames that one picture of the screen has time for, at most. */
const MOST_AT_ONCE = 4;

/** What draws. */
export interface Drawing {
  /** One picture, with so many of all pixels along each side. */
  draw(detail: number): void;
  /** Makes the picture at rest better by a step. */
  refine(): void;
  readonly complete: boolean;
}

export class Pace {
  dirty = true;
  /** Pictures at rest get better. */
  refining = true;
  private started = false;
  private ended = false;
  private detail = 1;
  private sharp = true;
  private refined = false;
  private late = 0;
  private drawn = 0;
  private changed = 0;
  /** Frames of a sum that were drawn at once, and are now. */
  private atOnce = 1;
  /** Set while the graphics have not finished the frame before: another one would only wait behind it. */
  private fence: WebGLSync | null = null;
  private begun = 0;
  private look: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly gl: WebGL2RenderingContext, private readonly drawing: Drawing) {}

  /** Nothing is left to be drawn but what makes it better. */
  get settled(): boolean { return !this.dirty && this.sharp && !this.fence; }

  /** Nothing at all is left to be drawn. */
  get complete(): boolean { return this.settled && (!this.refining || this.drawing.complete); }

  /** What is seen is still, and will be refined unless something happens. */
  get resting(): boolean { return !this.dirty && performance.now() - this.changed > STANDS; }

  /** Nothing is drawn before; again it does nothing. */
  start(): void {
    if (this.started) return;
    this.started = true;
    const frame = (now: number) => {
      if (this.ended) return;
      requestAnimationFrame(frame);
      if (this.fence && !this.finished()) return;
      if (this.dirty) {
        this.changed = now;
        this.draw(this.detail);
      } else if (now - this.changed > STANDS) {
        if (!this.sharp) this.draw(1);
        else if (this.refining && !this.drawing.complete) this.refine();
      }
    };
    requestAnimationFrame(frame);
  }

  /** Nothing is drawn from now on. */
  end(): void {
    this.ended = true;
    this.forget();
  }

  /** Somebody is at work: what is better only has to wait. */
  postpone(): void { this.changed = performance.now(); }

  /** At once, and in full. */
  drawSharp(): void {
    this.forget();
    this.dirty = false;
    this.sharp = true;
    this.drawing.draw(1);
  }

  /** At once, as finely as what moves. */
  drawNow(): void {
    this.forget();
    this.changed = performance.now();
    this.dirty = false;
    this.sharp = this.detail === 1;
    this.drawing.draw(this.detail);
  }

  /** The next step to the best picture, whatever the time. */
  step(): void {
    if (this.dirty || !this.sharp) this.drawSharp();
    if (!this.drawing.complete) this.drawing.refine();
  }

  private draw(detail: number): void {
    this.dirty = false;
    this.sharp = detail === 1;
    this.refined = false;
    this.drawing.draw(detail);
    this.wait();
  }

  private refine(): void {
    this.refined = true;
    for (let i = 0; i < this.atOnce && !this.drawing.complete; ++i) this.drawing.refine();
    this.wait();
  }

  private wait(): void {
    const {gl} = this;
    this.forget();
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
    if (this.fence) this.gl.deleteSync(this.fence);
    this.fence = null;
  }

  /** Whether the frame before is on its way to the screen, from whose cost the detail of the next one follows. */
  private finished(): boolean {
    const {gl} = this;
    if (!gl.isContextLost() && gl.getSyncParameter(this.fence!, gl.SYNC_STATUS) !== gl.SIGNALED) return false;
    this.forget();
    const cost = performance.now() - this.begun;
    if (this.refined) {
      // What is refined leaves time for whoever wants to move it.
      this.atOnce = Math.min(MOST_AT_ONCE, Math.max(1, Math.floor((BUDGET * this.atOnce) / Math.max(cost, 1))));
      return true;
    }
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
