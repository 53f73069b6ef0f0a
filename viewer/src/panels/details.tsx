// What is selected: where it is in each log, how it is turned, its joint, its mass, the forces on it.
import type {ComponentChildren} from 'preact';
import {useMemo} from 'preact/hooks';
import {type Curve, shortest} from '../data/curves';
import type {Log} from '../data/log';
import {isDark} from '../page/theme';
import type {Page} from '../page/use_page';
import {copyText} from '../ui/clipboard';
import {Button, Swatch, Tool} from '../ui/controls';
import {say} from '../ui/toasts';
import {BodyAppearance} from './scene/body_appearance';
import {lookOf} from './colors';
import {DEGREES, angleBetween, degrees, lengthText, meters, rollPitchYaw} from './readings';

interface Reading { numbers: string[]; copied: string }

/** A value with its name and unit, one row a log; a click copies it. */
function Value(props: {label: string; unit?: string; id?: string; readings: (Reading | null)[]; hint?: ComponentChildren; title?: string}) {
  const {label, unit = '', readings} = props;
  return (
    <div class={'value' + (readings.length > 1 ? ' several' : '')} role="group" aria-label={label} title={props.title}>
      <span class="what">{label}</span>
      {readings.map((reading, i) => (
        <>
          <span class="reading">
            {readings.length > 1 && <Swatch color={lookOf(i, isDark()).color} />}
            {reading ?
              <output id={i === 0 ? props.id : undefined} title="a click copies it" onClick={() => void copyText(reading.copied).then(() => say(`copied: ${label}`))}>
                {reading.numbers.map((text, k) => <>{k > 0 && ' '}<span key={k}>{text}</span></>)}</output> : '–'}
          </span>
          <span class="unit">{unit}</span>
        </>))}
      {props.hint && <small class="reading">{props.hint}</small>}
    </div>);
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

const reading = (values: ArrayLike<number>, text: (v: number) => string, exact: (v: number) => string = (v) => shortest(v)): Reading =>
  ({numbers: Array.from(values, text), copied: Array.from(values, exact).join(', ')});

/** Where links and objects are in each log, and how far from the first. */
function Places(props: {logs: Log[]; id: number}) {
  const {logs, id} = props, poses = logs.map((log) => log.poses.get(id)), first = poses[0];
  if (!first) return null;
  return (
    <>
      <Value label="position" unit="m" readings={poses.map((pose) => pose ? reading(pose.slice(9), meters) : null)} />
      <Value label="rotation" title="roll, pitch and yaw, about x, then y, then z of the world" unit="°" id="angles" readings={poses.map((pose) => pose ? reading(rollPitchYaw(pose).map((angle) => angle * DEGREES), degrees) : null)} />
      {poses.slice(1).map((pose, i) => {
        if (!pose) return null;
        const apart = Math.hypot(...[9, 10, 11].map((k) => pose[k] - first[k])), [text, unit] = lengthText(apart), turned = angleBetween(first, pose) * DEGREES;
        return <Value key={i} label={`${logs[0].name} to ${logs[i + 1].name}`} unit={unit} readings={[{numbers: [text], copied: shortest(apart)}]} hint={turned > 0.01 && `turned by ${degrees(turned)}°`} />;
      })}
    </>);
}

function Joint(props: {logs: Log[]; id: number}) {
  const {logs, id} = props, robot = logs[0].robots.find(({links}) => links.some((link) => link.id === id));
  const index = robot?.links.findIndex((link) => link.id === id) ?? -1, link = robot?.links[index];
  if (!robot || !link) return null;
  const turning = link.motion === 'revolute', text = (v: number | null | undefined) =>
    (v === null || v === undefined || Math.abs(v) > 1e6 ? '∞' : turning ? degrees(v * DEGREES) : meters(v));
  const [low, high] = link.limits ?? [], r = logs[0].robots.indexOf(robot);
  return (
    <Value label="joint" unit={turning ? '°' : 'm'} id="joint" hint={`${text(low).replace(/^∞/, '-∞')} … ${text(high)}`}
      readings={logs.map((log) => log.robots[r] ? reading([log.robots[r].q[index]], text, (v) => shortest(Math.fround(v))) : null)} />);
}

function Numbers(props: {page: Page; id: number}) {
  const {page: {logs, view, transport: {time}, kind}, id} = props, [log] = logs, entity = log.world.entities[id];
  const whole = log.world.robots.findIndex((r) => r.id === id), link = log.robots.flatMap(({links}) => links).find((l) => l.id === id);
  const mass = link ? link.mass : entity.mass;
  const forces = logs.map((_, i) => view.logs[i]?.forceOn(time, id) ?? [0, 0, 0]);
  return (
    <>
      {whole >= 0 && <Value label="configuration" id="configuration" hint={`${log.robots[whole].links.length} links`}
        readings={logs.map(({robots}) => robots[whole] ? {numbers: ['copy'], copied: configurationText(robots[whole].q)} : null)} />}
      <Joint logs={logs} id={id} />
      <Places logs={logs} id={id} />
      {mass !== undefined && <Value label="mass" unit="kg" readings={[{numbers: [String(Number(mass.toPrecision(5)))], copied: String(mass)}]} />}
      {whole < 0 && kind.moves && log.series.has('/mortise/contacts') && <Value label="contact force" unit="N" id="contact-force"
        readings={forces.map((force) => reading(force, (v) => v.toFixed(2).replace(/^-(0\.0*)$/, '$1'), (v) => shortest(Math.fround(v))))} />}
    </>);
}

export function Details(props: {page: Page}) {
  const {page} = props, {logs, scene, kind, choices} = page, [log] = logs, id = scene.selected, entity = log.world.entities[id];
  const plots = useMemo(() => (kind.moves && entity ? curvesFor(log, id, choices) : []), [id, choices, kind.moves]);
  if (!entity) {
    return page.panels.size === 'narrow' ? <section class="details" aria-label="details"><p class="empty">Nothing is selected: tap a body in the scene or in the tree.</p></section> : null;
  }
  // What is written is what is drawn at this time.
  for (const each of logs) each.show(page.transport.time);
  const placed = log.poses.has(id);
  return (
    <section class="details" aria-label="details">
      <header><b title={entity.name}>{entity.name || `#${id}`}</b> <small>{log.isOfOthers ? 'frame' : entity.kind} {entity.id}</small>
        <Tool icon="look" label="look at it" keys="f" onClick={() => scene.focus(id)} /></header>
      <Numbers page={page} id={id} />
      <div class="actions">
        {plots.length > 0 && <Button icon="plot" title="plots its coordinate or place, and the forces on it" onClick={() => page.plot(...plots)}>Plot</Button>}
        {placed && kind.moves && <Button icon="path" title="draws the path of its origin" onClick={scene.toggleTrail}>Path</Button>}
      </div>
      <BodyAppearance page={page} id={id} shaped={!log.isOfOthers} />
    </section>);
}
