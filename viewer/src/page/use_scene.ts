// Logs that the scene shows, and the selection there.
import {useEffect, useLayoutEffect, useState} from 'preact/hooks';
import type {Kept} from '../kept';
import {type Shown, SHOWN_AT_FIRST} from '../scene/shown';
import {type PageParts, kindOf} from './parts';
import {useEvent, useLogEvent} from './use_event';
import type {Transport} from './use_transport';

/** How long the first picture waits for what a running simulation says, ms. */
const PATIENCE = 500;

export interface SceneState {
  /** The first picture is there. */
  ready: boolean;
  selected: number;
  select: (id: number) => void;
  /** Selects something, and looks at it; -1: at everything. */
  focus: (id: number) => void;
  hidden: Set<number>;
  setVisible: (ids: number[], visible: boolean) => void;
  hiddenLogs: Set<number>;
  setLogVisible: (log: number, visible: boolean) => void;
  shown: Shown;
  setShown: (shown: Shown) => void;
  hovered: {id: number; x: number; y: number};
  /** How many ways of bodies were asked for. */
  trails: number;
  /** Names beside bodies. */
  labels: boolean;
  setLabels: (on: boolean) => void;
  /** Clicks measure. */
  measuring: boolean;
  setMeasuring: (on: boolean) => void;
  /** Drags pull bodies of a running simulation without Ctrl, too. */
  pulls: boolean;
  setPulls: (on: boolean) => void;
  toggleTrail: () => void;
}

const without = (set: Set<number>, ids: number[], visible: boolean): Set<number> => {
  const next = new Set(set);
  for (const id of ids) {
    if (visible) next.delete(id);
    else next.add(id);
  }
  return next;
};

/** Reads the shapes and draws the first picture: of a simulation, what there is now, not once more what there was at the beginning. */
async function drawFirst(parts: PageParts, kept: Kept, time: number, shown: Shown, hidden: Set<number>): Promise<void> {
  const {view, client, source: {logs}} = parts, {live, posing} = kindOf(parts);
  for (const log of logs) await view.add(log, logs.length > 1);
  if (live && client) await Promise.race([client.arrival, new Promise((done) => setTimeout(done, PATIENCE))]);
  view.show(time, shown);
  if (kept.camera) view.camera3d = kept.camera;
  else view.fit();
  for (const id of hidden) view.setVisible(id, false);
  parts.place();
  if (!live && !posing) document.body.dataset.ready = 'true';
}

export function useScene(parts: PageParts, kept: Kept, {time}: Transport): SceneState {
  const {view, client, source: {logs}} = parts;
  const [ready, setReady] = useState(false);
  const [selected, select] = useState(kept.selected ?? -1);
  const [hidden, setHidden] = useState<Set<number>>(new Set(kept.hidden));
  const [hiddenLogs, setHiddenLogs] = useState<Set<number>>(new Set());
  const [shown, setShown] = useState<Shown>({...SHOWN_AT_FIRST, frames: logs[0].isOfOthers, ...kept.shown});
  const [hovered, setHovered] = useState({id: -1, x: 0, y: 0});
  const [trails, setTrails] = useState(0);
  const [labels, setLabels] = useState(logs[0].isOfOthers), [measuring, setMeasuring] = useState(false), [pulls, setPulls] = useState(false);
  const focus = (id: number) => {
    select(id);
    view.select(id);
    view.fit();
    // What was under the mouse is elsewhere now.
    setHovered({id: -1, x: 0, y: 0});
  };
  useEvent(view.events, 'select', (id) => { if (!measuring) select(id); });
  useEvent(view.events, 'focus', focus);
  useEvent(view.events, 'hover', (at) => setHovered((old) => (at.id < 0 && old.id < 0 ? old : at)));
  useEvent(view.events, 'pull', (pull) => { if (kindOf(parts).live) client?.send({type: 'pull', ...pull}); });
  useEvent(view.events, 'release', () => { if (kindOf(parts).live) client?.send({type: 'release'}); });
  useLayoutEffect(() => {
    view.resize();
    if (kindOf(parts).live) view.pulls = 'with Ctrl';
    void drawFirst(parts, kept, time, shown, hidden).then(() => setReady(true));
  }, []);
  // Before the next frame, not after it.
  useLayoutEffect(() => { if (ready) view.show(time, shown); }, [time, shown, ready]);
  // What was not in memory then is there now.
  useLogEvent(logs, 'loaded', () => { if (ready) view.show(time, shown); });
  useLayoutEffect(() => view.select(selected), [selected, ready]);
  useEffect(() => {
    if (!ready) return;
    logs.forEach((_, i) => view.setLogVisible(i, !hiddenLogs.has(i), hidden));
    view.show(time, shown);
  }, [hiddenLogs, ready]);
  return {
    ready, selected, select, focus, hidden, hiddenLogs, shown, setShown, hovered, trails, labels, setLabels, measuring, setMeasuring, pulls,
    setPulls: (on) => {
      view.pulls = on ? 'always' : 'with Ctrl';
      setPulls(on);
    },
    setVisible: (ids, visible) => {
      for (const id of ids) view.setVisible(id, visible);
      setHidden(without(hidden, ids, visible));
    },
    setLogVisible: (log, visible) => setHiddenLogs(without(hiddenLogs, [log], visible)),
    toggleTrail: () => {
      view.toggleTrail(selected);
      setTrails(trails + 1);
    },
  };
}
