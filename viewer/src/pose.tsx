// Posing: joints, goals, resources and paths, which the server keeps and solves.
import {useEffect, useRef, useState} from 'preact/hooks';
import type {Log} from './log';
import type {View} from './scene';
import {type Message, Session} from './session';

interface Driver { name: string; min: number | null; max: number | null }
interface Goal { robot: number; link: number; kind: string; at: number[]; target: number[] }
interface Resource { name: string; kind: string; editable: boolean; milestones?: number; times?: number[]; convertible: string[] }
interface Balance { balanced: boolean; bounded: boolean; margin: number | null; polygon: number[][]; com: number[]; points: number[][] }
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
  const session = useRef<Session | null>(null);
  const numbers = useRef({n: 0, gesture: 0, waiting: false, next: null as Message | null});
  const latest = useRef<State | null>(null);
  const answered = useRef(new Map<number, () => void>());
  const now = useRef({base, robot});
  now.current = {base, robot};

  const send = (m: Message) => session.current?.send({...m, n: ++numbers.current.n});
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
    view.setMarks([...s.goals.map((g) => g.target), ...(balance?.points ?? []), ...(balance ? [balance.com] : [])], lines);
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
      setTime(0);
      const limits = s.limits.length > 0 ? `; at a limit: ${s.limits.map((id) => entities[id].name).slice(0, 3).join(', ')}` : '';
      if (s.problem) setMessage(s.problem.replace(/^error: /, ''));
      else if (s.text) setMessage(s.text);
      else if (s.faults) setMessage(s.faults.length === 0 ? 'the path is free' : s.faults.slice(0, 5).join('; '));
      else if (s.balance)
        setMessage(s.balance.points.length === 0 ? 'nothing is within ' + Number((1000 * s.touch).toFixed(3)) + ' mm of the robot: it stands nowhere' : !s.balance.balanced ? 'not balanced' : s.balance.bounded ? `balanced, ${(1000 * (s.balance.margin ?? 0)).toFixed(1)} mm inside` :
          'balanced, wherever the center of mass is');
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
        <button id="balance" onClick={() => send({type: 'balance', robot})}>balance</button>
        <label title="surfaces that are no farther apart touch: for balance, holds and stances">touch within <input id="touch" type="number" min="0" step="any"
          value={Number((1000 * (state?.touch ?? 0.005)).toFixed(6))}
          onChange={(e) => { send({type: 'touch', distance: Number(e.currentTarget.value) / 1000}); send({type: 'balance', robot}); }} /> mm</label>
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
            <button onClick={() => { edit('erase'); setChosen(-1); }}>delete</button>
            {item.convertible.length > 0 &&
              <select aria-label="convert" value="" onChange={(e) => { if (e.currentTarget.value) edit('convert', {to: e.currentTarget.value}); e.currentTarget.value = ''; }}>
                <option value="">convert to ...</option>
                {item.convertible.map((k) => <option key={k}>{k}</option>)}
              </select>}
          </div>
          {(item.editable || item.kind === 'multipath' || item.kind === 'hermite_trajectory') &&
            <div><button id="show-path" onClick={() => edit('path')}>show the motion</button>
              <button id="check" onClick={() => edit('check')}>check</button></div>}
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
          <div class="row"><input id="path-time" aria-label="time of the path" type="range" min={path.times[0]} max={path.times[path.times.length - 1]} step="any" value={time}
            onInput={(e) => play(Number(e.currentTarget.value))} /><output>{digits(time)} s</output></div>}
      </details>
      {robots[robot] && <details open>
        <summary>Drivers</summary>
        {robots[robot].drivers.map((d, i) => {
          const value = state?.drivers[robot]?.[i] ?? 0;
          return (
            <label class="driver" key={i}><span title={d.name}>{d.name}</span>
              <input type="range" min={d.min ?? -Math.PI} max={d.max ?? Math.PI} step="any" value={value}
                onPointerDown={() => ++numbers.current.gesture}
                onInput={(e) => sendGesture({type: 'driver', robot, driver: i, value: Number(e.currentTarget.value)})} />
              <output>{digits(value)}</output></label>);
        })}
      </details>}
    </div>);
}
