// Parts of the page that are drawn in a place of another part.
import {type ComponentChildren, render} from 'preact';
import {useLayoutEffect} from 'preact/hooks';

/** Draws `children` in an element that another component made. preact/compat has this, too, but with it every box says that it changed at each key. */
export function Elsewhere(props: {place: HTMLElement; children: ComponentChildren}): null {
  const {place, children} = props;
  useLayoutEffect(() => render(children, place));
  useLayoutEffect(() => () => render(null, place), [place]);
  return null;
}
