// Buttons over the scene for what is switched often. What does not fit beside each other is in the list alone.
import {useEffect, useRef, useState} from 'preact/hooks';
import type {Page} from '../../page/use_page';
import {Tool} from '../../ui/controls';
import type {IconName} from '../../ui/icon';
import {switchesOf} from './switches';

interface ToolbarItem { icon: IconName; label: string; hint?: string; pressed: boolean; id?: string; press: () => void }

/** Of what there is beside them: the list's own button, views, and margins, pixels. */
const TAKEN = 120;

function itemsOf(page: Page): ToolbarItem[] {
  const {scene, kind, link} = page, {shown, setShown} = scene;
  const pull: ToolbarItem[] = kind.live && !link.status?.watched ?
    [{icon: 'pull', label: 'pull bodies', hint: 'or drag with Ctrl', id: 'pull', pressed: scene.pulls, press: () => scene.setPulls(!scene.pulls)}] : [];
  return [
    ...pull,
    ...switchesOf(page).map(({name, label, icon}) => ({icon, label, pressed: shown[name], press: () => setShown({...shown, [name]: !shown[name]})})),
    {icon: 'labels', label: 'names', pressed: scene.labels, press: () => scene.setLabels(!scene.labels)},
    {icon: 'measure', label: 'measure', pressed: scene.measuring, press: () => scene.setMeasuring(!scene.measuring)},
  ];
}

/** How many buttons have room in the scene. */
function useRoom(size: number) {
  const place = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(4);
  useEffect(() => {
    const parent = place.current!.parentElement!, look = () => setRoom(Math.max(0, Math.floor((parent.clientWidth - TAKEN) / size)));
    const observer = new ResizeObserver(look);
    observer.observe(parent);
    look();
    return () => observer.disconnect();
  }, [size]);
  return {place, room};
}

/** Names of those that matter most come first where there is little room. */
const FIRST = ['pull bodies', 'contacts', 'frames', 'grid', 'names', 'measure', 'paths', 'plan', 'commanded'];

export function Toolbar(props: {page: Page}) {
  const {page} = props, {panels} = page, items = itemsOf(page);
  const {place, room} = useRoom(matchMedia('(pointer: coarse)').matches ? 42 : 34);
  const rank = (label: string) => (FIRST.indexOf(label) < 0 ? FIRST.length : FIRST.indexOf(label));
  const kept = new Set([...items].sort((a, b) => rank(a.label) - rank(b.label)).slice(0, room).map(({label}) => label));
  return (
    <div class="floating toolbar" role="toolbar" aria-label="what is shown" ref={place}>
      <Tool icon="layers" label="all that can be shown" keys="o" expanded={panels.show} onClick={() => panels.set({show: !panels.show})} />
      {items.filter(({label}) => kept.has(label)).map(({icon, label, id, pressed, press}) => <Tool key={label} id={id} icon={icon} label={label} pressed={pressed} onClick={press} />)}
    </div>);
}
