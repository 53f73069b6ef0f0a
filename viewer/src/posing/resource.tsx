// The resource that is chosen, and what can be done with it.
import {useState} from 'preact/hooks';
import {KEPT_KINDS, type ListedResource, RESOLUTION} from '../data/protocol';
import {Button, Check, Tool} from '../ui/controls';
import {Range} from '../ui/range';
import {Typed} from '../ui/typed';
import type {Posing, ResourceEdit} from './posing';
import {digits, numbersFrom, oneOf} from './pose_state';

interface Edits { posing: Posing; item: ListedResource }

/** Kinds that a robot can be posed by. */
const POSES: readonly string[] = KEPT_KINDS.filter((kind) => kind !== 'transform' && kind !== 'vector3' && kind !== 'geometry');

function Contacts({posing, item}: Edits) {
  const [distance, setDistance] = useState(10), [normal, setNormal] = useState(0.01);
  const links = posing.links(posing.panel.robot);
  return (
    <>
      <div class="list contacts">
        {item.holds?.flatMap((h, i) => h.contacts.map((c, k) => (
          <div class="row" key={`${i} ${k}`}>
            <span>{links[h.link]?.name}</span><small title={`normal ${c.slice(3, 6).map(digits).join(', ')}, friction ${c[6]}`}>{c.slice(0, 3).map(digits).join(', ')} m</small>
            <Tool class="small" icon="close" label="delete the contact" onClick={() => posing.edit({type: 'contact_erase', hold: i, contact: k})} />
          </div>)))}
      </div>
      <div class="line" title="contacts in one place become one, and of those in a plane the corners stay">
        <Button id="clean" onClick={() => posing.edit({type: 'clean', distance: distance / 1000, normal})}>clean</Button>
        <label>within <Typed class="field" type="number" min="0" step="any" value={distance} onSet={(text) => setDistance(Number(text))} /> mm</label>
        <label>normals <Typed class="field" type="number" min="0" step="any" value={normal} onSet={(text) => setNormal(Number(text))} /></label>
      </div>
    </>);
}

function Fingers({posing, item}: Edits) {
  const {panel, model, link} = posing, links = posing.links(panel.robot);
  return (
    <>
      {item.fingers?.map(([finger, value]) => {
        const name = links[finger]?.name;
        return (
          <div class="driver finger" key={finger}><span class="name" title={name}>{name}</span>
            <Range label={name} min={model?.links[finger]?.min ?? -Math.PI} max={model?.links[finger]?.max ?? Math.PI} value={value}
              onDown={() => posing.client.gestures.end()} onInput={(v) => posing.slide({type: 'finger', resource: panel.chosen, link: finger, value: v})} />
            <output>{digits(value)}</output><Tool class="small" icon="close" label={`no longer keep ${name}`} onClick={() => posing.edit({type: 'finger', link: finger, erase: true})} /></div>);
      })}
      <Button id="fingers" title="the grasp keeps all links below the selected one, or below those that it holds, where they are"
        onClick={() => posing.edit({type: 'fingers', ...(link >= 0 ? {link} : {})})}>take the fingers</Button>
    </>);
}

function Shape({posing}: Edits) {
  const [cell, setCell] = useState(''), size = Number(cell);
  return (
    <div class="line">
      <Button id="show-mesh" onClick={() => posing.edit({type: 'mesh'})}>show the shape</Button>
      <Button id="simplify" title="all corners within a cell of this size become one" onClick={() => posing.edit({type: 'simplify', ...(size > 0 ? {cell: size / 1000} : {})})}>simplify</Button>
      <label>cells of <Typed class="field" type="number" min="0" step="any" value={cell} placeholder="auto" onSet={setCell} /> mm</label>
    </div>);
}

function Numbers(props: {posing: Posing; values: number[]}) {
  const {posing, values} = props, text = values.map((v) => Number(v.toPrecision(12))).join(' ');
  return (
    <Typed class="numbers" aria-label="numbers" rows={Math.min(4, Math.ceil(text.length / 40))} value={text} onSet={(typed) => {
      const numbers = numbersFrom(typed, values.length);
      if (numbers) posing.edit({type: 'set', values: numbers});
    }} />);
}

