// Posing: joints, goals, resources and paths, which the server keeps and solves.
import {useEffect} from 'preact/hooks';
import type {Log} from '../data/log';
import type {View} from '../scene/view';
import {Goals} from './goals';
import type {PoseClient} from './pose_client';
import {oneOf} from './pose_state';
import {Posing, usePanel} from './posing';
import {Resources} from './resources';
import {Sliders} from './sliders';
import {useHandles} from './use_handles';
import {usePoseKeys} from './use_keys';
import {useMouse} from './use_mouse';
import {usePosed} from './use_posed';

const HANDLE_MODES = ['off', 'move', 'turn'] as const;

function Header(props: {posing: Posing}) {
  const {posing} = props, {state, robots, model, panel} = posing;
  return (
    <>
      <header>
        <button id="undo" disabled={!state?.undo} onClick={() => posing.send({type: 'undo'})} title="z">undo</button>
        <button id="redo" disabled={!state?.redo} onClick={() => posing.send({type: 'redo'})} title="y">redo</button>
        {robots.length > 1 &&
          <select aria-label="robot" value={String(panel.robot)} onChange={(e) => posing.change({robot: Number(e.currentTarget.value)})}>
            {robots.map((r, i) => <option key={i} value={String(i)}>{r.name}</option>)}
          </select>}
        {model && <button id="mirror" title="what the left does is done by the right" onClick={() => posing.send({type: 'mirror'})}>mirror</button>}
        <label title="arrows and rings at what is selected: an object, a base that moves, a transform or point (m)">handles <select id="handles" value={panel.handles}
          onChange={(e) => posing.change({handles: oneOf(HANDLE_MODES, e.currentTarget.value) ?? 'off'})}>{HANDLE_MODES.map((mode) => <option key={mode}>{mode}</option>)}</select></label>
      </header>
      <header>
        {robots.length > 0 && <label title="where a link is dragged to becomes a goal"><input id="leave" type="checkbox" checked={panel.leavesGoals}
          onChange={(e) => posing.change({leavesGoals: e.currentTarget.checked})} /> drags leave goals</label>}
        {(model?.base_link ?? -1) >= 0 &&
          <label><input id="base" type="checkbox" checked={panel.baseMoves} onChange={(e) => posing.change({baseMoves: e.currentTarget.checked})} /> base moves</label>}
      </header>
    </>);
}

function Messages(props: {posing: Posing; connected: boolean}) {
  const {state, entities, panel: {message}} = props.posing, collisions = state?.collisions ?? [];
  const pairs = collisions.slice(0, 3).map(([a, b]) => `${entities[a].name} and ${entities[b].name}`).join(', ');
  return (
    <>
      {!props.connected && <p class="warning">The server has ended.</p>}
      <p id="message" class={state?.solved === false || state?.problem ? 'warning' : 'note'}>{message || '\u00a0'}</p>
      {collisions.length > 0 &&
        <p id="collisions" class="warning">{collisions.length} {collisions.length === 1 ? 'pair collides' : 'pairs collide'}: {pairs}{collisions.length > 3 ? `, and ${collisions.length - 3} more` : ''}</p>}
    </>);
}

export function PosePanel(props: {client: PoseClient; log: Log; view: View; selected: number; onChange: () => void}) {
  const {client, log, view, selected, onChange} = props;
  const [panel, change] = usePanel();
  const posing = new Posing(client, log, view, selected, panel, change);
  client.watched = panel.watchesBalance ? {robot: panel.robot, held: posing.held} : null;
  const connected = usePosed(posing, onChange);
  useMouse(posing);
  useHandles(posing);
  usePoseKeys(posing);
  useEffect(() => {
    const robot = selected >= 0 ? posing.robotOfLink(selected) : -1;
    change({focus: 'scene', ...(robot >= 0 ? {robot} : {})});
  }, [selected]);
  return (
    <div class="pose">
      <Header posing={posing} />
      <Messages posing={posing} connected={connected} />
      {posing.robots.length > 0 && <Goals posing={posing} />}
      <Resources posing={posing} onChange={onChange} />
      {posing.model && <Sliders posing={posing} />}
    </div>);
}
