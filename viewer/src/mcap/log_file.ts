// The records of a log's file: by its index where it has one, else from its beginning to where it is whole.
import {McapIndexedReader, McapStreamReader} from '@mcap/core';
import {decompressHandlers} from './decompress';

/** Where records go. */
export interface Records {
  /** Whether messages of a channel are wanted. */
  channel(id: number, topic: string, schema: string, metadata: Map<string, string>): boolean;
  /** `time` in s. */
  message(channel: number, time: number, data: Uint8Array): void;
  attachment(name: string, data: Uint8Array): void;
  metadata(name: string, entries: Map<string, string>): void;
}

type Handlers = Awaited<ReturnType<typeof decompressHandlers>>;

/** False where the file's index does not lead to all of it, as with files of other tools; what is damaged throws. */
async function readByIndex(bytes: Uint8Array, handlers: Handlers, records: Records): Promise<boolean> {
  const readable = {
    size: async () => BigInt(bytes.byteLength),
    read: async (offset: bigint, size: bigint) => bytes.subarray(Number(offset), Number(offset + size)),
  };
  const reader = await McapIndexedReader.Initialize({readable, decompressHandlers: handlers});
  if (reader.attachmentIndexes.length === 0 || reader.chunkIndexes.length === 0) return false;
  if (reader.chunkIndexes.some((chunk) => chunk.messageIndexOffsets.size === 0)) return false;
  const schemas = new Map([...reader.schemasById.values()].map((schema) => [schema.id, schema.name]));
  const topics = [...reader.channelsById.values()]
      .filter((c) => records.channel(c.id, c.topic, schemas.get(c.schemaId) ?? '', c.metadata)).map((c) => c.topic);
  for await (const message of reader.readMessages({topics})) records.message(message.channelId, Number(message.logTime) * 1e-9, message.data);
  for await (const attachment of reader.readAttachments()) records.attachment(attachment.name, attachment.data);
  for await (const entry of reader.readMetadata()) records.metadata(entry.name, entry.metadata);
  return true;
}

/** Up to the end, or to where the file is whole; returns what is wrong there, or nothing. */
function readInOrder(bytes: Uint8Array, handlers: Handlers, records: Records): string {
  const schemas = new Map<number, string>(), wanted = new Map<number, boolean>();
  const reader = new McapStreamReader({decompressHandlers: handlers, includeChunks: false});
  reader.append(bytes);
  try {
    for (let record = reader.nextRecord(); record; record = reader.nextRecord()) {
      if (record.type === 'Schema') schemas.set(record.id, record.name);
      else if (record.type === 'Channel' && !wanted.has(record.id))
        wanted.set(record.id, records.channel(record.id, record.topic, schemas.get(record.schemaId) ?? '', record.metadata));
      else if (record.type === 'Message' && wanted.get(record.channelId)) records.message(record.channelId, Number(record.logTime) * 1e-9, record.data);
      else if (record.type === 'Attachment') records.attachment(record.name, record.data);
      else if (record.type === 'Metadata') records.metadata(record.name, record.metadata);
    }
  } catch (error) {
    return String(error);
  }
  return reader.done() ? '' : 'the file ends too early';
}

/** Reads a whole file; `begin` is called before each attempt. Returns what is damaged, or nothing. */
export async function readRecords(bytes: Uint8Array, begin: () => Records): Promise<string> {
  const handlers = await decompressHandlers();
  try {
    if (await readByIndex(bytes, handlers, begin())) return '';
  } catch {
    // A log that was cut short has no index, and one that is damaged may have a wrong one.
  }
  return readInOrder(bytes, handlers, begin());
}
