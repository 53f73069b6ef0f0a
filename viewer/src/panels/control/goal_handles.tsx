// A goal of a link that is dragged while the robot moves, for controllers that plan on their own (`set_pose`).
import {useRef, useState} from 'preact/hooks';
import type {LiveClient} from '../../data/live_client';
import type {Log} from '../../data/log';
import type {CommandedRobot} from '../../data/protocol';
import type {View} from '../../scene/view';
import {Check} from '../../ui/controls';
import {useHandles} from './use_handles';

/** Goals are sent no more often while they are dragged, ms. */
const APART = 100;

export const takesGoals = (robot: CommandedRobot): boolean => robot.commands.some(({name}) => name === 'set_pose');

/** `index`: of the robot; `selected`: the id of what is selected. */
export function GoalHandles(props: {robot: CommandedRobot; index: number; client: LiveClient; log: Log; view: View; selected: number}) {
  const {robot, index, client, log, view, selected} = props, [on, setOn] = useState(false), sent = useRef(-Infinity);
  const link = log.robots[index]?.links.find(({id}) => id === selected), pose = link ? log.poses.get(link.id) : undefined;
  const send = (T: number[], done: boolean) => {
    if (!link || (!done && performance.now() - sent.current < APART)) return;
    sent.current = performance.now();
    client.command({robot: robot.name, command: 'set_pose', arguments: {link: link.name, position: T.slice(9, 12)}});
  };
  useHandles(view, `goal ${selected}`, on && pose ? {T: pose, onMove: send} : null);
  return (
    <>
      <Check id="drag-goals" checked={on} onChange={setOn}>drag a goal of the selected link</Check>
      {on && !link && <p class="empty">select a link of {robot.name}: it goes where its handles are dragged</p>}
    </>);
}
