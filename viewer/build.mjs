// Writes the page that users get, and the licenses of what is in it.
import {existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {bundlePage, here} from './build_page.mjs';

const output = process.argv[2] ?? join(here, 'dist');
mkdirSync(output, {recursive: true});

const {page, files} = await bundlePage('src/main.ts');
writeFileSync(join(output, 'viewer.html'), page);

const packages = new Set();
for (const file of files) {
  const match = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file);
  if (match) packages.add(match[1]);
}
let licenses = 'The viewer contains these packages.\n';
for (const name of [...packages].sort()) {
  const folder = join(here, 'node_modules', name);
  const {version, license} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  licenses += `\n--- ${name} ${version} (${license})\n\n`;
  const file = readdirSync(folder).find((f) => /^licen[sc]e/i.test(f));
  if (file && existsSync(join(folder, file))) licenses += readFileSync(join(folder, file), 'utf8');
}
writeFileSync(join(output, 'viewer_licenses.txt'), licenses);
console.log(`viewer.html: ${(page.length / 1000).toFixed(0)} kB`);
