// Configurations of a ghost, by its drivers.
import type {CommandedDriver} from '../../data/protocol';

/** The configuration that drivers' values make of `q`. */
export function posedWith(q: ArrayLike<number>, drivers: CommandedDriver[], values: number[]): number[] {
  const posed = Array.from(q);
  drivers.forEach(({links, scale, offset}, d) => links.forEach((link, i) => (posed[link] = scale[i] * values[d] + offset[i])));
  return posed;
}

/** Values of drivers at a configuration. */
export const driverValues = (q: ArrayLike<number>, drivers: CommandedDriver[]): number[] =>
  drivers.map(({links, scale, offset}) => (scale[0] === 0 ? 0 : (q[links[0]] - offset[0]) / scale[0]));
