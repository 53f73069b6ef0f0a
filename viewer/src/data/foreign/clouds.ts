// Clouds of points, scans of lasers, and grids.
import {type Fields, bytesOf, fieldsOf, listOf, numberOf, textOf} from '../schemas/tree';
import type {Cloud, Grid, Placed} from './drawn';
import {IDENTITY, frameOf, poseOf, vectorOf} from './geometry';

/** So many points of a message are drawn: of more, each second, third, ... */
export const MOST_POINTS = 1 << 20;
/** Of a point, pixels. */
const POINT = 2.5;

type Kind = 'i8' | 'u8' | 'i16' | 'u16' | 'i32' | 'u32' | 'f32' | 'f64';
/** Numbers of types in Foxglove's schemas, and in ROS. */
const FOXGLOVE: (Kind | null)[] = [null, 'u8', 'i8', 'u16', 'i16', 'u32', 'i32', 'f32', 'f64'];
const ROS: (Kind | null)[] = [null, 'i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'f32', 'f64'];
const SIZES: Record<Kind, number> = {i8: 1, u8: 1, i16: 2, u16: 2, i32: 4, u32: 4, f32: 4, f64: 8};

interface Field { name: string; offset: number; kind: Kind }

function readNumber(view: DataView, at: number, kind: Kind, little: boolean): number {
  switch (kind) {
    case 'i8': return view.getInt8(at);
    case 'u8': return view.getUint8(at);
    case 'i16': return view.getInt16(at, little);
    case 'u16': return view.getUint16(at, little);
    case 'i32': return view.getInt32(at, little);
    case 'u32': return view.getUint32(at, little);
    case 'f32': return view.getFloat32(at, little);
    case 'f64': return view.getFloat64(at, little);
  }
}

function fieldsIn(message: Fields, kinds: (Kind | null)[], typed: 'type' | 'datatype'): Map<string, Field> {
  const found = new Map<string, Field>();
  for (const one of listOf(message.fields).map(fieldsOf)) {
    const name = textOf(one.name), kind = kinds[numberOf(one[typed])] ?? null;
    if (kind) found.set(name, {name, offset: numberOf(one.offset), kind});
  }
  return found;
}

/** Colors from dark blue over green to yellow, as `u` goes from 0 to 1. */
function ramp(u: number, out: Uint8Array, at: number): void {
  const v = Math.min(Math.max(u, 0), 1);
  out[at] = 255 * Math.min(1, Math.max(0, 1.9 * v - 0.75) + 0.27 * (1 - v) * (v < 0.4 ? 1 : 0));
  out[at + 1] = 255 * (0.05 + 0.85 * v);
  out[at + 2] = 255 * Math.max(0.14, 0.33 + 0.5 * v - 1.3 * v * v + 0.45 * v * v * v);
  out[at + 3] = 255;
}

/** Colors by numbers, from the least to the greatest; null: all are equal. */
export function rampOf(values: ArrayLike<number>): Uint8Array | null {
  let least = Infinity, greatest = -Infinity;
  for (let i = 0; i < values.length; ++i) {
    if (values[i] < least) least = values[i];
    if (values[i] > greatest && values[i] < Infinity) greatest = values[i];
  }
  if (!(greatest > least)) return null;
  const colors = new Uint8Array(4 * values.length);
  for (let i = 0; i < values.length; ++i) ramp((values[i] - least) / (greatest - least), colors, 4 * i);
  return colors;
}

/** How the color of a point is read, where its fields have one. */
function colorReader(fields: Map<string, Field>, view: DataView, little: boolean): ((at: number, out: Uint8Array, to: number) => void) | null {
  const [red, green, blue, alpha] = ['red', 'green', 'blue', 'alpha'].map((name) => fields.get(name) ?? fields.get(name[0]));
  if (red && green && blue) {
    const part = (field: Field, at: number) => {
      const value = readNumber(view, at + field.offset, field.kind, little);
      return field.kind === 'f32' || field.kind === 'f64' ? 255 * value : value;
    };
    return (at, out, to) => {
      [red, green, blue].forEach((field, k) => (out[to + k] = part(field, at)));
      out[to + 3] = alpha ? part(alpha, at) : 255;
    };
  }
  // Three or four bytes in one number: blue, green, red, and in the last one, of "rgba", the opacity.
  const packed = fields.get('rgba') ?? fields.get('rgb');
  if (!packed || SIZES[packed.kind] !== 4) return null;
  return (at, out, to) => {
    const value = view.getUint32(at + packed.offset, little);
    out[to] = (value >> 16) & 255;
    out[to + 1] = (value >> 8) & 255;
    out[to + 2] = value & 255;
    out[to + 3] = packed.name === 'rgba' ? value >>> 24 : 255;
  };
}

/** Points of packed fields. Those that are not finite are left out. */
function packedCloud(data: Uint8Array, count: number, placeOf: (i: number) => number, fields: Map<string, Field>, little: boolean): Cloud {
  const [x, y, z] = ['x', 'y', 'z'].map((name) => fields.get(name)), view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (!x || !y) throw new Error('a cloud has no fields x and y');
  const end = Math.max(...[...fields.values()].map(({offset, kind}) => offset + SIZES[kind])), step = Math.max(1, Math.ceil(count / MOST_POINTS));
  const most = Math.ceil(count / step), positions = new Float32Array(3 * most), colorAt = colorReader(fields, view, little);
  const colors = new Uint8Array(4 * most), weight = fields.get('intensity') ?? fields.get('reflectivity') ?? z, weights = new Float32Array(most);
  let n = 0;
  for (let i = 0; i < count; i += step) {
    const at = placeOf(i);
    if (at + end > data.length) throw new Error('a cloud ends too early');
    const p = [x, y, z].map((field) => (field ? readNumber(view, at + field.offset, field.kind, little) : 0));
    if (!p.every(Number.isFinite)) continue;
    positions.set(p, 3 * n);
    if (colorAt) colorAt(at, colors, 4 * n);
    else if (weight) weights[n] = readNumber(view, at + weight.offset, weight.kind, little);
    ++n;
  }
  return {kind: 'cloud', positions: positions.subarray(0, 3 * n), colors: colorAt ? colors.subarray(0, 4 * n) : rampOf(weights.subarray(0, n)), size: POINT};
}

function foxgloveCloud(message: Fields): Placed {
  const data = bytesOf(message.data), stride = numberOf(message.point_stride);
  if (!(stride > 0)) throw new Error('a cloud does not say how many bytes a point has');
  const drawing = packedCloud(data, Math.floor(data.length / stride), (i) => i * stride, fieldsIn(message, FOXGLOVE, 'type'), true);
  return {frame: frameOf(message), pose: poseOf(message.pose), drawing};
}

function rosCloud(message: Fields): Placed {
  const data = bytesOf(message.data), step = numberOf(message.point_step), width = numberOf(message.width), row = numberOf(message.row_step) || step * width;
  if (!(step > 0) || !(width >= 0)) throw new Error('a cloud does not say how many bytes a point has');
  const count = width * numberOf(message.height, 1);
  if (count * step > 4 * data.length + row) throw new Error('a cloud ends too early');
  const placeOf = (i: number) => Math.floor(i / width) * row + (i % width) * step;
  return {frame: frameOf(message), pose: IDENTITY, drawing: packedCloud(data, count, placeOf, fieldsIn(message, ROS, 'datatype'), numberOf(message.is_bigendian) === 0)};
}

/** What beams of a laser meet, in its plane. */
function scanned(ranges: number[], first: number, step: number, least: number, most: number, strengths: number[]): Cloud {
  const positions: number[] = [], weights: number[] = [];
  ranges.forEach((range, i) => {
    if (!Number.isFinite(range) || range < least || range > most || range <= 0) return;
    positions.push(range * Math.cos(first + i * step), range * Math.sin(first + i * step), 0);
    weights.push(strengths[i] ?? 0);
  });
  return {kind: 'cloud', positions: Float32Array.from(positions), colors: rampOf(weights), size: 1.6 * POINT};
}

function foxgloveScan(message: Fields): Placed {
  const ranges = listOf(message.ranges).map((v) => numberOf(v, NaN)), first = numberOf(message.start_angle), last = numberOf(message.end_angle);
  const step = ranges.length > 1 ? (last - first) / (ranges.length - 1) : 0;
  return {frame: frameOf(message), pose: poseOf(message.pose), drawing: scanned(ranges, first, step, 0, Infinity, listOf(message.intensities).map((v) => numberOf(v)))};
}

function rosScan(message: Fields): Placed {
  const ranges = listOf(message.ranges).map((v) => numberOf(v, NaN)), strengths = listOf(message.intensities).map((v) => numberOf(v));
  const drawing = scanned(ranges, numberOf(message.angle_min), numberOf(message.angle_increment), numberOf(message.range_min), numberOf(message.range_max, Infinity), strengths);
  return {frame: frameOf(message), pose: IDENTITY, drawing};
}

/** So many cells of a grid are drawn at most. */
const MOST_CELLS = 1 << 24;

function foxgloveGrid(message: Fields): Placed {
  const data = bytesOf(message.data), columns = numberOf(message.column_count), row = numberOf(message.row_stride), cell = numberOf(message.cell_stride);
  if (!(columns > 0 && row > 0 && cell > 0 && row * columns <= MOST_CELLS * 64)) throw new Error('a grid does not say how many bytes a cell has');
  const rows = Math.floor(data.length / row), fields = fieldsIn(message, FOXGLOVE, 'type'), [width, height] = vectorOf(message.cell_size);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength), colorAt = colorReader(fields, view, true), [field] = [...fields.values()];
  if (!field || columns * rows > MOST_CELLS) throw new Error('a grid has no fields, or too many cells');
  const colors = new Uint8Array(4 * columns * rows), values = new Float32Array(columns * rows);
  for (let i = 0; i < values.length; ++i) {
    const at = Math.floor(i / columns) * row + (i % columns) * cell;
    if (colorAt) colorAt(at, colors, 4 * i);
    else values[i] = readNumber(view, at + field.offset, field.kind, true);
  }
  const drawing: Grid = {kind: 'grid', columns, rows, cell: [width, height], colors: colorAt ? colors : rampOf(values) ?? colors.fill(128)};
  return {frame: frameOf(message), pose: poseOf(message.pose), drawing};
}

