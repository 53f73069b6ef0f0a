// The page: a bar, a tree of the world, the scene, plots or posing, and the time.
import {useRef} from 'preact/hooks';
import {Help} from '../panels/help';
import {PlotsPanel} from '../panels/plots/plots_panel';
import {ShowPanel} from '../panels/scene/show_panel';
import {TimeBar} from '../panels/time_bar';
import {WorldPanel} from '../panels/world_panel';
import {PosePanel} from '../posing/pose_panel';
import {Bar} from './bar';
import type {PageParts} from './parts';
import {SceneArea} from './scene_area';
import {Splitter} from './splitter';
import {Tabs} from './tabs';
import {type Page, usePage} from './use_page';

function RightPanel(props: {parts: PageParts; page: Page}) {
  const {parts: {posing}, page} = props, {kind, scene, panels, transport, link, view, logs} = page;
  // What is posed is drawn as it is shown now, whenever that is.
  const shownNow = useRef(scene.shown);
  shownNow.current = scene.shown;
  const open = panels.size === 'narrow' || panels.right;
  if (kind.still || (!posing && !open)) return null;
  const draw = () => {
    view.show(transport.start, shownNow.current);
    link.changed();
  };
  return (
    <>
      {open && <Splitter side="right" label={posing ? 'width of the posing panel' : 'width of the plots'} panels={panels} />}
      <aside class={'right' + (open ? '' : ' away')} aria-label={posing ? 'pose' : 'plots'}>
        {!posing ? <PlotsPanel page={page} /> : scene.ready && <PosePanel client={posing} log={logs[0]} view={view} selected={scene.selected} onChange={draw} />}
      </aside>
    </>);
}

export function App(parts: PageParts) {
  const page = usePage(parts), {kind, panels} = page, {size, widths} = panels;
  const left = size === 'narrow' || panels.left;
  return (
    <main class="page" data-size={size} data-tab={panels.tab} style={`--left: ${widths.left}px; --right: ${widths.right}px`}>
      <Bar page={page} />
      {left && <WorldPanel page={page} />}
      {left && <Splitter side="left" label="width of the tree" panels={panels} />}
      <SceneArea parts={parts} page={page} />
      <RightPanel parts={parts} page={page} />
      {(panels.show || size === 'narrow') && <ShowPanel page={page} />}
      {kind.moves && <TimeBar page={page} />}
      {size === 'narrow' && <Tabs page={page} />}
      {panels.help && <Help timed={kind.moves} posing={kind.posing} onClose={() => panels.set({help: false})} />}
    </main>);
}
