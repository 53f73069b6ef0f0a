// Edits of the world while it is simulated: of what is selected, and of objects that come and go.
import {useState} from 'preact/hooks';
import type {LiveClient} from '../../data/live_client';
import type {Log} from '../../data/log';
import type {CommandedRobot, EditableBody} from '../../data/protocol';
import type {View} from '../../scene/view';
import {Button, Check} from '../../ui/controls';
import {Typed} from '../../ui/typed';
import {rollPitchYaw} from '../readings';
import {numbersFrom} from './arguments';
import {useHandles} from './use_handles';

type Edit = (edit: Record<string, unknown>) => void;

function Row(props: {label: string; unit: string; value: string | number; of: string; onSet: (text: string) => void}) {
  const {label, unit, value, of, onSet} = props;
  return (
    <div class="control-row"><span class="name">{label}</span>
      <Typed class="field" inputMode="decimal" aria-label={`${of}: ${label}`} value={value} onSet={onSet} /><span class="unit">{unit}</span></div>);
}

const short = (value: number) => String(Number(value.toPrecision(6)));

const AT_REST = {velocity: [0, 0, 0], angular_velocity: [0, 0, 0]};

function BodyEdits(props: {body: EditableBody; pose: ArrayLike<number> | undefined; view: View; edit: Edit}) {
  const {body: {name, kind, mass, friction}, pose, view, edit} = props, [handles, setHandles] = useState(false);
  const put = (T: number[], done: boolean) => { if (done) edit({body: name, position: T.slice(9, 12), rotation: rollPitchYaw(T), ...AT_REST}); };
  useHandles(view, `edit ${name}`, handles && kind === 'object' && pose ? {T: pose, onMove: put} : null);
  const number = (key: string) => (text: string) => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isFinite(value)) edit({body: name, [key]: value});
  };
  const place = (text: string) => {
    const position = numbersFrom(text, 3);
    if (position) edit({body: name, position, ...AT_REST});
  };
  return (
    <>
      {mass !== undefined && <Row of={name} label="mass" unit="kg" value={short(mass)} onSet={number('mass')} />}
      {friction !== undefined && <Row of={name} label="friction" unit="" value={short(friction)} onSet={number('friction')} />}
      {kind === 'object' && pose && <Row of={name} label="position" unit="m" value={[9, 10, 11].map((i) => short(pose[i])).join(' ')} onSet={place} />}
      {kind === 'object' && <Check id="edit-handles" checked={handles} onChange={setHandles}>put it elsewhere by handles</Check>}
      {kind === 'object' && <div class="actions"><Button onClick={() => edit({remove: name})}>Remove {name}</Button></div>}
    </>);
}

function Gains(props: {robot: CommandedRobot; edit: Edit}) {
  const {robot: {name, drivers}, edit} = props;
  const set = (driver: number, key: string) => (text: string) => {
    const value = Number(text);
    if (text.trim() !== '' && value >= 0) edit({body: name, driver, [key]: value});
  };
  return (
    <details class="group"><summary>gains of {name}<small>{drivers.length}</small></summary>
      {drivers.map(({name: of, number, servo_p, servo_i, servo_d}) => (
        <div class="control-gains" key={of}><span class="name" title={of}>{of}</span>
          {([['servo_p', servo_p], ['servo_i', servo_i], ['servo_d', servo_d]] as const).map(([key, value]) => (
            <Typed key={key} class="field" inputMode="decimal" aria-label={`${of}: ${key}`} title={key} value={short(value)} onSet={set(number, key)} />))}
        </div>))}
    </details>);
}

/** Shapes of objects that come, and what their sizes are. */
const SHAPES = {box: {count: 3, hint: 'edges'}, sphere: {count: 1, hint: 'radius'}, cylinder: {count: 2, hint: 'radius, height'}} as const;
type Shape = keyof typeof SHAPES;

function Added(props: {names: Set<string>; edit: Edit}) {
  const {names, edit} = props;
  const [shape, setShape] = useState<Shape>('box'), [size, setSize] = useState('0.1 0.1 0.1'), [mass, setMass] = useState('1'), [at, setAt] = useState('0 0 1');
  const add = () => {
    const {count} = SHAPES[shape], sizes = numbersFrom(size, count), position = numbersFrom(at, 3);
    if (!sizes || !position || !(Number(mass) > 0)) return;
    let name = shape as string;
    for (let n = 2; names.has(name); ++n) name = `${shape} ${n}`;
    edit({add: name, [shape]: count === 1 ? sizes[0] : sizes, mass: Number(mass), position});
  };
  const field = (label: string, unit: string, value: string, set: (text: string) => void) => (
    <div class="control-row"><span class="name">{label}</span>
      <input class="field" aria-label={`new object: ${label}`} value={value} onInput={(e) => set(e.currentTarget.value)} /><span class="unit">{unit}</span></div>);
  return (
    <details class="group"><summary>add an object</summary>
      <div class="control-row"><span class="name">shape</span>
        <select aria-label="new object: shape" value={shape} onChange={(e) => {
          const next = e.currentTarget.value as Shape;
          setShape(next);
          setSize(Array<string>(SHAPES[next].count).fill('0.1').join(' '));
        }}>{Object.keys(SHAPES).map((name) => <option key={name} value={name}>{name}</option>)}</select></div>
      {field(SHAPES[shape].hint, 'm', size, setSize)}
      {field('mass', 'kg', mass, setMass)}
      {field('position', 'm', at, setAt)}
      <div class="actions"><Button id="add-object" onClick={add}>Add</Button></div>
    </details>);
}

/** `selected`: the id of what is selected. */
export function Edits(props: {client: LiveClient; log: Log; view: View; selected: number}) {
  const {client, log, view, selected} = props, {robots, bodies} = client.controllers!;
  const edit: Edit = (what) => client.command({edit: what}), body = bodies[selected];
  return (
    <details class="control" open>
      <summary>Edit</summary>
      {body ? <><p class="control-title"><b>{body.name}</b> <small>{body.kind}</small></p><BodyEdits key={body.name} body={body} pose={log.poses.get(selected)} view={view} edit={edit} /></>
        : <p class="empty">Select a body to change its mass, its friction or its place.</p>}
      {robots.filter(({drivers}) => drivers.length > 0).map((robot) => <Gains key={robot.name} robot={robot} edit={edit} />)}
      <Added names={new Set(bodies.map(({name}) => name))} edit={edit} />
    </details>);
}
