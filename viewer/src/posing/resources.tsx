// The list of resources, and what a pose is kept as.
import {KEPT_KINDS} from '../data/protocol';
import {Button, Check} from '../ui/controls';
import {Typed} from '../ui/typed';
import {PathPlayer} from './path_player';
import type {Posing} from './posing';
import {oneOf} from './pose_state';
import {ResourceDetails} from './resource';

function Keeping(props: {posing: Posing}) {
  const {posing} = props, {kind} = posing.panel;
  return (
    <div class="line">
      <select id="kind" aria-label="what to keep" value={kind} onChange={(e) => posing.change({kind: oneOf(KEPT_KINDS, e.currentTarget.value) ?? kind})}>
        {KEPT_KINDS.map((k) => <option key={k}>{k}</option>)}
      </select>
      <Button id="store" onClick={() => posing.send({type: 'store', kind, ...posing.selection})}>keep</Button>
      <Button id="save" onClick={() => posing.send({type: 'save'})}>save all</Button>
    </div>);
}

function Picking(props: {posing: Posing}) {
  const {posing} = props, {picking, friction, flat} = posing.panel;
  const setFriction = (value: number) => {
    posing.change({friction: value});
    if (posing.item?.holds) posing.edit({type: 'friction', value});
  };
  return (
    <>
      <div class="line">
        <Check id="pick" title="a click on a surface adds a contact to the chosen hold or stance, or to a new hold; with shift, the corners of the plane face; a rectangle that is dragged over a surface, the corners of that patch"
          checked={picking} onChange={(on) => posing.change({picking: on})}>pick contacts</Check>
        <label>friction <Typed id="friction" class="field" type="number" min="0" step="any" value={friction} onSet={(text) => setFriction(Number(text))} /></label>
      </div>
      <div class="line" title="a stance on flat ground at the robot's lowest point: the corners of what of each link is so near">
        <Button id="flat" onClick={() => posing.send({type: 'store', kind: 'stance', flat: flat / 1000, friction})}>stand on flat ground</Button>
        <label>within <Typed class="field" type="number" min="0" step="any" value={flat} onSet={(text) => posing.change({flat: Number(text)})} /> mm</label>
      </div>
    </>);
}

export function Resources(props: {posing: Posing; onChange: () => void}) {
  const {posing} = props, {item, resources, robots, entities, selected, panel: {chosen}} = posing, object = posing.objectOf(selected), {values} = item ?? {};
  return (
    <details open>
      <summary>Resources</summary>
      <Keeping posing={posing} />
      {robots.length > 0 && <Picking posing={posing} />}
      <div class="list">
        {resources.map((r, i) => (
          <div class={'row' + (i === chosen ? ' selected' : '')} key={i}>
            <button type="button" class="pick" aria-pressed={i === chosen} onClick={() => {
              posing.choose(i);
              posing.change({path: null});
            }}>{r.name}</button><small>{r.kind}{r.milestones !== undefined ? ` (${r.milestones})` : ''}</small>
          </div>))}
      </div>
      {item && <ResourceDetails posing={posing} item={item} />}
      {item?.kind === 'transform' && values && object >= 0 &&
        <Button id="put" onClick={() => posing.send({type: 'place', object, T: values})}>put {entities[selected].name} there</Button>}
      <PathPlayer posing={posing} onChange={props.onChange} />
    </details>);
}
