// What colors and arrows of the scene mean, with units.
import {useReducer} from 'preact/hooks';
import {useEvent} from '../../page/use_event';
import type {Page} from '../../page/use_page';
import {Swatch} from '../../ui/controls';

export function Legend(props: {page: Page}) {
  const {view, scene} = props.page, [, redraw] = useReducer((count: number) => count + 1, 0);
  useEvent(view.options.events, 'change', () => redraw(0));
  if (!scene.ready) return null;
  const entries = view.legend();
  if (entries.length === 0) return null;
  return (
    <div class="floating legend" role="group" aria-label="legend">
      {entries.map(({color, label, scale}, i) => <span key={i}><Swatch color={color} />{label}{scale ? `, ${scale}` : ''}</span>)}
    </div>);
}
