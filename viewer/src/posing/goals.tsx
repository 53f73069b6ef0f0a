// Goals that hold while a robot is posed, and whether it balances.
import {GOAL_POSITIONS, GOAL_ROTATIONS, type PosedGoal, type PoseRequest} from '../data/protocol';
import {Button, Check, Tool} from '../ui/controls';
import {Typed} from '../ui/typed';
import type {Posing} from './posing';
import {numbersFrom, oneOf} from './pose_state';

const POSITION_LABELS: Record<PosedGoal['position'], string> = {free: 'anywhere', plane: 'in a plane', line: 'on a line', point: 'at a point'};
const ROTATION_LABELS: Record<PosedGoal['rotation'], string> = {free: 'turns freely', two_axis: 'axis at right angles', axis: 'axis kept', fixed: 'rotation kept'};
/** Of a server that has not said yet (m). */
const USUAL_TOUCH = 0.005;

type GoalChange = Omit<Extract<PoseRequest, {type: 'goal'}>, 'type' | 'goal'>;

function Vector(props: {label: string; hint: string; value: number[]; onSet: (value: number[]) => void}) {
  return (
    <label title={props.hint}>{props.label} <Typed class="field vector" value={props.value.map((v) => Number(v.toFixed(6))).join(' ')} onSet={(text) => {
      const numbers = numbersFrom(text, 3);
      if (numbers?.length === 3) props.onSet(numbers);
    }} /></label>);
}

function Goal(props: {posing: Posing; goal: PosedGoal; index: number}) {
  const {posing, goal, index} = props, links = posing.links(goal.robot);
  const change = (fields: GoalChange) => posing.send({type: 'goal', goal: index, ...fields});
  const kind = goal.kind === 'goal' ? `${POSITION_LABELS[goal.position]}, ${ROTATION_LABELS[goal.rotation]}` : goal.kind;
  return (
    <details class="goal">
      <summary class="row">
        <span>{links[goal.link]?.name}: {kind}</span>
        <Tool class="small" icon="close" label="delete the goal" keys="d" onClick={(e) => {
          e.preventDefault();
          posing.send({type: 'unpin', goal: index});
        }} />
      </summary>
      <div class="line"><select aria-label="position" value={goal.position} onChange={(e) => change({position: oneOf(GOAL_POSITIONS, e.currentTarget.value)})}>
        {GOAL_POSITIONS.map((value) => <option key={value} value={value}>{POSITION_LABELS[value]}</option>)}
      </select>
      <select aria-label="rotation" value={goal.rotation} onChange={(e) => change({rotation: oneOf(GOAL_ROTATIONS, e.currentTarget.value)})}>
        {GOAL_ROTATIONS.map((value) => <option key={value} value={value}>{ROTATION_LABELS[value]}</option>)}
      </select>
      <select aria-label="relative to" value={String(goal.destination)} onChange={(e) => change({destination: Number(e.currentTarget.value)})}>
        <option value="-1">in the world</option>
        {links.map((link, l) => (l === goal.link ? null : <option key={l} value={String(l)}>on {link.name}</option>))}
      </select></div>
      {goal.position !== 'free' && <Vector label="point" hint="of the link, m, in its frame" value={goal.point} onSet={(point) => change({point})} />}
      {(goal.position === 'plane' || goal.position === 'line') && <Vector label="along"
        hint="the plane's normal or the line, in the frame of what the goal is relative to" value={goal.direction} onSet={(direction) => change({direction})} />}
      {(goal.rotation === 'axis' || goal.rotation === 'two_axis') && <Vector label="axis" hint="of the link, in its frame" value={goal.axis} onSet={(axis) => change({axis})} />}
    </details>);
}

function BalanceBox(props: {posing: Posing}) {
  const {posing} = props, {client, panel: {robot, watchesBalance}, held} = posing, touch = posing.state?.touch ?? USUAL_TOUCH;
  const watch = (watched: boolean) => {
    client.watched = watched ? {robot, held} : null;
    posing.change({watchesBalance: watched});
    // Without it, any answer shows the pose alone.
    if (watched) posing.send({type: 'balance', resource: held});
    else posing.send({type: 'touch', distance: touch});
  };
  return (
    <>
      <Check id="balance" title="where the robot stands, and what its motors bear, while it is posed" checked={watchesBalance} onChange={watch}>balance</Check>
      <div class="line"><label title="surfaces that are no farther apart touch: for balance, holds and stances">touch within <Typed id="touch" class="field" type="number" min="0" step="any"
        value={Number((1000 * touch).toFixed(6))} onSet={(text) => posing.send({type: 'touch', distance: Number(text) / 1000})} /> mm</label></div>
    </>);
}

export function Goals(props: {posing: Posing}) {
  const {posing} = props;
  return (
    <details open>
      <summary>Goals</summary>
      <div class="line">
        <Button id="pin" onClick={() => posing.pin()} title="c">hold the link's pose</Button>
        <Button id="pin-point" onClick={() => posing.pin([0, 0, 0])}>hold its origin</Button>
        <Button onClick={() => posing.send({type: 'solve'})} title="s">solve</Button>
      </div>
      <BalanceBox posing={posing} />
      {posing.state?.goals.map((goal, i) => <Goal key={i} posing={posing} goal={goal} index={i} />)}
    </details>);
}
