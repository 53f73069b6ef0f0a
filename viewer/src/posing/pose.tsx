// Posing: joints, goals, resources and paths, which the server keeps and solves.
import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';
import type {HandleMode} from '../handles';
import type {Log} from '../log';
import {GoalList} from './pose_goals';
import {ResourceDetails} from './pose_resource';
import {type Balance, Gestures, type Hold, type Path, type PosedRobot, type Range, type Resource, type State, balanceText, digits, kStored, numbersFrom, percent} from './pose_state';
import type {View} from '../scene';
import {type Message, Session} from '../session';
import {Typed} from '../typed';

const kSelf = 0xb00000, kEnvironment = 0xb05000;
const kNormalLength = 0.05, kMostGhosts = 50;
/** Of a driver that is turned by the right button, for a pixel: rad or m, and no more than this share of its range. */
const kTurn = 0.02, kTurnShare = 0.01;

/** What handles in the scene move. */
type Handled = {kind: 'object' | 'base' | 'resource'; index: number; T: number[]; planar: boolean; pointOnly: boolean};

export function PosePanel(props: {token: string; log: Log; view: View; selected: number; onChange: () => void}) {
  const {log, view, selected} = props;
  const [state, setState] = useState<State | null>(null);
  const [robots, setRobots] = useState<PosedRobot[]>([]);
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
  const [handleMode, setHandleMode] = useState<HandleMode | 'off'>('move');
  const [leaveGoals, setLeaveGoals] = useState(false);
  const [following, setFollowing] = useState(false);
  const [flat, setFlat] = useState(1);
  const [byLink, setByLink] = useState(false);
  const [asNumbers, setAsNumbers] = useState(false);
  /** What was touched last: handles are where it is. */
  const [focus, setFocus] = useState<'scene' | 'resource'>('scene');
  const latest = useRef<State | null>(null);
  const answered = useRef(new Map<number, () => void>());
  const held = resources[chosen]?.holds ? {resource: chosen} : {};
  const bearing = resources[chosen]?.holds ? {held: chosen} : {};
  /** At the end of a drag of the robot: the milestone that it changes. */
  const follower = following && resources[chosen]?.editable ? {resource: chosen, at: milestone} : null;
  const now = useRef({base, robot, watched, bearing, leaveGoals, follower, robots, selected, marked: [] as Hold[]});
  now.current = {base, robot, watched, bearing, leaveGoals, follower, robots, selected, marked: resources[chosen]?.holds ?? []};
  const gestures = useRef(new Gestures((m) => session.current?.send(
      now.current.watched ? {robot: now.current.robot, ...now.current.bearing, ...m, balance: true} : m))).current;
  const send = (m: Message) => gestures.send(m);
  const endGesture = () => {
    const {follower, robot} = now.current;
    gestures.end(follower ? {type: 'milestone', action: 'replace', robot, ...follower} : undefined);
  };
  const entities = log.world.entities;
  const robotOfLink = (id: number) => log.robots.findIndex((r) => r.links.some((l) => l.id === id));
  const links = (r: number) => log.robots[r]?.links ?? [];

  const objectOf = (id: number) => entities.filter((e) => e.kind === 'object').findIndex((e) => e.id === id);
  const choose = (i: number) => {
    setChosen(i);
    setFocus('resource');
    setMilestone(0);
  };
  /** The driver of a link follows the mouse; of those that have none, the view does. */
  const turned = useRef({robot: 0, driver: -1, from: 0, perPixel: 0});
  const turn = (id: number, pixels?: number | null): boolean => {
    if (pixels === null) endGesture();
    const r = robotOfLink(id), model = now.current.robots[r];
    if (pixels === undefined) {
      const driver = model?.driver_of_link[links(r).findIndex((l) => l.id === id)] ?? -1;
      if (driver < 0) return false;
      const {min, max} = model.drivers[driver];
      turned.current = {robot: r, driver, from: latest.current?.drivers[r][driver] ?? 0, perPixel: Math.min(kTurn, kTurnShare * ((max ?? Infinity) - (min ?? -Infinity)))};
      gestures.end();
      return true;
    }
    const {robot, driver, from, perPixel} = turned.current;
    if (pixels !== null) gestures.move({type: 'driver', robot, driver, value: from + perPixel * pixels});
    return true;
  };

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
      if (s.added !== undefined) choose(s.added);
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
        setMessage(balanceText(s.balance, s.touch) + (s.solved === false ? `; off by ${s.residual?.toExponential(1)}${limits}` : ''));
      else if (s.solved === false) setMessage(`off by ${s.residual?.toExponential(1)}${limits}`);
      else setMessage('');
      document.body.dataset.ready = 'true';
      if (s.mesh) view.setMesh(s.mesh.points, s.mesh.triangles, now.current.selected);
      else if (s.resources) view.setMesh([], []);
      if (s.n !== undefined) gestures.answered();
    };
    session.current = new Session(props.token, take, async () => undefined, setConnected);
    view.pulling = true;
    view.onPull = (id, point, target) => {
      const r = robotOfLink(id);
      if (!target) {
        if (r >= 0) endGesture();
        else gestures.end();
        return;
      }
      if (r >= 0) {
        const link = links(r).findIndex((l) => l.id === id);
        gestures.move({type: 'drag', robot: r, link, point, target, base: now.current.base, ...(now.current.leaveGoals ? {hold: true} : {})});
        return;
      }
      const T = [...log.poses.get(id)!];
      for (let i = 0; i < 3; ++i)
        T[9 + i] = target[i] - (T[3 * i] * point[0] + T[3 * i + 1] * point[1] + T[3 * i + 2] * point[2]);
      gestures.move({type: 'place', object: objectOf(id), T});
    };
    view.onTurn = turn;
    view.onPass = (id) => view.mark(log.poses.has(id) ? id : -1);
    // For tests: a message, and the answer to it.
    const ask = (m: Message) => new Promise<void>((done) => {
      answered.current.set(gestures.count + 1, done);
      send(m);
    });
    Object.assign(window, {pose: {send, ask, state: () => latest.current, last: () => gestures.count}});
  }, []);
  // What is chosen shows its contacts.
  useEffect(() => { if (latest.current) show(latest.current, latest.current.balance); }, [chosen, resources]);
  useEffect(() => {
    setFocus('scene');
    if (selected >= 0 && robotOfLink(selected) >= 0) setRobot(robotOfLink(selected));
  }, [selected]);
  const handled = ((): Handled | null => {
    // Where surfaces are picked they would be in the way.
    if (!state || handleMode === 'off' || picking) return null;
    const item = resources[chosen];
    if (focus === 'resource' && item?.values && (item.kind === 'transform' || item.kind === 'vector3')) {
      const point = item.kind === 'vector3';
      return {kind: 'resource', index: chosen, T: point ? [1, 0, 0, 0, 1, 0, 0, 0, 1, ...item.values] : item.values, planar: false, pointOnly: point};
    }
    if (entities[selected]?.kind === 'object') return {kind: 'object', index: objectOf(selected), T: state.objects[objectOf(selected)], planar: false, pointOnly: false};
    // A robot, by its name in the tree or by its base.
    const r = log.world.robots.findIndex((robot, i) => selected === robot.id || selected === links(i)[robots[i]?.base_link]?.id), model = robots[r];
    const pose = log.poses.get(links(r)[model?.base_link ?? -1]?.id);
    if (!pose) return null;
    return {kind: 'base', index: r, T: [...pose], planar: model.base === 'planar', pointOnly: false};
  })();
  // With the picture of what they are at, not after it.
  useLayoutEffect(() => {
    view.handles.show(handled?.T ?? null, handled?.pointOnly || handleMode === 'off' ? 'move' : handleMode, handled?.planar);
    view.handles.onMove = !handled ? null : (T) => {
      if (!T) {
        if (handled.kind === 'base') endGesture();
        else gestures.end();
        // Where it really is: a base may not have followed.
        setState((old) => old && {...old});
      } else if (handled.kind === 'resource') {
        gestures.move({type: 'set', resource: handled.index, values: handled.pointOnly ? T.slice(9) : T});
      } else {
        gestures.move({type: 'place', T, ...(handled.kind === 'object' ? {object: handled.index} : {robot: handled.index})});
      }
    };
  }, [handleMode, handled?.kind, handled?.index, picking, state, resources]);
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLSelectElement) return;
      if (event.target instanceof HTMLInputElement && event.target.type !== 'range' && event.target.type !== 'checkbox') return;
      const undo = event.key === 'z' && !event.shiftKey, redo = event.key === 'y' || (event.key === 'Z' && event.shiftKey);
      if (undo || redo) send({type: undo ? 'undo' : 'redo'});
      else if (event.key === 'c' && !event.ctrlKey) pin();
      else if (event.key === 's' && !event.ctrlKey) send({type: 'solve', robot});
      else if (event.key === 'd' && !event.ctrlKey) unpin();
      else if (event.key === 'm' && !event.ctrlKey) setHandleMode(handleMode === 'off' ? 'move' : handleMode === 'move' ? 'turn' : 'off');
      else if (event.key === 'v' && !event.ctrlKey) keepView();
      else if (event.key === 'V' && !event.ctrlKey) takeView();
      else if (event.key === 'Delete' && item) erase();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', key);
    return () => window.removeEventListener('keydown', key);
  });

  const link = links(robot).findIndex((l) => l.id === selected);
  const picked = {robot, friction, ...(link >= 0 ? {link} : {}), ...held};
  view.onPoint = !picking ? null : (id, origin, direction, event) => {
    if (id < 0) return false;
    send({type: 'contact', id, origin, direction, face: event.shiftKey, ...picked});
    return true;
  };
  view.onPatch = !picking ? null : (id, origin, patch) => send({type: 'contact', id, origin, patch, ...picked});
  const item = resources[chosen];
  const edit = (type: string, more: object = {}) => send({type, resource: chosen, robot, ...more});
  const erase = () => {
    now.current.bearing = {};
    edit('erase');
    setChosen(-1);
  };
  const keepView = () => {
    localStorage.setItem(`mortise view of ${log.name}`, JSON.stringify(view.camera3d));
    setMessage('the view is kept: V goes back to it');
  };
  const takeView = () => {
    const kept = localStorage.getItem(`mortise view of ${log.name}`);
    if (kept) view.camera3d = JSON.parse(kept);
    else setMessage('no view is kept: v keeps this one');
  };
  /** What is selected, for what is kept of it. */
  const selection = {...(link >= 0 ? {link} : {}), ...(objectOf(selected) >= 0 ? {object: objectOf(selected)} : {}), ...(selected >= 0 ? {id: selected} : {})};
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
  useLayoutEffect(() => {
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
  const sliders: (Range & {name: string; value: number; index: number; share: number | null})[] = !robots[robot] ? [] : byLink ?
    links(robot).map((l, i) => ({...robots[robot].links[i], name: l.name, value: state?.q[robot]?.[i] ?? 0, index: i, share: null})).filter((l) => l.min === null || l.min !== l.max) :
    robots[robot].drivers.map((d, i) => ({...d, value: state?.drivers[robot]?.[i] ?? 0, index: i, share: state?.balance?.torques.shares?.[i] ?? null}));
  return (
    <div class="pose">
      <header>
        <button id="undo" disabled={!state?.undo} onClick={() => send({type: 'undo'})} title="z">undo</button>
        <button id="redo" disabled={!state?.redo} onClick={() => send({type: 'redo'})} title="y">redo</button>
        {robots.length > 1 &&
          <select aria-label="robot" value={String(robot)} onChange={(e) => setRobot(Number(e.currentTarget.value))}>
            {robots.map((r, i) => <option key={i} value={String(i)}>{r.name}</option>)}
          </select>}
        {robots[robot] && <button id="mirror" title="what the left does is done by the right" onClick={() => send({type: 'mirror', robot})}>mirror</button>}
        <label title="arrows and rings at what is selected: an object, a base that moves, a transform or point (m)">handles <select id="handles" value={handleMode}
          onChange={(e) => setHandleMode(e.currentTarget.value as HandleMode | 'off')}><option>off</option><option>move</option><option>turn</option></select></label>
      </header>
      <header>
        {robots.length > 0 && <label title="where a link is dragged to becomes a goal"><input id="leave" type="checkbox" checked={leaveGoals} onChange={(e) => setLeaveGoals(e.currentTarget.checked)} /> drags leave goals</label>}
        {(robots[robot]?.base_link ?? -1) >= 0 &&
          <label><input id="base" type="checkbox" checked={base} onChange={(e) => setBase(e.currentTarget.checked)} /> base moves</label>}
      </header>
      {!connected && <p class="warning">The server has ended.</p>}
      <p id="message" class={state?.solved === false || state?.problem ? 'warning' : 'note'}>{message || '\u00a0'}</p>
      {state && state.collisions.length > 0 &&
        <p id="collisions" class="warning">{state.collisions.length} {state.collisions.length === 1 ? 'pair collides' : 'pairs collide'}: {state.collisions.slice(0, 3).map(([a, b]) => `${entities[a].name} and ${entities[b].name}`).join(', ')}{state.collisions.length > 3 ? `, and ${state.collisions.length - 3} more` : ''}</p>}
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
        <label title="surfaces that are no farther apart touch: for balance, holds and stances">touch within <Typed id="touch" type="number" min="0" step="any"
          value={Number((1000 * (state?.touch ?? 0.005)).toFixed(6))}
          onSet={(text) => send({type: 'touch', distance: Number(text) / 1000})} /> mm</label>
        {state && <GoalList goals={state.goals} links={links} send={send} />}
      </details>}
      <details open>
        <summary>Resources</summary>
        <div class="row">
          <select id="kind" aria-label="what to keep" value={kind} onChange={(e) => setKind(e.currentTarget.value)}>
            {kStored.map((k) => <option key={k}>{k}</option>)}
          </select>
          <button id="store" onClick={() => send({type: 'store', kind, robot, ...selection})}>keep</button>
          <button id="save" onClick={() => send({type: 'save'})}>save all</button>
        </div>
        {robots.length > 0 && <div class="row">
          <label title="a click on a surface adds a contact to the chosen hold or stance, or to a new hold; with shift, the corners of the plane face; a rectangle that is dragged over a surface, the corners of that patch"><input id="pick" type="checkbox"
            checked={picking} onChange={(e) => setPicking(e.currentTarget.checked)} /> pick contacts</label>{' '}
          <label>friction <Typed id="friction" type="number" min="0" step="any" value={friction}
            onSet={(text) => { setFriction(Number(text)); if (item?.holds) edit('friction', {value: Number(text)}); }} /></label>
        </div>}
        {robots.length > 0 && <div title="a stance on flat ground at the robot's lowest point: the corners of what of each link is so near">
          <button id="flat" onClick={() => send({type: 'store', kind: 'stance', robot, flat: flat / 1000, friction})}>stand on flat ground</button>{' '}
          <label>within <Typed type="number" min="0" step="any" value={flat} onSet={(text) => setFlat(Number(text))} /> mm</label>
        </div>}
        <div class="list">
          {resources.map((r, i) => (
            <div class={'row' + (i === chosen ? ' selected' : '')} key={i}>
              <span onClick={() => { choose(i); setPath(null); }}>{r.name}</span><small>{r.kind}{r.milestones !== undefined ? ` (${r.milestones})` : ''}</small>
            </div>))}
        </div>
        {item && <ResourceDetails item={item} robot={robots[robot]} links={links(robot)} link={link} chosen={selection} milestone={milestone} setMilestone={setMilestone}
          following={following} setFollowing={setFollowing} edit={edit} gesture={(type, more) => gestures.move({type, resource: chosen, robot, ...more})}
          beginGesture={() => gestures.end()} erase={erase} />}
        {item?.kind === 'transform' && objectOf(selected) >= 0 &&
          <button id="put" onClick={() => send({type: 'place', object: objectOf(selected), T: item.values})}>put {entities[selected].name} there</button>}
        {path && path.times.length > 1 &&
          <div class="row"><button id="play-path" title="plays the motion forwards and backwards" onClick={() => setPlaying(!playing)}>{playing ? '❚❚' : '▶'}</button><input id="path-time" aria-label="time of the path" type="range" min={path.times[0]} max={path.times[path.times.length - 1]} step="any" value={time}
            onInput={(e) => { setPlaying(false); play(Number(e.currentTarget.value)); }} /><output>{digits(time)} s</output></div>}
      </details>
      {robots[robot] && <details open>
        <summary>{byLink ? 'Links' : 'Drivers'}</summary>
        <label><input id="by-link" type="checkbox" checked={byLink} onChange={(e) => setByLink(e.currentTarget.checked)} /> link by link</label>
        {sliders.map(({name, min, max, value, index, share}) => (
          <label class={'driver' + (share === null ? '' : share > 1 ? ' overloaded' : ' loaded')} key={`${byLink} ${index}`} style={share === null ? '' : `--share: ${Math.min(share, 1)}`}
            title={share === null ? '' : `torque: ${percent(share)} of the limit`}><span title={name}>{name}</span>
            <input type="range" min={min ?? -Math.PI} max={max ?? Math.PI} step="any" value={value}
              onPointerDown={() => gestures.end()} onPointerUp={() => { if (now.current.follower) endGesture(); }}
              onInput={(e) => gestures.move({type: byLink ? 'link' : 'driver', robot, [byLink ? 'link' : 'driver']: index, value: Number(e.currentTarget.value)})} />
            <output>{digits(value)}</output></label>))}
        <details open={asNumbers} onToggle={(e) => setAsNumbers(e.currentTarget.open)}>
          <summary id="as-numbers">as numbers</summary>
          {asNumbers && <Typed id="configuration" class="numbers" aria-label="configuration" title="the configuration, one number a link: to copy, or to type another one" rows={3}
          value={(state?.q[robot] ?? []).map((v) => Number(v.toPrecision(12))).join(' ')} onSet={(text) => {
            const q = numbersFrom(text, links(robot).length);
            if (q) send({type: 'configuration', robot, q});
            else setMessage('a configuration is one number a link');
          }} />}
        </details>
      </details>}
    </div>);
}
