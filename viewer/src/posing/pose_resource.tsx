// The resource that is chosen, and what can be done with it.
import {useState} from 'preact/hooks';
import type {Link} from '../kinematics';
import {type PosedRobot, type Resource, digits, kStored, numbersFrom} from './pose_state';
import {Typed} from '../typed';

interface Edits {
  item: Resource;
  robot: PosedRobot | undefined;
  links: Link[];
  /** That is selected in the scene; -1: none. */
  link: number;
  /** What `keep` needs to know of what is selected. */
  chosen: object;
  milestone: number;
  setMilestone: (at: number) => void;
  following: boolean;
  setFollowing: (follows: boolean) => void;
  edit: (type: string, more?: object) => void;
  /** While a slider is dragged. */
  gesture: (type: string, more: object) => void;
  beginGesture: () => void;
  erase: () => void;
}

function Contacts(props: Edits) {
  const {item, edit} = props;
  const [distance, setDistance] = useState(10), [normal, setNormal] = useState(0.01);
  return (
    <>
      <div class="list contacts">
        {item.holds!.flatMap((h, i) => h.contacts.map((c, k) => (
          <div class="row" key={`${i} ${k}`}>
            <span>{props.links[h.link]?.name}</span><small>{c.slice(0, 3).map(digits).join(', ')}</small>
            <button title="delete the contact" onClick={() => edit('contact_erase', {hold: i, contact: k})}>×</button>
          </div>)))}
      </div>
      <div title="contacts in one place become one, and of those in a plane the corners stay">
        <button id="clean" onClick={() => edit('clean', {distance: distance / 1000, normal})}>clean</button>{' '}
        <label>within <Typed type="number" min="0" step="any" value={distance} onSet={(text) => setDistance(Number(text))} /> mm</label>{' '}
        <label>normals <Typed type="number" min="0" step="any" value={normal} onSet={(text) => setNormal(Number(text))} /></label>
      </div>
    </>);
}

function Fingers(props: Edits) {
  const {item, robot, links, link, edit} = props;
  return (
    <>
      {item.fingers!.map(([finger, value]) => (
        <div class="driver finger" key={finger}><span title={links[finger]?.name}>{links[finger]?.name}</span>
          <input aria-label={links[finger]?.name} type="range" min={robot?.links[finger]?.min ?? -Math.PI} max={robot?.links[finger]?.max ?? Math.PI} step="any" value={value}
            onPointerDown={props.beginGesture} onInput={(e) => props.gesture('finger', {link: finger, value: Number(e.currentTarget.value)})} />
          <span><output>{digits(value)}</output> <button title="no longer keep it" onClick={() => edit('finger', {link: finger, erase: true})}>×</button></span></div>))}
      <button id="fingers" title="the grasp keeps all links below the selected one, or below those that it holds, where they are"
        onClick={() => edit('fingers', link >= 0 ? {link} : {})}>take the fingers</button>
    </>);
}

function Shape(props: Edits) {
  const [cell, setCell] = useState('');
  return (
    <div>
      <button id="show-mesh" onClick={() => props.edit('mesh')}>show the shape</button>
      <button id="simplify" title="all corners within a cell of this size become one" onClick={() => props.edit('simplify', Number(cell) > 0 ? {cell: Number(cell) / 1000} : {})}>simplify</button>{' '}
      <label>cells of <Typed type="number" min="0" step="any" value={cell} placeholder="auto" onSet={setCell} /> mm</label>
    </div>);
}

function Numbers(props: Edits) {
  const {item, edit} = props;
  const text = item.values!.map((v) => Number(v.toPrecision(12))).join(' ');
  return (
    <Typed class="numbers" aria-label="numbers" rows={Math.min(4, Math.ceil(text.length / 40))} value={text} onSet={(typed) => {
      const values = numbersFrom(typed, item.values!.length);
      if (values) edit('set', {values});
    }} />);
}

