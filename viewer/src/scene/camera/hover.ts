// What is under the mouse while it rests, and where it clicked twice.

/** The mouse rests when it has not moved for so long, ms; longer where asking is slow. */
const RESTS = 80, SHARE = 4;

export class Hover {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private cost = 0;

  /** `ask` finds what is under the mouse; `show` gets it, and its place in the element, or nothing. */
  constructor(
      private readonly element: HTMLElement, private readonly ask: (event: PointerEvent) => number,
      private readonly show: (id: number, x: number, y: number) => void) {
    element.addEventListener('pointermove', (event) => this.moved(event));
    for (const end of ['pointerleave', 'pointerdown', 'wheel'] as const) element.addEventListener(end, () => this.hide(), {passive: true});
  }

  private hide(): void {
    clearTimeout(this.timer);
    this.show(-1, 0, 0);
  }

  private moved(event: PointerEvent): void {
    this.hide();
    if (event.buttons !== 0 || event.pointerType === 'touch') return;
    this.timer = setTimeout(() => {
      const begun = performance.now(), id = this.ask(event), box = this.element.getBoundingClientRect();
      this.cost = performance.now() - begun;
      this.show(id, event.clientX - box.left, event.clientY - box.top);
    }, Math.max(RESTS, SHARE * this.cost));
  }
}
