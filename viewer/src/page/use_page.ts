// All that a page knows and can do, for its parts.
import {useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';
import {type Curve, curvesOf, isSame} from '../data/curves';
import {keep, keptState} from '../kept';
import type {PlotSpec} from '../panels/plots/plot_spec';
import {type Marks, useMarks} from '../panels/use_marks';
import type {View} from '../scene/view';
import {copyText} from '../ui/clipboard';
import {save} from '../ui/download';
import {say} from '../ui/toasts';
import {withLinked} from './address';
import {Movie} from './movie';
import {type PageParts, kindOf} from './parts';
import {isDark, themeEvents} from './theme';
import {useEvent, useWindowEvent} from './use_event';
import {useKeys} from './use_keys';
import {useOpening} from './use_opening';
import {type Panels, usePanels} from './use_panels';
import {type SceneState, useScene} from './use_scene';
import {type Transport, useTransport} from './use_transport';

/** The address says what is shown when it has stayed so for this long, ms. */
const SETTLED = 600;

/** Plots, and how they become more. */
function usePlots(first: PlotSpec[], panels: Panels) {
  const [plots, setPlots] = useState(first);
  /** Each in a plot of its own, where it is in none. */
  const plot = useCallback((...more: Curve[]) => {
    setPlots((old) => [...old, ...more.filter((curve) => !old.some(({curves}) => curves.length === 1 && isSame(curves[0], curve))).map((curve) => ({curves: [curve], difference: false}))]);
    panels.set({right: true, tab: 'plots'});
  }, []);
  return {plots, setPlots, plot};
}

/** The camera, the time and the plots are in the address. */
function useAddress(parts: PageParts, scene: SceneState, time: number, playing: boolean, plots: PlotSpec[]) {
  const {view} = parts, {moves} = kindOf(parts);
  const linked = () => withLinked(location.hash, {camera: view.camera3d, plots, selected: scene.selected, ...(moves ? {time} : {})});
  const latest = useRef(linked), written = useRef('');
  latest.current = linked;
  const write = () => {
    const hash = latest.current();
    if (hash === written.current || !scene.ready || parts.source.chosen) return;
    written.current = hash;
    try {
      history.replaceState(null, '', hash || location.pathname);
    } catch {
      // Some browsers leave addresses of files as they are.
    }
  };
  useEffect(() => {
    if (playing || !scene.ready) return;
    const timer = setTimeout(write, SETTLED);
    return () => clearTimeout(timer);
  }, [time, playing, plots, scene.selected, scene.ready]);
  // The camera moves without the page.
  useWindowEvent('pointerup', () => { if (!playing) setTimeout(write, SETTLED); });
  useWindowEvent('hashchange', () => { if (location.hash !== written.current) location.reload(); });
  return () => {
    if (parts.source.chosen) return say('What is shown is a file that was opened here: no address leads to it.');
    write();
    void copyText(location.href).then(() => say('The link to what is shown is copied. Who has it can see what this page shows, as long as its server runs.'));
  };
}

/** A movie that is begun and ended by one button. */
function useMovie(view: View) {
  const [movie, setMovie] = useState<Movie | null>(null);
  const record = () => {
    if (movie) {
      setMovie(null);
      void movie.end().then(() => say('The movie is saved.'));
      return;
    }
    try {
      setMovie(new Movie(view.canvas));
      say('What the scene shows is recorded until the button is pressed again.');
    } catch (error) {
      say(error instanceof Error ? error.message : String(error), true);
    }
  };
  return {recording: movie !== null, record};
}

/** Goes to the next mark (1), or to the one before (-1), and says what it is. */
function markJump(marks: Marks, {time: now, jump}: Transport) {
  return (by: 1 | -1) => {
    if (marks.unread) {
      say('The log is long: it is read for its contacts, which are marked then.');
      void marks.read();
      return;
    }
    const to = by > 0 ? marks.shown.find(({time}) => time > now + 1e-9) : [...marks.shown].reverse().find(({time}) => time < now - 1e-9);
    if (!to) return say(by > 0 ? 'nothing happens later' : 'nothing happened before');
    jump(to.time);
    say(`${to.time.toFixed(3)} s: ${to.text}`);
  };
}

/** The scene is as light or as dark as the page. */
function useTheme(view: View) {
  const follow = (dark: boolean) => view.options.set('theme', dark ? 'dark' : 'light');
  useEvent(themeEvents, 'change', follow);
  useLayoutEffect(() => follow(isDark()), []);
}

export function usePage(parts: PageParts) {
  const {view, client, source: {logs}} = parts, kind = kindOf(parts);
  const kept = useMemo(() => {
    // What was kept belongs to what the address leads to.
    const state = parts.source.chosen ? {} : keptState();
    view.options.restore(state.options);
    return state;
  }, []);
  const transport = useTransport(parts, kept), {link} = transport;
  const scene = useScene(parts, kept, transport);
  const panels = usePanels();
  useTheme(view);
  const {plots, setPlots, plot} = usePlots(kept.plots ?? [], panels);
  const choices = useMemo(() => curvesOf(logs[0]), [logs, logs[0].series.size, logs[0].forces.count, link.version === 0]);
  const marks = useMarks(logs, kind, link.version, scene.selected);
  const copyLink = useAddress(parts, scene, transport.time, transport.playing || transport.running, plots);
  const picture = () => {
    save('mortise.png', view.picture());
    say('The picture is saved.');
  };
  const openFiles = useOpening(parts);
  const {recording, record} = useMovie(view), jumpToMark = markJump(marks, transport);
  useKeys(kind, transport, {
    f: () => scene.focus(scene.selected),
    Escape: () => {
      if (panels.help || panels.show || panels.views) panels.set({help: false, show: false, views: false});
      else scene.select(-1);
    },
    '?': () => panels.set({help: !panels.help}),
    p: picture,
    t: () => panels.set({left: !panels.left}),
    o: () => panels.set({show: !panels.show, tab: 'show'}),
    ...(kind.moves ? {'[': () => jumpToMark(-1), ']': () => jumpToMark(1)} : {}),
  });
  useWindowEvent('pagehide', () => {
    const {shown, hidden, selected, ready} = scene, {time, playSpeed, loop} = transport;
    if (ready && !parts.source.chosen) keep({camera: view.camera3d, options: view.options.kept(), shown, hidden: [...hidden], selected, plots, time, speed: playSpeed, loop});
  });
  return {kind, logs, view, client, transport, link, scene, plots, setPlots, panels, choices, plot, marks, jumpToMark, picture, recording, record, copyLink, openFiles};
}

export type Page = ReturnType<typeof usePage>;
