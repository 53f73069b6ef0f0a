// Decompression of logs' chunks by LZ4 frames, which other tools write.

const kMagic = 0x184d2204;

/** Unpacks one block to the end of what is there; returns where that ends now. What is damaged throws. */
function unpackBlock(block: Uint8Array, out: Uint8Array, start: number): number {
  let at = 0, end = start;
  const length = (base: number): number => {
    let sum = base;
    if (base === 15)
      for (let more = 255; more === 255;) {
        if (at >= block.length) throw new Error('lz4: a block ends too early');
        sum += more = block[at++];
      }
    return sum;
  };
  while (at < block.length) {
    const token = block[at++];
    const literals = length(token >> 4);
    if (at + literals > block.length || end + literals > out.length) throw new Error('lz4: a block is longer than it says');
    out.set(block.subarray(at, at + literals), end);
    at += literals;
    end += literals;
    if (at === block.length) break;
    if (at + 2 > block.length) throw new Error('lz4: a block ends too early');
    const offset = block[at] | (block[at + 1] << 8);
    at += 2;
    const matched = length(token & 15) + 4;
    if (offset === 0 || offset > end || end + matched > out.length) throw new Error('lz4: a block repeats what is not there');
    // What is repeated may be what is just being written.
    for (const stop = end + matched; end < stop; ++end) out[end] = out[end - offset];
  }
  return end;
}

/** Unpacks a frame that holds `size` bytes. */
export function decompressLz4(data: Uint8Array, size: number): Uint8Array {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (data.length < 7 || view.getUint32(0, true) !== kMagic) throw new Error('lz4: this is no frame');
  const flags = data[4];
  if (flags >> 6 !== 1) throw new Error('lz4: the frame is of an unknown version');
  const out = new Uint8Array(size);
  let at = 6 + (flags & 8 ? 8 : 0) + (flags & 1 ? 4 : 0) + 1, end = 0;
  for (;;) {
    const word = view.getUint32(at, true), length = word & 0x7fffffff;
    at += 4;
    if (word === 0) break;
    if (at + length > data.length) throw new Error('lz4: the frame ends too early');
    const block = data.subarray(at, at + length);
    if (word >>> 31) {
      out.set(block, end);
      end += length;
    } else {
      end = unpackBlock(block, out, end);
    }
    at += length + (flags & 16 ? 4 : 0);
  }
  if (end !== size) throw new Error('lz4: the frame holds less than it should');
  return out;
}
