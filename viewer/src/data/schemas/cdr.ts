// Messages of ROS 2 in CDR, read by the definitions that the file has of them.
import type {Fields, ReadMessage, Tree} from './tree';

interface Field { name: string; type: string; /** Elements; -1: as many as it says; null: it is no list. */ count: number | null }
type Types = Map<string, Field[]>;

const SIZES: Record<string, number> = {
  bool: 1, byte: 1, char: 1, int8: 1, uint8: 1, int16: 2, uint16: 2, int32: 4, uint32: 4, int64: 8, uint64: 8, float32: 4, float64: 8,
};
const BUILT_IN: [string, Field[]][] = ['builtin_interfaces/Time', 'builtin_interfaces/Duration'].map((name) => [
  name, [{name: 'sec', type: 'int32', count: null}, {name: 'nanosec', type: 'uint32', count: null}]]);

/** "geometry_msgs/msg/Pose" and "geometry_msgs/Pose" are one. */
const plain = (name: string): string => name.replace('/msg/', '/');

function fieldOf(line: string): Field | null {
  const text = line.replace(/#.*$/, '').trim(), match = /^([\w/]+)(<=\d+)?(\[(<=)?(\d*)\])?\s+(\w+)(\s|$)/.exec(text);
  // A constant has its value behind "=".
  if (!match || /^[\w/]+(<=\d+)?\s+\w+\s*=/.test(text)) return null;
  const [, type, , brackets, bounded, count, name] = match;
  return {name, type: plain(type), count: brackets === undefined ? null : count === '' || bounded !== undefined ? -1 : Number(count)};
}

/** The types of a definition: that of `name` first, and each that it needs behind a line of "=". */
export function definitionsOf(name: string, text: string): Types {
  const types: Types = new Map(BUILT_IN);
  text.split(/^=+\s*$/m).forEach((part, i) => {
    const lines = part.split('\n'), head = lines.findIndex((line) => /^\s*MSG:/.test(line));
    const own = i === 0 ? plain(name) : plain((lines[head] ?? '').replace(/^\s*MSG:/, '').trim());
    types.set(own, lines.flatMap((line, at) => (at === head ? [] : fieldOf(line) ?? [])));
  });
  return types;
}

/** Types without a package are of the package that names them, or of the one for headers. */
function typeOf(types: Types, wanted: string, owner: string): string | null {
  const candidates = wanted.includes('/') ? [wanted] : [`${owner.split('/')[0]}/${wanted}`, `std_msgs/${wanted}`, `builtin_interfaces/${wanted}`];
  return candidates.find((name) => types.has(name)) ?? null;
}

class Cdr {
  private readonly view: DataView;
  private readonly little: boolean;
  private at = 4;
  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < 4 || bytes[0] !== 0 || bytes[1] > 1) throw new Error('a message in CDR has an unknown head');
    this.little = bytes[1] === 1;
  }
  private take(size: number, align = size): number {
    this.at = 4 + Math.ceil((this.at - 4) / align) * align;
    if (this.at + size > this.bytes.length) throw new Error('a message in CDR ends too early');
    this.at += size;
    return this.at - size;
  }
  number(type: string): number | boolean {
    const at = this.take(SIZES[type]), {view, little} = this;
    switch (type) {
      case 'bool': return view.getUint8(at) !== 0;
      case 'int8': return view.getInt8(at);
      case 'int16': return view.getInt16(at, little);
      case 'uint16': return view.getUint16(at, little);
      case 'int32': return view.getInt32(at, little);
      case 'uint32': return view.getUint32(at, little);
      case 'int64': return Number(view.getBigInt64(at, little));
      case 'uint64': return Number(view.getBigUint64(at, little));
      case 'float32': return view.getFloat32(at, little);
      case 'float64': return view.getFloat64(at, little);
      default: return view.getUint8(at);
    }
  }
  text(): string {
    const length = this.number('uint32') as number, at = this.take(length, 1);
    return new TextDecoder().decode(this.bytes.subarray(at, at + Math.max(length - 1, 0)));
  }
  bytesOf(count: number): Uint8Array {
    const at = this.take(count, 1);
    return this.bytes.subarray(at, at + count);
  }
}

function valueOf(cdr: Cdr, type: string, owner: string, types: Types, depth: number): Tree {
  if (type in SIZES) return cdr.number(type);
  if (type === 'string') return cdr.text();
  const name = typeOf(types, type, owner);
  if (!name || depth > 32) throw new Error(`the schema does not say what '${type}' is`);
  return messageOf(cdr, name, types, depth + 1);
}

function messageOf(cdr: Cdr, name: string, types: Types, depth: number): Fields {
  const out: Fields = {}, fields = types.get(name)!;
  // A message without fields has a byte.
  if (fields.length === 0) cdr.number('uint8');
  for (const field of fields) {
    if (field.count === null) {
      out[field.name] = valueOf(cdr, field.type, name, types, depth);
      continue;
    }
    const count = field.count < 0 ? cdr.number('uint32') as number : field.count;
    if (field.type === 'uint8' || field.type === 'byte' || field.type === 'char') {
      out[field.name] = cdr.bytesOf(count);
      continue;
    }
    const list: Tree[] = [];
    // What is too many ends with the bytes.
    for (let i = 0; i < count; ++i) list.push(valueOf(cdr, field.type, name, types, depth));
    out[field.name] = list;
  }
  return out;
}

export function cdrReader(name: string, definition: string): ReadMessage {
  const types = definitionsOf(name, definition);
  return (data) => messageOf(new Cdr(data), plain(name), types, 0);
}
