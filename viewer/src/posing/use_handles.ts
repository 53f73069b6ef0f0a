// Handles in the scene: at what is selected there, or at the chosen resource.
import {useLayoutEffect, useReducer} from 'preact/hooks';
import {useEvent} from '../page/use_event';
import type {Posing} from './posing';

/** What handles move. */
interface Handled { kind: 'object' | 'base' | 'resource'; index: number; T: number[]; planar: boolean; pointOnly: boolean }

function handledBase(posing: Posing): Handled | null {
  const {log, robots, selected} = posing;
  // A robot, by its name in the tree or by its base.
  const index = log.world.robots.findIndex((robot, i) => selected === robot.id || selected === posing.links(i)[robots[i]?.base_link]?.id);
  const model = robots[index], pose = log.poses.get(posing.links(index)[model?.base_link ?? -1]?.id);
  return pose ? {kind: 'base', index, T: [...pose], planar: model.base === 'planar', pointOnly: false} : null;
}

function handledOf(posing: Posing): Handled | null {
  const {panel, state, item, entities, selected} = posing;
  // Where surfaces are picked they would be in the way.
  if (!state || panel.handles === 'off' || panel.picking) return null;
  if (panel.focus === 'resource' && item?.values && (item.kind === 'transform' || item.kind === 'vector3')) {
    const pointOnly = item.kind === 'vector3';
    return {kind: 'resource', index: panel.chosen, T: pointOnly ? [1, 0, 0, 0, 1, 0, 0, 0, 1, ...item.values] : item.values, planar: false, pointOnly};
  }
  if (entities[selected]?.kind !== 'object') return handledBase(posing);
  const index = posing.objectOf(selected);
  return {kind: 'object', index, T: state.objects[index], planar: false, pointOnly: false};
}

export function useHandles(posing: Posing): void {
  const {view: {handles}, panel, client: {gestures}, state, resources} = posing, handled = handledOf(posing);
  const [ended, end] = useReducer((count: number) => count + 1, 0);
  // With the picture of what they are at, not after it.
  useLayoutEffect(() => {
    handles.show(handled?.T ?? null, handled?.pointOnly || panel.handles === 'off' ? 'move' : panel.handles, handled?.planar);
  }, [panel.handles, handled?.kind, handled?.index, panel.picking, state, resources, ended]);
  useEvent(handles.events, 'move', (T) => {
    if (handled?.kind === 'resource') gestures.move({type: 'set', resource: handled.index, values: handled.pointOnly ? T.slice(9) : T});
    else if (handled) gestures.move({type: 'place', T, ...(handled.kind === 'object' ? {object: handled.index} : {robot: handled.index})});
  });
  useEvent(handles.events, 'end', () => {
    if (handled?.kind === 'base') posing.endDrag();
    else gestures.end();
    // Where it really is: a base may not have followed.
    end(0);
  });
}
