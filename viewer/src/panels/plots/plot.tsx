// A plot: its name, its curves with their values now, and what is done with it.
import {useState} from 'preact/hooks';
import {type Curve, isSame, shortest, tableOf} from '../../data/curves';
import type {Log} from '../../data/log';
import {Check, Swatch, Tool} from '../../ui/controls';
import {save} from '../../ui/download';
import {unitOf} from '../units';
import {CurveInput} from './curve_input';
import {type Line, linesOf, plotTable, valueOf} from './plot_data';
import {lineLook} from './plot_options';
import type {PlotSpec} from './plot_spec';
import {type PlotState, usePlot} from './use_plot';

interface PlotProps extends PlotState { choices: Curve[]; onChange: (spec: PlotSpec) => void; onClose: () => void }

const unitsOf = (log: Log, curves: Curve[]): string => [...new Set(curves.map((curve) => unitOf(log, curve)).filter(Boolean))].join(', ');

/** What is not told by the column alone. */
const nameOf = ({topic, column}: Curve): string => (topic === '/mortise/torques' ? `${column} torque` : column);

function title(logs: Log[], {curves, against}: PlotSpec): string {
  const unit = against ? unitOf(logs[0], against) : '';
  return curves.map(nameOf).join(', ') + (against ? ` against ${nameOf(against)}${unit ? ` (${unit})` : ''}` : '');
}

function Legend(props: {logs: Log[]; spec: PlotSpec; time: number; onChange: (spec: PlotSpec) => void}) {
  const {logs, spec, time} = props, several = logs.length > 1, lines = linesOf(logs, spec);
  const value = (line: Line): string => {
    const v = valueOf(logs, spec, line, time);
    return v === undefined ? '–' : shortest(v, 6);
  };
  return (
    <div class="legend-rows">
      {lines.map((line, i) => {
        const look = lineLook(line, several), unit = spec.curves.length > 1 ? unitOf(line.log, line.curve) : '';
        return (
          <span key={i}><Swatch color={look.color} dashed={look.dash !== undefined} /><span class="name">{line.name}</span> <output>{value(line)}</output>{unit && <small>{unit}</small>}
            {spec.curves.length > 1 && line.logIndex === lines[0].logIndex &&
              <Tool class="small" icon="close" label={`without ${line.curve.column}`} onClick={() => props.onChange({...spec, curves: spec.curves.filter((c) => !isSame(c, line.curve))})} />}
          </span>);
      })}
    </div>);
}

/** More curves, what they are drawn against, differences. */
function Options(props: {plot: PlotProps}) {
  const {plot: {logs, spec, choices, onChange}} = props;
  return (
    <div class="options">
      <CurveInput label="add a curve" choices={choices} onChoose={(curve) => { if (!spec.curves.some((c) => isSame(c, curve))) onChange({...spec, curves: [...spec.curves, curve]}); }} />
      {spec.against ? <button type="button" class="chip" onClick={() => onChange({curves: spec.curves, difference: spec.difference})}>against {spec.against.column}: back to the time</button> :
        <CurveInput label="against ..." choices={choices} onChoose={(against) => onChange({...spec, against})} />}
      {logs.length > 1 && <Check title="how far the others are from the first" checked={spec.difference} onChange={(difference) => onChange({...spec, difference})}>difference</Check>}
    </div>);
}

async function download(logs: Log[], spec: PlotSpec): Promise<void> {
  const {heads, columns} = await plotTable(logs, spec);
  save(`${spec.curves[0].column.replace(/[^\w.-]+/g, '_')}.csv`, new Blob([tableOf(heads, columns)], {type: 'text/csv'}));
}

export function Plot(props: PlotProps) {
  const {logs, spec} = props, {holder, data, pointed} = usePlot(props), [options, setOptions] = useState(false);
  const at = pointed !== null ? data.current?.times[pointed] : undefined, name = title(logs, spec);
  return (
    <section class="plot" aria-label={`plot of ${name}`}>
      <header>
        <h3 title={spec.curves.map(({topic, column}) => `${topic}: ${column}`).join('\n')}>{name}<small>{unitsOf(logs[0], spec.curves)}</small></h3>
        <Tool icon="details" label="more curves" expanded={options} onClick={() => setOptions(!options)} />
        <Tool class="csv" icon="download" label="save as a table" onClick={() => void download(logs, spec)} />
        <Tool icon="close" label="close the plot" onClick={props.onClose} />
      </header>
      {options && <Options plot={props} />}
      <div class="drawn" ref={holder} role="img" aria-label={`curves of ${name}; the values now are listed below`} />
      <Legend logs={logs} spec={spec} time={props.time} onChange={props.onChange} />
      {at !== undefined && <small class="pointed">at {at.toFixed(3)} s: {data.current!.values.map((c) => shortest(Math.fround(c.values[pointed!]), 6)).join(' | ')}</small>}
    </section>);
}
