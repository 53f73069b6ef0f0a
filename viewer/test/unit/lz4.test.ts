// Frames of LZ4, and what is none.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {decompressLz4} from '../../src/data/lz4';

/** A frame of one block; version 1, blocks that stand alone. */
function frame(block: number[]): Uint8Array {
  const head = [0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0x73], size = new DataView(new ArrayBuffer(4));
  size.setUint32(0, block.length, true);
  return Uint8Array.from([...head, ...new Uint8Array(size.buffer), ...block, 0, 0, 0, 0]);
}

test('literals and matches that reach into themselves', () => {
  // "ab", then six bytes from two before, then "c".
  const data = decompressLz4(frame([0x22, 0x61, 0x62, 2, 0, 0x10, 0x63]), 9);
  assert.equal(new TextDecoder().decode(data), 'ababababc');
});

test('damage is said', () => {
  assert.throws(() => decompressLz4(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), 4), /lz4/);
  // A match from before the beginning.
  assert.throws(() => decompressLz4(frame([0x12, 0x61, 9, 0, 0x10, 0x63]), 8));
});
