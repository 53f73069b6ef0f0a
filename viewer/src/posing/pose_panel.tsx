// Posing: joints, goals, resources and paths, which the server keeps and solves.
import {useEffect} from 'preact/hooks';
import type {Log} from '../data/log';
import type {View} from '../scene/view';
import {Button, Check, Tool} from '../ui/controls';
import {Goals} from './goals';
import {Messages} from './messages';
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
      <header class="pane-title"><h2>Pose</h2><span>
        <Tool id="undo" icon="undo" label="undo" keys="z" disabled={!state?.undo} onClick={() => posing.send({type: 'undo'})} />
        <Tool id="redo" icon="redo" label="redo" keys="y" disabled={!state?.redo} onClick={() => posing.send({type: 'redo'})} /></span></header>
      <div class="line">
        {robots.length > 1 &&
          <select aria-label="robot" value={String(panel.robot)} onChange={(e) => posing.change({robot: Number(e.currentTarget.value)})}>
            {robots.map((r, i) => <option key={i} value={String(i)}>{r.name}</option>)}
          </select>}
        {model && <Button id="mirror" title="what the left does is done by the right" onClick={() => posing.send({type: 'mirror'})}>mirror</Button>}
        <label title="arrows and rings at what is selected: an object, a base that moves, a transform or point (m)">handles <select id="handles" value={panel.handles}
          onChange={(e) => posing.change({handles: oneOf(HANDLE_MODES, e.currentTarget.value) ?? 'off'})}>{HANDLE_MODES.map((mode) => <option key={mode}>{mode}</option>)}</select></label>
      </div>
      {robots.length > 0 && <Check id="leave" title="where a link is dragged to becomes a goal" checked={panel.leavesGoals} onChange={(leavesGoals) => posing.change({leavesGoals})}>drags leave goals</Check>}
      {(model?.base_link ?? -1) >= 0 && <Check id="base" checked={panel.baseMoves} onChange={(baseMoves) => posing.change({baseMoves})}>base moves</Check>}
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
