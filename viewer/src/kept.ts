// What a page keeps when it is loaded again: the camera, what is shown, plots, the time.
import type {Curve} from './data/curves';
import type {Shown} from './scene/shown';

export interface Kept {
  camera?: number[];
  shown?: Partial<Shown>;
  hidden?: number[];
  selected?: number;
  curves?: Curve[];
  time?: number;
  speed?: number;
  loop?: boolean;
}

/** Of this page alone: servers differ in their ports, files in their paths. */
const key = () => `mortise ${location.pathname}`;

export function keptState(): Kept {
  try {
    return JSON.parse(sessionStorage.getItem(key()) ?? '{}') as Kept;
  } catch {
    // Some browsers keep nothing for pages of files.
    return {};
  }
}

export function keep(state: Kept): void {
  try {
    sessionStorage.setItem(key(), JSON.stringify(state));
  } catch {
    // Then it begins anew.
  }
}
