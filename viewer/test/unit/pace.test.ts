// When pictures are drawn: what moves at once, what stands in full and then better, until something happens.
import assert from 'node:assert/strict';
import {beforeEach, mock, test} from 'node:test';
import {Pace} from '../../src/scene/pace';

let frames: ((now: number) => void)[] = [], now = 0, cost = 1, busy = 0;
const gl = {
  fenceSync: () => { busy = now + cost; return {}; }, flush: () => undefined, deleteSync: () => undefined, isContextLost: () => false,
  getSyncParameter: () => (now >= busy ? 1 : 0), SYNC_STATUS: 0, SIGNALED: 1, SYNC_GPU_COMMANDS_COMPLETE: 0,
} as unknown as WebGL2RenderingContext;
Object.assign(globalThis, {requestAnimationFrame: (frame: (now: number) => void) => frames.push(frame)});
mock.method(performance, 'now', () => now);
mock.timers.enable({apis: ['setTimeout']});

/** So many pictures of the screen. */
function run(count: number): void {
  for (let i = 0; i < count; ++i) {
    now += 16;
    const due = frames;
    frames = [];
    for (const frame of due) frame(now);
  }
}

class Canvas {
  log: string[] = [];
  left = 0;
  constructor(readonly whole: number) {}
  draw(detail: number): void {
    this.log.push(detail === 1 ? 'full' : 'coarse');
    this.left = this.whole;
  }
  refine(): void {
    this.log.push('better');
    --this.left;
  }
  get complete(): boolean { return this.left <= 0; }
}

beforeEach(() => {
  frames = [];
  now = 1000;
  cost = 1;
});

test('what stands gets better until it is complete, and is left alone then', () => {
  const canvas = new Canvas(7), pace = new Pace(gl, canvas);
  pace.start();
  run(100);
  assert.equal(canvas.log[0], 'full');
  assert.equal(canvas.log.filter((word) => word === 'better').length, 7);
  assert.ok(pace.complete && pace.settled);
  const before = canvas.log.length;
  run(100);
  assert.equal(canvas.log.length, before);
});

test('a change ends it at once, and it begins anew', () => {
  const canvas = new Canvas(1000), pace = new Pace(gl, canvas);
  pace.start();
  cost = 10;
  run(40);
  assert.ok(canvas.log.at(-1) === 'better' && !pace.complete);
  pace.dirty = true;
  run(1);
  assert.notEqual(canvas.log.at(-1), 'better');
  assert.equal(canvas.left, 1000);
});

test('nothing gets better while somebody is at work, nor where that is switched off', () => {
  const canvas = new Canvas(5), pace = new Pace(gl, canvas);
  pace.start();
  for (let i = 0; i < 30; ++i) {
    run(1);
    pace.postpone();
  }
  assert.deepEqual(canvas.log, ['full']);
  pace.refining = false;
  run(100);
  assert.deepEqual(canvas.log, ['full']);
  assert.ok(pace.complete);
});

test('slow graphics draw what moves coarsely, and in full when it stands', () => {
  const canvas = new Canvas(3), pace = new Pace(gl, canvas);
  pace.start();
  cost = 300;
  for (let i = 0; i < 200; ++i) {
    pace.dirty = true;
    run(1);
  }
  assert.equal(canvas.log.at(-1), 'coarse');
  run(200);
  assert.deepEqual(canvas.log.slice(-4), ['full', 'better', 'better', 'better']);
});

test('asked for, the best picture is made whatever the time', () => {
  const canvas = new Canvas(4), pace = new Pace(gl, canvas);
  for (let i = 0; i < 10; ++i) pace.step();
  assert.deepEqual(canvas.log, ['full', 'better', 'better', 'better', 'better']);
});
