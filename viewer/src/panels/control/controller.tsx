// The controller of a robot: its settings, its commands with their arguments, and the robot's sensors.
import {useState} from 'preact/hooks';
import type {LiveClient} from '../../data/live_client';
import type {CommandedRobot, CommandedSensor} from '../../data/protocol';
import {Button, Check} from '../../ui/controls';
import {Typed} from '../../ui/typed';
import {argumentsFrom} from './arguments';
import {Settings} from './settings';

interface RobotProps { robot: CommandedRobot; client: LiveClient }

function Commands({robot, client}: RobotProps) {
  const [name, setName] = useState(robot.commands[0]?.name ?? ''), [text, setText] = useState('');
  const chosen = robot.commands.find((command) => command.name === name) ?? robot.commands[0];
  if (!chosen) return <p class="empty">its controller takes no commands</p>;
  const send = () => client.command({robot: robot.name, command: chosen.name, arguments: argumentsFrom(text)});
  return (
    <div class="control-command">
      <select aria-label={`command for ${robot.name}`} value={chosen.name} onChange={(e) => setName(e.currentTarget.value)}>
        {robot.commands.map((command) => <option key={command.name} value={command.name}>{command.name}</option>)}</select>
      <input class="field" aria-label={`arguments for ${robot.name}`} placeholder="arguments" value={text} onInput={(e) => setText(e.currentTarget.value)}
        onKeyDown={(e) => { if (e.key === 'Enter') send(); }} />
      <Button onClick={send}>Send</Button>
      <small>{chosen.help}</small>
    </div>);
}

function Sensor({robot, sensor, client}: RobotProps & {sensor: CommandedSensor}) {
  const owner = `${robot.name}: ${sensor.name}`, base = {robot: robot.name, sensor: sensor.name};
  const setRate = (text: string) => { if (Number(text) > 0) client.command({...base, rate: Number(text)}); };
  return (
    <details class="group">
      <summary>{sensor.name}<small>{sensor.kind}</small></summary>
      <Check checked={sensor.enabled} onChange={(enabled) => client.command({...base, enabled})}>measures</Check>
      <div class="control-row"><span class="name">rate</span>
        <Typed class="field" inputMode="decimal" aria-label={`${owner}: rate`} value={sensor.rate} onSet={setRate} /><span class="unit">Hz</span></div>
      <Settings owner={owner} settings={sensor.settings} onSet={(setting, value) => client.command({...base, setting, value})} />
    </details>);
}

export function Controller(props: RobotProps) {
  const {robot, client} = props;
  return (
    <>
      <p class="control-title"><b>{robot.controller}</b> <small>{robot.rate} Hz</small></p>
      <Settings owner={robot.name} settings={robot.settings} onSet={(setting, value) => client.command({robot: robot.name, setting, value})} />
      <Commands {...props} />
      {robot.sensors.map((sensor) => <Sensor key={sensor.name} {...props} sensor={sensor} />)}
    </>);
}
