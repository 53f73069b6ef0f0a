// Boxes to type in.
import {type ComponentChildren, h} from 'preact';
import {useState} from 'preact/hooks';

/** What is typed stays while the page is drawn anew around it, until it is done; then `onSet` has it, and the box shows `value` again. */
export function Typed(props: {value: string | number; onSet: (text: string) => void; rows?: number; [attribute: string]: unknown}): ComponentChildren {
  const {value, onSet, ...attributes} = props;
  const [draft, setDraft] = useState<string | null>(null);
  return h(props.rows ? 'textarea' : 'input', {
    ...attributes,
    value: draft ?? value,
    onInput: (e: Event) => setDraft((e.currentTarget as HTMLInputElement).value),
    onBlur: () => setDraft(null),
    onChange: (e: Event) => {
      const text = (e.currentTarget as HTMLInputElement).value;
      setDraft(null);
      onSet(text);
    },
  } as object);
}
