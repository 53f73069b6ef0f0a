// Messages in JSON.
import {type Fields, type ReadMessage, type Tree} from './tree';

/** Numbers that JSON cannot have are texts in it, and what is null is missing. */
function cleaned(value: unknown): Tree | undefined {
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string') {
    return value === 'NaN' ? NaN : value === 'Infinity' ? Infinity : value === '-Infinity' ? -Infinity : value;
  }
  if (Array.isArray(value)) return value.map((item) => cleaned(item) ?? NaN);
  if (typeof value !== 'object' || value === null) return undefined;
  const out: Fields = {};
  for (const [name, item] of Object.entries(value)) {
    const own = cleaned(item);
    if (own !== undefined) out[name] = own;
  }
  return out;
}

export function jsonReader(): ReadMessage {
  const text = new TextDecoder();
  return (data) => {
    const value: unknown = JSON.parse(text.decode(data));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('a message in JSON is no map');
    return cleaned(value) as Fields;
  };
}
