// Logs that other tools wrote anew: other compression, no index, no chunks, no summary; and one that was cut short.
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, finish, open, packages, run, serve, silent, source, work} from './harness.mjs';

const {McapWriter, McapStreamReader} = packages('@mcap/core'), {decompress} = packages('fzstd');

/** A frame of LZ4: matches by a table of the last place of each four bytes. */
function packLz4(data) {
  const out = [], last = new Map();
  const put = (literals, offset, matched) => {
    const long = (n) => {
      for (n -= 15; n >= 255; n -= 255) out.push(255);
      out.push(n);
    };
    out.push((Math.min(literals.length, 15) << 4) | (offset ? Math.min(matched - 4, 15) : 0));
    if (literals.length >= 15) long(literals.length);
    for (const byte of literals) out.push(byte);
    if (!offset) return;
    out.push(offset & 255, offset >> 8);
    if (matched - 4 >= 15) long(matched - 4);
  };
  let start = 0, at = 0;
  for (; at + 12 < data.length;) {
    const key = data[at] + 256 * (data[at + 1] + 256 * (data[at + 2] + 256 * data[at + 3])), from = last.get(key);
    last.set(key, at);
    let length = 0;
    if (from !== undefined && at - from < 65536) while (at + length < data.length - 5 && data[from + length] === data[at + length]) ++length;
    if (length < 4) {
      ++at;
      continue;
    }
    put(data.subarray(start, at), at - from, length);
    at += length;
    start = at;
  }
  put(data.subarray(start), 0, 0);
  // Version 1, blocks that stand alone; the check of the header is not looked at.
  const head = Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0x73, 0, 0, 0, 0]);
  head.writeUInt32LE(out.length, 7);
  return {compression: 'lz4', compressedData: Uint8Array.from([...head, ...out, 0, 0, 0, 0])};
}

/** The same records, written by the options. */
async function rewrite(bytes, options) {
  const parts = [];
  let size = 0n;
  const writable = {
    write: async (part) => {
      parts.push(Uint8Array.from(part));
      size += BigInt(part.length);
    },
    position: () => size,
  };
  const writer = new McapWriter({writable, ...options});
  await writer.start({profile: '', library: 'another'});
  const reader = new McapStreamReader({includeChunks: false, decompressHandlers: {zstd: (data, length) => decompress(data, new Uint8Array(Number(length)))}});
  reader.append(bytes);
  const schemas = new Map(), channels = new Map();
  for (let record = reader.nextRecord(); record; record = reader.nextRecord()) {
    if (record.type === 'Schema' && !schemas.has(record.id)) schemas.set(record.id, await writer.registerSchema(record));
    else if (record.type === 'Channel' && !channels.has(record.id)) channels.set(record.id, await writer.registerChannel({...record, schemaId: schemas.get(record.schemaId)}));
    else if (record.type === 'Message') await writer.addMessage({...record, channelId: channels.get(record.channelId)});
    else if (record.type === 'Attachment') await writer.addAttachment(record);
    else if (record.type === 'Metadata') await writer.addMetadata(record);
  }
  await writer.end();
  return Buffer.concat(parts);
}

const log = join(work, 'own.mcap');
let world = join(source, 'data/worlds/watched_blocks.xml');
try {
  run('sim', world, '--duration', '0.5', '--mcap', log, '--quiet');
} catch {
  // Without cameras.
  world = join(source, 'data/worlds/blocks.xml');
  run('sim', world, '--duration', '0.5', '--mcap', log, '--quiet');
}
const bytes = readFileSync(log), files = [log];
for (const [name, options] of [
  ['lz4', {compressChunk: packLz4}], ['no_chunks', {useChunks: false}], ['no_message_index', {useMessageIndex: false}], ['no_chunk_index', {useChunkIndex: false}],
  ['no_summary', {useSummaryOffsets: false, useStatistics: false, useAttachmentIndex: false, useMetadataIndex: false, useMessageIndex: false, useChunkIndex: false, repeatChannels: false, repeatSchemas: false}],
]) {
  // A log is one whatever its name.
  const file = join(work, name === 'lz4' ? name : `${name}.mcap`);
  writeFileSync(file, await rewrite(bytes, options));
  files.push(file);
}
const contents = (page) => page.evaluate(() => window.mortise.logs.map((log) => ({
  name: log.name, damage: log.damage,
  // Sums tell the numbers apart that one wrong bit would change.
  text: JSON.stringify([
    [...log.series].sort(([a], [b]) => (a < b ? -1 : 1)).map(([topic, s]) => [topic, s.names.length, [s.times, ...s.columns].map((c) => c.reduce((sum, v, i) => sum + v * (1 + (i % 97)), 0))]),
    [...log.pictures].map(([topic, list]) => [topic, list.map(({time, png}) => [time, png.length])]),
    [...log.attachments].map(([name, data]) => [name, data.length]).sort(), [...log.ending].sort()]),
})));
{
  const {address, server} = await serve(['view', '--no-browser', ...files]);
  const {page, complaints} = await open(address, 'logs of other tools');
  const [own, ...others] = await contents(page);
  expect(own.text.length > 1000 && !own.damage, 'the log is read by its index');
  for (const other of others) expect(other.text === own.text && !other.damage, `${other.name}: all of it is read, and nothing is said to be missing ${other.damage}`);
  expect(await page.locator('.warning').count() === 0, 'the page says so');
  silent(complaints);
  await page.close();
  server.kill('SIGINT');
}
{
  const cut = join(work, 'cut.mcap');
  writeFileSync(cut, bytes.subarray(0, bytes.length - 200));
  const {address, server} = await serve(['view', '--no-browser', cut]);
  const {page, complaints} = await open(address, 'a log that was cut short');
  const [{text, damage}] = await contents(page);
  expect(damage !== '' && /cut short: it ends at 0\.500 s/.test(await page.textContent('.warning')), `it says up to where it is whole: ${damage}`);
  if (world.includes('watched')) expect(/image",\[\[/.test(text), 'what cameras saw is there, too');
  silent(complaints);
  await page.close();
  server.kill('SIGINT');
}
await finish();
