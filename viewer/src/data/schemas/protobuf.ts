// Messages of protobuf, read by the FileDescriptorSet that the file has of them.
import type {Fields, ReadMessage, Tree} from './tree';

interface Field { name: string; type: number; repeated: boolean; of: string }
type Types = Map<string, Map<number, Field>>;

const enum Kind { double = 1, float = 2, int64 = 3, uint64 = 4, int32 = 5, fixed64 = 6, fixed32 = 7, bool = 8, string = 9, group = 10, message = 11, bytes = 12, uint32 = 13, enumeration = 14, sfixed32 = 15, sfixed64 = 16, sint32 = 17, sint64 = 18 }

const MOST_DEPTH = 64;

/** Reads the wire format. */
class Wire {
  private readonly view: DataView;
  at = 0;
  constructor(readonly bytes: Uint8Array) { this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength); }
  get done(): boolean { return this.at >= this.bytes.length; }
  private take(length: number): number {
    if (this.at + length > this.bytes.length) throw new Error('a message of protobuf ends too early');
    this.at += length;
    return this.at - length;
  }
  /** The bits as two halves: integers have up to 64. */
  varint(): {low: number; high: number} {
    let low = 0, high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.bytes[this.take(1)], bits = byte & 127;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high |= bits >> 4;
      } else high |= bits << (shift - 32);
      if (byte < 128) return {low: low >>> 0, high: high >>> 0};
    }
    throw new Error('a number of protobuf has no end');
  }
  uint(): number {
    const {low, high} = this.varint();
    return high * 4294967296 + low;
  }
  double(): number { return this.view.getFloat64(this.take(8), true); }
  float(): number { return this.view.getFloat32(this.take(4), true); }
  fixed32(): number { return this.view.getUint32(this.take(4), true); }
  fixed64(signed: boolean): number {
    const at = this.take(8), low = this.view.getUint32(at, true);
    return (signed ? this.view.getInt32(at + 4, true) : this.view.getUint32(at + 4, true)) * 4294967296 + low;
  }
  part(): Uint8Array {
    const length = this.uint(), at = this.take(length);
    return this.bytes.subarray(at, at + length);
  }
  skip(type: number): void {
    if (type === 0) this.varint();
    else if (type === 1) this.take(8);
    else if (type === 2) this.part();
    else if (type === 5) this.take(4);
    else throw new Error('a field of protobuf is of an unknown kind');
  }
}

const TEXT = new TextDecoder();

/** Calls `take` for each field: its number, its kind, and where it is. */
function forFields(bytes: Uint8Array, take: (field: number, type: number, wire: Wire) => void): void {
  const wire = new Wire(bytes);
  while (!wire.done) {
    const key = wire.uint(), before = wire.at;
    take(Math.floor(key / 8), key & 7, wire);
    if (wire.at === before) wire.skip(key & 7);
  }
}

function fieldOf(bytes: Uint8Array): {number: number; field: Field} {
  const field: Field = {name: '', type: 0, repeated: false, of: ''};
  let number = 0;
  forFields(bytes, (n, _type, wire) => {
    if (n === 1) field.name = TEXT.decode(wire.part());
    else if (n === 3) number = wire.uint();
    else if (n === 4) field.repeated = wire.uint() === 3;
    else if (n === 5) field.type = wire.uint();
    else if (n === 6) field.of = TEXT.decode(wire.part()).replace(/^\./, '');
  });
  return {number, field};
}

function addType(bytes: Uint8Array, scope: string, types: Types): void {
  const fields = new Map<number, Field>(), nested: Uint8Array[] = [];
  let name = '';
  forFields(bytes, (n, _type, wire) => {
    if (n === 1) name = TEXT.decode(wire.part());
    else if (n === 2) {
      const {number, field} = fieldOf(wire.part());
      fields.set(number, field);
    } else if (n === 3) nested.push(wire.part());
  });
  const full = scope ? `${scope}.${name}` : name;
  types.set(full, fields);
  for (const type of nested) addType(type, full, types);
}

