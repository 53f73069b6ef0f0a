// The left side: names of logs, what is wrong, the tree, sensors, and what is selected.
import {useMemo} from 'preact/hooks';
import type {Curve} from '../data/curves';
import type {LiveClient} from '../data/live_client';
import type {Log} from '../data/log';
import type {Link} from '../page/use_link';
import type {SceneState} from '../page/use_scene';
import type {View} from '../scene/view';
import {Details} from './details';
import {Sensors} from './sensors';
import {Tree} from './tree';

function Names(props: {logs: Log[]; scene: SceneState}) {
  const {logs, scene} = props;
  return (
    <h1>{logs.map((log, i) => (
      <span key={i} class={`log${i}`}>
        {logs.length > 1 && <input type="checkbox" title="visible" checked={!scene.hiddenLogs.has(i)}
          onChange={(e) => scene.setLogVisible(i, e.currentTarget.checked)} />}{log.name}
      </span>))}</h1>);
}

function Warnings(props: {logs: Log[]; link: Link; client: LiveClient | null; live: boolean}) {
  const {logs, link, client} = props;
  return (
    <>
      {logs.map((log, i) => log.damage && <p class="warning" key={i}>{logs.length > 1 ? log.name : 'The log'} was cut short{log.state.times.length > 1 ? `: it ends at ${log.end.toFixed(3)} s` : ''}.</p>)}
      {props.live && !link.connected && <p class="warning">The simulation has ended; what was seen of it stays here.</p>}
      {link.status?.fault && <p class="warning">{link.status.fault}</p>}
      {link.problem && <p class="warning" onClick={() => client?.forgetProblem()}>{link.problem}</p>}
    </>);
}

export function WorldPanel(props: {
  logs: Log[]; view: View; scene: SceneState; link: Link; client: LiveClient | null; live: boolean; still: boolean; time: number; choices: Curve[];
  /** Null: nothing moves that could be plotted. */
  onPlot: ((curves: Curve[]) => void) | null; onPlotSensor: (...curves: Curve[]) => void;
}) {
  const {logs, view, scene, time} = props, {selected, hidden} = scene;
  const tree = useMemo(() => <Tree log={logs[0]} selected={selected} hidden={hidden} onSelect={scene.select} onFocus={scene.focus}
    onVisible={scene.setVisible} />, [selected, hidden]);
  return (
    <aside class="left">
      <Names logs={logs} scene={scene} />
      <Warnings logs={logs} link={props.link} client={props.client} live={props.live} />
      <div class="contents">
        {tree}
        <Sensors log={logs[0]} time={time} onPlot={props.onPlotSensor} />
      </div>
      {selected >= 0 && <Details log={logs[0]} view={view} id={selected} time={time} choices={props.choices} still={props.still}
        onPlot={props.onPlot} onTrail={scene.toggleTrail} />}
    </aside>);
}
