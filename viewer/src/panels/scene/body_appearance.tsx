// How what is selected is drawn: its opacity, whether the camera goes with it.
import type {Page} from '../../page/use_page';
import {Check} from '../../ui/controls';
import {Range} from '../../ui/range';
import {useOptions} from './use_options';

/** `shaped`: there is something to be seen through. */
export function BodyAppearance(props: {page: Page; id: number; shaped: boolean}) {
  const {page: {view, logs}, id} = props, options = useOptions(view), [{world, poses}] = logs;
  const robot = world.robots.find((one) => one.id === id), ids = robot ? robot.links.map((link) => link.id) : [id];
  const opacity = options.opacityOf(ids[0] ?? id), followed = options.get('follow') === id;
  return (
    <div class="value opacity">
      {props.shaped && <><span class="what">opacity</span>
      <span class="reading"><Range label="opacity" min={0} max={1} value={opacity} text={`${Math.round(100 * opacity)} %`} onInput={(value) => options.setOpacity(ids, value)} /></span>
      <span class="unit">{Math.round(100 * opacity)}%</span></>}
      {poses.has(id) && <Check title="the camera goes with it" checked={followed} onChange={(on) => options.set('follow', on ? id : -1)}>follow</Check>}
    </div>);
}
