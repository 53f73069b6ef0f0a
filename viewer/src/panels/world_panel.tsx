// The left side: the logs in their colors, the tree, sensors, and what is selected.
import {useMemo} from 'preact/hooks';
import {isDark} from '../page/theme';
import type {Page} from '../page/use_page';
import {Swatch} from '../ui/controls';
import {lookOf} from './colors';
import {ControlPanel} from './control/control_panel';
import {Details} from './details';
import {colorsOf} from './scene/body_colors';
import {Sensors} from './sensors';
import {Tree} from './tree/tree';

/** A chip a log, in its color; a click hides and shows what moves in it. */
function Logs(props: {page: Page}) {
  const {logs, scene} = props.page;
  if (logs.length < 2) return null;
  return (
    <div class="logs" role="group" aria-label="logs">
      {logs.map((log, i) => {
        const visible = !scene.hiddenLogs.has(i);
        return (
          <button type="button" class="chip" key={i} aria-pressed={visible} title={`${log.name}: ${visible ? 'hide' : 'show'} what moves in it`}
            onClick={() => scene.setLogVisible(i, !visible)}><Swatch color={lookOf(i, isDark()).color} />{log.name}</button>);
      })}
    </div>);
}

export function WorldPanel(props: {page: Page}) {
  const {page} = props, {logs, scene, view} = page, {selected, hidden} = scene;
  const colorOf = useMemo(() => colorsOf(view), [scene.ready]);
  return (
    <aside class="left" aria-label="world">
      <header class="pane-title"><h2>World</h2></header>
      <Logs page={page} />
      <Tree log={logs[0]} selected={selected} hidden={hidden} colorOf={colorOf} onSelect={scene.select} onFocus={scene.focus} onVisible={scene.setVisible}>
        <Sensors logs={logs} time={page.transport.time} onPlot={page.plot} />
      </Tree>
      <Details page={page} />
      <ControlPanel page={page} />
    </aside>);
}
