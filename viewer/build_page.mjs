// A page as one HTML file, without anything that is loaded from elsewhere.
import {build} from 'esbuild';
import {readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

export const here = dirname(fileURLToPath(import.meta.url));

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
  return {page, files: Object.keys(bundle.metafile.inputs)};
}
