// A page as one HTML file, without anything that is loaded from elsewhere.
import {build} from 'esbuild';
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

export const here = dirname(fileURLToPath(import.meta.url));

const STYLES = ['tokens', 'controls', 'layout', 'scene', 'panels', 'plots', 'time', 'posing', 'program', 'control'].map((name) => `src/style/${name}.css`);
const PLOT_STYLE = 'node_modules/uplot/dist/uPlot.min.css';
/** Latin letters in all weights. */
const FONT = 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';

/** Pictures of buttons are bundled as text. */
export const loaders = {'.svg': 'text'};

function styleOf() {
  const font = readFileSync(join(here, FONT)).toString('base64');
  const face = `@font-face{font-family:Inter;font-weight:100 900;font-display:block;src:url(data:font/woff2;base64,${font}) format("woff2")}\n`;
  return face + [PLOT_STYLE, ...STYLES].map((name) => readFileSync(join(here, name), 'utf8')).join('');
}

/** The page that begins with a module, and the files that are in it. */
export async function bundlePage(entry) {
  const bundle = await build({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: loaders,
    legalComments: 'none',
    metafile: true,
  });
  // A closing tag within the script would end it.
  const script = bundle.outputFiles[0].text.replaceAll('</script', '<\\/script');
  // No other script runs in the page: neither what a name of a body might hold, nor what an extension of the page might add.
  const hash = createHash('sha256').update(script).digest('base64');
  const page = readFileSync(join(here, 'src/index.html'), 'utf8')
                   .replace('SCRIPT_HASH', () => `sha256-${hash}`)
                   .replace('/*STYLE*/', () => styleOf())
                   .replace('/*SCRIPT*/', () => script);
  return {page, files: [...Object.keys(bundle.metafile.inputs), FONT]};
}
