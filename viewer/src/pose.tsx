// Posing: joints, goals, resources and paths, which the server keeps and solves.
import {useEffect, useRef, useState} from 'preact/hooks';
import type {Log} from './log';
import type {View} from './scene';
import {type Message, Session} from './session';

interface Driver { name: string; min: number | null; max: number | null }
interface Goal { robot: number; link: number; kind: string; at: number[]; target: number[] }
/** Contacts have a point, a normal into the link, and friction: seven numbers. */
interface Hold { link: number; contacts: number[][] }
interface Resource { name: string; kind: string; editable: boolean; milestones?: number; times?: number[]; convertible: string[]; holds?: Hold[] }
interface Torques { balanced: boolean; within_limits?: boolean; shares?: (number | null)[]; largest_share?: number; largest_link?: string }
interface Balance { balanced: boolean; bounded: boolean; margin: number | null; polygon: number[][]; com: number[]; points: number[][]; fixed: boolean; torques: Torques }
interface Path { times: number[]; configurations: number[][] }

interface State {
  n?: number;
  q: number[][];
  drivers: number[][];
  objects: number[][];
  goals: Goal[];
  collisions: [number, number][];
  limits: number[];
  touch: number;
  undo: number;
  redo: number;
  solved?: boolean;
  residual?: number;
  problem?: string;
  text?: string;
  added?: number;
  resources?: Resource[];
  robots?: {name: string; floating: boolean; drivers: Driver[]}[];
  path?: Path;
  faults?: string[];
  balance?: Balance;
}

const kStored = ['configuration', 'configurations', 'trajectory', 'ik_goal', 'hold', 'stance', 'grasp', 'transform'];
const kSelf = 0xb00000, kEnvironment = 0xb05000;
const kNormalLength = 0.05, kMostGhosts = 50;

const percent = (share: number) => `${Number((100 * share).toPrecision(3))} %`;

/** What `balance` says, in words. */
function balanceText(balance: Balance, touch: number): string {
  const {torques} = balance;
  const motors = torques.largest_share === undefined ? '' :
    `; torques up to ${percent(torques.largest_share)} of the limit (${torques.largest_link})${torques.within_limits ? '' : ', too much'}`;
  if (balance.points.length === 0) {
    if (balance.fixed) return `fixed to the world${motors}`;
    return `nothing is within ${Number((1000 * touch).toFixed(3))} mm of the robot: it stands nowhere`;
  }
  // A fixed base needs no contacts to stand.
  if (!balance.balanced) return (balance.fixed ? 'its contacts alone would not hold it' : 'not balanced') + (balance.fixed ? motors : '');
  if (balance.bounded) return `balanced, ${(1000 * (balance.margin ?? 0)).toFixed(1)} mm inside${motors}`;
  return `balanced, wherever the center of mass is${motors}`;
}

