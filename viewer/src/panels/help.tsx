// What the mouse and the keys do.
import {Tool} from '../ui/controls';
import {Dialog} from '../ui/dialog';

type List = [string, string][];

const MOUSE: List = [
  ['drag', 'turn the view'], ['right drag', 'move the view'], ['wheel', 'come nearer'], ['click', 'select'],
  ['double click', 'look at what is there; beside everything: at everything'], ['Ctrl drag', 'pull a body of a running simulation'],
];
const TIMES: List = [
  ['Space', 'play, pause'], ['← →', 'one step; with Shift: ten'], ['Home, End', 'to the ends'], ['[ ]', 'to what happens before or next: contacts, faults, the first difference of runs'],
  ['− +', 'slower, faster'], ['l', 'play again from the start at the end'],
];
const VIEW: List = [
  ['f', 'look at what is selected, or at everything'], ['Esc', 'close lists; select nothing'], ['p', 'save a picture'], ['t', 'show or hide the tree'],
  ['o', 'list what can be shown'], ['?', 'this list'],
];
const TREE: List = [['↑ ↓', 'to the next body'], ['→ ←', 'open, close'], ['Enter', 'select; again: look at it'], ['h', 'hide, show']];
const POSING: List = [
  ['drag', 'move a link or an object; beside them: turn the view'], ['c', "hold the link's pose"], ['d', "delete the link's goal"], ['s', 'solve'], ['z, y', 'undo, redo'],
  ['right drag', "turn the link's driver: up or down"], ['m', 'handles: off, move, turn'], ['v, V', 'keep the view, go back to it'], ['Del', 'delete the chosen resource'],
];

export function Help(props: {timed: boolean; posing: boolean; onClose: () => void}) {
  const lists: [string, List][] = [['Mouse', MOUSE], ...(props.posing ? [['Posing', POSING] as [string, List]] : []), ...(props.timed ? [['Time', TIMES] as [string, List]] : []), ['View', VIEW], ['In the tree', TREE]];
  return (
    <Dialog class="help" label="mouse and keys" onClose={props.onClose}>
      <header>Mouse and keys<Tool icon="close" label="close" onClick={props.onClose} /></header>
      {lists.map(([title, list]) => (
        <section key={title}>
          <h3>{title}</h3>
          <dl>{list.map(([key, text]) => <><dt><kbd>{key}</kbd></dt><dd>{text}</dd></>)}</dl>
        </section>))}
    </Dialog>);
}
