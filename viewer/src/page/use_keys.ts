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
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isWritten(target)) return;
    // With the keyboard, a box or a button that has the focus is pressed by the space bar, and sliders are moved by arrows.
    if (key === ' ' && target instanceof HTMLElement && target.matches('input[type=checkbox], button, summary')) return;
    if (target instanceof HTMLInputElement && target.type === 'range' && target.id !== 'time' && /^(Arrow|Home|End)/.test(key)) return;
    if (target instanceof Element && target.closest('dialog') && key !== '?') return;
    const keys: Keys = {...(kind.moves ? timeKeys(transport, kind.live, event.shiftKey) : {}), ...pageKeys};
    if (!Object.hasOwn(keys, key)) return;
    keys[key]();
    event.preventDefault();
  });
  // What was clicked does not take the keys that are the page's.
  useWindowEvent('click', ({target, detail}) => {
    const control = target instanceof Element ? target.closest('button, input, summary') : null;
    if (detail > 0 && control instanceof HTMLElement && !isWritten(control) && !control.closest('dialog')) control.blur();
  });
}