export function PosePanel(props: {token: string; log: Log; view: View; selected: number; onChange: () => void}) {
  const {log, view, selected} = props;
  const [state, setState] = useState<State | null>(null);
  const [robots, setRobots] = useState<NonNullable<State['robots']>>([]);
  const [resources, setResources] = useState<Resource[]>([]);
  const [chosen, setChosen] = useState(-1);
  const [milestone, setMilestone] = useState(0);
  const [robot, setRobot] = useState(0);
  const [base, setBase] = useState(false);
  const [kind, setKind] = useState('configuration');
  const [message, setMessage] = useState('');
  const [path, setPath] = useState<Path | null>(null);
  const [time, setTime] = useState(0);
  const [connected, setConnected] = useState(true);
  const [playing, setPlaying] = useState(false);
  const [watched, setWatched] = useState(false);
  const [picking, setPicking] = useState(false);
  const [friction, setFriction] = useState(0.5);
  const session = useRef<Session | null>(null);
  const numbers = useRef({n: 0, gesture: 0, waiting: false, next: null as Message | null});
  const latest = useRef<State | null>(null);
  const answered = useRef(new Map<number, () => void>());
  const held = resources[chosen]?.holds ? {resource: chosen} : {};
  const bearing = resources[chosen]?.holds ? {held: chosen} : {};
  const now = useRef({base, robot, watched, bearing, marked: [] as Hold[]});
  now.current = {base, robot, watched, bearing, marked: resources[chosen]?.holds ?? []};

  const send = (m: Message) => {
    const balance = now.current.watched ? {robot: now.current.robot, ...now.current.bearing, ...m, balance: true} : m;
    session.current?.send({...balance, n: ++numbers.current.n});
  };
  /** Of gestures, which may be faster than the solver, the newest is sent when the one before is answered. */
  const sendGesture = (m: Message) => {
    const state = numbers.current;
    if (state.waiting) {
      state.next = m;
      return;
    }
    state.waiting = true;
    send({...m, gesture: state.gesture});
  };
  const entities = log.world.entities;
  const robotOfLink = (id: number) => log.robots.findIndex((r) => r.links.some((l) => l.id === id));
  const links = (r: number) => log.robots[r]?.links ?? [];

  const show = (s: State, balance?: Balance) => {
    log.setPose(s.q, s.objects);
    const colors = new Map<number, number>();
    for (const [a, b] of s.collisions) {
      const self = entities[a].kind === 'link' && entities[b].kind === 'link' && robotOfLink(a) === robotOfLink(b);
      for (const id of [a, b]) if (entities[id].kind !== 'terrain') colors.set(id, self ? kSelf : kEnvironment);
    }
    view.setTints(colors);
    const lines = s.goals.flatMap((g) => [g.at, g.target]);
    const height = balance && balance.points.length > 0 ? balance.points[0][2] + 0.002 : 0;
    const polygon = balance?.bounded ? balance.polygon.map(([x, y]) => [x, y, height]) : [];
    polygon.forEach((p, i) => lines.push(p, polygon[(i + 1) % polygon.length]));
    if (balance) lines.push(balance.com, [balance.com[0], balance.com[1], height]);
    const contacts = now.current.marked.flatMap((h) => h.contacts);
    for (const [x, y, z, nx, ny, nz] of contacts) lines.push([x, y, z], [x + kNormalLength * nx, y + kNormalLength * ny, z + kNormalLength * nz]);
    view.setMarks([...s.goals.map((g) => g.target), ...(balance?.points ?? []), ...(balance ? [balance.com] : []), ...contacts.map((c) => c.slice(0, 3))], lines);
    props.onChange();
  };

  useEffect(() => {
    const take = (m: Message) => {
      const s = m as unknown as State;
      if (m.type !== 'state') {
        if (m.type === 'problem') setMessage(String(m.text));
        return;
      }
      if (s.robots) setRobots(s.robots);
      if (s.resources) setResources(s.resources);
      if (s.added !== undefined) setChosen(s.added);
      setState(s);
      latest.current = s;
      if (s.n !== undefined) answered.current.get(s.n)?.();
      show(s, s.balance);
      setPath(s.path ?? null);
      setPlaying(false);
      setTime(0);
      const limits = s.limits.length > 0 ? `; at a limit: ${s.limits.map((id) => entities[id].name).slice(0, 3).join(', ')}` : '';
      if (s.problem) setMessage(s.problem.replace(/^error: /, ''));
      else if (s.text) setMessage(s.text);
      else if (s.faults) setMessage(s.faults.length === 0 ? 'the path is free' : s.faults.slice(0, 5).join('; '));
      else if (s.balance)
        setMessage(balanceText(s.balance, s.touch) + (s.solved === false ? `; off by ${s.residual!.toExponential(1)}${limits}` : ''));
      else if (s.solved === false) setMessage(`off by ${s.residual!.toExponential(1)}${limits}`);
      else setMessage('');
      document.body.dataset.ready = 'true';
      const state = numbers.current;
      if (s.n !== undefined && state.waiting) {
        state.waiting = false;
        const next = state.next;
        state.next = null;
        if (next) sendGesture(next);
      }
    };
    session.current = new Session(props.token, take, async () => undefined, setConnected);
    view.pulling = true;
    view.onPull = (id, point, target) => {
      if (!target) {
        ++numbers.current.gesture;
        return;
      }
      const r = robotOfLink(id);
      if (r >= 0) {
        const link = links(r).findIndex((l) => l.id === id);
        sendGesture({type: 'drag', robot: r, link, point, target, base: now.current.base});
        return;
      }
      const T = [...log.poses.get(id)!];
      for (let i = 0; i < 3; ++i)
        T[9 + i] = target[i] - (T[3 * i] * point[0] + T[3 * i + 1] * point[1] + T[3 * i + 2] * point[2]);
      sendGesture({type: 'place', object: entities.filter((e) => e.kind === 'object').findIndex((e) => e.id === id), T});
    };
    // For tests: a message, and the answer to it.
    const ask = (m: Message) => new Promise<void>((done) => {
      answered.current.set(numbers.current.n + 1, done);
      send(m);
    });
    Object.assign(window, {pose: {send, ask, state: () => latest.current, last: () => numbers.current.n}});
  }, []);
  // What is chosen shows its contacts.
  useEffect(() => { if (latest.current) show(latest.current, latest.current.balance); }, [chosen, resources]);
  useEffect(() => { if (selected >= 0 && robotOfLink(selected) >= 0) setRobot(robotOfLink(selected)); }, [selected]);
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLInputElement && event.target.type !== 'range' && event.target.type !== 'checkbox') return;
      const undo = event.key === 'z' && !event.shiftKey, redo = event.key === 'y' || (event.key === 'Z' && event.shiftKey);
      if (undo || redo) send({type: undo ? 'undo' : 'redo'});
      else if (event.key === 'c' && !event.ctrlKey) pin();
      else if (event.key === 's' && !event.ctrlKey) send({type: 'solve', robot});
      else if (event.key === 'd' && !event.ctrlKey) unpin();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', key);
    return () => window.removeEventListener('keydown', key);
  });

  const link = links(robot).findIndex((l) => l.id === selected);
  view.onPoint = !picking ? null : (id, origin, direction, event) => {
    if (id < 0) return false;
    send({type: 'contact', robot, id, origin, direction, face: event.shiftKey, friction, ...(link >= 0 ? {link} : {}), ...held});
    return true;
  };
  const pin = (point?: number[]) => {
    if (link >= 0) send({type: 'pin', robot, link, ...(point ? {point} : {})});
    else setMessage('select a link first');
  };
  const unpin = () => {
    const goal = state?.goals.findIndex((g) => g.robot === robot && g.link === link) ?? -1;
    if (goal >= 0) send({type: 'unpin', goal});
  };
  const play = (at: number) => {
    if (!path || !state) return;
    setTime(at);
    let i = path.times.findIndex((t) => t > at);
    if (i < 0) i = path.times.length - 1;
    const a = Math.max(i - 1, 0), span = path.times[i] - path.times[a];
    const u = span > 0 ? Math.min((at - path.times[a]) / span, 1) : 1;
    const q = path.configurations[a].map((v, k) => v + u * (path.configurations[i][k] - v));
    log.setPose(state.q.map((own, r) => (r === robot && q.length === own.length ? q : own)), state.objects);
    props.onChange();
  };
  const shownPath = useRef(play);
  shownPath.current = play;
  useEffect(() => {
    // Of a long path, as many as can be told apart.
    const step = path ? Math.max(1, Math.ceil(path.configurations.length / kMostGhosts)) : 1;
    const fits = path?.configurations[0]?.length === links(robot).length;
    view.setGhosts(robot, path && fits ? path.configurations.filter((_, i) => i % step === 0) : []);
  }, [path]);
  useEffect(() => {
    if (!playing || !path) return;
    const first = path.times[0], span = path.times[path.times.length - 1] - first;
    let frame = 0, start = -1;
    const next = (now: number) => {
      if (start < 0) start = now - 1000 * (time - first);
      const passed = (now - start) / 1000 % (2 * span);
      shownPath.current(first + (passed <= span ? passed : 2 * span - passed));
      frame = requestAnimationFrame(next);
    };
    if (span > 0) frame = requestAnimationFrame(next);
    return () => cancelAnimationFrame(frame);
  }, [playing, path]);
  const item = resources[chosen];
  const edit = (type: string, more: object = {}) => send({type, resource: chosen, robot, ...more});
  const digits = (v: number) => v.toFixed(3).replace(/^-(0\.0*)$/, '$1');
  return (
    <div class="pose">
      <header>
        <button id="undo" disabled={!state?.undo} onClick={() => send({type: 'undo'})} title="z">undo</button>
        <button id="redo" disabled={!state?.redo} onClick={() => send({type: 'redo'})} title="y">redo</button>
        {robots.length > 1 &&
          <select aria-label="robot" value={String(robot)} onChange={(e) => setRobot(Number(e.currentTarget.value))}>
            {robots.map((r, i) => <option key={i} value={String(i)}>{r.name}</option>)}
          </select>}
        {robots[robot]?.floating &&
          <label><input id="base" type="checkbox" checked={base} onChange={(e) => setBase(e.currentTarget.checked)} /> base moves</label>}
      </header>
      {!connected && <p class="warning">The server has ended.</p>}
      <p id="message" class={state?.solved === false || state?.problem ? 'warning' : 'note'}>{message || '\u00a0'}</p>
      {state && state.collisions.length > 0 &&
        <p id="collisions" class="warning">{state.collisions.length} {state.collisions.length === 1 ? 'pair collides' : 'pairs collide'}: {state.collisions.slice(0, 3).map(([a, b]) => `${entities[a].name} and ${entities[b].name}`).join(', ')}</p>}
      {robots.length > 0 && <details open>
        <summary>Goals</summary>
        <button id="pin" onClick={() => pin()} title="c">hold the link's pose</button>
        <button id="pin-point" onClick={() => pin([0, 0, 0])}>hold its origin</button>
        <button onClick={() => send({type: 'solve', robot})} title="s">solve</button>
        <label title="where the robot stands, and what its motors bear, while it is posed"><input id="balance" type="checkbox" checked={watched} onChange={(e) => {
          now.current.watched = e.currentTarget.checked;
          setWatched(e.currentTarget.checked);
          // Without it, any answer shows the pose alone.
          send(e.currentTarget.checked ? {type: 'balance', robot, ...held} : {type: 'touch', distance: state?.touch ?? 0.005});
        }} /> balance</label>{' '}
        <label title="surfaces that are no farther apart touch: for balance, holds and stances">touch within <input id="touch" type="number" min="0" step="any"
          value={Number((1000 * (state?.touch ?? 0.005)).toFixed(6))}
          onChange={(e) => send({type: 'touch', distance: Number(e.currentTarget.value) / 1000})} /> mm</label>
        {state?.goals.map((g, i) => (
          <div class="row" key={i}>
            <span>{links(g.robot)[g.link]?.name}: {g.kind}</span>
            <button title="delete the goal (d)" onClick={() => send({type: 'unpin', goal: i})}>×</button>
          </div>))}
      </details>}
      <details open>
        <summary>Resources</summary>
        <div class="row">
          <select id="kind" aria-label="what to keep" value={kind} onChange={(e) => setKind(e.currentTarget.value)}>
            {kStored.map((k) => <option key={k}>{k}</option>)}
          </select>
          <button id="store" onClick={() => send({type: 'store', kind, robot, ...(link >= 0 ? {link} : {})})}>keep</button>
          <button id="save" onClick={() => send({type: 'save'})}>save all</button>
        </div>
        {robots.length > 0 && <div class="row">
          <label title="a click on a surface adds a contact to the chosen hold or stance, or to a new hold; with shift, the corners of the plane face"><input id="pick" type="checkbox"
            checked={picking} onChange={(e) => setPicking(e.currentTarget.checked)} /> pick contacts</label>{' '}
          <label>friction <input id="friction" type="number" min="0" step="any" value={friction}
            onChange={(e) => { setFriction(Number(e.currentTarget.value)); if (item?.holds) edit('friction', {value: Number(e.currentTarget.value)}); }} /></label>
        </div>}
        <div class="list">
          {resources.map((r, i) => (
            <div class={'row' + (i === chosen ? ' selected' : '')} key={i}>
              <span onClick={() => { setChosen(i); setMilestone(0); setPath(null); }}>{r.name}</span><small>{r.kind}{r.milestones !== undefined ? ` (${r.milestones})` : ''}</small>
            </div>))}
        </div>
        {item && <div class="details">
          <input aria-label="name" value={item.name} onChange={(e) => edit('rename', {name: e.currentTarget.value})} />
          <div>
            <button id="load" onClick={() => edit('load', item.editable ? {at: milestone} : {})}>pose by it</button>
            {kStored.includes(item.kind) && !item.editable && <button onClick={() => edit('store', {kind: item.kind, ...(link >= 0 ? {link} : {})})}>take the pose</button>}
            <button onClick={() => { now.current.bearing = {}; edit('erase'); setChosen(-1); }}>delete</button>
            {item.convertible.length > 0 &&
              <select aria-label="convert" value="" onChange={(e) => { if (e.currentTarget.value) edit('convert', {to: e.currentTarget.value}); e.currentTarget.value = ''; }}>
                <option value="">convert to ...</option>
                {item.convertible.map((k) => <option key={k}>{k}</option>)}
              </select>}
          </div>
          {item.holds && <div class="list contacts">
            {item.holds.flatMap((h, i) => h.contacts.map((c, k) => (
              <div class="row" key={`${i} ${k}`}>
                <span>{links(robot)[h.link]?.name}</span><small>{c.slice(0, 3).map(digits).join(', ')}</small>
                <button title="delete the contact" onClick={() => edit('contact_erase', {hold: i, contact: k})}>×</button>
              </div>)))}
          </div>}
          {(item.editable || item.kind === 'multipath' || item.kind === 'hermite_trajectory') &&
            <div><button id="show-path" onClick={() => edit('path')}>show the motion</button>
              <button id="check" onClick={() => edit('check')}>check</button>
              {item.kind !== 'hermite_trajectory' && <button id="optimize" title="the fastest motion within the limits of velocity and acceleration" onClick={() => edit('optimize')}>optimize</button>}
              {item.kind !== 'hermite_trajectory' && <button id="discretize" title="more milestones, on a smooth curve through these" onClick={() => edit('discretize')}>discretize</button>}</div>}
          {item.editable && <div>
            <div class="list">
              {item.times!.map((t, i) => (
                <div class={'row' + (i === milestone ? ' selected' : '')} key={i}>
                  <span onClick={() => { setMilestone(i); edit('load', {at: i}); }}>{i}</span><small>{digits(t)} s</small>
                  <button title="earlier" disabled={i === 0} onClick={() => edit('milestone', {action: 'move', at: i, to: i - 1})}>↑</button>
                  <button title="delete" onClick={() => edit('milestone', {action: 'delete', at: i})}>×</button>
                </div>))}
            </div>
            <button id="insert" onClick={() => { edit('milestone', {action: 'insert', at: milestone + 1}); setMilestone(milestone + 1); }}>insert the pose</button>
            <button id="replace" onClick={() => edit('milestone', {action: 'replace', at: milestone})}>replace by the pose</button>
            <button id="split" onClick={() => edit('split', {at: milestone})}>split here</button>
            <button id="reverse" onClick={() => edit('reverse')}>reverse</button>
            <button id="retime" onClick={() => edit('retime')}>retime</button>
          </div>}
        </div>}
        {path && path.times.length > 1 &&
          <div class="row"><button id="play-path" title="plays the motion forwards and backwards" onClick={() => setPlaying(!playing)}>{playing ? '❚❚' : '▶'}</button><input id="path-time" aria-label="time of the path" type="range" min={path.times[0]} max={path.times[path.times.length - 1]} step="any" value={time}
            onInput={(e) => { setPlaying(false); play(Number(e.currentTarget.value)); }} /><output>{digits(time)} s</output></div>}
      </details>
      {robots[robot] && <details open>
        <summary>Drivers</summary>
        {robots[robot].drivers.map((d, i) => {
          const value = state?.drivers[robot]?.[i] ?? 0, share = state?.balance?.torques.shares?.[i] ?? null;
          return (
            <label class={'driver' + (share === null ? '' : share > 1 ? ' overloaded' : ' loaded')} key={i} style={share === null ? '' : `--share: ${Math.min(share, 1)}`}
              title={share === null ? '' : `torque: ${percent(share)} of the limit`}><span title={d.name}>{d.name}</span>
              <input type="range" min={d.min ?? -Math.PI} max={d.max ?? Math.PI} step="any" value={value}
                onPointerDown={() => ++numbers.current.gesture}
                onInput={(e) => sendGesture({type: 'driver', robot, driver: i, value: Number(e.currentTarget.value)})} />
              <output>{digits(value)}</output></label>);
        })}
      </details>}
    </div>);
}
