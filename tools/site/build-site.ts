import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { licenceTexts } from '../licence-notices.ts';
import { repositoryRoot } from '../source-files.ts';
import { apiReference } from './api-reference.ts';

type RenderSite = (version: string, api: ReturnType<typeof apiReference>) => Promise<Map<string, string>>;

const sources = join(repositoryRoot, 'console/site');
/** The libraries of which something is in the files: styles, icons and fonts. */
const libraries = [
  'tailwindcss',
  'lucide-react',
  '@fontsource-variable/atkinson-hyperlegible-next',
  '@fontsource-variable/atkinson-hyperlegible-mono',
].map((name) => join(repositoryRoot, 'node_modules', name, 'package.json'));

/**
 * Builds the documentation site of a version into an empty folder: the documents that the console shows, the reference of the API, and a home page, as files
 * for any web server, below any path.
 */
export async function buildSite(folder: string, version: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'corral-site-'));
  try {
    const options = { configFile: join(sources, 'vite.config.ts'), logLevel: 'warn' } as const;
    await build({ ...options, build: { outDir: folder } });
    await build({ ...options, build: { ssr: true, outDir: work } });
    // Addresses of pictures in the pages are those of this build.
    cpSync(join(work, 'assets'), join(folder, 'assets'), { recursive: true });
    cpSync(join(repositoryRoot, 'console/public/favicon.svg'), join(folder, 'assets/favicon.svg'));
    writeFileSync(join(folder, 'assets/licences.txt'), licenceTexts(libraries, repositoryRoot));
    cpSync(join(repositoryRoot, 'docs/openapi.json'), join(folder, 'openapi.json'));
    const { renderSite } = (await import(pathToFileURL(join(work, 'render-site.mjs')).href)) as {
      renderSite: RenderSite;
    };
    for (const [path, text] of await renderSite(version, apiReference())) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
