// All that the scene can show, as a list: marks, shapes, a section, the camera.
import type {Page} from '../../page/use_page';
import type {Axis, SceneOptions, Section} from '../../scene/scene_options';
import {Check, Tool} from '../../ui/controls';
import {Range} from '../../ui/range';
import {type Switch, switchesOf} from './switches';
import {useOptions} from './use_options';

const GROUPS: [Switch['group'], string][] = [['forces', 'Forces'], ['bodies', 'Bodies'], ['world', 'World']];

function Shapes(props: {options: SceneOptions}) {
  const {options} = props;
  return (
    <div class="line"><label for="shapes">shapes</label>
      <select id="shapes" value={options.get('shapes')} onChange={(e) => options.set('shapes', e.currentTarget.value as 'visual' | 'collision' | 'both')}>
        <option value="visual">as they look</option><option value="collision">as they collide</option><option value="both">both</option>
      </select></div>);
}

function SectionLines(props: {page: Page; options: SceneOptions}) {
  const {page: {view}, options} = props, section = options.get('section');
  const cut = (change: Partial<Section>) => {
    const axis = change.axis ?? section?.axis ?? 'y', [low, high] = view.sectionRange(axis);
    const at = change.axis || !section ? (low + high) / 2 : section.at;
    options.set('section', {axis, at, flipped: section?.flipped ?? false, ...change});
  };
  const [low, high] = section ? view.sectionRange(section.axis) : [0, 1];
  return (
    <>
      <Check checked={section !== null} title="cuts away what is beyond a plane" onChange={(on) => (on ? cut({}) : options.set('section', null))}>section</Check>
      {section && <div class="line"><select aria-label="axis of the section" value={section.axis} onChange={(e) => cut({axis: e.currentTarget.value as Axis})}>
        {(['x', 'y', 'z'] as const).map((axis) => <option key={axis} value={axis}>along {axis}</option>)}</select>
        <Check checked={section.flipped} onChange={(flipped) => cut({flipped})}>other side</Check></div>}
      {section && <div class="line"><Range label="place of the section" min={low} max={high} value={section.at} onInput={(at) => cut({at})} /><output>{section.at.toFixed(3)} m</output></div>}
    </>);
}

export function ShowPanel(props: {page: Page}) {
  const {page} = props, {scene, view, panels, kind} = page, {shown, setShown} = scene, options = useOptions(view), offers = view.offers();
  const switches = switchesOf(page);
  return (
    <section class="show" aria-label="what is shown">
      <header class="pane-title"><h2>Show</h2>{panels.size !== 'narrow' && <Tool class="small" icon="close" label="close the list" onClick={() => panels.set({show: false})} />}</header>
      {GROUPS.map(([group, title]) => {
        const own = switches.filter((one) => one.group === group);
        if (own.length === 0) return null;
        return (
          <div key={group}>
            <h3>{title}</h3>
            <div class="toggles">
              {own.map(({name, label, hint}) => <Check key={name} title={hint} checked={shown[name]} onChange={(on) => setShown({...shown, [name]: on})}>{label}</Check>)}
              {group === 'forces' && <Check title="every point with its own force, in place of one arrow a pair of bodies" checked={options.get('contactPoints')} onChange={(on) => options.set('contactPoints', on)}>every point</Check>}
              {group === 'bodies' && <Check checked={scene.labels} onChange={scene.setLabels}>names</Check>}
              {group === 'bodies' && <Check title="sharp edges as lines" checked={options.get('edges')} onChange={(on) => options.set('edges', on)}>edges</Check>}
              {group === 'world' && <Check title="click two points" checked={scene.measuring} onChange={scene.setMeasuring}>measure</Check>}
              {group === 'world' && kind.live && !page.link.status?.watched && <Check title="or drag with Ctrl" checked={scene.pulls} onChange={scene.setPulls}>pull bodies</Check>}
            </div>
            {group === 'bodies' && offers.shapes && <Shapes options={options} />}
            {group === 'world' && offers.section && <SectionLines page={page} options={options} />}
            {group === 'world' && <Check title="without perspective" checked={options.get('projection') === 'orthographic'}
              onChange={(on) => options.set('projection', on ? 'orthographic' : 'perspective')}>parallel projection</Check>}
            {group === 'world' && <Check title="soft shadows and edges while nothing moves" checked={options.get('refined')} onChange={(on) => options.set('refined', on)}>refine at rest</Check>}
          </div>);
      })}
    </section>);
}
