// Keys of the whole page.
import type {PageKind} from './parts';
import {useWindowEvent} from './use_event';
import type {Transport} from './use_transport';

/** Whether keys that are pressed there are for what is written there. */
export function isWritten(target: EventTarget | null): boolean {
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement ||
      (target instanceof HTMLInputElement && !['checkbox', 'radio', 'range', 'button'].includes(target.type));
}

type Keys = Record<string, () => void>;

function timeKeys(transport: Transport, live: boolean, shift: boolean): Keys {
  const {step, jump, faster, follow, setLoop, loop, start, end} = transport, many = shift ? 10 : 1;
  return {
    ' ': transport.play,
    ArrowRight: () => step(many),
    ArrowLeft: () => step(-many),
    Home: () => jump(start),
    End: () => (live ? follow() : jump(end)),
    '+': () => faster(1),
    '=': () => faster(1),
    '-': () => faster(-1),
    ...(live ? {} : {l: () => setLoop(!loop)}),
  };
}

/** `pageKeys`: those that every page has. */
export function useKeys(kind: PageKind, transport: Transport, pageKeys: Keys): void {
  // Keys mean what the page shows, as soon as it does.
  useWindowEvent('keydown', (event) => {
    const {target, key} = event;
    if (event.ctrlKey || event.metaKey || event.altKey || isWritten(target)) return;
    // With the keyboard, a box or a button that has the focus is pressed by the space bar.
    if (key === ' ' && target instanceof HTMLElement && target.matches('input[type=checkbox], button, summary')) return;
    const moves = !kind.posing && !kind.still;
    const keys: Keys = {...(moves ? timeKeys(transport, kind.live, event.shiftKey) : {}), ...pageKeys};
    if (!Object.hasOwn(keys, key)) return;
    keys[key]();
    event.preventDefault();
  });
  // What was clicked does not take the keys that are the page's.
  useWindowEvent('click', ({target, detail}) => {
    if (detail > 0 && target instanceof HTMLElement && !isWritten(target) && target.matches('button, input, summary')) target.blur();
  });
}
