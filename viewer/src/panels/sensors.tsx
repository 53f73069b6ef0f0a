// What sensors measure: images of cameras, the nearest beam of lasers, numbers of all others.
import {useRef, useState} from 'preact/hooks';
import {type Curve, shortest} from '../data/curves';
import type {Log, Series} from '../data/log';

/** So many numbers of a sensor are listed at once. */
const LISTED = 12;
const TOPICS = '/mortise/sensors/';

/** The numbers of a sensor; a click plots one. */
function Numbers(props: {series: Series; time: number; onPlot: (curve: Curve) => void}) {
  const {series, time} = props;
  const [all, setAll] = useState(false);
  if (series.times.length === 0) return <small>nothing measured yet</small>;
  const i = series.indexAt(time), count = all ? series.names.length : Math.min(series.names.length, LISTED);
  return (
    <>
      {series.names.slice(0, count).map((name, c) => (
        <div class="value" key={name}>
          <span title="a click plots it" onClick={() => props.onPlot({topic: series.topic, column: name})}>{name}</span>
          <output>{shortest(series.columns[c][i], 5)}</output>
        </div>))}
      {count < series.names.length && <button onClick={() => setAll(true)}>all {series.names.length}</button>}
    </>);
}

export function Sensors(props: {log: Log; time: number; onPlot: (curve: Curve) => void}) {
  const {log, time} = props;
  const [open, setOpen] = useState(false);
  const urls = useRef(new Map<string, {png: Uint8Array; url: string}>());
  const pictured = new Set(log.sensors.map((sensor) => sensor.topic));
  const others = [...log.series.values()].filter((series) => series.topic.startsWith(TOPICS) && !pictured.has(series.topic));
  if (log.sensors.length + others.length === 0) return null;
  const urlOf = (topic: string): string | null => {
    const picture = log.pictureAt(topic, time), old = urls.current.get(topic);
    if (!picture) return null;
    if (old?.png === picture.png) return old.url;
    if (old) URL.revokeObjectURL(old.url);
    const url = URL.createObjectURL(new Blob([picture.png.slice()], {type: 'image/png'}));
    urls.current.set(topic, {png: picture.png, url});
    return url;
  };
  const nearest = (topic: string): string => {
    const series = log.series.get(topic);
    if (!series || series.times.length === 0) return '';
    const i = series.indexAt(time);
    let least = Infinity;
    for (const column of series.columns) if (column[i] > 0 && column[i] < least) least = column[i];
    return Number.isFinite(least) ? `nearest ${least.toFixed(3)} m` : 'nothing met';
  };
  return (
    <details class="sensors" open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>Sensors</summary>
      {open && log.sensors.map((sensor) => {
        const url = sensor.camera ? urlOf(sensor.topic) : null;
        return (
          <figure key={sensor.topic}>
            <figcaption>{log.robots[sensor.robot]?.name}: {sensor.name}</figcaption>
            {sensor.camera ? (url ? <img src={url} alt={`what ${sensor.name} sees`} /> : <small>no image yet</small>) :
                             <output>{nearest(sensor.topic)}</output>}
          </figure>);
      })}
      {open && others.map((series) => (
        <figure key={series.topic}>
          <figcaption>{series.topic.slice(TOPICS.length).replace('/', ': ')}</figcaption>
          <Numbers series={series} time={time} onPlot={props.onPlot} />
        </figure>))}
    </details>);
}
