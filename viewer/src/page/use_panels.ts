// Which panels are there, how wide they are, and what fits into the window.
import {useEffect, useState} from 'preact/hooks';
import {keepWidths, keptWidths} from '../kept';

/** Windows of at most this width have no room for all panels, pixels. */
const NARROW = 600, MIDDLE = 900;

export type Size = 'narrow' | 'middle' | 'wide';
export type Side = 'left' | 'right';
/** Of narrow windows. */
export type Tab = 'world' | 'plots' | 'details' | 'show' | '';

/** Widths, pixels: at first, and the least and the most that they can be. */
export const WIDTHS: Record<Side, {usual: number; least: number; most: number}> = {
  left: {usual: 272, least: 200, most: 560}, right: {usual: 328, least: 240, most: 900},
};

export interface Panels {
  size: Size;
  left: boolean;
  right: boolean;
  /** What can be shown, as a list. */
  show: boolean;
  /** Views from which one looks. */
  views: boolean;
  help: boolean;
  tab: Tab;
  widths: Record<Side, number>;
  set: (change: Partial<Pick<Panels, Side | 'show' | 'views' | 'help' | 'tab'>>) => void;
  setWidth: (side: Side, width: number) => void;
}

export const sizeOf = (width: number): Size => (width <= NARROW ? 'narrow' : width <= MIDDLE ? 'middle' : 'wide');

export function usePanels(): Panels {
  const [size, setSize] = useState(() => sizeOf(window.innerWidth));
  const [open, setOpen] = useState({left: size !== 'narrow', right: size === 'wide', show: false, views: false, help: false, tab: 'world' as Tab});
  const [widths, setWidths] = useState<Record<Side, number>>(() => ({left: WIDTHS.left.usual, right: WIDTHS.right.usual, ...keptWidths()}));
  useEffect(() => {
    const resize = () => setSize(sizeOf(window.innerWidth));
    window.addEventListener('resize', resize);
    return () => window.removeEventListener('resize', resize);
  }, []);
  return {
    ...open, size, widths,
    set: (change) => setOpen((old) => ({...old, ...change})),
    setWidth: (side, width) => setWidths((old) => {
      const {least, most} = WIDTHS[side], next = {...old, [side]: Math.min(Math.max(Math.round(width), least), most)};
      keepWidths(next);
      return next;
    }),
  };
}
