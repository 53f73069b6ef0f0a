// Decompression of logs' chunks: compiled, or, in browsers that do not let pages compile, ten times slower.
import {decompress} from 'fzstd';
import {ZSTDDecoder} from 'zstddec';
import {decompressLz4} from './lz4';

const kMostBytes = 1n << 29n;
const decoder = new ZSTDDecoder();
// Made ready while the log is still on its way.
const compiled = (async () => decoder.init())().then(() => true, () => false);

export type Decompress = Record<'zstd' | 'lz4', (data: Uint8Array, size: bigint) => Uint8Array>;

/** How @mcap/core is to decompress; resolves when it can. Chunks that are damaged throw. */
export async function decompressHandlers(): Promise<Decompress> {
  const bounded = (size: bigint): number => {
    // More than it can have would ruin the decoder for chunks that are whole.
    if (size > kMostBytes) throw new Error('a chunk is too large');
    return Number(size);
  };
  const lz4 = (data: Uint8Array, size: bigint) => decompressLz4(data, bounded(size));
  if (!await compiled) return {zstd: (data, size) => decompress(data, new Uint8Array(bounded(size))), lz4};
  return {
    zstd: (data, size) => {
      if (size === 0n) return new Uint8Array(0);
      const bytes = decoder.decode(data, bounded(size));
      if (bytes.length !== Number(size)) throw new Error('a chunk cannot be decompressed');
      return bytes;
    },
    lz4,
  };
}
