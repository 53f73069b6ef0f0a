// Short messages over the scene, which move nothing when they come and go.
import type {ComponentChildren} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {Events} from '../data/events';
import {Tool} from './controls';

/** For how long a message is there, ms: longer where it says more. */
const SHORTEST = 4000, PER_LETTER = 60;

interface Toast { key: number; text: string; bad: boolean }

const events = new Events<{toast: Toast}>();
let count = 0;

/** Says something for a while. */
export function say(text: string, bad = false): void {
  events.emit('toast', {key: ++count, text, bad});
}

/** `children`: what stays as long as it is so. */
export function Toasts(props: {children?: ComponentChildren}) {
  const [shown, setShown] = useState<Toast[]>([]);
  const drop = (key: number) => setShown((old) => old.filter((toast) => toast.key !== key));
  useEffect(() => events.on('toast', (toast) => {
    // Of those that say the same, the newest is enough.
    setShown((old) => [...old.filter((t) => t.text !== toast.text).slice(-2), toast]);
    setTimeout(() => drop(toast.key), SHORTEST + PER_LETTER * toast.text.length);
  }), []);
  return (
    <div class="toasts">
      {props.children}
      <div role="status">{shown.map(({key, text, bad}) => (
        <div class={'toast' + (bad ? ' warning' : '')} key={key}>{text}<Tool class="small" icon="close" label="dismiss" onClick={() => drop(key)} /></div>))}</div>
    </div>);
}

/** What stays until it is no longer so, or until it is put away. */
export function Notice(props: {bad?: boolean; id?: string; onClose?: () => void; children: ComponentChildren}) {
  return (
    <div id={props.id} class={'toast' + (props.bad ? ' warning' : '') + (props.onClose ? '' : ' plain')} role={props.bad ? 'alert' : 'status'}>{props.children}
      {props.onClose && <Tool class="small" icon="close" label="dismiss" onClick={props.onClose} />}</div>);
}
