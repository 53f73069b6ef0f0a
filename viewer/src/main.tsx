// The page: a tree of the world, the scene, plots and the time.
import {render} from 'preact';
import {useEffect, useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';
import {type Entity, Log, type SensorDescription} from './log';
import {Plot, type Curve, curvesOf, shownPlots} from './plots';
import {PosePanel} from './pose';
import {type Shown, View} from './scene';
import {LiveChannels, type Message, Session} from './session';
import {type Source, loadLogs} from './sources';

const kSpeeds = [0.1, 0.25, 0.5, 1, 2, 5, 10];
/** How long the first picture waits for what a running simulation says, ms. */
const kPatience = 500;

function Tree(props: {
  log: Log; selected: number; hidden: Set<number>; onSelect: (id: number) => void; onVisible: (ids: number[], visible: boolean) => void;
}) {
  const [filter, setFilter] = useState('');
  const [open, setOpen] = useState<Set<number>>(new Set());
  const {entities, robots} = props.log.world;
  const row = (entity: Entity, children: Entity[] = [], label = entity.name) => {
    const ids = [entity.id, ...children.map((c) => c.id)];
    return (
      <div class={'row' + (entity.id === props.selected ? ' selected' : '') + (entity.kind === 'link' ? ' link' : '')} key={entity.id}>
        {children.length > 0 &&
          <button class="fold" aria-expanded={open.has(entity.id)} onClick={() => setOpen((old) => {
            const next = new Set(old);
            if (!next.delete(entity.id)) next.add(entity.id);
            return next;
          })}>{open.has(entity.id) ? '▾' : '▸'}</button>}
        <input type="checkbox" title="visible" checked={!props.hidden.has(entity.id)}
          onChange={(e) => props.onVisible(ids, e.currentTarget.checked)} />
        <span onClick={() => props.onSelect(entity.id)}>{label || `#${entity.id}`}</span>
        <small>{entity.id}</small>
      </div>);
  };
  const matches = (name: string) => name.toLowerCase().includes(filter.toLowerCase());
  return (
    <nav>
      <input class="filter" type="search" placeholder="find" value={filter} onInput={(e) => setFilter(e.currentTarget.value)} />
      {(['terrain', 'object'] as const).map((kind) => entities.filter((e) => e.kind === kind && matches(e.name)).map((e) => row(e)))}
      {robots.map((robot) => {
        const links = robot.links.map((link) => entities[link.id]);
        const found = links.filter((_, i) => filter && matches(robot.links[i].name));
        const shown = open.has(robot.id) && !filter ? links : found;
        return (
          <div key={robot.id}>
            {(!filter || found.length > 0 || matches(robot.name)) && row(entities[robot.id], links, robot.name)}
            {shown.map((link) => row(link, [], robot.links.find((l) => l.id === link.id)!.name))}
          </div>);
      })}
    </nav>);
}

function Details(props: {log: Log; view: View | null; id: number; time: number}) {
  const entity = props.log.world.entities[props.id];
  if (!entity) return null;
  const pose = props.log.poses.get(props.id);
  const digits = (v: number) => v.toFixed(4).replace(/^-(0\.0*)$/, '$1');
  const force = props.view?.logs[0]?.forceOn(props.time, props.id) ?? [0, 0, 0];
  return (
    <section class="details">
      <b>{entity.name}</b> <small>{entity.kind} {entity.id}</small>
      {pose && <div class="value">position, m <output>{[pose[9], pose[10], pose[11]].map(digits).join(', ')}</output></div>}
      {props.log.series.has('/mortise/contacts') && props.log.state.times.length > 1 &&
        <div class="value">contact force, N <output id="contact-force">{force.map(digits).join(', ')}</output></div>}
      <button onClick={() => props.view?.fit()}>look at it</button>
      <button onClick={() => props.view?.toggleTrail(props.id)}>its path</button>
    </section>);
}

/** What cameras see, and what a laser's nearest beam says. */
function Sensors(props: {log: Log; time: number}) {
  const {log, time} = props;
  const [open, setOpen] = useState(false);
  const urls = useRef(new Map<string, {png: Uint8Array; url: string}>());
  if (log.sensors.length === 0) return null;
  const urlOf = (topic: string): string | null => {
    const picture = log.pictureAt(topic, time), old = urls.current.get(topic);
    if (!picture) return null;
    if (old?.png === picture.png) return old.url;
    if (old) URL.revokeObjectURL(old.url);
    const url = URL.createObjectURL(new Blob([picture.png.slice()], {type: 'image/png'}));
    urls.current.set(topic, {png: picture.png, url});
    return url;
  };
  const nearest = (topic: string): string => {
    const series = log.series.get(topic);
    if (!series || series.times.length === 0) return '';
    const i = series.indexAt(time);
    let least = Infinity;
    for (const column of series.columns) if (column[i] > 0 && column[i] < least) least = column[i];
    return Number.isFinite(least) ? `nearest ${least.toFixed(3)} m` : 'nothing met';
  };
  return (
    <details class="sensors" open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>Sensors</summary>
      {open && log.sensors.map((sensor) => {
        const url = sensor.camera ? urlOf(sensor.topic) : null;
        return (
          <figure key={sensor.topic}>
            <figcaption>{log.robots[sensor.robot]?.name}: {sensor.name}</figcaption>
            {sensor.camera ? (url ? <img src={url} alt={`what ${sensor.name} sees`} /> : <small>no image yet</small>) :
                             <output>{nearest(sensor.topic)}</output>}
          </figure>);
      })}
    </details>);
}

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

function App(props: {source: Source}) {
  const {logs} = props.source;
  const live = props.source.session === 'live', posing = props.source.session === 'pose', recorded = props.source.session === 'log';
  const start = Math.min(...logs.map((log) => log.start)), end = Math.max(...logs.map((log) => log.end));
  const canvas = useRef<HTMLCanvasElement>(null);
  const view = useRef<View | null>(null);
  const [ready, setReady] = useState(false);
  const [time, setTime] = useState(start);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const [selected, setSelected] = useState(-1);
  const [hidden, setHidden] = useState<Set<number>>(new Set());
  const [curves, setCurves] = useState<Curve[]>([]);
  const [shown, setShown] = useState<Shown>({contacts: true, frames: false, masses: false, wireframe: false, grid: false, trails: true, sensors: true, padding: false, inertias: false, plans: true, commanded: false});
  const [status, setStatus] = useState<LiveStatus | null>(null);
  const [connected, setConnected] = useState(true);
  const [problem, setProblem] = useState('');
  const [following, setFollowing] = useState(live);
  const [version, setVersion] = useState(0);
  const follows = useRef(following);
  follows.current = following;
  const session = useRef<Session | null>(null);
  const choices = useMemo(() => curvesOf(logs[0]), [logs, logs[0].series.size, version === 0]);

  useEffect(() => {
    // The server speaks while the graphics start and the shapes are read.
    let place!: (made: View) => void, arrived!: () => void;
    const placed = new Promise<View>((done) => (place = done)), arrival = new Promise<void>((done) => (arrived = done));
    if (live || recorded) connect(placed, arrived);
    let made: View;
    try {
      made = new View(canvas.current!, setSelected);
    } catch (error) {
      fail(`${error instanceof Error ? error.message : error} The scene needs WebGL, which this browser does not have or has switched off.`);
      return;
    }
    view.current = made;
    if (live) made.onPull = (id, point, target) => session.current!.send(target ? {type: 'pull', id, point, target} : {type: 'release'});
    (async () => {
      for (const log of logs) await made.add(log);
      // What is drawn first is what there is now, not once more what there was at the beginning.
      if (live) await Promise.race([arrival, new Promise((done) => setTimeout(done, kPatience))]);
      made.show(start, shown);
      made.fit();
      const kept = sessionStorage.getItem('camera');
      if (kept) made.camera3d = JSON.parse(kept);
      sessionStorage.removeItem('camera');
      setReady(true);
      place(made);
      if (!live && !posing) document.body.dataset.ready = 'true';
    })();
    Object.assign(window, {mortise: {view: made, logs, setTime, get plots() { return shownPlots(); }, send: (message: Message) => session.current?.send(message)}});
  }, []);
  const connect = (placed: Promise<View>, arrived: () => void) => {
    const log = logs[0], channels = new LiveChannels(log);
    let plotted = 0;
    const message = (m: Message) => {
      if (m.type === 'hello') channels.hello(m.channels as {topic: string; columns: string[]}[], (m.sensors ?? []) as SensorDescription[], m.from as number | undefined);
      else if (m.type === 'reload' || (m.type === 'version' && m.version !== props.source.version)) {
        void placed.then((made) => {
          sessionStorage.setItem('camera', JSON.stringify(made.camera3d));
          location.reload();
        });
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
    if (!playing) return;
    let last = performance.now(), frame = 0;
    const tick = (now: number) => {
      const passed = (now - last) / 1000 * speed;
      last = now;
      setTime((t) => {
        if (t + passed < end) return t + passed;
        setPlaying(false);
        return end;
      });
      frame = requestAnimationFrame(tick);
    };
    frame = requestAnimationFrame(tick);
    return () => cancelAnimationFrame(frame);
  }, [playing, speed]);

  // A world that does not move has neither times nor plots.
  const still = !live && !posing && start === end;
  const state = logs[0].state;
  const step = (by: number) => {
    setPlaying(false);
    if (live && by > 0 && following) {
      session.current?.send({type: 'step', count: by});
      return;
    }
    setFollowing(false);
    setTime((t) => state.times[Math.min(Math.max(state.indexAt(t) + by, 0), state.times.length - 1)]);
  };
  const play = () => {
    if (live && following) {
      session.current?.send({type: status?.paused ? 'play' : 'pause'});
      return;
    }
    if (!playing && time >= end - 1e-9) setTime(start);
    setPlaying(!playing);
  };
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
      if (event.key === ' ') play();
      else if (event.key === 'ArrowRight') step(event.shiftKey ? 10 : 1);
      else if (event.key === 'ArrowLeft') step(event.shiftKey ? -10 : -1);
      else if (event.key === 'Home') jump(start);
      else if (event.key === 'End') live ? setFollowing(true) : jump(end);
      else if (event.key === 'f') view.current?.fit();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', key);
    return () => window.removeEventListener('keydown', key);
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
  const tree = useMemo(() => <Tree log={logs[0]} selected={selected} hidden={hidden} onSelect={setSelected}
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
  const save = () => {
    const link = document.createElement('a');
    link.href = view.current!.picture();
    link.download = 'mortise.png';
    link.click();
  };
  const shownNow = useRef(shown);
  shownNow.current = shown;
  // There may be thousands of them, and the time changes with every frame.
  const chooser = useMemo(() => (
        <select aria-label="add a plot" value="" onChange={(e) => {
          const choice = choices[Number(e.currentTarget.value)];
          if (choice && !curves.includes(choice)) setCurves([...curves, choice]);
          e.currentTarget.value = '';
        }}>
          <option value="">plot ...</option>
          {choices.map((choice, i) => <option key={i} value={String(i)}>{choice.topic.replace('/mortise/', '')}: {choice.column}</option>)}
        </select>), [choices, curves]);
  const plots = (
    <>
        {chooser}
        {curves.map((curve) => (
          <Plot key={curve.topic + curve.column} logs={logs} curve={curve} time={time} version={version}
            onTime={jump}
            onClose={() => setCurves(curves.filter((c) => c !== curve))} />))}
    </>);
  return (
    <main class={still ? 'still' : ''}>
      <aside class="left">
        <h1>{logs.map((log, i) => <span key={i} class={`log${i}`}>{log.name}</span>)}</h1>
        {logs.some((log) => log.damage) && <p class="warning">The log was cut short.</p>}
        {live && !connected && <p class="warning">The simulation has ended; what was seen of it stays here.</p>}
        {status?.fault && <p class="warning">{status.fault}</p>}
        {problem && <p class="warning" onClick={() => setProblem('')}>{problem}</p>}
        {tree}
        <Sensors log={logs[0]} time={time} />
        {selected >= 0 && <Details log={logs[0]} view={view.current} id={selected} time={time} />}
      </aside>
      <div class="scene"><canvas ref={canvas} id="scene" />
        <div class="toggles">
          {toggle('contacts', 'contacts')}{toggle('frames', 'frames')}{toggle('masses', 'centers of mass')}
          {live && !status?.watched && <label title="or drag with Ctrl"><input type="checkbox" id="pull" onChange={(e) => (view.current!.pulling = e.currentTarget.checked)} /> pull bodies</label>}
          {toggle('wireframe', 'wireframe')}{toggle('grid', 'grid')}{toggle('trails', 'paths')}
          {toggle('inertias', 'inertias')}{toggle('padding', 'padding')}
          {logs.some((log) => log.sensors.length > 0) && toggle('sensors', 'sensors')}
          {!still && !posing && logs.some((log) => log.robots.length > 0 && log.series.has('/mortise/commands')) && toggle('commanded', 'commanded')}
          {logs.some((log) => log.overlays.length > 0) && toggle('plans', 'plan')}
          <button onClick={() => { setSelected(-1); view.current?.select(-1); view.current?.fit(); }}>fit</button>
          <button onClick={save}>picture</button>
        </div>
      </div>
      {!still && <aside class="right">
        {posing ?
          ready && <PosePanel token={props.source.token} log={logs[0]} view={view.current!} selected={selected}
            onChange={() => { view.current!.show(start, shownNow.current); setVersion((v) => v + 1); }} /> :
          plots}
      </aside>}
      {!posing && !still && <footer>
        <button id="play" onClick={play} disabled={live && following && status?.watched} title="space">{(live && following ? status && !status.paused : playing) ? '❚❚' : '▶'}</button>
        <button onClick={() => step(-1)} title="arrow left">◀|</button>
        <button onClick={() => step(1)} title="arrow right">|▶</button>
        <select aria-label="speed" value={String(live && status ? status.speed : speed)} onChange={(e) => changeSpeed(Number(e.currentTarget.value))}>
          {kSpeeds.map((s) => <option key={s} value={String(s)}>{s}×</option>)}
          {live && <option value="0">as fast as it can</option>}
        </select>
        <input id="time" aria-label="time" type="range" min={start} max={end} step="any" value={time}
          onInput={(e) => jump(Number(e.currentTarget.value))} />
        {live && !following && <button id="follow" onClick={() => setFollowing(true)}>now</button>}
        {(recorded ? connected : live && !following && connected && status?.can_go_back) && <button id="go" onClick={goOn}>go on from here</button>}
        <output id="clock">{time.toFixed(3)} / {end.toFixed(3)} s</output>
      </footer>}
    </main>);
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
loadLogs().then((source) => {
  root.textContent = '';
  document.title = source.logs.map((log) => log.name).join(', ') + ' - Mortise';
  render(<App source={source} />, root);
}).catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
