// The tree of the world: what there is, hidden and shown, found and selected, with the mouse or the keyboard.
import type {ComponentChildren} from 'preact';
import {useEffect, useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';
import type {Log} from '../../data/log';
import {Search, Swatch} from '../../ui/controls';
import {Icon} from '../../ui/icon';
import {type TreeRow, closedAbove, treeRows} from './tree_rows';

/** Deeper links are no longer moved in. */
const DEEPEST = 9;

interface TreeProps {
  log: Log;
  selected: number;
  hidden: Set<number>;
  /** Of what has one. */
  colorOf: (id: number) => string | null;
  onSelect: (id: number) => void;
  onFocus: (id: number) => void;
  onVisible: (ids: number[], visible: boolean) => void;
  /** Below the tree. */
  children?: ComponentChildren;
}

interface RowActions { toggle: (row: TreeRow) => void; move: (row: TreeRow) => void }

function Row(props: {row: TreeRow; tree: TreeProps; current: boolean; actions: RowActions}) {
  const {row, tree, current, actions} = props, {id, label, depth, count, open, ids, group} = row;
  const hidden = ids.every((one) => tree.hidden.has(one)), color = group ? null : tree.colorOf(id);
  return (
    <li class={'row' + (hidden ? ' hidden' : '') + (group ? ' group' : '')} role="treeitem" data-id={group ? undefined : id} data-key={row.key} aria-level={depth + 1}
      aria-expanded={count > 0 ? open : undefined} aria-selected={group ? undefined : id === tree.selected} aria-label={label + (hidden ? ', hidden' : '')}
      tabIndex={current ? 0 : -1} style={`--depth: ${Math.min(depth, DEEPEST)}`} title={group ? undefined : `${label}, number ${id}`}
      onClick={() => {
        actions.move(row);
        if (group) actions.toggle(row);
        else tree.onSelect(id);
      }} onDblClick={() => { if (!group) tree.onFocus(id); }}>
      <span class="fold" onClick={(e) => {
        if (count === 0) return;
        e.stopPropagation();
        actions.toggle(row);
      }}>{count > 0 && <Icon name={open ? 'chevronDown' : 'chevronRight'} />}</span>
      {color && <Swatch color={color} />}
      <span class="name">{label || `#${id}`}</span>
      {count > 0 && (depth === 0 || !open) && <small>{count}{depth === 0 && !group ? (count === 1 ? ' link' : ' links') : ''}</small>}
      <span class="eye" title={hidden ? 'show (h)' : 'hide (h)'} onClick={(e) => {
        e.stopPropagation();
        tree.onVisible(ids, hidden);
      }}><Icon name={hidden ? 'eyeOff' : 'eye'} /></span>
    </li>);
}

/** Keys in the tree, as trees of desktops have them; h hides and shows. */
function useTreeKeys(rows: TreeRow[], current: string, tree: TreeProps, actions: RowActions) {
  const at = Math.max(0, rows.findIndex((row) => row.key === current)), row = rows[at];
  const parent = () => rows.slice(0, at).reverse().find((other) => other.depth < row.depth);
  return (event: KeyboardEvent) => {
    if (!row || event.ctrlKey || event.altKey || event.metaKey) return;
    const {key} = event;
    const go = (to: TreeRow | undefined) => { if (to) actions.move(to); };
    if (key === 'ArrowDown') go(rows[at + 1]);
    else if (key === 'ArrowUp') go(rows[at - 1]);
    else if (key === 'Home') go(rows[0]);
    else if (key === 'End') go(rows[rows.length - 1]);
    else if (key === 'ArrowRight' && row.count === 0) go(undefined);
    else if ((key === 'ArrowRight' && !row.open) || (key === 'ArrowLeft' && row.open)) actions.toggle(row);
    else if (key === 'ArrowRight') go(rows[at + 1]);
    else if (key === 'ArrowLeft') go(parent());
    else if (key === 'h') tree.onVisible(row.ids, row.ids.every((id) => tree.hidden.has(id)));
    else if ((key === 'Enter' || key === ' ') && row.group) actions.toggle(row);
    else if (key === 'Enter' && row.id === tree.selected) tree.onFocus(row.id);
    else if (key === 'Enter' || key === ' ') tree.onSelect(row.id);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

export function Tree(props: TreeProps) {
  const {log: {world}, selected} = props;
  const [filter, setFilter] = useState('');
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState('');
  const list = useRef<HTMLUListElement>(null), wantsFocus = useRef(false);
  const rows = useMemo(() => treeRows(world, {filter, toggled}), [world, filter, toggled]);
  const flip = (keys: string[]) => setToggled((old) => {
    const next = new Set(old);
    for (const key of keys) if (!next.delete(key)) next.add(key);
    return next;
  });
  const actions: RowActions = {
    toggle: (row) => flip([row.key]),
    move: (row) => {
      wantsFocus.current = true;
      setCurrent(row.key);
    },
  };
  // What is selected in the scene is seen here, too.
  useEffect(() => {
    const keys = closedAbove(world, selected, toggled);
    if (keys.length > 0) flip(keys);
  }, [selected]);
  useEffect(() => list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({block: 'nearest'}), [selected, rows]);
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    list.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [current]);
  const onKeyDown = useTreeKeys(rows, current, props, actions);
  const reachable = rows.some((row) => row.key === current) ? current : rows[0]?.key;
  return (
    <>
      <Search label="find" value={filter} onInput={setFilter} onEnter={() => {
        const first = rows.find(({id, label}) => id >= 0 && label.toLowerCase().includes(filter.trim().toLowerCase()));
        if (first) props.onSelect(first.id);
      }} />
      <div class="contents">
        {rows.length === 0 && <p class="empty">nothing has such a name</p>}
        {rows.length > 0 && <ul ref={list} class="tree" role="tree" aria-label="world" onKeyDown={onKeyDown}>
          {rows.map((row) => <Row key={row.key} row={row} tree={props} current={row.key === reachable} actions={actions} />)}
        </ul>}
        {props.children}
      </div>
    </>);
}
