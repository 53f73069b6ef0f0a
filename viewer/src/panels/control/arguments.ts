// What people type into the boxes of controllers, as values.

/** JSON where it is that, several words as a list of numbers and words, a single one as itself; nothing: an empty list. */
export function argumentsFrom(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  if (/^[[{]/.test(trimmed)) {
    try {
      return JSON.parse(trimmed);
    } catch {
      return trimmed;
    }
  }
  const words = trimmed.split(/[\s,]+/).map((word) => (Number.isFinite(Number(word)) ? Number(word) : word));
  return words.length === 1 && typeof words[0] === 'string' ? words[0] : words;
}

/** A value of a setting as its kind has it; undefined: it is none. Quantities with units stay text, which the server reads. */
export function settingFrom(text: string, kind: string): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return kind === 'string' ? '' : undefined;
  if (kind === 'string') return text;
  if (kind === 'boolean') return trimmed === 'true' ? true : trimmed === 'false' ? false : undefined;
  const number = Number(trimmed);
  if (kind === 'integer' || kind === 'real') return Number.isFinite(number) ? number : trimmed;
  try {
    return JSON.parse(trimmed);
  } catch {
    return trimmed;
  }
}

/** So many numbers as there are to be; undefined: others are there. */
export function numbersFrom(text: string, count: number): number[] | undefined {
  const numbers = text.trim().split(/[\s,]+/).map(Number);
  return text.trim() !== '' && numbers.length === count && numbers.every(Number.isFinite) ? numbers : undefined;
}
