// Boxes and buttons over the scene.
import type {Log} from '../data/log';
import type {PageKind} from '../page/parts';
import type {Link} from '../page/use_link';
import type {SceneState} from '../page/use_scene';
import type {Shown} from '../scene/shown';
import type {View} from '../scene/view';

export interface Panels { left: boolean; right: boolean; help: boolean }

export function Toggles(props: {
  kind: PageKind; logs: Log[]; view: View; scene: SceneState; link: Link; panels: Panels; setPanels: (panels: Panels) => void; onPicture: () => void;
}) {
  const {kind, logs, view, scene, panels, setPanels} = props, {shown, setShown} = scene;
  const toggle = (name: keyof Shown, label: string) => (
    <label key={name}><input type="checkbox" checked={shown[name]} onChange={(e) => setShown({...shown, [name]: e.currentTarget.checked})} /> {label}</label>);
  const has = (test: (log: Log) => boolean) => logs.some(test);
  return (
    <div class="toggles">
      <button title="show or hide the tree (t)" aria-label="tree" aria-expanded={panels.left} onClick={() => setPanels({...panels, left: !panels.left})}>☰</button>
      {has((log) => log.series.has('/mortise/contacts')) && toggle('contacts', 'contacts')}{toggle('frames', 'frames')}{toggle('masses', 'centers of mass')}
      {kind.live && !props.link.status?.watched && <label title="or drag with Ctrl"><input type="checkbox" id="pull"
        onChange={(e) => (view.pulls = e.currentTarget.checked ? 'always' : 'with Ctrl')} /> pull bodies</label>}
      {toggle('wireframe', 'wireframe')}{toggle('grid', 'grid')}{scene.trails > 0 && toggle('trails', 'paths')}
      {toggle('inertias', 'inertias')}{toggle('padding', 'padding')}
      {has((log) => log.sensors.length > 0) && toggle('sensors', 'sensors')}
      {!kind.still && !kind.posing && has((log) => log.robots.length > 0 && log.series.has('/mortise/commands')) && toggle('commanded', 'commanded')}
      {has((log) => log.overlays.length > 0) && toggle('plans', 'plan')}
      <button onClick={() => scene.focus(-1)}>fit</button>
      <button title="save as a PNG (p)" onClick={props.onPicture}>picture</button>
      {!kind.still && <button aria-expanded={panels.right} onClick={() => setPanels({...panels, right: !panels.right})}>{kind.posing ? 'pose' : 'plots'}</button>}
      <button title="what mouse and keys do (?)" aria-label="help" onClick={() => setPanels({...panels, help: true})}>?</button>
    </div>);
}
