// State of the simulation behind the page.
import {useRef, useState} from 'preact/hooks';
import type {Status} from '../data/protocol';
import type {PageParts} from './parts';
import {useEvent, useLogEvent} from './use_event';

/** Plots of a running simulation are drawn no more often, ms. */
const PLOTS_APART = 200;
/** After so many samples the lengths of arrows stay, so that they can be compared. */
const SCALED_SAMPLES = 500;

export interface Link {
  status: Status | null;
  connected: boolean;
  /** A recorded run can go on from what is shown. */
  canGoOn: boolean;
  problem: string;
  /** Counts changes of what the logs hold, as often as plots should be drawn. */
  version: number;
  changed: () => void;
}

/** `onData`: when the log has got more. */
export function useLink(parts: PageParts, onData: () => void): Link {
  const {client, view, source: {logs}} = parts;
  const [version, setVersion] = useState(0), [, setNews] = useState(0);
  const plotted = useRef(0);
  const changed = () => setVersion((v) => v + 1);
  useEvent(client?.events, 'change', () => setNews((n) => n + 1));
  useEvent(client?.events, 'cut', changed);
  useLogEvent(logs, 'loaded', () => setNews((n) => n + 1));
  useLogEvent(logs, 'curves', changed);
  useEvent(client?.events, 'outdated', () => void parts.placed.then(() => location.reload()));
  useEvent(client?.events, 'data', () => {
    onData();
    if (performance.now() - plotted.current <= PLOTS_APART) return;
    plotted.current = performance.now();
    if (logs[0].state.times.length < SCALED_SAMPLES) view.scaleForces();
    changed();
  });
  return {status: client?.status ?? null, connected: client?.connected ?? true, canGoOn: client?.canGoOn ?? false, problem: client?.problem ?? '', version, changed};
}
