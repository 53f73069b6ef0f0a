// What a page keeps when it is loaded again: the camera, what is shown, plots, the time.
import {linkedFrom} from './page/address';
import type {PlotSpec} from './panels/plots/plot_spec';
import type {SceneValues} from './scene/scene_options';
import type {Shown} from './scene/shown';

export interface Kept {
  camera?: number[];
  shown?: Partial<Shown>;
  /** Switches of the scene itself. */
  options?: Partial<SceneValues>;
  hidden?: number[];
  selected?: number;
  plots?: PlotSpec[];
  time?: number;
  speed?: number;
  loop?: boolean;
  /** The address when it was kept. */
  hash?: string;
}

/** Of this page alone: servers differ in their ports, files in their paths. */
const key = () => `mortise ${location.pathname}`;

/** A link that was opened says more than what was there before. */
export function keptState(): Kept {
  let kept: Kept = {};
  try {
    kept = JSON.parse(sessionStorage.getItem(key()) ?? '{}') as Kept;
  } catch {
    // Some browsers keep nothing for pages of files.
  }
  // The address follows what is shown, a little later.
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return kept.hash === location.hash || (kept.hash !== undefined && navigation?.type === 'reload') ? kept : {...kept, ...linkedFrom(location.hash)};
}

export function keep(state: Kept): void {
  try {
    sessionStorage.setItem(key(), JSON.stringify({...state, hash: location.hash}));
  } catch {
    // Then it begins anew.
  }
}

/** Of all pages: widths of panels. */
export function keptWidths(): Record<string, number> {
  try {
    const kept = JSON.parse(localStorage.getItem('mortise widths') ?? '{}') as Record<string, unknown>;
    return Object.fromEntries(Object.entries(kept).filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
  } catch {
    return {};
  }
}

export function keepWidths(widths: Record<string, number>): void {
  try {
    localStorage.setItem('mortise widths', JSON.stringify(widths));
  } catch {
    // Likewise.
  }
}
