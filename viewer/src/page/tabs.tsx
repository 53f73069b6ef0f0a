// Of narrow windows: which panel is below the scene.
import {Icon, type IconName} from '../ui/icon';
import type {Page} from './use_page';
import type {Tab} from './use_panels';

export function Tabs(props: {page: Page}) {
  const {kind, panels, scene} = props.page;
  const tabs: [Tab, string, IconName][] = [
    ['world', 'World', 'tree'], ...(kind.still ? [] : [['plots', kind.posing ? 'Pose' : 'Plots', 'plot'] as [Tab, string, IconName]]), ['details', 'Details', 'details'], ['show', 'Show', 'layers'],
  ];
  const go = (to: Tab, by: number, event: KeyboardEvent) => {
    const at = tabs.findIndex(([tab]) => tab === to), next = tabs[(at + by + tabs.length) % tabs.length][0];
    panels.set({tab: next});
    (event.currentTarget as HTMLElement).parentElement!.querySelector<HTMLElement>(`[data-tab=${next}]`)?.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="tabs" role="tablist" aria-label="panels">
      {tabs.map(([tab, name, icon]) => (
        <button key={tab} type="button" role="tab" data-tab={tab} aria-selected={panels.tab === tab} tabIndex={panels.tab === tab || panels.tab === '' ? 0 : -1}
          onClick={() => panels.set({tab: panels.tab === tab ? '' : tab})}
          onKeyDown={(e) => {
            if (e.key === 'ArrowRight') go(tab, 1, e);
            else if (e.key === 'ArrowLeft') go(tab, -1, e);
          }}><Icon name={icon} />{name}{tab === 'details' && scene.selected >= 0 ? ' •' : ''}</button>))}
    </div>);
}
