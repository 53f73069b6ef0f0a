// Logs as other tools write them, in memory.
import {McapWriter} from '@mcap/core';

export interface Channel { topic: string; schema?: string; schemaEncoding?: string; definition?: Uint8Array | string; encoding: string }
/** `time`, s. */
export interface Sent { channel: number; time: number; data: Uint8Array | object }

const bytesOf = (value: Uint8Array | string | object | undefined): Uint8Array =>
  (value instanceof Uint8Array ? value : typeof value === 'string' ? new TextEncoder().encode(value) : value ? new TextEncoder().encode(JSON.stringify(value)) : new Uint8Array(0));

/** The bytes of a file with these messages; `start`, ns, is added to their times. */
export async function otherLog(channels: Channel[], messages: Sent[], start = 0n, options: {chunkSize?: number; index?: boolean} = {}): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0n;
  const writable = {
    write: (part: Uint8Array) => {
      parts.push(part.slice());
      size += BigInt(part.length);
      return Promise.resolve();
    },
    position: () => size,
  };
  const writer = new McapWriter({writable, chunkSize: options.chunkSize ?? 1 << 16, ...(options.index === false ? {useChunkIndex: false, useMessageIndex: false} : {})});
  await writer.start({profile: '', library: 'another tool'});
  const ids: number[] = [];
  for (const {topic, schema, schemaEncoding, definition, encoding} of channels) {
    const schemaId = schema === undefined ? 0 : await writer.registerSchema({name: schema, encoding: schemaEncoding ?? 'jsonschema', data: bytesOf(definition ?? '{}')});
    ids.push(await writer.registerChannel({topic, schemaId, messageEncoding: encoding, metadata: new Map()}));
  }
  for (const [sequence, {channel, time, data}] of messages.entries()) {
    const at = start + BigInt(Math.round(1e9 * time));
    await writer.addMessage({channelId: ids[channel], sequence, logTime: at, publishTime: at, data: bytesOf(data)});
  }
  await writer.end();
  return Buffer.concat(parts);
}
