// What sensors measure: images of cameras, the nearest beam of lasers, numbers of all others, each with its unit.
import {useRef, useState} from 'preact/hooks';
import {type Curve, shortest, valueAt} from '../data/curves';
import type {Log, SensorDescription, Series} from '../data/log';
import {SensorImage} from './sensor_image';
import {unitOf} from './units';

/** So many numbers of a sensor are listed at once. */
const LISTED = 12;
const TOPICS = '/mortise/sensors/';

/** The numbers of a sensor; a click plots one. */
function Numbers(props: {log: Log; series: Series; time: number; onPlot: (curve: Curve) => void}) {
  const {log, series, time} = props;
  const [all, setAll] = useState(false);
  if (series.times.length === 0) return <small>nothing measured yet</small>;
  const foreign = log.isForeign(series.topic), i = series.indexAt(time), count = all ? series.names.length : Math.min(series.names.length, LISTED);
  return (
    <>
      {series.names.slice(0, count).map((name, c) => (
        <button type="button" class="number" key={name} title="a click plots it" onClick={() => props.onPlot({topic: series.topic, column: name})}>
          <span>{name}</span><output>{shortest(foreign ? valueAt(log, {topic: series.topic, column: name}, time) : series.columns[c][i], 5)}</output> <small>{unitOf(log, {topic: series.topic, column: name})}</small>
        </button>))}
      {count < series.names.length && <button type="button" class="number" onClick={() => setAll(true)}>all {series.names.length}</button>}
    </>);
}

function nearest(log: Log, topic: string, time: number): string {
  const series = log.series.get(topic);
  if (!series || series.times.length === 0) return '';
  const i = series.indexAt(time);
  let least = Infinity;
  for (const column of series.columns) if (column[i] > 0 && column[i] < least) least = column[i];
  return Number.isFinite(least) ? `nearest ${least.toFixed(3)} m` : 'nothing met';
}

/** An address of the picture that a camera took last, which is made anew when there is another one. */
function usePictures(log: Log, time: number): (topic: string) => string | null {
  const urls = useRef(new Map<string, {png: Uint8Array; url: string}>());
  return (topic) => {
    const picture = log.pictureAt(topic, time), key = `${log.name} ${topic}`, old = urls.current.get(key);
    if (!picture) return null;
    if (old?.png === picture.png) return old.url;
    if (old) URL.revokeObjectURL(old.url);
    const url = URL.createObjectURL(new Blob([picture.png.slice()], {type: picture.type ?? 'image/png'}));
    urls.current.set(key, {png: picture.png, url});
    return url;
  };
}

export function Sensors(props: {logs: Log[]; time: number; onPlot: (curve: Curve) => void}) {
  const {logs, time} = props, [log] = logs;
  const [open, setOpen] = useState(false), [of, setOf] = useState(0);
  const shown = logs[of] ?? log, urlOf = usePictures(shown, time);
  const pictured = new Set(shown.sensors.map((sensor) => sensor.topic));
  const others = [...shown.series.values()].filter((series) => (series.topic.startsWith(TOPICS) || (shown.isForeign(series.topic) && series.names.length > 0)) && !pictured.has(series.topic));
  const images = [...shown.foreign?.images.keys() ?? []];
  if (shown.sensors.length + others.length + images.length === 0 && of === 0) return null;
  const title = (sensor: SensorDescription) => `${shown.robots[sensor.robot]?.name}: ${sensor.name}`;
  return (
    <details class="sensors" open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>Sensors</summary>
      {open && logs.length > 1 && <select aria-label="whose sensors" value={String(of)} onChange={(e) => setOf(Number(e.currentTarget.value))}>
        {logs.map(({name}, i) => <option key={i} value={String(i)}>{name}</option>)}</select>}
      {open && shown.sensors.map((sensor) => (
        <figure key={sensor.topic}>
          <figcaption><span>{title(sensor)}</span>{sensor.camera && <small>{sensor.camera.width} × {sensor.camera.height} px</small>}</figcaption>
          {sensor.camera ? <SensorImage url={urlOf(sensor.topic)} name={sensor.name} camera={sensor.camera} title={title(sensor)} /> : <output>{nearest(shown, sensor.topic, time)}</output>}
        </figure>))}
      {open && images.map((topic) => (
        <figure key={`image ${topic}`}>
          <figcaption><span>{topic}</span><small>{shown.pictureAt(topic, time)?.note}</small></figcaption>
          <SensorImage url={urlOf(topic)} name={topic} title={topic} />
        </figure>))}
      {open && others.map((series) => (
        <figure key={series.topic}>
          <figcaption>{series.topic.startsWith(TOPICS) ? series.topic.slice(TOPICS.length).replace('/', ': ') : series.topic}</figcaption>
          <Numbers log={shown} series={series} time={time} onPlot={props.onPlot} />
        </figure>))}
    </details>);
}
