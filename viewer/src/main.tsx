// The page: a tree of the world, the scene, plots and the time.
import {render} from 'preact';
import {useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';
import {type Curve, curvesOf, isSame} from './curves';
import {Details} from './details';
import {save} from './download';
import {Help} from './help';
import {keep, keptState} from './kept';
import type {SensorDescription} from './log';
import {Chooser, Plot, shownPlots} from './plots';
import {PosePanel} from './posing/pose';
import {View, makeCanvas} from './scene';
import {Sensors} from './sensors';
import {LiveChannels, type Message, Session} from './session';
import {type Shown, kShownAtFirst} from './shown';
import {type Source, loadLogs} from './sources';
import {Tree} from './tree';

const kSpeeds = [0.1, 0.25, 0.5, 1, 2, 5, 10];
/** Windows of this width have no room for all panels, pixels. */
const kNarrow = 600, kMiddling = 900;
/** How long the first picture waits for what a running simulation says, ms. */
const kPatience = 500;

/** How a running simulation is, as it says. */
interface LiveStatus {
  watched?: boolean;
  can_step?: boolean;
  paused: boolean;
  over: boolean;
  speed: number;
  can_go_back: boolean;
  fault: string;
}

function App(props: {source: Source; canvas: HTMLCanvasElement}) {
  const {logs} = props.source;
  const live = props.source.session === 'live', posing = props.source.session === 'pose', recorded = props.source.session === 'log';
  const start = Math.min(...logs.map((log) => log.start)), end = Math.max(...logs.map((log) => log.end));
  const stage = useRef<HTMLDivElement>(null);
  const view = useRef<View | null>(null);
  const [ready, setReady] = useState(false);
  const kept = useMemo(keptState, []);
  const [time, setTime] = useState(live ? start : Math.min(Math.max(kept.time ?? start, start), end));
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(kept.speed ?? 1);
  const [loop, setLoop] = useState(kept.loop ?? false);
  const [selected, setSelected] = useState(kept.selected ?? -1);
  const [hidden, setHidden] = useState<Set<number>>(new Set(kept.hidden));
  const [hiddenLogs, setHiddenLogs] = useState<Set<number>>(new Set());
  const [curves, setCurves] = useState<Curve[]>(kept.curves ?? []);
  const [shown, setShown] = useState<Shown>({...kShownAtFirst, ...kept.shown});
  const [panels, setPanels] = useState({left: window.innerWidth > kNarrow, right: window.innerWidth > kMiddling});
  const [help, setHelp] = useState(false);
  const [hovered, setHovered] = useState({id: -1, x: 0, y: 0});
  const [trails, setTrails] = useState(0);
  const [status, setStatus] = useState<LiveStatus | null>(null);
  const [connected, setConnected] = useState(true);
  const [problem, setProblem] = useState('');
  const [following, setFollowing] = useState(live);
  const [version, setVersion] = useState(0);
  // A simulation that has ended is a recorded one.
  const running = live && connected && following;
  const follows = useRef(following);
  follows.current = following;
  const session = useRef<Session | null>(null);
  const choices = useMemo(() => curvesOf(logs[0]), [logs, logs[0].series.size, logs[0].forces.count, version === 0]);

  useLayoutEffect(() => {
    stage.current!.append(props.canvas);
    // The server speaks while the shapes are read.
    let place!: (made: View) => void, arrived!: () => void;
    const placed = new Promise<View>((done) => (place = done)), arrival = new Promise<void>((done) => (arrived = done));
    if (live || recorded) connect(placed, arrived);
    let made: View;
    try {
      made = new View(props.canvas, setSelected);
    } catch (error) {
      fail(`${error instanceof Error ? error.message : error} The scene needs WebGL, which this browser does not have or has switched off.`);
      return;
    }
    view.current = made;
    made.onHover = (id, x, y) => setHovered((old) => (id < 0 && old.id < 0 ? old : {id, x, y}));
    made.onFocus = focus;
    if (live) made.onPull = (id, point, target) => session.current!.send(target ? {type: 'pull', id, point, target} : {type: 'release'});
    (async () => {
      for (const log of logs) await made.add(log);
      // What is drawn first is what there is now, not once more what there was at the beginning.
      if (live) await Promise.race([arrival, new Promise((done) => setTimeout(done, kPatience))]);
      made.show(live ? start : time, shown);
      if (kept.camera) made.camera3d = kept.camera;
      else made.fit();
      for (const id of hidden) made.setVisible(id, false);
      setReady(true);
      place(made);
      if (!live && !posing) document.body.dataset.ready = 'true';
    })();
    Object.assign(window, {mortise: {view: made, logs, setTime, get plots() { return shownPlots(); }, send: (message: Message) => session.current?.send(message)}});
  }, []);
  /** Looks at an entity, or at everything. */
  function focus(id: number): void {
    setSelected(id);
    view.current?.select(id);
    view.current?.fit();
  }
  const connect = (placed: Promise<View>, arrived: () => void) => {
    const log = logs[0], channels = new LiveChannels(log);
    let plotted = 0;
    const message = (m: Message) => {
      if (m.type === 'hello') channels.hello(m.channels as {topic: string; columns: string[]}[], (m.sensors ?? []) as SensorDescription[], m.from as number | undefined);
      else if (m.type === 'reload' || (m.type === 'version' && m.version !== props.source.version)) {
        void placed.then(() => location.reload());
      }
      else if (m.type === 'status') setStatus(m as unknown as LiveStatus);
      else if (m.type === 'problem') setProblem(String(m.text));
      else if (m.type === 'cut') {
        channels.cutAfter(Number(m.tick));
        setVersion((v) => v + 1);
      }
    };
    const bytes = async (data: ArrayBuffer) => {
      channels.take(data);
      arrived();
      if (follows.current) setTime(log.end);
      if (performance.now() - plotted > 200) {
        plotted = performance.now();
        // Later the lengths of arrows stay, so that they can be compared.
        if (log.state.times.length < 500) view.current?.scaleForces();
        setVersion((v) => v + 1);
      }
      await placed;
      // Hidden pages draw nothing, and need no more until they are seen again.
      await new Promise(requestAnimationFrame);
      document.body.dataset.ready = 'true';
    };
    session.current = new Session(props.source.token, message, bytes, setConnected);
  };
  // Before the next frame, not after it.
  useLayoutEffect(() => { if (ready) view.current!.show(time, shown); }, [time, shown, ready]);
  useLayoutEffect(() => view.current?.select(selected), [selected, ready]);
  useEffect(() => {
    if (!ready) return;
    logs.forEach((_, i) => view.current!.setLogVisible(i, !hiddenLogs.has(i), hidden));
    view.current!.show(time, shown);
  }, [hiddenLogs, ready]);
  const remember = () => {
    if (ready) keep({camera: view.current!.camera3d, shown, hidden: [...hidden], selected, curves, time, speed, loop});
  };
  useLayoutEffect(() => {
    window.addEventListener('pagehide', remember);
    return () => window.removeEventListener('pagehide', remember);
  });
  useEffect(() => {
    if (!playing) return;
    let last = performance.now(), frame = 0;
    const tick = (now: number) => {
      const passed = (now - last) / 1000 * speed;
      last = now;
      setTime((t) => {
        if (t + passed < end) return t + passed;
        // The end is seen before it begins again.
        if (loop) return t < end ? end : start;
        setPlaying(false);
        return end;
      });
      frame = requestAnimationFrame(tick);
    };
    frame = requestAnimationFrame(tick);
    return () => cancelAnimationFrame(frame);
  }, [playing, speed, loop]);

  // A world that does not move has neither times nor plots.
  const still = !live && !posing && start === end;
  const state = logs[0].state;
  const step = (by: number) => {
    setPlaying(false);
    if (running && by > 0) {
      session.current?.send({type: 'step', count: by});
      return;
    }
    setFollowing(false);
    setTime((t) => {
      const i = state.indexAt(t), between = by < 0 && t > state.times[i] + 1e-9 ? 1 : 0;
      return state.times[Math.min(Math.max(i + by + between, 0), state.times.length - 1)];
    });
  };
  const play = () => {
    if (running) {
      session.current?.send({type: status?.paused ? 'play' : 'pause'});
      return;
    }
    if (!playing && time >= end - 1e-9) setTime(start);
    setFollowing(false);
    setPlaying(!playing);
  };
  // Keys mean what the page shows, as soon as it does.
  useLayoutEffect(() => {
    const key = (event: KeyboardEvent) => {
      const {target} = event;
      if (event.ctrlKey || event.metaKey || event.altKey || isWritten(target)) return;
      // With the keyboard, a box or a button that has the focus is pressed by the space bar.
      if (event.key === ' ' && target instanceof HTMLElement && target.matches('input[type=checkbox], button, summary')) return;
      if (event.key === 'f') view.current?.fit();
      else if (event.key === 'Escape' && help) setHelp(false);
      else if (event.key === 'Escape') setSelected(-1);
      else if (event.key === '?') setHelp(!help);
      else if (event.key === 'p') picture();
      else if (event.key === 't') setPanels({...panels, left: !panels.left});
      else if (posing || still) return;
      else if (event.key === ' ') play();
      else if (event.key === 'ArrowRight') step(event.shiftKey ? 10 : 1);
      else if (event.key === 'ArrowLeft') step(event.shiftKey ? -10 : -1);
      else if (event.key === 'Home') jump(start);
      else if (event.key === 'End' && live) setFollowing(true);
      else if (event.key === 'End') jump(end);
      else if (event.key === '+' || event.key === '=') faster(1);
      else if (event.key === '-') faster(-1);
      else if (event.key === 'l' && !live) setLoop(!loop);
      else return;
      event.preventDefault();
    };
    // What was clicked does not take the keys that are the page's.
    const release = (event: Event) => {
      const {target} = event;
      if (target instanceof HTMLElement && !isWritten(target) && (event.type === 'change' ? target instanceof HTMLSelectElement : (event as MouseEvent).detail > 0) &&
          target.matches('select, button, input, summary') && !(event.type === 'click' && target instanceof HTMLSelectElement)) target.blur();
    };
    window.addEventListener('keydown', key);
    window.addEventListener('click', release);
    window.addEventListener('change', release);
    return () => {
      window.removeEventListener('keydown', key);
      window.removeEventListener('click', release);
      window.removeEventListener('change', release);
    };
  });
  const jump = (to: number) => {
    setPlaying(false);
    setFollowing(false);
    setTime(Math.min(Math.max(to, start), end));
  };
  const goOn = () => {
    session.current?.send({type: 'go', tick: state.ticks[state.indexAt(time)]});
    if (live) setFollowing(true);
  };
  const changeSpeed = (value: number) => {
    setSpeed(value);
    if (live) session.current?.send({type: 'speed', speed: value});
  };
  useEffect(() => { if (following) setTime(end); }, [following]);
  const tree = useMemo(() => <Tree log={logs[0]} selected={selected} hidden={hidden} onSelect={setSelected} onFocus={focus}
    onVisible={(ids, visible) => setVisible(ids, visible)} />, [selected, hidden]);
  const toggle = (name: keyof Shown, label: string) => (
    <label key={name}><input type="checkbox" checked={shown[name]} onChange={(e) => setShown({...shown, [name]: e.currentTarget.checked})} /> {label}</label>);
  const setVisible = (ids: number[], visible: boolean) => {
    const next = new Set(hidden);
    for (const id of ids) {
      if (visible) next.delete(id);
      else next.add(id);
      view.current?.setVisible(id, visible);
    }
    setHidden(next);
  };
  const picture = () => save('mortise.png', view.current!.picture());
  const faster = (by: number) => {
    const now = live && status ? status.speed : speed, at = kSpeeds.findIndex((s) => s >= now);
    changeSpeed(kSpeeds[Math.min(Math.max((at < 0 ? kSpeeds.length - 1 : at) + by, 0), kSpeeds.length - 1)]);
  };
  const plot = useCallback((...more: Curve[]) => {
    setCurves((old) => [...old, ...more.filter((curve) => !old.some((shown) => isSame(shown, curve)))]);
    setPanels((old) => ({...old, right: true}));
  }, []);
  const shownNow = useRef(shown);
  shownNow.current = shown;
  const plots = (
    <>
        <Chooser choices={choices} onChoose={plot} />
        {curves.map((curve) => (
          <Plot key={curve.topic + curve.column} logs={logs} curve={curve} time={time} version={version}
            onTime={jump}
            onClose={() => setCurves(curves.filter((c) => c !== curve))} />))}
    </>);
  const moves = !still && !posing;
  return (
    <main>
      {panels.left && <aside class="left">
        <h1>{logs.map((log, i) => (
          <span key={i} class={`log${i}`}>
            {logs.length > 1 && <input type="checkbox" title="visible" checked={!hiddenLogs.has(i)} onChange={(e) => {
              const next = new Set(hiddenLogs);
              if (e.currentTarget.checked) next.delete(i);
              else next.add(i);
              setHiddenLogs(next);
            }} />}{log.name}
          </span>))}</h1>
        {logs.map((log, i) => log.damage && <p class="warning" key={i}>{logs.length > 1 ? log.name : 'The log'} was cut short{log.state.times.length > 1 ? `: it ends at ${log.end.toFixed(3)} s` : ''}.</p>)}
        {live && !connected && <p class="warning">The simulation has ended; what was seen of it stays here.</p>}
        {status?.fault && <p class="warning">{status.fault}</p>}
        {problem && <p class="warning" onClick={() => setProblem('')}>{problem}</p>}
        <div class="contents">
          {tree}
          <Sensors log={logs[0]} time={time} onPlot={plot} />
        </div>
        {selected >= 0 && <Details log={logs[0]} view={view.current} id={selected} time={time} choices={choices} still={still}
          onPlot={moves ? (more) => plot(...more) : null} onTrail={() => { view.current?.toggleTrail(selected); setTrails(trails + 1); }} />}
      </aside>}
      <div class="scene"><div class="stage" ref={stage} />
        <div class="toggles">
          <button title="show or hide the tree (t)" aria-label="tree" aria-expanded={panels.left} onClick={() => setPanels({...panels, left: !panels.left})}>☰</button>
          {logs.some((log) => log.series.has('/mortise/contacts')) && toggle('contacts', 'contacts')}{toggle('frames', 'frames')}{toggle('masses', 'centers of mass')}
          {live && !status?.watched && <label title="or drag with Ctrl"><input type="checkbox" id="pull" onChange={(e) => (view.current!.pulling = e.currentTarget.checked)} /> pull bodies</label>}
          {toggle('wireframe', 'wireframe')}{toggle('grid', 'grid')}{trails > 0 && toggle('trails', 'paths')}
          {toggle('inertias', 'inertias')}{toggle('padding', 'padding')}
          {logs.some((log) => log.sensors.length > 0) && toggle('sensors', 'sensors')}
          {moves && logs.some((log) => log.robots.length > 0 && log.series.has('/mortise/commands')) && toggle('commanded', 'commanded')}
          {logs.some((log) => log.overlays.length > 0) && toggle('plans', 'plan')}
          <button onClick={() => { setSelected(-1); view.current?.select(-1); view.current?.fit(); }}>fit</button>
          <button title="save as a PNG (p)" onClick={picture}>picture</button>
          {!still && <button aria-expanded={panels.right} onClick={() => setPanels({...panels, right: !panels.right})}>{posing ? 'pose' : 'plots'}</button>}
          <button title="what mouse and keys do (?)" aria-label="help" onClick={() => setHelp(true)}>?</button>
        </div>
        {hovered.id >= 0 && <div class="hovered" style={`left: ${hovered.x + 12}px; top: ${hovered.y + 12}px`}>{logs[0].world.entities[hovered.id]?.name || `#${hovered.id}`}</div>}
        {help && <Help timed={moves} posing={posing} onClose={() => setHelp(false)} />}
      </div>
      {!still && (posing || panels.right) && <aside class={'right' + (panels.right ? '' : ' away')}>
        {posing ?
          ready && <PosePanel token={props.source.token} log={logs[0]} view={view.current!} selected={selected}
            onChange={() => { view.current!.show(start, shownNow.current); setVersion((v) => v + 1); }} /> :
          plots}
      </aside>}
      {!posing && !still && <footer>
        <button id="play" onClick={play} disabled={running && status?.watched} title="space">{(running ? status && !status.paused : playing) ? '❚❚' : '▶'}</button>
        <button onClick={() => step(-1)} title="arrow left">◀|</button>
        <button onClick={() => step(1)} title="arrow right">|▶</button>
        <select aria-label="speed" value={String(live && connected && status ? status.speed : speed)} onChange={(e) => changeSpeed(Number(e.currentTarget.value))}>
          {kSpeeds.map((s) => <option key={s} value={String(s)}>{s}×</option>)}
          {live && <option value="0">as fast as it can</option>}
        </select>
        <input id="time" aria-label="time" type="range" min={start} max={end} step="any" value={time}
          onInput={(e) => jump(Number(e.currentTarget.value))} />
        {!live && <label title="play again from the start at the end (l)"><input type="checkbox" id="loop" checked={loop} onChange={(e) => setLoop(e.currentTarget.checked)} /> loop</label>}
        {live && connected && !following && <button id="follow" onClick={() => setFollowing(true)}>now</button>}
        {(recorded ? connected : live && !following && connected && status?.can_go_back) && <button id="go" onClick={goOn}>go on from here</button>}
        <output id="clock">{time.toFixed(3)} / {end.toFixed(3)} s</output>
      </footer>}
    </main>);
}

/** Whether keys that are pressed there are for what is written there. */
function isWritten(target: EventTarget | null): boolean {
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement ||
      (target instanceof HTMLInputElement && !['checkbox', 'radio', 'range', 'button'].includes(target.type));
}

const root = document.getElementById('app')!;
/** Nothing can be shown but the reason. */
function fail(reason: string): void {
  render(null, root);
  root.textContent = '';
  const message = document.createElement('p');
  message.className = 'error';
  message.textContent = reason;
  root.append(message);
  document.body.dataset.error = reason;
}
root.textContent = 'Reading ...';
const loading = loadLogs();
// The graphics start while the server answers.
const canvas = makeCanvas();
loading.then((source) => {
  root.textContent = '';
  document.title = source.logs.map((log) => log.name).join(', ') + ' - Mortise';
  render(<App source={source} canvas={canvas} />, root);
}).catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
