import { dirname, join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

// Where each first screen begins; what that imports belongs to the screen too.
const entry = /\/src\/main\.tsx$/;
const screens: Readonly<Record<string, RegExp>> = {
  'sign-in': /\/routes\/_public(?:\/login)?\.tsx\?tsr-split=component$/,
  'signed-in': /\/routes\/_guard(?:\/projects\/index)?\.tsx\?tsr-split=component$/,
};

/** The files that every page or the announcement of the hub names, by their paths. */
export const isScreenChunk = /assets\/(?:rolldown-runtime|core|sign-in|signed-in)-[^/]*$/;

/**
 * Makes two files of each first screen: `core`, which all of them need, and its own, so that nothing is fetched twice in a row and
 * no screen carries the other. `chunkOf` names them for the bundler; screens.json tells the hub what to announce for which.
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

// The set of icons is one module that exports them all; only those that are asked for by name count.
const iconSet = /\/lucide-react\.mjs$/;

function directImports(facts: (id: string) => Rolldown.ModuleInfo | null): (id: string) => readonly string[] {
  const icons = new Map<string, string>();
  return (id) => {
    const { importedIds = [], code = '' } = facts(id) ?? {};
    const set = importedIds.find((imported) => iconSet.test(imported));
    if (set === undefined || code === null) return importedIds;
    if (icons.size === 0)
      for (const [name, file] of iconsOf(facts(set)?.code ?? '')) icons.set(name, join(dirname(set), file));
    const [, names = ''] = /import\s*\{([^}]*)\}\s*from\s*["']lucide-react["']/.exec(code) ?? [];
    const asked = names.split(',').flatMap((name) => icons.get(name.trim().split(/\s+as\s+/)[0] ?? '') ?? []);
    return [...importedIds.filter((imported) => imported !== set), ...asked];
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

/** The files of the screens that begin there, in the form of addresses, without those that the page itself names. */
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
