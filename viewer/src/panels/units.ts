// Units of what logs hold, by its topic and name.
import type {Curve} from '../data/curves';
import type {Log} from '../data/log';

/** Of the coordinate of a link, by its name with or without its robot's; undefined: there is no such link. */
function motionOf(log: Log, name: string): 'revolute' | 'prismatic' | undefined {
  for (const robot of log.world.robots)
    for (const link of robot.links) if (link.name === name || `${robot.name}/${link.name}` === name) return link.motion;
  return undefined;
}

const angleOr = (motion: string | undefined, angle: string, length: string): string => (motion === 'prismatic' ? length : motion ? angle : '');

function commandUnit(log: Log, column: string): string {
  const at = column.lastIndexOf('.'), motion = motionOf(log, column.slice(0, at)) ?? 'revolute', what = column.slice(at + 1);
  if (what === 'position') return angleOr(motion, 'rad', 'm');
  if (what === 'velocity') return angleOr(motion, 'rad/s', 'm/s');
  return what === 'torque' ? angleOr(motion, 'N m', 'N') : '';
}

function sensorUnit(log: Log, column: string): string {
  const named = /^(q|dq|t|d)\[(.*)\]$/.exec(column);
  if (named) {
    const motion = motionOf(log, named[2]) ?? 'revolute';
    return {q: angleOr(motion, 'rad', 'm'), dq: angleOr(motion, 'rad/s', 'm/s'), t: angleOr(motion, 'N m', 'N'), d: 'm'}[named[1] as 'q']!;
  }
  const word = /^(force|torque|acc|accel|gyro|angular|linear|velocity|position)\w*?_?[xyz]$/.exec(column)?.[1];
  return word ? {force: 'N', torque: 'N m', acc: 'm/s²', accel: 'm/s²', gyro: 'rad/s', angular: 'rad/s', linear: 'm/s', velocity: 'm/s', position: 'm'}[word] ?? '' : '';
}

/** Empty: none, or none that is known. */
export function unitOf(log: Log, {topic, column}: Curve): string {
  if (topic === log.forces.topic) return 'N';
  if (topic === '/mortise/state') return /\.[xyz]$/.test(column) ? 'm' : /\.q[xyzw]$/.test(column) ? '' : angleOr(motionOf(log, column), 'rad', 'm');
  if (topic === '/mortise/torques') return angleOr(motionOf(log, column) ?? 'revolute', 'N m', 'N');
  if (topic === '/mortise/commands') return commandUnit(log, column);
  return topic.startsWith('/mortise/sensors/') ? sensorUnit(log, column) : '';
}
