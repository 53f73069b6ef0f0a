// Buttons, switches and boxes, which look and are called the same everywhere.
import type {ComponentChildren} from 'preact';
import {Icon, type IconName} from './icon';

interface ToolProps {
  icon: IconName;
  /** What it does, for tooltips and screen readers. */
  label: string;
  /** The key that does the same. */
  keys?: string;
  id?: string;
  class?: string;
  pressed?: boolean;
  expanded?: boolean;
  disabled?: boolean;
  onClick: (event: MouseEvent) => void;
}

/** A button with a picture alone. */
export function Tool(props: ToolProps) {
  const {icon, label, keys, pressed, expanded} = props;
  return (
    <button type="button" id={props.id} class={`tool ${props.class ?? ''}`} title={keys ? `${label} (${keys})` : label} aria-label={label} aria-keyshortcuts={keys}
      aria-pressed={pressed} aria-expanded={expanded} disabled={props.disabled} onClick={props.onClick}><Icon name={icon} /></button>);
}

/** A button with words. */
export function Button(props: {icon?: IconName; id?: string; title?: string; main?: boolean; disabled?: boolean; onClick: () => void; children: ComponentChildren}) {
  return (
    <button type="button" id={props.id} class={'button' + (props.main ? ' main' : '')} title={props.title} disabled={props.disabled} onClick={props.onClick}>
      {props.icon && <Icon name={props.icon} />}{props.children}</button>);
}

/** A box with its name beside it. */
export function Check(props: {id?: string; title?: string; checked: boolean; onChange: (checked: boolean) => void; children: ComponentChildren}) {
  return (
    <label class="check" title={props.title}><input id={props.id} type="checkbox" checked={props.checked} onChange={(e) => props.onChange(e.currentTarget.checked)} />
      <span>{props.children}</span></label>);
}

/** A box to search by words. */
export function Search(props: {label: string; value: string; onInput: (text: string) => void; onEnter?: () => void; onKey?: (event: KeyboardEvent) => void}) {
  return (
    <div class="search"><Icon name="search" />
      <input class="field filter" type="search" placeholder={props.label} aria-label={props.label} value={props.value} onInput={(e) => props.onInput(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key === 'Enter') props.onEnter?.();
          props.onKey?.(e);
        }} /></div>);
}

/** A small square of a color. */
export function Swatch(props: {color: string; dashed?: boolean}) {
  return <span class={'swatch' + (props.dashed ? ' dashed' : '')} style={`--color: ${props.color}`} aria-hidden="true" />;
}
