// Windows over the page that keep the keyboard until they are closed.
import type {ComponentChildren} from 'preact';
import {useLayoutEffect, useRef} from 'preact/hooks';

export function Dialog(props: {class: string; label: string; onClose: () => void; children: ComponentChildren}) {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement, dialog = element.current!;
    dialog.showModal();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={element} class={props.class} aria-label={props.label} onCancel={(e) => {
      e.preventDefault();
      props.onClose();
    }} onClick={(e) => { if (e.target === element.current) props.onClose(); }}>{props.children}</dialog>);
}
