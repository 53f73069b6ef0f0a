// Sliders of a robot's drivers or links in groups, with limits and values to type, and its configuration as numbers.
import {useMemo, useState} from 'preact/hooks';
import {Check, Search} from '../ui/controls';
import {Range} from '../ui/range';
import {Typed} from '../ui/typed';
import type {Posing} from './posing';
import {type Slider, slidersOf} from './slider_list';
import {numbersFrom, percent} from './pose_state';

const DEGREES = 180 / Math.PI;

/** Up to so many groups are open at first. */
const OPEN = 3;

function SliderRow(props: {posing: Posing; slider: Slider}) {
  const {posing, slider: {name, min, max, value, utilization, unit, request}} = props, {gestures} = posing.client;
  const scale = unit === '°' ? DEGREES : 1, digits = unit === '°' ? 1 : 4;
  const text = (v: number) => (v * scale).toFixed(digits).replace(/^-(0\.0*)$/, '$1'), limit = (v: number | null, sign: string) => (v === null || Math.abs(v) > 1e6 ? `${sign}∞` : text(v));
  const type = (typed: string) => {
    const given = Number(typed) / scale;
    if (typed.trim() === '' || !Number.isFinite(given)) return;
    gestures.end();
    posing.slide(request(Math.min(Math.max(given, min ?? -Infinity), max ?? Infinity)));
    gestures.end();
  };
  const range = max !== null && min !== null && max - min < 1e6 ? [min, max] : [-Math.PI, Math.PI];
  return (
    <div class={'driver' + (utilization === null ? '' : utilization > 1 ? ' overloaded' : ' loaded')} style={utilization === null ? '' : `--utilization: ${Math.min(utilization, 1)}`}>
      <span class="name" title={name}>{name}</span>
      <Range label={name} min={range[0]} max={range[1]} value={value} text={`${text(value)} ${unit}`}
        onDown={() => gestures.end()} onUp={() => { if (posing.panel.following && posing.item?.editable) posing.endDrag(); }}
        onInput={(v) => posing.slide(request(v))} />
      <Typed class="field typed" inputMode="decimal" aria-label={`${name}, ${unit === '°' ? 'degrees' : 'meters'}`} value={text(value)} onSet={type} />
      <span class="unit">{unit}</span>
      <span class="limits" aria-hidden="true"><span>{limit(min, '-')}</span><span>{limit(max, '')}</span></span>
      {utilization !== null && <small class="bears" title="torque, of the limit">{percent(utilization)}</small>}
    </div>);
}

function ConfigurationBox(props: {posing: Posing}) {
  const {posing} = props, {state, panel: {robot}} = posing;
  const set = (text: string) => {
    const q = numbersFrom(text, posing.links(robot).length);
    if (q) posing.send({type: 'configuration', q});
    else posing.change({message: 'a configuration is one number a link'});
  };
  return (
    <Typed id="configuration" class="numbers" aria-label="configuration" title="the configuration, one number a link: to copy, or to type another one" rows={3}
      value={(state?.q[robot] ?? []).map((v) => Number(v.toPrecision(12))).join(' ')} onSet={set} />);
}

export function Sliders(props: {posing: Posing}) {
  const {posing} = props, {byLink, asNumbers, robot} = posing.panel;
  const [filter, setFilter] = useState('');
  const {sliders} = slidersOf(posing), groups = useMemo(() => slidersOf(posing).groups, [robot, byLink, posing.model]);
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean), fits = (i: number) => words.every((word) => sliders[i].name.toLowerCase().includes(word));
  const shown = groups.map((group) => ({...group, members: group.members.filter((i) => i < sliders.length && fits(i))})).filter(({members}) => members.length > 0);
  const rows = (members: number[]) => members.map((i) => <SliderRow key={`${byLink} ${i}`} posing={posing} slider={sliders[i]} />);
  return (
    <details open>
      <summary>{byLink ? 'Links' : 'Drivers'}</summary>
      {sliders.length > 8 && <Search label={byLink ? 'find a link' : 'find a driver'} value={filter} onInput={setFilter} />}
      <Check id="by-link" checked={byLink} onChange={(on) => posing.change({byLink: on})}>link by link</Check>
      {shown.length === 0 && <p class="empty">none has such a name</p>}
      {shown.length === 1 ? rows(shown[0].members) : shown.map(({name, members}, g) => (
        <details class="group" key={`${byLink} ${name} ${g}`} open={words.length > 0 || g < OPEN}>
          <summary>{name}<small>{members.length}</small></summary>
          {rows(members)}
        </details>))}
      <details open={asNumbers} onToggle={(e) => posing.change({asNumbers: e.currentTarget.open})}>
        <summary id="as-numbers">as numbers</summary>
        {asNumbers && <ConfigurationBox posing={posing} />}
      </details>
    </details>);
}
