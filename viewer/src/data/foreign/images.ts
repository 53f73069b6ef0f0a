// Images of cameras: as their files have them, or made of their pixels.
import type {Picture} from '../pictures';
import {type Fields, bytesOf, numberOf, textOf} from '../schemas/tree';
import {entryOf} from './geometry';

const HEAD = 54;
/** Larger images are not made of pixels. */
const MOST_PIXELS = 1 << 26;

/** A bitmap of 24 bits a pixel, which browsers show as it is: `pixel` writes blue, green and red. */
function bitmap(width: number, height: number, pixel: (x: number, y: number, out: Uint8Array, at: number) => void): Uint8Array {
  const row = (3 * width + 3) & ~3, out = new Uint8Array(HEAD + row * height), view = new DataView(out.buffer);
  out.set([0x42, 0x4d]);
  view.setUint32(2, out.length, true);
  view.setUint32(10, HEAD, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  // From the top.
  view.setInt32(22, -height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  for (let y = 0; y < height; ++y) for (let x = 0; x < width; ++x) pixel(x, y, out, HEAD + y * row + 3 * x);
  return out;
}

/** Bytes a pixel, and where red, green and blue are in them. */
const BYTES: Record<string, [number, number, number, number]> = {
  rgb8: [3, 0, 1, 2], '8UC3': [3, 2, 1, 0], bgr8: [3, 2, 1, 0], rgba8: [4, 0, 1, 2], bgra8: [4, 2, 1, 0], '8UC4': [4, 2, 1, 0], mono8: [1, 0, 0, 0], '8UC1': [1, 0, 0, 0],
};
/** Numbers that are shown as grays, the least black, the greatest white: bytes a pixel, and how they are read. */
const NUMBERS: Record<string, [number, (view: DataView, at: number, little: boolean) => number]> = {
  mono16: [2, (view, at, little) => view.getUint16(at, little)], '16UC1': [2, (view, at, little) => view.getUint16(at, little)],
  '16SC1': [2, (view, at, little) => view.getInt16(at, little)], '32FC1': [4, (view, at, little) => view.getFloat32(at, little)],
};
/** Two pixels in four bytes: where both lights, and u and v, are. */
const PAIRS: Record<string, [number, number, number, number]> = {
  yuv422: [1, 3, 0, 2], uyvy: [1, 3, 0, 2], yuv422_yuy2: [0, 2, 1, 3], yuyv: [0, 2, 1, 3],
};

interface Raw { width: number; height: number; step: number; data: Uint8Array; little: boolean }

const checked = ({width, height, step, data}: Raw, row: number): void => {
  if (!(width > 0 && height > 0 && width * height <= MOST_PIXELS) || step < row || (height - 1) * step + row > data.length) throw new Error('an image has too few pixels, or too many');
};

function ofNumbers(raw: Raw, encoding: string, time: number): Picture {
  const [bytes, read] = NUMBERS[encoding], {width, height, step, data, little} = raw, view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  checked(raw, bytes * width);
  let least = Infinity, greatest = -Infinity;
  for (let y = 0; y < height; ++y)
    for (let x = 0; x < width; ++x) {
      const value = read(view, y * step + x * bytes, little);
      if (value < least) least = value;
      if (value > greatest && value < Infinity) greatest = value;
    }
  const scale = greatest > least ? 255 / (greatest - least) : 0;
  const png = bitmap(width, height, (x, y, out, at) => { out[at] = out[at + 1] = out[at + 2] = scale * (read(view, y * step + x * bytes, little) - least); });
  return {time, png, type: 'image/bmp', note: `${encoding}, black ${Number(least.toPrecision(4))}, white ${Number(greatest.toPrecision(4))}`};
}

function ofPairs(raw: Raw, encoding: string, time: number): Picture {
  const [first, second, u, v] = PAIRS[encoding], {width, height, step, data} = raw;
  checked(raw, 2 * width);
  const part = (value: number): number => Math.min(Math.max(value, 0), 255);
  const png = bitmap(width, height, (x, y, out, at) => {
    const from = y * step + 4 * (x >> 1), light = data[from + (x & 1 ? second : first)], d = data[from + u] - 128, e = data[from + v] - 128;
    out[at] = part(light + 1.772 * d);
    out[at + 1] = part(light - 0.344 * d - 0.714 * e);
    out[at + 2] = part(light + 1.402 * e);
  });
  return {time, png, type: 'image/bmp', note: encoding};
}

/** Pixels under a filter of one color each: each is shown as gray. */
const isFiltered = (encoding: string): boolean => /^bayer_\w{4}8$/.test(encoding);

function rawImage(message: Fields, time: number): Picture {
  const encoding = textOf(message.encoding), width = numberOf(message.width), height = numberOf(message.height);
  const layout = entryOf(BYTES, isFiltered(encoding) ? 'mono8' : encoding), row = (layout?.[0] ?? entryOf(NUMBERS, encoding)?.[0] ?? 2) * width;
  const raw: Raw = {width, height, step: numberOf(message.step) || row, data: bytesOf(message.data), little: numberOf(message.is_bigendian) === 0};
  if (entryOf(NUMBERS, encoding)) return ofNumbers(raw, encoding, time);
  if (entryOf(PAIRS, encoding)) return ofPairs(raw, encoding, time);
  if (!layout) throw new Error(`images of the encoding '${encoding}' are not shown`);
  checked(raw, row);
  const [bytes, red, green, blue] = layout, {data, step} = raw;
  const png = bitmap(width, height, (x, y, out, at) => {
    const from = y * step + bytes * x;
    out[at] = data[from + blue];
    out[at + 1] = data[from + green];
    out[at + 2] = data[from + red];
  });
  return {time, png, type: 'image/bmp', note: isFiltered(encoding) ? `${encoding}, as gray` : encoding};
}

/** What a file is, by its first bytes; null: nothing that browsers show. */
function typeOf(data: Uint8Array): string | null {
  const starts = (...bytes: number[]) => bytes.every((byte, i) => data[i] === byte);
  if (starts(0x89, 0x50, 0x4e, 0x47)) return 'image/png';
  if (starts(0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (starts(0x52, 0x49, 0x46, 0x46) && String.fromCharCode(...data.subarray(8, 12)) === 'WEBP') return 'image/webp';
  if (String.fromCharCode(...data.subarray(4, 12)) === 'ftypavif') return 'image/avif';
  return starts(0x42, 0x4d) ? 'image/bmp' : null;
}

function compressedImage(message: Fields, time: number): Picture {
  const all = bytesOf(message.data);
  // A depth of ROS has twelve bytes in front of its PNG.
  const data = /compressedDepth/.test(textOf(message.format)) && typeOf(all) === null ? all.subarray(12) : all, type = typeOf(data);
  if (!type) throw new Error(`images of the format '${textOf(message.format)}' are not shown`);
  return {time, png: data, type, note: ''};
}

/** By schema. */
export const IMAGES: Record<string, (message: Fields, time: number) => Picture> = {
  'foxglove.CompressedImage': compressedImage, 'sensor_msgs/CompressedImage': compressedImage, 'foxglove.RawImage': rawImage, 'sensor_msgs/Image': rawImage,
};
