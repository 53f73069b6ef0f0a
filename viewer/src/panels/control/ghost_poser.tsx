// A ghost of a robot that is posed by sliders while the robot moves, and sent to its controller.
import {useEffect, useState} from 'preact/hooks';
import type {LiveClient} from '../../data/live_client';
import type {Log} from '../../data/log';
import type {CommandedDriver, CommandedRobot} from '../../data/protocol';
import type {View} from '../../scene/view';
import {Button} from '../../ui/controls';
import {Range} from '../../ui/range';
import {Typed} from '../../ui/typed';
import {driverValues, posedWith} from './ghost';

const DEGREES = 180 / Math.PI;

interface RowProps { driver: CommandedDriver; value: number; onSet: (value: number) => void }

function DriverRow({driver: {name, unit, min, max}, value, onSet}: RowProps) {
  const turns = unit === 'rad', scale = turns ? DEGREES : 1, shown = turns ? '°' : 'm';
  const text = (v: number) => (v * scale).toFixed(turns ? 1 : 4).replace(/^-(0\.0*)$/, '$1');
  const type = (typed: string) => {
    const given = Number(typed) / scale;
    if (typed.trim() !== '' && Number.isFinite(given)) onSet(Math.min(Math.max(given, min ?? -Infinity), max ?? Infinity));
  };
  const bounded = min !== null && max !== null && max - min < 1e6, limit = (v: number | null, sign: string) => (v === null || Math.abs(v) > 1e6 ? `${sign}∞` : text(v));
  return (
    <div class="driver">
      <span class="name" title={name}>{name}</span>
      <Range label={`ghost: ${name}`} min={bounded ? min : -Math.PI} max={bounded ? max : Math.PI} value={value} text={`${text(value)} ${shown}`} onInput={onSet} />
      <Typed class="field typed" inputMode="decimal" aria-label={`ghost: ${name}, ${turns ? 'degrees' : 'meters'}`} value={text(value)} onSet={type} />
      <span class="unit">{shown}</span>
      <span class="limits" aria-hidden="true"><span>{limit(min, '-')}</span><span>{limit(max, '')}</span></span>
    </div>);
}

/** `index`: of the robot. */
export function GhostPoser(props: {robot: CommandedRobot; index: number; client: LiveClient; log: Log; view: View}) {
  const {robot, index, client, log, view} = props, {drivers, send} = robot;
  const [values, setValues] = useState<number[] | null>(null);
  const now = () => log.robots[index]?.q ?? [];
  const show = (next: number[] | null) => {
    setValues(next);
    view.setGhosts(index, next ? [posedWith(now(), drivers, next)] : []);
  };
  useEffect(() => () => view.setGhosts(index, []), []);
  if (drivers.length === 0) return null;
  if (!values) return <Button onClick={() => show(driverValues(now(), drivers))}>Pose a ghost</Button>;
  const set = (d: number, value: number) => show(values.map((old, i) => (i === d ? value : old)));
  return (
    <div class="ghost-poser" role="group" aria-label={`ghost of ${robot.name}`}>
      {drivers.map((driver, d) => <DriverRow key={driver.name} driver={driver} value={values[d]} onSet={(value) => set(d, value)} />)}
      <div class="actions">
        {send !== '' && <Button main title={`${send}: the controller moves there`} onClick={() => client.command({robot: robot.name, command: send, arguments: posedWith(now(), drivers, values)})}>Send</Button>}
        <Button title="the ghost takes the robot's configuration" onClick={() => show(driverValues(now(), drivers))}>From the robot</Button>
        <Button onClick={() => show(null)}>Away</Button>
      </div>
      {send === '' && <p class="empty">its controller takes no configurations: it has neither set_milestone nor set_q</p>}
    </div>);
}