/** Free is light, occupied dark; what is unknown is seen through. */
function occupancyGrid(message: Fields): Placed {
  const info = fieldsOf(message.info), columns = numberOf(info.width), rows = numberOf(info.height), cell = numberOf(info.resolution);
  const list = listOf(message.data).map((v) => numberOf(v));
  if (columns * rows !== list.length || columns * rows > MOST_CELLS) throw new Error('a grid has too few cells, or too many');
  const colors = new Uint8Array(4 * list.length);
  list.forEach((value, i) => {
    const gray = 235 - 2 * Math.min(value, 100);
    colors.set(value < 0 ? [128, 128, 128, 60] : [gray, gray, gray, 220], 4 * i);
  });
  return {frame: frameOf(message), pose: poseOf(info.origin), drawing: {kind: 'grid', columns, rows, cell: [cell, cell], colors}};
}

/** By schema. */
export const CLOUDS: Record<string, (message: Fields) => Placed> = {
  'foxglove.PointCloud': foxgloveCloud, 'sensor_msgs/PointCloud2': rosCloud, 'foxglove.LaserScan': foxgloveScan, 'sensor_msgs/LaserScan': rosScan,
  'foxglove.Grid': foxgloveGrid, 'nav_msgs/OccupancyGrid': occupancyGrid,
};
