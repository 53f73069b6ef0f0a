// The plots on the right, and how they are made.
import {useMemo} from 'preact/hooks';
import type {Curve} from '../../data/curves';
import type {Page} from '../../page/use_page';
import {CurveInput, curveLabel} from './curve_input';
import {Plot} from './plot';
import type {PlotSpec} from './plot_spec';

/** Adds plots: from the list, or by a part of the name. */
function Chooser(props: {choices: Curve[]; onChoose: (curve: Curve) => void}) {
  const {choices, onChoose} = props;
  // There may be thousands of them, and the time changes with every frame.
  const list = useMemo(() => (
    <select aria-label="add a plot" value="" onChange={(e) => {
      const choice = choices[Number(e.currentTarget.value)];
      if (e.currentTarget.value !== '' && choice) onChoose(choice);
      e.currentTarget.value = '';
    }}>
      <option value="">plot ...</option>
      {choices.map((choice, i) => <option key={i} value={String(i)}>{curveLabel(choice)}</option>)}
    </select>), [choices, onChoose]);
  return <div class="chooser">{list}<CurveInput label="find a channel to plot" choices={choices} onChoose={onChoose} /></div>;
}

export function PlotsPanel(props: {page: Page}) {
  const {page: {choices, plot, plots, setPlots, transport, link, logs}} = props;
  const replace = (old: PlotSpec, spec: PlotSpec | null) => setPlots(plots.flatMap((one) => (one !== old ? [one] : spec ? [spec] : [])));
  return (
    <>
      <header class="pane-title"><h2>Plots</h2></header>
      <Chooser choices={choices} onChoose={plot} />
      {plots.length === 0 && <p class="empty">Choose a channel above, or select a body and press Plot.</p>}
      {plots.map((spec, i) => (
        <Plot key={`${i} ${curveLabel(spec.curves[0])}`} logs={logs} spec={spec} choices={choices} time={transport.time} version={link.version} onTime={transport.jump}
          onChange={(changed) => replace(spec, changed)} onClose={() => replace(spec, null)} />))}
    </>);
}
