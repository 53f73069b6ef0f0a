// Messages mortise.Series as the server writes them.

function varint(value: number): number[] {
  const bytes = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return [...bytes, value];
}

const field = (number: number, content: Uint8Array): Uint8Array[] => [Uint8Array.from([...varint(8 * number + 2), ...varint(content.length)]), content];

/** `rows` of one number a column, at ticks of a millisecond. */
export function seriesMessage(ticks: number[], rows: number[][], columns: number): Uint8Array {
  const times = new Float64Array(ticks.map((tick) => tick / 1000)), values = new Float32Array(rows.length * columns);
  for (let c = 0, at = 0; c < columns; ++c) for (const row of rows) values[at++] = row[c];
  return new Uint8Array(Buffer.concat([
    ...field(1, Uint8Array.from(ticks.flatMap(varint))), ...field(2, new Uint8Array(times.buffer)), Uint8Array.from([8 * 3, ...varint(columns)]),
    ...field(4, new Uint8Array(values.buffer)),
  ]));
}
