// What the mouse and the keys do.

const MOUSE = [
  ['drag', 'turn the view'], ['right drag', 'move the view'], ['wheel', 'come nearer'], ['click', 'select'],
  ['double click', 'look at what is there; beside everything: at everything'], ['Ctrl drag', 'pull a body of a running simulation'],
];
const TIMES = [
  ['Space', 'play, pause'], ['← →', 'one step; with Shift: ten'], ['Home, End', 'to the ends'], ['− +', 'slower, faster'], ['l', 'play again from the start at the end'],
];
const VIEW = [
  ['f', 'look at what is selected, or at everything'], ['Esc', 'select nothing'], ['p', 'save a picture'], ['t', 'show or hide the tree'], ['?', 'this list'],
];
const POSING = [
  ['drag', 'move a link or an object; beside them: turn the view'], ['c', "hold the link's pose"], ['d', "delete the link's goal"], ['s', 'solve'], ['z, y', 'undo, redo'],
  ['right drag', "turn the link's driver: up or down"], ['m', 'handles: off, move, turn'], ['v, V', 'keep the view, go back to it'], ['Del', 'delete the chosen resource'],
];

export function Help(props: {timed: boolean; posing: boolean; onClose: () => void}) {
  const lists = [['Mouse', MOUSE], ...(props.posing ? [['Posing', POSING]] : []), ...(props.timed ? [['Time', TIMES]] : []), ['View', VIEW]] as [string, string[][]][];
  return (
    <div class="help" role="dialog" aria-label="keys" onClick={props.onClose}>
      <div>
        {lists.map(([title, list]) => (
          <section key={title}>
            <h2>{title}</h2>
            <dl>{list.map(([key, text]) => <><dt>{key}</dt><dd>{text}</dd></>)}</dl>
          </section>))}
      </div>
    </div>);
}
