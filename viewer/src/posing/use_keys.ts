// Keys of a page that poses.
import {useWindowEvent} from '../page/use_event';
import {isWritten} from '../page/use_keys';
import type {Posing} from './posing';

const viewName = (posing: Posing) => `mortise view of ${posing.log.name}`;

function keepView(posing: Posing): void {
  localStorage.setItem(viewName(posing), JSON.stringify(posing.view.camera3d));
  posing.change({message: 'the view is kept: V goes back to it'});
}

function takeView(posing: Posing): void {
  const kept = localStorage.getItem(viewName(posing));
  if (kept) posing.view.camera3d = JSON.parse(kept);
  else posing.change({message: 'no view is kept: v keeps this one'});
}

export function usePoseKeys(posing: Posing): void {
  const {panel, item} = posing;
  useWindowEvent('keydown', (event) => {
    const {key, ctrlKey, shiftKey} = event;
    if (isWritten(event.target)) return;
    const steps: Record<string, () => void> = {
      ...(shiftKey ? {Z: () => posing.send({type: 'redo'})} : {z: () => posing.send({type: 'undo'})}),
      y: () => posing.send({type: 'redo'}),
      ...(item ? {Delete: () => posing.erase()} : {}),
    };
    const plain: Record<string, () => void> = {
      c: () => posing.pin(),
      s: () => posing.send({type: 'solve'}),
      d: () => posing.unpin(),
      m: () => posing.change({handles: panel.handles === 'off' ? 'move' : panel.handles === 'move' ? 'turn' : 'off'}),
      v: () => keepView(posing),
      V: () => takeView(posing),
    };
    const keys = ctrlKey ? steps : {...steps, ...plain};
    if (!Object.hasOwn(keys, key)) return;
    keys[key]();
    event.preventDefault();
  });
}
