// What is selected: where it is, how it is turned, its joint, its mass, the forces on it.
import type {ComponentChildren} from 'preact';
import {useMemo, useState} from 'preact/hooks';
import type {Log} from '../data/log';
import type {Pose} from '../data/kinematics';
import {type Curve, shortest} from '../data/curves';
import type {View} from '../scene/view';

const DEGREES = 180 / Math.PI;

const fixed = (digits: number) => (v: number) => v.toFixed(digits).replace(/^-(0\.0*)$/, '$1');
const meters = fixed(4), degrees = fixed(2);

/** Angles about x, then y, then z of the world: R = Rz(yaw) Ry(pitch) Rx(roll). */
export function rollPitchYaw(R: ArrayLike<number>): number[] {
  const pitch = Math.asin(Math.min(Math.max(-R[6], -1), 1));
  // Looking straight up or down, only one of the others counts.
  if (Math.abs(R[6]) > 1 - 1e-9) return [0, pitch, Math.atan2(-R[1], R[4])];
  return [Math.atan2(R[7], R[8]), pitch, Math.atan2(R[3], R[0])];
}

/** Into the clipboard, also where pages may not write to it by themselves. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
}

/** A value with its name; a click copies `copied`. */
function Value(props: {label: string; copied: string; id?: string; children: ComponentChildren}) {
  const [done, setDone] = useState(false);
  const copy = () => void copyText(props.copied).then(() => {
    setDone(true);
    setTimeout(() => setDone(false), 800);
  });
  return (
    <div class="value">{props.label} <output id={props.id} title="a click copies it" onClick={copy}>{done ? 'copied' : props.children}</output></div>);
}

/** Coordinates of a robot, as `--config` takes them. */
const configurationText = (q: ArrayLike<number>) => Array.from(q, (v) => shortest(Math.fround(v))).join(',');

/** Columns of plots that show what is selected: its coordinate or its place, and the forces on it. */
function curvesFor(log: Log, id: number, choices: Curve[]): Curve[] {
  const entity = log.world.entities[id];
  const robot = log.world.robots.find(({links}) => links.some((link) => link.id === id));
  const link = robot?.links.find((l) => l.id === id);
  const wanted = link ? [`${robot!.name}/${link.name}`] : ['x', 'y', 'z'].map((axis) => `${entity.name}.${axis}`);
  return choices.filter(({topic, column}) =>
    (topic === '/mortise/state' && (wanted.includes(column) || wanted.some((name) => column.endsWith(`/${name}`)))) ||
    (topic === '/mortise/torques' && link !== undefined && (column === link.name || column === `${robot!.name}/${link.name}`)) ||
    (topic === log.forces.topic && column === log.forces.columnOf(id, 3)));
}

function placeOf(pose: Pose) {
  const position = [pose[9], pose[10], pose[11]], angles = rollPitchYaw(pose).map((angle) => angle * DEGREES);
  return (
    <>
      <Value label="position, m" copied={position.map((v) => shortest(v)).join(', ')}>{position.map(meters).join(', ')}</Value>
      <Value label="roll, pitch, yaw, deg" copied={angles.map((v) => shortest(v)).join(', ')} id="angles">{angles.map(degrees).join(', ')}</Value>
    </>);
}

export function Details(props: {
  log: Log; view: View | null; id: number; time: number; choices: Curve[]; still: boolean;
  onPlot: ((curves: Curve[]) => void) | null; onTrail: () => void;
}) {
  const {log, id} = props;
  const entity = log.world.entities[id];
  const plots = useMemo(() => (props.onPlot && entity ? curvesFor(log, id, props.choices) : []), [id, props.choices, props.onPlot === null]);
  if (!entity) return null;
  const pose = log.poses.get(id);
  const force = props.view?.logs[0]?.forceOn(props.time, id) ?? [0, 0, 0];
  const robot = log.robots.find(({links}) => links.some((link) => link.id === id));
  const index = robot ? robot.links.findIndex((link) => link.id === id) : -1, link = robot?.links[index];
  const whole = log.world.robots.findIndex((r) => r.id === id);
  const mass = link ? link.mass : entity.mass;
  const joint = () => {
    const q = robot!.q[index], turning = link!.motion === 'revolute';
    const text = (v: number | null | undefined) => (v === null || v === undefined || Math.abs(v) > 1e6 ? '∞' : turning ? `${degrees(v * DEGREES)}°` : meters(v));
    const [low, high] = link!.limits ?? [];
    return (
      <Value label={turning ? 'joint' : 'joint, m'} copied={shortest(Math.fround(q))} id="joint">
        {text(q)} <small>{text(low).replace(/^∞/, '-∞')} … {text(high)}</small>
      </Value>);
  };
  return (
    <section class="details">
      <b>{entity.name}</b> <small>{entity.kind} {entity.id}</small>
      {whole >= 0 && <Value label={`configuration, ${log.robots[whole].links.length} links`} copied={configurationText(log.robots[whole].q)} id="configuration">copy</Value>}
      {link && joint()}
      {pose && placeOf(pose)}
      {mass !== undefined && <Value label="mass, kg" copied={String(mass)}>{Number(mass.toPrecision(5))}</Value>}
      {log.series.has('/mortise/contacts') && log.state.times.length > 1 && whole < 0 &&
        <Value label="contact force, N" copied={force.map((v) => shortest(Math.fround(v))).join(', ')} id="contact-force">{force.map(meters).join(', ')}</Value>}
      {whole < 0 && <button onClick={() => props.view?.fit()}>look at it</button>}
      {pose && !props.still && <button onClick={props.onTrail}>its path</button>}
      {plots.length > 0 && <button onClick={() => props.onPlot!(plots)}>plot it</button>}
    </section>);
}
