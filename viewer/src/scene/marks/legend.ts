// What the colors and signs in the scene mean.
import type {Log} from '../../data/log';
import type {LogScene} from '../log_scene';
import {CENTER_OF_MASS, COMMANDED, FRUSTUM, INERTIA, PADDING, RAY, contactColor, cssOf, logColor, trailColor} from '../palette';
import type {LegendEntry} from '../scene_options';
import type {Shown} from '../shown';

/** Of a number of any size, three digits. */
const digits = (value: number): string => Number(value.toPrecision(2)).toString();

/** A length that is easy to see, and the force that it stands for. */
export function forceScale(metersPerNewton: number, longest: number): string {
  const force = longest / metersPerNewton, power = 10 ** Math.floor(Math.log10(force)), round = [5, 2, 1].find((n) => n * power <= force)! * power;
  return `${digits(round * metersPerNewton * 100)} cm = ${digits(round)} N`;
}

/** Whether a log has contacts at any time; what does not move has none. */
export function haveContacts(log: Log): boolean {
  const contacts = log.series.get('/mortise/contacts');
  return contacts !== undefined && (contacts.times.length > 0 || log.end > log.start);
}

export function legendOf(logs: LogScene[], shown: Shown, metersPerNewton: number, longest: number): LegendEntry[] {
  const entries: LegendEntry[] = [], several = logs.length > 1;
  const has = (test: (log: LogScene) => boolean) => logs.some(test);
  if (several) logs.forEach(({log}, i) => entries.push({sign: 'body', color: cssOf(logColor(i)), label: log.name}));
  if (shown.contacts && has(({log}) => haveContacts(log)))
    entries.push({sign: 'arrow', color: cssOf(contactColor(0, several)), label: 'contact force', scale: forceScale(metersPerNewton, longest)});
  const add = (wanted: boolean, sign: LegendEntry['sign'], color: number, label: string) => {
    if (wanted) entries.push({sign, color: cssOf(color), label});
  };
  add(shown.masses, 'point', CENTER_OF_MASS, 'center of mass');
  add(shown.inertias, 'line', INERTIA, 'box of the same inertia');
  add(shown.padding, 'body', PADDING, 'padding');
  add(shown.commanded, 'body', COMMANDED, 'commanded');
  add(shown.trails && !several && logs.some((log) => log.trailCount > 0), 'line', trailColor(0), 'path');
  const sensed = (kind: 'camera' | 'scan') => shown.sensors && has(({log}) => log.sensors.some((sensor) => sensor[kind]));
  add(sensed('camera'), 'line', FRUSTUM, 'camera');
  add(sensed('scan'), 'line', RAY, 'laser');
  if (shown.plans)
    for (const {log} of logs) for (const {name, color} of log.overlays) entries.push({sign: 'line', color, label: name});
  return entries;
}
