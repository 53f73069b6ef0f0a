// The tree of the world: what there is, with ids, hidden and shown, found and selected.
import {useEffect, useRef, useState} from 'preact/hooks';
import type {Entity, Log} from '../data/log';

export function Tree(props: {
  log: Log; selected: number; hidden: Set<number>;
  onSelect: (id: number) => void; onFocus: (id: number) => void; onVisible: (ids: number[], visible: boolean) => void;
}) {
  const [filter, setFilter] = useState('');
  const [open, setOpen] = useState<Set<number>>(new Set());
  const nav = useRef<HTMLElement>(null);
  const {entities, robots} = props.log.world;
  // What is selected in the scene is seen here, too.
  useEffect(() => {
    const robot = robots.find(({links}) => links.some((link) => link.id === props.selected));
    if (robot && !open.has(robot.id)) setOpen(new Set([...open, robot.id]));
  }, [props.selected]);
  useEffect(() => nav.current?.querySelector('.row.selected')?.scrollIntoView({block: 'nearest'}), [props.selected, open]);
  const row = (entity: Entity, children: Entity[] = [], label = entity.name) => {
    const ids = [entity.id, ...children.map((c) => c.id)];
    return (
      <div class={'row' + (entity.id === props.selected ? ' selected' : '') + (entity.kind === 'link' ? ' link' : '')} key={entity.id}>
        {children.length > 0 &&
          <button class="fold" aria-label="links" aria-expanded={open.has(entity.id)} onClick={() => setOpen((old) => {
            const next = new Set(old);
            if (!next.delete(entity.id)) next.add(entity.id);
            return next;
          })}>{open.has(entity.id) ? '▾' : '▸'}</button>}
        <input type="checkbox" title="visible" checked={!props.hidden.has(entity.id)}
          onChange={(e) => props.onVisible(ids, e.currentTarget.checked)} />
        <span title={label} onClick={() => props.onSelect(entity.id)} onDblClick={() => props.onFocus(entity.id)}>{label || `#${entity.id}`}</span>
        <small>{entity.id}</small>
      </div>);
  };
  const matches = (name: string) => name.toLowerCase().includes(filter.toLowerCase());
  return (
    <nav ref={nav}>
      <input class="filter" type="search" placeholder="find" value={filter} onInput={(e) => setFilter(e.currentTarget.value)} />
      {(['terrain', 'object'] as const).map((kind) => entities.filter((e) => e.kind === kind && matches(e.name)).map((e) => row(e)))}
      {robots.map((robot) => {
        const links = robot.links.map((link) => entities[link.id]);
        const found = links.filter((_, i) => filter && matches(robot.links[i].name));
        const shown = open.has(robot.id) && !filter ? links : found;
        return (
          <div key={robot.id}>
            {(!filter || found.length > 0 || matches(robot.name)) && row(entities[robot.id], links, robot.name)}
            {shown.map((link) => row(link, [], robot.links.find((l) => l.id === link.id)!.name))}
          </div>);
      })}
    </nav>);
}
