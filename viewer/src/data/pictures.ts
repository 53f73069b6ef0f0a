// What cameras saw.
import type {Message} from './chunks';

/** `type`: of the file that it is, PNG where nothing is said; `note`: how it is shown. */
export interface Picture { time: number; png: Uint8Array; type?: string; note?: string }

/** The data of a foxglove.CompressedImage: field 2. */
export function imageOf(message: Uint8Array): Uint8Array | null {
  let at = 0;
  const varint = (): number => {
    let value = 0, scale = 1;
    for (;;) {
      const byte = message[at++];
      value += (byte & 127) * scale;
      if (byte < 128 || byte === undefined) return value;
      scale *= 128;
    }
  };
  while (at < message.length) {
    const key = varint();
    if ((key & 7) !== 2) return null;
    const length = varint();
    if (key >> 3 === 2) return message.slice(at, at + length);
    at += length;
  }
  return null;
}

export function pictureOf({time, data}: Message): Picture | null {
  const png = imageOf(data);
  return png && {time, png};
}

/** The last of a list, in the order of time, that is not after `time`. */
export function lastPicture(list: Picture[], time: number): Picture | null {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle].time <= time + 5e-10) low = middle + 1;
    else high = middle;
  }
  return low > 0 ? list[low - 1] : null;
}
