// The rows of the tree of a world: groups, bodies, robots, and their links below the links that carry them.
import type {Entity, WorldDescription} from '../../data/log';

export interface TreeRow {
  /** Of the entity; groups have none. */
  id: number;
  /** What is open and closed by. */
  key: string;
  label: string;
  depth: number;
  /** How many there are below; 0: nothing can be opened. */
  count: number;
  open: boolean;
  /** What is shown and hidden with it. */
  ids: number[];
  group: boolean;
}

type Robot = WorldDescription['robots'][number];

interface Options {
  /** What is shown is what has this in its name, and what that is in. */
  filter: string;
  /** Groups and links are open unless they were closed, robots closed unless they were opened. */
  toggled: ReadonlySet<string>;
}

/** Links that hang on each link, by index; -1: on the world. */
function childrenOf(robot: Robot): Map<number, number[]> {
  const children = new Map<number, number[]>();
  robot.links.forEach(({parent}, i) => children.set(parent, [...(children.get(parent) ?? []), i]));
  return children;
}

function below(children: Map<number, number[]>, link: number): number[] {
  return (children.get(link) ?? []).flatMap((child) => [child, ...below(children, child)]);
}

function robotRows(robot: Robot, entity: Entity, {filter, toggled}: Options, depth: number): TreeRow[] {
  const children = childrenOf(robot), matches = (name: string) => name.toLowerCase().includes(filter);
  const all = robot.links.map((link) => link.id), key = `robot ${entity.id}`;
  const wanted = (link: number): boolean => matches(robot.links[link].name) || below(children, link).some((l) => matches(robot.links[l].name));
  if (filter && !matches(entity.name) && !robot.links.some(({name}) => matches(name))) return [];
  const found = filter !== '' && robot.links.some(({name}) => matches(name));
  const open = found || toggled.has(key);
  const rows: TreeRow[] = [{id: entity.id, key, label: entity.name, depth, count: all.length, open, ids: [entity.id, ...all], group: false}];
  const add = (link: number, at: number) => {
    if (filter && !wanted(link)) return;
    const {id, name} = robot.links[link], lower = below(children, link), own = `link ${id}`, isOpen = filter !== '' || !toggled.has(own);
    rows.push({id, key: own, label: name, depth: at, count: lower.length, open: lower.length > 0 && isOpen, ids: [id], group: false});
    if (isOpen) for (const child of children.get(link) ?? []) add(child, at + 1);
  };
  if (open) for (const link of children.get(-1) ?? []) add(link, depth + 1);
  return rows;
}

export function treeRows({entities, robots, objects = 'objects'}: Pick<WorldDescription, 'entities' | 'robots' | 'objects'>, options: Options): TreeRow[] {
  const filter = options.filter.trim().toLowerCase(), rows: TreeRow[] = [], own = {...options, filter};
  for (const [kind, label] of [['terrain', 'terrains'], ['object', objects]] as const) {
    const all = entities.filter((entity) => entity.kind === kind), found = all.filter(({name}) => name.toLowerCase().includes(filter));
    if (found.length === 0) continue;
    const key = `group ${kind}`, open = filter !== '' || !options.toggled.has(key);
    rows.push({id: -1, key, label, depth: 0, count: all.length, open, ids: all.map(({id}) => id), group: true});
    if (open) for (const {id, name} of found) rows.push({id, key: `body ${id}`, label: name, depth: 1, count: 0, open: false, ids: [id], group: false});
  }
  for (const robot of robots) rows.push(...robotRows(robot, entities[robot.id], own, 0));
  return rows;
}

/** Keys that are to be toggled so that an entity is seen. */
export function closedAbove({robots}: Pick<WorldDescription, 'robots'>, id: number, toggled: ReadonlySet<string>): string[] {
  const robot = robots.find(({links}) => links.some((link) => link.id === id));
  if (!robot) return [];
  const keys = toggled.has(`robot ${robot.id}`) ? [] : [`robot ${robot.id}`];
  for (let link = robot.links.findIndex((l) => l.id === id); link >= 0;) {
    link = robot.links[link].parent;
    if (link >= 0 && toggled.has(`link ${robot.links[link].id}`)) keys.push(`link ${robot.links[link].id}`);
  }
  return keys;
}
