// The line between a panel and the scene: it is dragged, or moved by arrows; Enter hides the panel.
import {useRef} from 'preact/hooks';
import {type Panels, type Side, WIDTHS} from './use_panels';

/** By one press of an arrow, pixels. */
const STEP = 16;

export function Splitter(props: {side: Side; label: string; panels: Panels}) {
  const {side, panels} = props, width = panels.widths[side], sign = side === 'left' ? 1 : -1;
  const from = useRef<{x: number; width: number} | null>(null);
  return (
    <div class={`splitter of-${side}`} role="separator" tabIndex={0} aria-orientation="vertical" aria-label={props.label} title="drag to resize, double click to hide"
      aria-valuenow={width} aria-valuemin={WIDTHS[side].least} aria-valuemax={WIDTHS[side].most}
      onPointerDown={(e) => {
        from.current = {x: e.clientX, width};
        e.currentTarget.setPointerCapture(e.pointerId);
      }}
      onPointerMove={(e) => { if (from.current) panels.setWidth(side, from.current.width + sign * (e.clientX - from.current.x)); }}
      onPointerUp={() => (from.current = null)} onPointerCancel={() => (from.current = null)}
      onDblClick={() => panels.set({[side]: false})}
      onKeyDown={(e) => {
        if (e.key === 'ArrowLeft' || e.key === 'ArrowRight') panels.setWidth(side, width + sign * (e.key === 'ArrowRight' ? STEP : -STEP));
        else if (e.key === 'Enter') panels.set({[side]: false});
        else return;
        e.preventDefault();
        e.stopPropagation();
      }} />);
}
