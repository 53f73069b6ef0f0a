// The controls of a program that shows something in the page.
import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';
import type {ProgramClient} from '../../data/program_client';
import type {Controls, ProgramControl, ProgramRequest} from '../../data/protocol';
import type {HandleMode} from '../../scene/marks/handles';
import {ProgramDrawer} from '../../scene/program/program_drawer';
import type {View} from '../../scene/view';

type Send = (request: ProgramRequest) => void;
interface ControlProps { control: ProgramControl; send: Send }

/** What is shown of a value: the program's, but what people are just setting is not taken from under their hands. */
function useValue<T>(given: T) {
  const [value, setValue] = useState(given), busy = useRef(false);
  useEffect(() => { if (!busy.current) setValue(given); }, [given]);
  const release = () => {
    busy.current = false;
  };
  return {value, set: (next: T) => {
    busy.current = true;
    setValue(next);
  }, release};
}

/** So many digits that neighboring values of a slider differ. */
const digitsOf = ({min = 0, max = 1, step}: ProgramControl): number =>
  Math.min(Math.max(Math.ceil(-Math.log10(step ?? (max - min || 1) / 200)), 0), 6);

function Slider({control, send}: ControlProps) {
  const {id, label, enabled, min = 0, max = 1, step} = control, {value, set, release} = useValue(control.number ?? 0);
  const take = (text: string) => {
    const number = Math.min(Math.max(Number(text), min), max);
    if (!Number.isFinite(number)) return;
    set(number);
    send({type: 'control', id, number});
  };
  const changed = (event: Event) => take((event.currentTarget as HTMLInputElement).value);
  return (
    <label class="program-control"><span>{label}</span>
      <input type="range" min={min} max={max} step={step ?? 'any'} value={value} disabled={!enabled} aria-label={label} onInput={changed} onChange={release} onBlur={release} />
      <output>{value.toFixed(digitsOf(control))}</output>
    </label>);
}

function Typed({control, send}: ControlProps) {
  const {id, label, enabled, kind} = control, isNumber = kind === 'number';
  const {value, set, release} = useValue(isNumber ? String(control.number ?? 0) : control.text ?? '');
  const commit = (event: Event) => {
    const {value: text} = event.currentTarget as HTMLInputElement;
    release();
    if (!isNumber) return send({type: 'control', id, text});
    if (text !== '' && Number.isFinite(Number(text))) send({type: 'control', id, number: Number(text)});
  };
  return (
    <label class="program-control"><span>{label}</span>
      <input class="field" type={isNumber ? 'number' : 'text'} value={value} min={control.min} max={control.max} step={control.step ?? 'any'} disabled={!enabled} aria-label={label}
        onInput={(event) => set(event.currentTarget.value)} onChange={commit} onBlur={release} />
    </label>);
}

function Control(props: ControlProps) {
  const {control, send} = props, {id, kind, label, enabled} = control;
  switch (kind) {
    case 'slider': return <Slider {...props} />;
    case 'number':
    case 'text': return <Typed {...props} />;
    case 'button': return <button class="button program-button" disabled={!enabled} onClick={() => send({type: 'control', id})}>{label}</button>;
    case 'checkbox': return (
      <label class="program-control check"><input type="checkbox" checked={control.checked} disabled={!enabled}
        onChange={(event) => send({type: 'control', id, checked: event.currentTarget.checked})} /><span>{label}</span></label>);
    case 'select': return (
      <label class="program-control"><span>{label}</span>
        <select value={control.text} disabled={!enabled} aria-label={label} onChange={(event) => send({type: 'control', id, text: event.currentTarget.value})}>
          {(control.options ?? []).map((option) => <option key={option} value={option}>{option}</option>)}
        </select></label>);
    case 'label': return <p class="program-label">{label && <b>{label} </b>}{control.text}</p>;
  }
}

/** Controls under the names of their groups, in the order in which groups and controls came. */
function groupsOf(controls: ProgramControl[]): Map<string, ProgramControl[]> {
  const groups = new Map<string, ProgramControl[]>();
  for (const control of controls) groups.set(control.group, [...(groups.get(control.group) ?? []), control]);
  return groups;
}

/** Which drawing has handles, and which. */
function Handles(props: {names: string[]; drawer: ProgramDrawer}) {
  const [at, setAt] = useState<{name: string; mode: HandleMode} | null>(null), {names, drawer} = props;
  const first = names[0];
  useEffect(() => {
    // The first that can be dragged has handles at once.
    if (at === null || !names.includes(at.name)) setAt(first === undefined ? null : {name: first, mode: 'move'});
  }, [names.join('\n')]);
  useEffect(() => drawer.drag(at?.name ?? null, at?.mode), [at]);
  return (
    <fieldset class="program-group"><legend>Drag</legend>
      {names.map((name) => (
        <div class="program-control" key={name}><span>{name}</span>
          {(drawer.scene.get(name)?.drag === 'pose' ? ['move', 'turn'] as const : ['move'] as const).map((mode) => (
            <button key={mode} type="button" class="button" aria-pressed={at?.name === name && at.mode === mode} aria-label={`${mode} ${name}`} onClick={() => setAt({name, mode})}>{mode}</button>))}
        </div>))}
    </fieldset>);
}

/** `ready`: the world that the view shows is there. */
export function ProgramPanel({program, view, ready}: {program: ProgramClient; view: View; ready: boolean}) {
  const [{title, controls}, setControls] = useState<Controls>({type: 'controls', title: '', controls: []});
  const [draggable, setDraggable] = useState<string[]>([]);
  const drawer = useRef<ProgramDrawer | null>(null);
  useLayoutEffect(() => {
    const made = new ProgramDrawer(program, view, (names) => setDraggable((old) => (old.join('\n') === names.join('\n') ? old : names)));
    const stop = program.events.on('controls', setControls);
    drawer.current = made;
    return () => {
      stop();
      made.end();
    };
  }, []);
  useEffect(() => { if (ready) drawer.current?.begin(); }, [ready]);
  if (controls.length === 0 && draggable.length === 0) return null;
  return (
    <details class="program" open>
      <summary>{title || 'Controls'}</summary>
      {[...groupsOf(controls)].map(([group, members]) => {
        const rows = members.map((control) => <div key={control.id} title={control.hint}><Control control={control} send={program.send} /></div>);
        return group === '' ? <div key="">{rows}</div> : <fieldset class="program-group" key={group}><legend>{group}</legend>{rows}</fieldset>;
      })}
      {draggable.length > 0 && drawer.current && <Handles names={draggable} drawer={drawer.current} />}
    </details>);
}
