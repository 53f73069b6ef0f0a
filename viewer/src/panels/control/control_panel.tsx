// What people do to a running simulation: commands to controllers, posed ghosts, edits of the world. All of it is recorded with the run.
import {useState} from 'preact/hooks';
import type {Page} from '../../page/use_page';
import {Controller} from './controller';
import {Edits} from './edits';
import {GhostPoser} from './ghost_poser';
import {GoalHandles, takesGoals} from './goal_handles';

export function ControlPanel({page}: {page: Page}) {
  const {client, logs: [log], view, scene} = page, [at, setAt] = useState(0);
  const controllers = client?.controllers;
  if (!client || !controllers || !page.kind.live) return null;
  const {robots} = controllers, index = Math.min(at, robots.length - 1), robot = robots[index];
  return (
    <section class="controllers" aria-label="control">
      {robot && (
        <details class="control">
          <summary>Controller</summary>
          {robots.length > 1 && <select aria-label="whose controller" value={String(index)} onChange={(e) => setAt(Number(e.currentTarget.value))}>
            {robots.map(({name}, i) => <option key={i} value={String(i)}>{name}</option>)}</select>}
          <Controller key={robot.name} robot={robot} client={client} />
          {scene.ready && <GhostPoser key={`${robot.name} ${index}`} robot={robot} index={index} client={client} log={log} view={view} />}
          {scene.ready && takesGoals(robot) && <GoalHandles robot={robot} index={index} client={client} log={log} view={view} selected={scene.selected} />}
        </details>)}
      <Edits client={client} log={log} view={view} selected={scene.selected} />
    </section>);
}