function MilestoneList(props: {posing: Posing; times: number[]}) {
  const {posing, times} = props, {milestone} = posing.panel, last = times.length - 1;
  const move = (from: number, to: number) => {
    posing.edit({type: 'milestone', action: 'move', at: from, to});
    if (from === milestone) posing.change({milestone: to});
  };
  const load = (at: number) => {
    posing.change({milestone: at});
    posing.edit({type: 'load', at});
  };
  return (
    <div class="list">
      {times.map((t, i) => (
        <div class={'row' + (i === milestone ? ' selected' : '')} key={i}>
          <button type="button" class="pick" aria-label={`milestone ${i}`} aria-pressed={i === milestone} onClick={() => load(i)}>{i}</button><small>{digits(t)} s</small>
          <Tool class="small" icon="arrowUp" label={`milestone ${i} earlier`} disabled={i === 0} onClick={() => move(i, i - 1)} />
          <Tool class="small" icon="arrowDown" label={`milestone ${i} later`} disabled={i === last} onClick={() => move(i, i + 1)} />
          <Tool class="small" icon="close" label={`delete milestone ${i}`} onClick={() => posing.edit({type: 'milestone', action: 'delete', at: i})} />
        </div>))}
    </div>);
}

function Milestones({posing, item}: Edits) {
  const {milestone, following} = posing.panel;
  const insert = () => {
    posing.edit({type: 'milestone', action: 'insert', at: milestone + 1});
    posing.change({milestone: milestone + 1});
  };
  const follow = (follows: boolean) => {
    posing.change({following: follows});
    if (follows) posing.edit({type: 'load', at: milestone});
  };
  return (
    <div>
      <MilestoneList posing={posing} times={item.times ?? []} />
      <div class="line">
        <Button id="insert" onClick={insert}>insert the pose</Button>
        <Button id="replace" onClick={() => posing.edit({type: 'milestone', action: 'replace', at: milestone})}>replace by the pose</Button>
        <Button id="split" onClick={() => posing.edit({type: 'split', at: milestone})}>split here</Button>
        <Button id="reverse" onClick={() => posing.edit({type: 'reverse'})}>reverse</Button>
        <Button id="retime" onClick={() => posing.edit({type: 'retime'})}>retime</Button>
      </div>
      <Check id="follow" title="what is dragged, turned or slid becomes the chosen milestone, in one step" checked={following} onChange={follow}>drags change it</Check>
    </div>);
}

function MotionEdits({posing, item}: Edits) {
  const [resolution, setResolution] = useState(RESOLUTION);
  const button = (id: string, label: string, edit: ResourceEdit, title = '') => <Button id={id} title={title} onClick={() => posing.edit(edit)}>{label}</Button>;
  return (
    <div class="line">{button('show-path', 'show the motion', {type: 'path'})}
      {button('check', 'check', {type: 'check'})}
      {item.kind !== 'hermite_trajectory' && <>
        {button('optimize', 'optimize', {type: 'optimize'}, 'the fastest motion within the limits of velocity and acceleration')}
        {button('discretize', 'discretize', {type: 'discretize', resolution}, 'more milestones, on a smooth curve through these')}
        <label title="rad or m that straight lines between milestones may be from the curve">to <Typed class="field" type="number" min="0" step="any" value={resolution}
          onSet={(text) => setResolution(Number(text))} /></label></>}
    </div>);
}

function Uses({posing, item}: Edits) {
  const {panel, selection} = posing, kept = oneOf(KEPT_KINDS, item.kind);
  const convert = (select: HTMLSelectElement) => {
    if (select.value) posing.edit({type: 'convert', to: select.value});
    select.value = '';
  };
  return (
    <div class="line">
      {(item.editable || POSES.includes(item.kind)) && <Button id="load" onClick={() => posing.edit({type: 'load', ...(item.editable ? {at: panel.milestone} : {})})}>pose by it</Button>}
      {kept && !item.editable && <Button onClick={() => posing.send({type: 'store', kind: kept, resource: panel.chosen, ...selection})}>take the pose</Button>}
      <Button onClick={() => posing.erase()} title="Del">delete</Button>
      {item.convertible.length > 0 &&
        <select aria-label="convert" value="" onChange={(e) => convert(e.currentTarget)}>
          <option value="">convert to ...</option>
          {item.convertible.map((k) => <option key={k}>{k}</option>)}
        </select>}
    </div>);
}

export function ResourceDetails(props: Edits) {
  const {posing, item} = props;
  const motion = item.editable || item.kind === 'multipath' || item.kind === 'hermite_trajectory';
  return (
    <div class="chosen">
      <Typed class="field" aria-label="name" value={item.name} onSet={(name) => posing.edit({type: 'rename', name})} />
      <Uses {...props} />
      {item.values && <Numbers posing={posing} values={item.values} />}
      {item.holds && <Contacts {...props} />}
      {item.fingers && <Fingers {...props} />}
      {item.kind === 'geometry' && <Shape {...props} />}
      {motion && <MotionEdits {...props} />}
      {item.editable && <Milestones {...props} />}
    </div>);
}
