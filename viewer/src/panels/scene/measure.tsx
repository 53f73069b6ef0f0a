// A distance in the scene: two clicks on surfaces. Its ends go with the bodies that they are on.
import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';
import {useEvent} from '../../page/use_event';
import type {Page} from '../../page/use_page';
import {Notice} from '../../ui/toasts';
import {lengthText} from '../readings';
import {localOf, worldOf} from './body_points';

interface End { id: number; local: number[] }

/** A click, and not a drag, in pixels. */
const STILL = 4;

function useClicks(page: Page, onPoint: (end: End) => void) {
  const {view, logs: [log]} = page, latest = useRef(onPoint);
  latest.current = onPoint;
  // Before anything can be clicked: another effect would wait for a picture.
  useLayoutEffect(() => {
    const {canvas} = view;
    let down = [0, 0];
    const begin = (e: PointerEvent) => (down = [e.clientX, e.clientY]);
    const end = (e: PointerEvent) => {
      if (e.button !== 0 || Math.hypot(e.clientX - down[0], e.clientY - down[1]) > STILL) return;
      const box = canvas.getBoundingClientRect(), hit = view.pointAt(e.clientX - box.left, e.clientY - box.top);
      if (hit) latest.current({id: hit.id, local: localOf(log.poses.get(hit.id), hit.point)});
    };
    canvas.addEventListener('pointerdown', begin);
    canvas.addEventListener('pointerup', end);
    return () => {
      canvas.removeEventListener('pointerdown', begin);
      canvas.removeEventListener('pointerup', end);
    };
  }, []);
}

export function Measure(props: {page: Page}) {
  const {page} = props, {view, logs: [log], scene} = page;
  const [ends, setEnds] = useState<End[]>([]), line = useRef<SVGLineElement>(null), dots = useRef<SVGGElement>(null);
  useClicks(page, (end) => setEnds((old) => (old.length === 1 ? [old[0], end] : [end])));
  const points = () => ends.map(({id, local}) => worldOf(log.poses.get(id), local));
  const place = () => {
    const shown = points().map((point) => view.toScreen(point)), [a, b] = shown;
    [...dots.current?.children ?? []].forEach((dot, i) => {
      dot.setAttribute('visibility', shown[i] ? 'visible' : 'hidden');
      if (shown[i]) for (const [name, value] of [['cx', shown[i][0]], ['cy', shown[i][1]]] as const) dot.setAttribute(name, value.toFixed(1));
    });
    line.current?.setAttribute('visibility', a && b ? 'visible' : 'hidden');
    if (a && b) for (const [name, value] of [['x1', a[0]], ['y1', a[1]], ['x2', b[0]], ['y2', b[1]]] as const) line.current?.setAttribute(name, value.toFixed(1));
  };
  useEvent(view.events, 'drawn', place);
  useEffect(place);
  const [p, q] = points(), d = p && q ? q.map((v, i) => v - p[i]) : null, [text, unit] = d ? lengthText(Math.hypot(...d)) : ['', ''];
  return (
    <>
      <svg class="measure" aria-hidden="true"><line ref={line} visibility="hidden" />
        <g ref={dots}><circle r="4" visibility="hidden" /><circle r="4" visibility="hidden" /></g></svg>
      <Notice id="distance" onClose={() => scene.setMeasuring(false)}>{d ? `${text} ${unit} apart: x ${d[0].toFixed(4)}, y ${d[1].toFixed(4)}, z ${d[2].toFixed(4)} m` : ends.length === 1 ? 'and the other point' : 'click the first point'}</Notice>
    </>);
}
