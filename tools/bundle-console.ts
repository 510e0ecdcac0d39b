// `node tools/bundle-console.ts FOLDER`: builds the console into a folder, with the licences of its libraries and fonts.
import { join } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';
import { licenceTexts } from './licence-notices.ts';
import { repositoryRoot } from './source-files.ts';

/** The modules of the worker bundles, which are built before the bundle of the pages. */
const workerModules: string[] = [];

/** Collects the modules of workers. */
function workerLicences(): Plugin {
  return {
    name: 'worker-licences',
    generateBundle: (_options, bundle) =>
      void workerModules.push(...Object.values(bundle).flatMap(sourcesOf)),
  };
}

/** Writes the licences of all modules, styles and workers to licences.txt, which the hub serves. */
function licences(): Plugin {
  const styles: string[] = [];
  return {
    name: 'licences',
    transform: {
      order: 'pre',
      handler(code, id) {
        // Tailwind replaces the imports of a style sheet by their content.
        if (id.endsWith('.css'))
          for (const [, library = ''] of code.matchAll(/@import\s+['"]([^'".][^'"]*)['"]/g))
            styles.push(join(repositoryRoot, 'node_modules', library, 'index.css'));
      },
    },
    generateBundle(_options, bundle) {
      const modules = [...Object.values(bundle).flatMap(sourcesOf), ...workerModules, ...styles];
      const source = licenceTexts(modules, repositoryRoot);
      this.emitFile({ type: 'asset', fileName: 'licences.txt', source });
    },
  };
}

function sourcesOf(file: Rolldown.OutputChunk | Rolldown.OutputAsset): string[] {
  if (file.type === 'chunk') return Object.keys(file.modules);
  return file.originalFileNames.map((name) => join(repositoryRoot, 'console', name));
}

await build({
  configFile: join(repositoryRoot, 'console/vite.config.ts'),
  plugins: [licences()],
  worker: { plugins: () => [workerLicences()] },
  logLevel: 'warn',
  build: { outDir: process.argv[2] ?? join(repositoryRoot, 'console/dist'), emptyOutDir: true },
});
