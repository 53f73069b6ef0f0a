// Goals that hold while a robot is posed.
import type {Link} from '../kinematics';
import {type Goal, numbersFrom} from './pose_state';
import {Typed} from '../typed';
import type {Message} from '../session';

const kPositions = [['free', 'anywhere'], ['plane', 'in a plane'], ['line', 'on a line'], ['point', 'at a point']];
const kRotations = [['free', 'turns freely'], ['two_axis', 'axis at right angles'], ['axis', 'axis kept'], ['fixed', 'rotation kept']];

const label = (choices: string[][], value: string) => choices.find(([own]) => own === value)?.[1] ?? value;

export function GoalList(props: {goals: Goal[]; links: (robot: number) => Link[]; send: (m: Message) => void}) {
  const {links, send} = props;
  return (
    <>
      {props.goals.map((g, i) => {
        const change = (fields: object) => send({type: 'goal', goal: i, ...fields});
        const vector = (label: string, field: 'point' | 'direction' | 'axis', hint: string) => (
          <label title={hint}>{label} <Typed class="vector" value={g[field].map((v) => Number(v.toFixed(6))).join(' ')} onSet={(text) => {
            const numbers = numbersFrom(text, 3);
            if (numbers?.length === 3) change({[field]: numbers});
          }} /></label>);
        return (
          <details class="goal" key={i}>
            <summary class="row">
              <span>{links(g.robot)[g.link]?.name}: {g.kind === 'goal' ? `${label(kPositions, g.position)}, ${label(kRotations, g.rotation)}` : g.kind}</span>
              <button title="delete the goal (d)" onClick={(e) => { e.preventDefault(); send({type: 'unpin', goal: i}); }}>×</button>
            </summary>
            <select aria-label="position" value={g.position} onChange={(e) => change({position: e.currentTarget.value})}>
              {kPositions.map(([value, label]) => <option key={value} value={value}>{label}</option>)}
            </select>
            <select aria-label="rotation" value={g.rotation} onChange={(e) => change({rotation: e.currentTarget.value})}>
              {kRotations.map(([value, label]) => <option key={value} value={value}>{label}</option>)}
            </select>
            <select aria-label="relative to" value={String(g.destination)} onChange={(e) => change({destination: Number(e.currentTarget.value)})}>
              <option value="-1">in the world</option>
              {links(g.robot).map((link, l) => (l === g.link ? null : <option key={l} value={String(l)}>on {link.name}</option>))}
            </select>
            {g.position !== 'free' && vector('point', 'point', 'of the link, m, in its frame')}
            {(g.position === 'plane' || g.position === 'line') && vector('along', 'direction', "the plane's normal or the line, in the frame of what the goal is relative to")}
            {(g.rotation === 'axis' || g.rotation === 'two_axis') && vector('axis', 'axis', "of the link, in its frame")}
          </details>);
      })}
    </>);
}
