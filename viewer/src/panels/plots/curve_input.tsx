// A box that finds curves by parts of their names, with the mouse or the keyboard.
import {useMemo, useState} from 'preact/hooks';
import type {Curve} from '../../data/curves';
import {Search} from '../../ui/controls';

/** So many that match are offered at once. */
const OFFERED = 30;

export const curveLabel = (curve: Curve) => `${curve.topic.replace('/mortise/', '')}: ${curve.column}`;

/** Those in whose label every word is. */
export function foundCurves(choices: Curve[], words: string): Curve[] {
  const parts = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (parts.length === 0) return [];
  return choices.filter((choice) => {
    const label = curveLabel(choice).toLowerCase();
    return parts.every((part) => label.includes(part));
  });
}

export function CurveInput(props: {label: string; choices: Curve[]; onChoose: (curve: Curve) => void}) {
  const {label, choices, onChoose} = props;
  const [words, setWords] = useState(''), [at, setAt] = useState(0);
  const found = useMemo(() => foundCurves(choices, words), [words, choices]), offered = found.slice(0, OFFERED);
  const take = (choice: Curve | undefined) => {
    if (!choice) return;
    onChoose(choice);
    setWords('');
    setAt(0);
  };
  return (
    <div class="curve-input">
      <Search label={label} value={words} onInput={(text) => {
        setWords(text);
        setAt(0);
      }} onEnter={() => take(offered[at])} onKey={(e) => {
        if (e.key === 'ArrowDown') setAt(Math.min(at + 1, offered.length - 1));
        else if (e.key === 'ArrowUp') setAt(Math.max(at - 1, 0));
        else if (e.key === 'Escape') setWords('');
        else return;
        e.preventDefault();
        e.stopPropagation();
      }} />
      {words && <div class="found" role="listbox" aria-label={`channels: ${label}`}>
        {offered.map((choice, i) => <button type="button" role="option" aria-selected={i === at} key={curveLabel(choice)} onClick={() => take(choice)}>{curveLabel(choice)}</button>)}
        {(found.length === 0 || found.length > OFFERED) && <small role="option" aria-disabled="true" aria-selected={false}>{found.length === 0 ? 'no channel has such a name' : `and ${found.length - OFFERED} more`}</small>}
      </div>}
    </div>);
}