/** The types of a FileDescriptorSet. */
export function typesOf(set: Uint8Array): Types {
  const types: Types = new Map();
  forFields(set, (n, _type, wire) => {
    if (n !== 1) return;
    const messages: Uint8Array[] = [];
    let scope = '';
    forFields(wire.part(), (m, _kind, file) => {
      if (m === 2) scope = TEXT.decode(file.part());
      else if (m === 4) messages.push(file.part());
    });
    for (const message of messages) addType(message, scope, types);
  });
  return types;
}

const signed = ({low, high}: {low: number; high: number}): number => (high | 0) * 4294967296 + low;
const unfolded = ({low, high}: {low: number; high: number}): number => {
  const value = high * 4294967296 + low;
  return low & 1 ? -(value + 1) / 2 : value / 2;
};

/** Kinds whose lists may be packed into one field. */
const isPacked = (type: number): boolean => type !== Kind.string && type !== Kind.bytes && type !== Kind.message && type !== Kind.group;

function valueOf(field: Field, wire: Wire, types: Types, depth: number): Tree {
  switch (field.type) {
    case Kind.double: return wire.double();
    case Kind.float: return wire.float();
    case Kind.fixed64: return wire.fixed64(false);
    case Kind.sfixed64: return wire.fixed64(true);
    case Kind.fixed32: return wire.fixed32();
    case Kind.sfixed32: return wire.fixed32() | 0;
    case Kind.bool: return wire.uint() !== 0;
    case Kind.string: return TEXT.decode(wire.part());
    case Kind.bytes: return wire.part();
    case Kind.message: return messageOf(wire.part(), field.of, types, depth + 1);
    case Kind.int32: return wire.varint().low | 0;
    case Kind.int64: return signed(wire.varint());
    case Kind.enumeration: return wire.varint().low | 0;
    case Kind.sint32: case Kind.sint64: return unfolded(wire.varint());
    case Kind.uint32: case Kind.uint64: return wire.uint();
    default: throw new Error(`the field '${field.name}' of protobuf is of an unknown kind`);
  }
}

/** What a field is where the message does not have it. */
function absent(field: Field, types: Types, depth: number): Tree {
  if (field.repeated) return [];
  if (field.type === Kind.string) return '';
  if (field.type === Kind.bytes) return new Uint8Array(0);
  if (field.type === Kind.bool) return false;
  return field.type === Kind.message ? (depth < 8 ? messageOf(new Uint8Array(0), field.of, types, depth + 1) : {}) : 0;
}

function messageOf(bytes: Uint8Array, type: string, types: Types, depth: number): Fields {
  const fields = types.get(type), out: Fields = {};
  if (!fields) throw new Error(`the schema does not say what '${type}' is`);
  if (depth > MOST_DEPTH) throw new Error('a message of protobuf is too deep');
  forFields(bytes, (n, kind, wire) => {
    const field = fields.get(n);
    if (!field) return;
    if (!field.repeated) {
      out[field.name] = valueOf(field, wire, types, depth);
      return;
    }
    const list = (out[field.name] ??= []) as Tree[];
    if (kind !== 2 || !isPacked(field.type)) {
      list.push(valueOf(field, wire, types, depth));
      return;
    }
    for (const packed = new Wire(wire.part()); !packed.done;) list.push(valueOf(field, packed, types, depth));
  });
  for (const field of fields.values())
    if (!(field.name in out) && !(field.type === Kind.message && !field.repeated && field.of === type)) out[field.name] = absent(field, types, depth);
  return out;
}

/** Throws where the set does not have the type. */
export function protobufReader(name: string, set: Uint8Array): ReadMessage {
  const types = typesOf(set);
  if (!types.has(name)) throw new Error(`the schema does not say what '${name}' is`);
  return (data) => messageOf(data, name, types, 0);
}
