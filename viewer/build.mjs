// Bundles the page into one HTML file, without anything that is loaded from elsewhere, and the licenses of what is in it.
import {build} from 'esbuild';
import {existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2] ?? join(here, 'dist');
mkdirSync(output, {recursive: true});

const bundle = await build({
  entryPoints: [join(here, 'src/main.tsx')],
  bundle: true,
  minify: true,
  write: false,
  format: 'iife',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  loader: {'.css': 'text'},
  legalComments: 'none',
  metafile: true,
});
// A closing tag within the script would end it.
const script = bundle.outputFiles[0].text.replaceAll('</script', '<\\/script');
const style = readFileSync(join(here, 'src/style.css'), 'utf8') +
    readFileSync(join(here, 'node_modules/uplot/dist/uPlot.min.css'), 'utf8');
const page = readFileSync(join(here, 'src/index.html'), 'utf8')
                 .replace('/*STYLE*/', () => style)
                 .replace('/*SCRIPT*/', () => script);
writeFileSync(join(output, 'viewer.html'), page);

const packages = new Set();
for (const file of Object.keys(bundle.metafile.inputs)) {
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
