// The state of a posed world in words, and numbers that people type.
import type {PosedBalance, State} from '../data/protocol';

export const percent = (fraction: number) => `${Number((100 * fraction).toPrecision(3))} %`;
export const digits = (v: number) => v.toFixed(3).replace(/^-(0\.0*)$/, '$1');

/** What `balance` says, in words. */
export function balanceText(balance: PosedBalance, touch: number): string {
  const {torques} = balance;
  const motors = torques.largest_utilization === undefined ? '' :
    `; torques up to ${percent(torques.largest_utilization)} of the limit (${torques.largest_link})${torques.within_limits ? '' : ', too much'}`;
  if (balance.points.length === 0) {
    if (balance.fixed) return `fixed to the world${motors}`;
    return `nothing is within ${Number((1000 * touch).toFixed(3))} mm of the robot: it stands nowhere`;
  }
  // A fixed base needs no contacts to stand.
  if (!balance.balanced) return (balance.fixed ? 'its contacts alone would not hold it' : 'not balanced') + (balance.fixed ? motors : '');
  if (balance.bounded) return `balanced, ${(1000 * (balance.margin ?? 0)).toFixed(1)} mm inside${motors}`;
  return `balanced, wherever the center of mass is${motors}`;
}

/** Numbers as people and Klamp't's files write them, with or without their count before a tab; null: something else. */
export function numbersFrom(text: string, count?: number): number[] | null {
  const words = text.trim().split(/[\s,;]+/).filter((word) => word !== '');
  const numbers = words.map(Number);
  if (numbers.some((v) => !Number.isFinite(v))) return null;
  if (numbers.length === numbers[0] + 1 && (count === undefined ? text.includes('\t') : numbers.length === count + 1)) numbers.shift();
  return numbers;
}

/** What an answer says, for people; `nameOf` an id. */
export function stateText(state: State, nameOf: (id: number) => string): string {
  const {problem, text, faults, balance, solved, residual} = state;
  const limits = state.limits.length > 0 ? `; at a limit: ${state.limits.map(nameOf).slice(0, 3).join(', ')}` : '';
  const off = `off by ${residual?.toExponential(1)}${limits}`;
  if (problem) return problem.replace(/^error: /, '');
  if (text) return text;
  if (faults) return faults.length === 0 ? 'the path is free' : faults.slice(0, 5).join('; ');
  if (balance) return balanceText(balance, state.touch) + (solved === false ? `; ${off}` : '');
  return solved === false ? off : '';
}

/** The word, where it is one of them. */
export function oneOf<Word extends string>(words: readonly Word[], given: string): Word | undefined {
  return words.find((word) => word === given);
}
