// Names beside bodies, and a distance between two points: over the picture, where its points are.
import {useEffect, useRef} from 'preact/hooks';
import {useEvent} from '../../page/use_event';
import type {Page} from '../../page/use_page';
import type {View} from '../../scene/view';

/** So many names are shown at once. */
const MOST = 200;

/** Puts elements where points of the world are in each picture. */
function usePlaces(view: View, place: () => void) {
  useEvent(view.events, 'drawn', place);
  useEffect(place);
}

function put(element: HTMLElement | SVGElement | null, at: [number, number] | null): void {
  if (!element) return;
  element.style.visibility = at ? 'visible' : 'hidden';
  if (at) element.style.transform = `translate(${at[0].toFixed(1)}px, ${at[1].toFixed(1)}px)`;
}

export function Names(props: {page: Page}) {
  const {logs: [log], view, scene} = props.page, list = useRef<HTMLDivElement>(null);
  const named = log.world.entities.filter(({id, kind}) => kind !== 'robot' && log.poses.has(id) && !scene.hidden.has(id)).slice(0, MOST);
  usePlaces(view, () => named.forEach(({id}, i) => {
    const pose = log.poses.get(id);
    put(list.current?.children[i] as HTMLElement, pose ? view.toScreen([pose[9], pose[10], pose[11]]) : null);
  }));
  const short = (name: string) => /\[([^\]]+)\]$/.exec(name)?.[1] ?? name;
  return <div ref={list} aria-hidden="true">{named.map(({id, name}) => <span class="label" key={id}>{short(name) || `#${id}`}</span>)}</div>;
}
