// The scene, and what floats over it: switches, views, the legend, names, messages.
import {useLayoutEffect, useRef} from 'preact/hooks';
import {ProgramPanel} from '../panels/program/program_panel';
import {Names} from '../panels/scene/labels';
import {Legend} from '../panels/scene/legend';
import {Measure} from '../panels/scene/measure';
import {Toolbar} from '../panels/scene/toolbar';
import {Views} from '../panels/scene/views';
import {Notices} from '../panels/notices';
import {Toasts} from '../ui/toasts';
import type {PageParts} from './parts';
import type {Page} from './use_page';

/** Puts the element of the scene where it belongs. */
function Stage(props: {stage: HTMLElement}) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.append(props.stage), []);
  return <div class="place" ref={place} />;
}

export function SceneArea(props: {parts: PageParts; page: Page}) {
  const {parts: {stage, view, client}, page} = props, {scene, logs} = page, {hovered} = scene;
  return (
    <section class="scene" aria-label="scene"><Stage stage={stage} />
      {scene.ready && scene.labels && <Names page={page} />}
      {client && <ProgramPanel program={client.program} view={view} ready={scene.ready} />}
      <Toolbar page={page} />
      <Views page={page} />
      <Legend page={page} />
      {hovered.id >= 0 && <div class="hovered" style={`left: ${hovered.x + 12}px; top: ${hovered.y + 12}px`}>{logs[0].world.entities[hovered.id]?.name || `#${hovered.id}`}</div>}
      <Toasts><Notices page={page} />{scene.ready && scene.measuring && <Measure page={page} />}<div id="pose-messages" /></Toasts>
    </section>);
}
