// Sliders of a robot's drivers or links, and its configuration as numbers.
import type {PoseRequest} from '../data/protocol';
import {Typed} from '../panels/typed';
import type {Posing} from './posing';
import {digits, numbersFrom, percent} from './pose_state';

interface Slider { name: string; min: number | null; max: number | null; value: number; utilization: number | null; request: (value: number) => PoseRequest }

function slidersOf({state, model, panel: {robot, byLink}, log}: Posing): Slider[] {
  if (!model) return [];
  if (!byLink) {
    return model.drivers.map((d, i) => ({
      ...d, value: state?.drivers[robot]?.[i] ?? 0, utilization: state?.balance?.torques.utilization?.[i] ?? null, request: (value) => ({type: 'driver', driver: i, value}),
    }));
  }
  const links = log.robots[robot].links.map(({name}, i): Slider => ({
    ...model.links[i], name, value: state?.q[robot]?.[i] ?? 0, utilization: null, request: (value) => ({type: 'link', link: i, value}),
  }));
  return links.filter((l) => l.min === null || l.min !== l.max);
}

function SliderRow(props: {posing: Posing; slider: Slider}) {
  const {posing, slider: {name, min, max, value, utilization, request}} = props, {gestures} = posing.client;
  return (
    <label class={'driver' + (utilization === null ? '' : utilization > 1 ? ' overloaded' : ' loaded')} style={utilization === null ? '' : `--utilization: ${Math.min(utilization, 1)}`}
      title={utilization === null ? '' : `torque: ${percent(utilization)} of the limit`}><span title={name}>{name}</span>
      <input type="range" min={min ?? -Math.PI} max={max ?? Math.PI} step="any" value={value}
        onPointerDown={() => gestures.end()} onPointerUp={() => { if (posing.panel.following && posing.item?.editable) posing.endDrag(); }}
        onInput={(e) => posing.slide(request(Number(e.currentTarget.value)))} />
      <output>{digits(value)}</output></label>);
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
  const {posing} = props, {byLink, asNumbers} = posing.panel;
  return (
    <details open>
      <summary>{byLink ? 'Links' : 'Drivers'}</summary>
      <label><input id="by-link" type="checkbox" checked={byLink} onChange={(e) => posing.change({byLink: e.currentTarget.checked})} /> link by link</label>
      {slidersOf(posing).map((slider, i) => <SliderRow key={`${byLink} ${i}`} posing={posing} slider={slider} />)}
      <details open={asNumbers} onToggle={(e) => posing.change({asNumbers: e.currentTarget.open})}>
        <summary id="as-numbers">as numbers</summary>
        {asNumbers && <ConfigurationBox posing={posing} />}
      </details>
    </details>);
}
