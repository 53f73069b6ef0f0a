// The page as tests get it: what users have, and what tests ask of it in `window.mortise` and `window.pose`.
import {Vector3} from 'three';
import type {PageParts} from '../../src/page/parts';
import {SHOWN_PLOTS} from '../../src/panels/plots/use_plot';
import type {PoseClient} from '../../src/posing/pose_client';
import type {LiveRequest, PoseMessage} from '../../src/data/protocol';
import type {View} from '../../src/scene/view';
import {startPage} from '../../src/start';

/** Where a point of the world is in the window. */
function windowPosition(view: View, point: number[]): number[] {
  const {camera} = view.rig;
  camera.updateMatrixWorld();
  const at = new Vector3(...point).project(camera), box = view.canvas.getBoundingClientRect();
  return [box.left + (0.5 + at.x / 2) * box.width, box.top + (0.5 - at.y / 2) * box.height];
}

/** Gives the view what it keeps to itself. */
function expose(view: View): void {
  Object.defineProperties(view, {
    windowPosition: {value: (point: number[]) => windowPosition(view, point)},
    // Where the middle of a body is in the window.
    screenPosition: {value: (id: number) => {
      const body = view.logs[0].shapes.bodies.get(id)!;
      return windowPosition(view, body.center.clone().applyMatrix4(body.object.matrix).toArray());
    }},
    // Whether what is shown is what there is to be shown.
    settled: {get: () => view['pace'].settled},
    // Likewise, when nothing is left that would make it better.
    complete: {get: () => view['pace'].complete},
    summed: {get: () => view['painter'].summed},
    camera: {get: () => view.rig.camera},
    marked: {get: () => view['hovered']},
    statistics: {get: () => ({...view['painter'].statistics, textures: view['renderer'].info.memory.textures})},
  });
  const {handles} = view;
  Object.defineProperty(handles, 'position', {get: () => (handles['controls']?.object ? handles['target'].position.toArray() : null)});
}

/** Moves the slider of the time as a hand does. */
function setTime(time: number): void {
  const slider = document.querySelector<HTMLInputElement>('#time')!;
  slider.value = String(time);
  slider.dispatchEvent(new Event('input', {bubbles: true}));
}

function poseProbe(client: PoseClient) {
  const send = (message: PoseMessage) => client.send(message);
  // A message, and the answer to it.
  const ask = (message: PoseMessage) => new Promise<void>((done) => {
    const n = client.gestures.count + 1, stop = client.events.on('state', (state) => {
      if (state.n !== n) return;
      stop();
      done();
    });
    send(message);
  });
  return {send, ask, state: () => client.state, last: () => client.gestures.count};
}

function probe({view, client, posing, source: {logs}}: PageParts): void {
  expose(view);
  // Pictures at rest take seconds of the processor to be refined; whose test that is says so.
  view.options.set('refined', false);
  const send = (request: LiveRequest) => client?.send(request);
  Object.assign(window, {
    mortise: {view, logs, setTime, send, client, get plots() { return [...SHOWN_PLOTS]; }},
    ...(posing ? {pose: poseProbe(posing)} : {}),
  });
}

void startPage(document.getElementById('app')!, probe);
