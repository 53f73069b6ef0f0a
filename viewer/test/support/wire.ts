// Bytes of protobuf and of CDR, written by hand.

export const varint = (value: number): number[] => (value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))]);
export const bytes = (field: number, content: Uint8Array | number[] | string): number[] => {
  const data = typeof content === 'string' ? [...Buffer.from(content)] : [...content];
  return [...varint(8 * field + 2), ...varint(data.length), ...data];
};
export const int = (field: number, value: number): number[] => [...varint(8 * field), ...varint(value)];
export const double = (value: number): number[] => [...new Uint8Array(Float64Array.of(value).buffer)];
export const real = (field: number, value: number): number[] => [...varint(8 * field + 1), ...double(value)];

/** A field of a descriptor. */
export const field = (name: string, number: number, type: number, repeated = false, of = ''): number[] =>
  bytes(2, [...bytes(1, name), ...int(3, number), ...int(4, repeated ? 3 : 1), ...int(5, type), ...(of ? bytes(6, of) : [])]);
/** A message of a descriptor. */
export const type = (name: string, ...fields: number[][]): number[] => bytes(4, [...bytes(1, name), ...fields.flat()]);

/** Little-endian CDR, value by value, each where it belongs. */
export class CdrText {
  private readonly parts: number[] = [];
  private put(size: number, data: Iterable<number>): this {
    while (this.parts.length % size) this.parts.push(0);
    this.parts.push(...data);
    return this;
  }
  u8(value: number): this { return this.put(1, [value]); }
  u32(value: number): this { return this.put(4, new Uint8Array(Uint32Array.of(value).buffer)); }
  i32(value: number): this { return this.put(4, new Uint8Array(Int32Array.of(value).buffer)); }
  f32(...values: number[]): this {
    for (const value of values) this.put(4, new Uint8Array(Float32Array.of(value).buffer));
    return this;
  }
  f64(...values: number[]): this {
    for (const value of values) this.put(8, double(value));
    return this;
  }
  text(value: string): this {
    this.u32(Buffer.byteLength(value) + 1);
    this.parts.push(...Buffer.from(value), 0);
    return this;
  }
  header(seconds: number, frame: string): this {
    const whole = Math.floor(seconds);
    return this.i32(whole).u32(Math.round(1e9 * (seconds - whole))).text(frame);
  }
  get bytes(): Uint8Array { return Uint8Array.from([0, 1, 0, 0, ...this.parts]); }
}
