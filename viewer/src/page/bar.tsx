// The bar on top: panels, the name of what is shown, pictures, movies, links, the theme, keys.
import {useState} from 'preact/hooks';
import {Tool} from '../ui/controls';
import {isDark, switchTheme} from './theme';
import type {Page} from './use_page';
import {chooseFiles} from './use_opening';

function Brand() {
  return (
    <div class="brand"><svg viewBox="0 0 20 20" aria-hidden="true"><rect width="20" height="20" rx="4" fill="var(--accent)" />
      <path d="M5 14.5V6.5h3.2v3.6h3.6V6.5H15v8" fill="none" stroke="var(--on-accent)" stroke-width="2" /></svg><span>Mortise</span></div>);
}

/** What is shown, in one line. */
function titleOf(names: string[], world: string): string {
  if (names.length === 1) return names[0];
  return `${world.slice(world.lastIndexOf('/') + 1) || 'logs'}, ${names.length} runs`;
}

export function Bar(props: {page: Page}) {
  const {page} = props, {kind, panels, logs, recording} = page, narrow = panels.size === 'narrow';
  const [, redraw] = useState(0);
  const title = titleOf(logs.map((log) => log.name), logs[0].world.world);
  return (
    <header class="bar">
      {!narrow && <Tool icon="panelLeft" label="tree" keys="t" expanded={panels.left} onClick={() => panels.set({left: !panels.left})} />}
      <Brand />
      <h1 title={title}>{title}</h1>
      {page.openFiles && <Tool icon="open" label="open a log" onClick={() => chooseFiles(page.openFiles!)} />}
      <Tool icon="camera" label="picture" keys="p" onClick={page.picture} />
      {!kind.still && !kind.posing && <Tool icon="movie" label={recording ? 'end the movie' : 'movie'} pressed={recording} onClick={page.record} />}
      <Tool icon="link" label="copy a link to what is shown" onClick={page.copyLink} />
      {!narrow && <span class="rule" />}
      <Tool icon={isDark() ? 'sun' : 'moon'} label={isDark() ? 'light' : 'dark'} onClick={() => {
        switchTheme();
        redraw((n) => n + 1);
      }} />
      <Tool icon="help" label="help" keys="?" onClick={() => panels.set({help: true})} />
      {!narrow && !kind.still && <Tool icon="panelRight" label={kind.posing ? 'pose' : 'plots'} expanded={panels.right} onClick={() => panels.set({right: !panels.right})} />}
    </header>);
}
