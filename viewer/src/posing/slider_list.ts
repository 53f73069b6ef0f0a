// The sliders of a posed robot: its drivers, or its links one by one, with limits and units.
import type {PoseRequest} from '../data/protocol';
import type {Posing} from './posing';
import {type DriverGroup, driverGroups} from './driver_groups';

export interface Slider {
  name: string;
  min: number | null;
  max: number | null;
  value: number;
  /** Of torque, of its limit; null: not known. */
  utilization: number | null;
  unit: string;
  request: (value: number) => PoseRequest;
}

/** Drivers and links that turn are shown in degrees, others in meters. */
const unitOf = (motion: string | undefined): string => (motion === 'prismatic' ? 'm' : '°');

/** The link that each slider moves first. */
function linksMoved({model, panel: {byLink}}: Posing, indices: number[]): number[] {
  return byLink ? indices : indices.map((driver) => model!.driver_of_link.indexOf(driver));
}

export function slidersOf(posing: Posing): {sliders: Slider[]; groups: DriverGroup[]} {
  const {state, model, panel: {robot, byLink}} = posing, links = posing.links(robot);
  if (!model) return {sliders: [], groups: []};
  const indices = byLink ? links.map((_, i) => i).filter((i) => model.links[i].min === null || model.links[i].min !== model.links[i].max) : model.drivers.map((_, i) => i);
  const moved = linksMoved(posing, indices);
  const sliders = indices.map((i, k): Slider => byLink ?
    {...model.links[i], name: links[i].name, value: state?.q[robot]?.[i] ?? 0, utilization: null, unit: unitOf(links[i].motion), request: (value) => ({type: 'link', link: i, value})} :
    {...model.drivers[i], value: state?.drivers[robot]?.[i] ?? 0, utilization: state?.balance?.torques.utilization?.[i] ?? null,
      unit: unitOf(links[moved[k]]?.motion), request: (value) => ({type: 'driver', driver: i, value})});
  return {sliders, groups: driverGroups(moved, sliders.map(({name}) => name), {parents: model.links.map(({parent}) => parent), names: links.map(({name}) => name)})};
}
