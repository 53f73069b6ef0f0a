// Groups of a robot's drivers: those that move one limb are together.

export interface DriverGroup {
  /** Of the limb: the link where it begins. */
  name: string;
  /** Places in the list that was given. */
  members: number[];
}

interface Tree {
  /** By link, the link that carries it; -1: the world. */
  parents: number[];
  names: string[];
}

/** Fewer than this are no group of their own. */
const LEAST = 2;

/** By link, the link where its limb begins: below the last link that carries several limbs. */
function limbsOf({parents}: Tree, moved: ReadonlySet<number>): number[] {
  // Links below which nothing is moved carry no limb.
  const alive = new Array<boolean>(parents.length).fill(false);
  for (const link of moved) for (let at = link; at >= 0 && !alive[at]; at = parents[at]) alive[at] = true;
  const children = parents.map(() => 0);
  parents.forEach((parent, link) => { if (parent >= 0 && alive[link]) ++children[parent]; });
  const limb = parents.map(() => -1);
  const find = (link: number): number => {
    if (limb[link] >= 0) return limb[link];
    const parent = parents[link];
    return (limb[link] = parent < 0 || !alive[link] || children[parent] > 1 ? link : find(parent));
  };
  parents.forEach((_, link) => find(link));
  return limb;
}

/** What all names begin with, up to a separator; empty: too little. */
function commonStart(names: string[]): string {
  let length = 0;
  while (names.every((name) => length < name.length && name[length] === names[0][length])) ++length;
  const start = names[0].slice(0, length).replace(/[^A-Za-z0-9]+$/, '');
  return start.length >= 3 ? start : '';
}

/** `links`: for each driver or link of the list, the link that it moves; what moves nothing known is with the others. */
export function driverGroups(links: number[], names: string[], tree: Tree): DriverGroup[] {
  const limb = limbsOf(tree, new Set(links.filter((link) => link >= 0)));
  const groups = new Map<number, number[]>();
  links.forEach((link, i) => {
    const key = link < 0 ? -1 : limb[link];
    groups.set(key, [...(groups.get(key) ?? []), i]);
  });
  // A limb of one joint is with what carries it, from the tips to the trunk.
  const depth = (link: number): number => (link < 0 ? 0 : 1 + depth(tree.parents[link]));
  for (const key of [...groups.keys()].sort((a, b) => depth(b) - depth(a))) {
    const members = groups.get(key)!;
    if (key < 0 || members.length >= LEAST) continue;
    let above = tree.parents[key];
    while (above >= 0 && !groups.has(limb[above])) above = tree.parents[above];
    if (above < 0) continue;
    groups.set(limb[above], [...groups.get(limb[above])!, ...members].sort((a, b) => a - b));
    groups.delete(key);
  }
  const named = [...groups].sort(([, a], [, b]) => a[0] - b[0]).map(([key, members]) => ({
    name: (members.length > 1 && commonStart(members.map((i) => names[i]))) || (key < 0 ? 'others' : tree.names[key]), members,
  }));
  // An arm and a leg may begin alike.
  return named.map((group) => (named.some((other) => other !== group && other.name === group.name) && group.members.length > 1 ?
    {...group, name: `${names[group.members[0]]} to ${names[group.members[group.members.length - 1]]}`} : group));
}