function Milestones(props: Edits) {
  const {item, milestone, setMilestone, edit} = props;
  const last = item.times!.length - 1;
  const move = (from: number, to: number) => {
    edit('milestone', {action: 'move', at: from, to});
    if (from === milestone) setMilestone(to);
  };
  return (
    <div>
      <div class="list">
        {item.times!.map((t, i) => (
          <div class={'row' + (i === milestone ? ' selected' : '')} key={i}>
            <span onClick={() => { setMilestone(i); edit('load', {at: i}); }}>{i}</span><small>{digits(t)} s</small>
            <button title="earlier" disabled={i === 0} onClick={() => move(i, i - 1)}>↑</button>
            <button title="later" disabled={i === last} onClick={() => move(i, i + 1)}>↓</button>
            <button title="delete" onClick={() => edit('milestone', {action: 'delete', at: i})}>×</button>
          </div>))}
      </div>
      <button id="insert" onClick={() => { edit('milestone', {action: 'insert', at: milestone + 1}); setMilestone(milestone + 1); }}>insert the pose</button>
      <button id="replace" onClick={() => edit('milestone', {action: 'replace', at: milestone})}>replace by the pose</button>
      <label title="what is dragged, turned or slid becomes the chosen milestone, in one step"><input id="follow" type="checkbox" checked={props.following}
        onChange={(e) => { props.setFollowing(e.currentTarget.checked); if (e.currentTarget.checked) edit('load', {at: milestone}); }} /> drags change it</label>{' '}
      <button id="split" onClick={() => edit('split', {at: milestone})}>split here</button>
      <button id="reverse" onClick={() => edit('reverse')}>reverse</button>
      <button id="retime" onClick={() => edit('retime')}>retime</button>
    </div>);
}

export function ResourceDetails(props: Edits) {
  const {item, edit} = props;
  const [resolution, setResolution] = useState(0.01);
  const motion = item.editable || item.kind === 'multipath' || item.kind === 'hermite_trajectory';
  const posing = item.editable || kStored.slice(0, 7).includes(item.kind);
  return (
    <div class="details">
      <Typed aria-label="name" value={item.name} onSet={(name) => edit('rename', {name})} />
      <div>
        {posing && <button id="load" onClick={() => edit('load', item.editable ? {at: props.milestone} : {})}>pose by it</button>}
        {kStored.includes(item.kind) && !item.editable && <button onClick={() => edit('store', {kind: item.kind, ...props.chosen})}>take the pose</button>}
        <button onClick={props.erase} title="Del">delete</button>
        {item.convertible.length > 0 &&
          <select aria-label="convert" value="" onChange={(e) => { if (e.currentTarget.value) edit('convert', {to: e.currentTarget.value}); e.currentTarget.value = ''; }}>
            <option value="">convert to ...</option>
            {item.convertible.map((k) => <option key={k}>{k}</option>)}
          </select>}
      </div>
      {item.values && <Numbers {...props} />}
      {item.holds && <Contacts {...props} />}
      {item.fingers && <Fingers {...props} />}
      {item.kind === 'geometry' && <Shape {...props} />}
      {motion &&
        <div><button id="show-path" onClick={() => edit('path')}>show the motion</button>
          <button id="check" onClick={() => edit('check')}>check</button>
          {item.kind !== 'hermite_trajectory' && <button id="optimize" title="the fastest motion within the limits of velocity and acceleration" onClick={() => edit('optimize')}>optimize</button>}
          {item.kind !== 'hermite_trajectory' && <>
            <button id="discretize" title="more milestones, on a smooth curve through these" onClick={() => edit('discretize', {resolution})}>discretize</button>{' '}
            <label title="rad or m that straight lines between milestones may be from the curve">to <Typed type="number" min="0" step="any" value={resolution}
              onSet={(text) => setResolution(Number(text))} /></label></>}</div>}
      {item.editable && <Milestones {...props} />}
    </div>);
}
