// Where one looks from: everything, presets, kept views, bodies that are followed.
import {useState} from 'preact/hooks';
import type {Page} from '../../page/use_page';
import {PRESETS} from '../../scene/scene_options';
import {Tool} from '../../ui/controls';
import {say} from '../../ui/toasts';
import {type KeptView, keepViews, keptViews} from './kept_views';
import {useOptions} from './use_options';

function List(props: {page: Page; world: string}) {
  const {page: {view, panels, scene, logs}, world} = props, options = useOptions(view);
  const [kept, setKept] = useState(() => keptViews(world));
  const change = (views: KeptView[]) => {
    keepViews(world, views);
    setKept(views);
  };
  const {selected} = scene, followed = options.get('follow'), name = logs[0].world.entities[selected]?.name;
  return (
    <div class="views-list" role="group" aria-label="views">
      {PRESETS.map((preset) => <button type="button" key={preset} onClick={() => view.look(preset)}>{preset === 'corner' ? 'from a corner' : `from the ${preset}`}</button>)}
      {(followed >= 0 || logs[0].poses.has(selected)) &&
        <button type="button" aria-pressed={followed >= 0} onClick={() => options.set('follow', followed >= 0 ? -1 : selected)}>{followed >= 0 ? `no longer follow ${logs[0].world.entities[followed]?.name}` : `follow ${name}`}</button>}
      {kept.map(({camera}, i) => (
        <div class="line" key={i}>
          <button type="button" onClick={() => (view.camera3d = camera)}>view {i + 1}</button>
          <Tool icon="trash" label={`forget view ${i + 1}`} onClick={() => change(kept.filter((_, k) => k !== i))} />
        </div>))}
      <button type="button" onClick={() => {
        change([...kept, {camera: view.camera3d}]);
        say(`The view is kept as view ${kept.length + 1} in this browser.`);
      }}>keep this view</button>
      <button type="button" onClick={() => panels.set({views: false})}>close</button>
    </div>);
}

export function Views(props: {page: Page}) {
  const {page} = props, {panels, scene} = page;
  return (
    <>
      <div class="floating views" role="toolbar" aria-label="views" aria-orientation="vertical">
        <Tool icon="fit" label="fit" onClick={() => scene.focus(-1)} />
        <Tool icon="views" label="views" expanded={panels.views} onClick={() => panels.set({views: !panels.views})} />
      </div>
      {panels.views && <List page={page} world={logs[0].world.world} />}
    </>);
}
