// What a link to the page restores, in the part of its address behind #: the time, the view, plots, the selection.
import type {PlotSpec} from '../panels/plots/plot_spec';

export interface Linked {
  time?: number;
  camera?: number[];
  plots?: PlotSpec[];
  selected?: number;
}

/** Digits that tell apart what one sees. */
const DIGITS = 7;

const number = (value: number): string => String(Number(value.toPrecision(DIGITS)));

/** Names may have any letters, so parts are separated by what `encodeURIComponent` leaves to us. */
const curveText = ({topic, column}: {topic: string; column: string}): string => `${encodeURIComponent(topic)}:${encodeURIComponent(column)}`;

function curveFrom(text: string): {topic: string; column: string} | null {
  const [topic, column, ...more] = text.split(':').map(decodeURIComponent);
  return topic && column && more.length === 0 ? {topic, column} : null;
}

function plotText({curves, against, difference}: PlotSpec): string {
  return curves.map(curveText).join('+') + (against ? `@${curveText(against)}` : '') + (difference ? '!' : '');
}

function plotFrom(text: string): PlotSpec | null {
  const difference = text.endsWith('!'), [first, second] = (difference ? text.slice(0, -1) : text).split('@');
  const curves = first.split('+').map(curveFrom), against = second === undefined ? undefined : curveFrom(second);
  if (against === null || curves.some((curve) => curve === null)) return null;
  return {curves: curves as PlotSpec['curves'], difference, ...(against ? {against} : {})};
}

/** The part behind #: `hash` with all that `linked` says; what else is in it (the token) stays. */
export function withLinked(hash: string, linked: Linked): string {
  const kept = hash.replace(/^#/, '').split('&').filter((part) => part !== '' && !/^(t|view|plot|sel)=/.test(part));
  const {time, camera, plots = [], selected = -1} = linked;
  if (time !== undefined) kept.push(`t=${number(time)}`);
  if (camera) kept.push(`view=${camera.map(number).join(',')}`);
  if (selected >= 0) kept.push(`sel=${selected}`);
  for (const plot of plots) kept.push(`plot=${plotText(plot)}`);
  return kept.length > 0 ? `#${kept.join('&')}` : '';
}

/** What the part behind # says; what is no number, or no curve, is left out. */
export function linkedFrom(hash: string): Linked {
  const out: Linked = {};
  for (const part of hash.replace(/^#/, '').split('&')) {
    const at = part.indexOf('='), key = part.slice(0, at), text = part.slice(at + 1);
    try {
      if (key === 't' && text !== '' && Number.isFinite(Number(text))) out.time = Number(text);
      else if (key === 'view') {
        const camera = text.split(',').map((v) => (v === '' ? NaN : Number(v)));
        if (camera.length >= 8 && camera.every(Number.isFinite)) out.camera = camera;
      } else if (key === 'sel' && /^\d+$/.test(text)) out.selected = Number(text);
      else if (key === 'plot') {
        const plot = plotFrom(text);
        if (plot) out.plots = [...(out.plots ?? []), plot];
      }
    } catch {
      // Addresses that were cut within a letter.
    }
  }
  return out;
}
