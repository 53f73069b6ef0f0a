// Writes what tests need beside this folder's parent: test_page.html, the page with what tests ask of it, and unit/, the tests of modules.
import {build} from 'esbuild';
import {readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {bundlePage, here, loaders} from '../build_page.mjs';

writeFileSync(join(here, 'test_page.html'), (await bundlePage('test/page/main.ts')).page);
await build({
  entryPoints: readdirSync(join(here, 'test/unit')).map((name) => join(here, 'test/unit', name)),
  outdir: join(here, 'unit'),
  outExtension: {'.js': '.mjs'},
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node18',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  loader: loaders,
});
