// The page: a tree of the world, the scene, plots and the time.
import {useCallback, useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';
import {type Curve, curvesOf, isSame} from '../data/curves';
import {keep, keptState} from '../kept';
import {CustomPanel} from '../panels/custom_panel';
import {save} from '../panels/download';
import {Help} from '../panels/help';
import {Chooser, Plot} from '../panels/plots';
import {TimeBar} from '../panels/time_bar';
import {type Panels, Toggles} from '../panels/toggles';
import {WorldPanel} from '../panels/world_panel';
import {PosePanel} from '../posing/pose_panel';
import {type PageParts, kindOf} from './parts';
import {useKeys} from './use_keys';
import {useWindowEvent} from './use_event';
import {useScene} from './use_scene';
import {useTransport} from './use_transport';

/** Windows of this width have no room for all panels, pixels. */
const NARROW = 600, MIDDLING = 900;

/** Puts the element of the scene where it belongs. */
function Stage(props: {stage: HTMLElement}) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.append(props.stage), []);
  return <div class="place" ref={place} />;
}

function usePage(parts: PageParts) {
  const {view, source: {logs}} = parts, kind = kindOf(parts);
  const kept = useMemo(keptState, []);
  const transport = useTransport(parts, kept), {link} = transport;
  const scene = useScene(parts, kept, transport);
  const [curves, setCurves] = useState<Curve[]>(kept.curves ?? []);
  const [panels, setPanels] = useState<Panels>({left: window.innerWidth > NARROW, right: window.innerWidth > MIDDLING, help: false});
  const choices = useMemo(() => curvesOf(logs[0]), [logs, logs[0].series.size, logs[0].forces.count, link.version === 0]);
  const plot = useCallback((...more: Curve[]) => {
    setCurves((old) => [...old, ...more.filter((curve) => !old.some((shown) => isSame(shown, curve)))]);
    setPanels((old) => ({...old, right: true}));
  }, []);
  const picture = () => save('mortise.png', view.picture());
  useKeys(kind, transport, {
    f: () => view.fit(),
    Escape: () => (panels.help ? setPanels({...panels, help: false}) : scene.select(-1)),
    '?': () => setPanels({...panels, help: !panels.help}),
    p: picture,
    t: () => setPanels({...panels, left: !panels.left}),
  });
  useWindowEvent('pagehide', () => {
    const {shown, hidden, selected, ready} = scene, {time, playSpeed, loop} = transport;
    if (ready) keep({camera: view.camera3d, shown, hidden: [...hidden], selected, curves, time, speed: playSpeed, loop});
  });
  return {kind, transport, link, scene, curves, setCurves, panels, setPanels, choices, plot, picture};
}

type Page = ReturnType<typeof usePage>;

function Plots(props: {parts: PageParts; page: Page}) {
  const {page: {choices, plot, curves, setCurves, transport, link}} = props;
  return (
    <>
      <Chooser choices={choices} onChoose={plot} />
      {curves.map((curve) => (
        <Plot key={curve.topic + curve.column} logs={props.parts.source.logs} curve={curve} time={transport.time} version={link.version}
          onTime={transport.jump} onClose={() => setCurves(curves.filter((c) => c !== curve))} />))}
    </>);
}

function SceneArea(props: {parts: PageParts; page: Page}) {
  const {parts, parts: {stage, view, source: {logs}}, page} = props, {kind, scene, panels, setPanels} = page, {hovered} = scene;
  return (
    <div class="scene"><Stage stage={stage} />
      <Toggles kind={kind} logs={logs} view={view} scene={scene} link={page.link} panels={panels} setPanels={setPanels} onPicture={page.picture} />
      {hovered.id >= 0 && <div class="hovered" style={`left: ${hovered.x + 12}px; top: ${hovered.y + 12}px`}>{logs[0].world.entities[hovered.id]?.name || `#${hovered.id}`}</div>}
      {parts.client && <CustomPanel program={parts.client.program} view={view} ready={scene.ready} />}
      {panels.help && <Help timed={!kind.still && !kind.posing} posing={kind.posing} onClose={() => setPanels({...panels, help: false})} />}
    </div>);
}

export function App(parts: PageParts) {
  const {view, client, posing, source: {logs}} = parts;
  const page = usePage(parts), {kind, transport, link, scene, panels} = page;
  const moves = !kind.still && !kind.posing;
  // What is posed is drawn as it is shown now, whenever that is.
  const shownNow = useRef(scene.shown);
  shownNow.current = scene.shown;
  return (
    <main>
      {panels.left && <WorldPanel logs={logs} view={view} scene={scene} link={link} client={client} live={kind.live} still={kind.still} time={transport.time}
        choices={page.choices} onPlot={moves ? (more) => page.plot(...more) : null} onPlotSensor={page.plot} />}
      <SceneArea parts={parts} page={page} />
      {!kind.still && (posing || panels.right) && <aside class={'right' + (panels.right ? '' : ' away')}>
        {!posing ? <Plots parts={parts} page={page} /> : scene.ready && <PosePanel client={posing} log={logs[0]} view={view} selected={scene.selected}
          onChange={() => {
            view.show(transport.start, shownNow.current);
            link.changed();
          }} />}
      </aside>}
      {moves && <TimeBar kind={kind} transport={transport} link={link} />}
    </main>);
}
