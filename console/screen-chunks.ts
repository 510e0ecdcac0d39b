import { dirname, join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

// The entry module of each first screen; its imports belong to the screen too.
const entry = /\/src\/main\.tsx$/;
const screens: Readonly<Record<string, RegExp>> = {
  'sign-in': /\/routes\/_public(?:\/login)?\.tsx\?tsr-split=component$/,
  'signed-in': /\/routes\/_guard(?:\/projects\/index)?\.tsx\?tsr-split=component$/,
};

/** Matches the files that index.html or the hub's Link header names. */
export const isScreenChunk = /assets\/(?:rolldown-runtime|core|sign-in|signed-in)-[^/]*$/;

/**
 * Splits the first screens into `core`, which all of them need, and one chunk per screen, so that no screen loads its code in several
 * round trips or loads that of another. `chunkOf` names the chunk of a module for the bundler; screens.json lists the files of each
 * screen for the hub's Link header.
 */
export function screenChunks(): { plugin: Plugin; chunkOf: (id: string) => string | undefined } {
  const chunks = new Map<string, string>();
  const plugin: Plugin = {
    name: 'screen-chunks',
    apply: 'build',
    buildEnd() {
      const ids = [...this.getModuleIds()];
      const importsOf = directImports((id) => this.getModuleInfo(id));
      const reach = (start: RegExp) =>
        closure(
          ids.filter((id) => start.test(id)),
          importsOf,
        );
      assign(
        chunks,
        reach(entry),
        new Map(Object.entries(screens).map(([name, start]) => [name, reach(start)])),
      );
    },
    generateBundle(_options, bundle) {
      const files = Object.fromEntries(
        Object.entries(screens).map(([name, start]) => [name, filesOf(bundle, start)]),
      );
      this.emitFile({
        type: 'asset',
        fileName: 'screens.json',
        source: `${JSON.stringify(files, undefined, 2)}\n`,
      });
    },
  };
  return { plugin, chunkOf: (id) => chunks.get(id) };
}

// lucide-react is one module that exports all icons; only those imported by name count.
const iconModule = /\/lucide-react\.mjs$/;

function directImports(
  infoOf: (id: string) => Rolldown.ModuleInfo | null,
): (id: string) => readonly string[] {
  const icons = new Map<string, string>();
  return (id) => {
    const { importedIds = [], code = '' } = infoOf(id) ?? {};
    const set = importedIds.find((imported) => iconModule.test(imported));
    if (set === undefined || code === null) return importedIds;
    if (icons.size === 0)
      for (const [name, file] of iconsOf(infoOf(set)?.code ?? '')) icons.set(name, join(dirname(set), file));
    const [, names = ''] = /import\s*\{([^}]*)\}\s*from\s*["']lucide-react["']/.exec(code) ?? [];
    const requested = names
      .split(',')
      .flatMap((name) => icons.get(name.trim().split(/\s+as\s+/)[0] ?? '') ?? []);
    return [...importedIds.filter((imported) => imported !== set), ...requested];
  };
}

function iconsOf(code: string): [name: string, file: string][] {
  return [...code.matchAll(/export\s*\{([^}]*)\}\s*from\s*["'](\.[^"']*)["']/g)].flatMap(
    ([, names = '', file = '']) =>
      names.split(',').map((name): [string, string] => [name.replace(/.*\sas\s/s, '').trim(), file]),
  );
}

function assign(
  chunks: Map<string, string>,
  first: ReadonlySet<string>,
  reached: ReadonlyMap<string, ReadonlySet<string>>,
): void {
  for (const [name, ids] of reached) {
    for (const id of ids) {
      const isOwn = !first.has(id) && [...reached.values()].filter((other) => other.has(id)).length === 1;
      chunks.set(id, isOwn ? name : 'core');
    }
  }
  for (const id of first) chunks.set(id, 'core');
}

/** The files that the modules matching `start` need, as URL paths, without those that index.html names. */
function filesOf(bundle: Rolldown.OutputBundle, start: RegExp): string[] {
  const importsOf = (file: string) => {
    const chunk = bundle[file];
    return chunk?.type === 'chunk' ? chunk.imports : [];
  };
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const holding = (test: RegExp) => chunks.filter(({ moduleIds }) => moduleIds.some((id) => test.test(id)));
  const files = (test: RegExp) =>
    closure(
      holding(test).map(({ fileName }) => fileName),
      importsOf,
    );
  const named = files(entry);
  return [...files(start)].filter((file) => !named.has(file)).map((file) => `/${file}`);
}

function closure(starts: readonly string[], next: (one: string) => readonly string[]): Set<string> {
  const seen = new Set<string>();
  const waiting = [...starts];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (seen.has(one)) continue;
    seen.add(one);
    waiting.push(...next(one));
  }
  return seen;
}
