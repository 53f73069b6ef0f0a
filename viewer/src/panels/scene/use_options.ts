// Switches of the scene itself, for parts of the page that show and set them.
import {useReducer} from 'preact/hooks';
import {useEvent} from '../../page/use_event';
import type {SceneOptions} from '../../scene/scene_options';
import type {View} from '../../scene/view';

/** Draws the part of the page anew when a switch changes. */
export function useOptions(view: View): SceneOptions {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEvent(view.options.events, 'change', () => redraw(0));
  return view.options;
}
