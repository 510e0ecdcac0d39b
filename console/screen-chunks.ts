import type { Plugin, Rolldown } from 'vite';
import { directImports } from './direct-imports.ts';

// The entry module of each first screen; its imports belong to the screen too.
const entry = /\/src\/main\.tsx$/;
const screens: Readonly<Record<string, RegExp>> = {
  'sign-in': /\/routes\/_public(?:\/login)?\.tsx\?tsr-split=component$/,
  'signed-in': /\/routes\/_guard(?:\/projects\/index)?\.tsx\?tsr-split=component$/,
};
const publicRoute = /\/routes\/_public.*\?tsr-split=/;
const userRoute = /\/routes\/_guard.*\?tsr-split=/;
const route = /\/src\/routes\//;
// What it alone shares with a page stays out of the code of all pages.
const showcase = /\/routes\/design-system\.tsx\?tsr-split=/;
// Its Markdown parser is large, and only the two routes of the documentation need it.
const documentation = /\/features\/documentation\//;
const pageModule = /\/console\/src\/|\/lucide-react\/.*\/icons\//;

/** Matches the files that index.html or the hub's Link header names. */
export const isScreenChunk = /assets\/(?:rolldown-runtime|core|sign-in|signed-in|popups)-[^/]*$/;

type ImportsOf = (id: string) => readonly string[];

/**
 * Splits the first screens into `core`, which all of them need, one chunk for each screen, and three for what pages share, so that no
 * screen loads its code in several round trips. screens.json lists the files of each screen for the hub's Link header.
 */
export function screenChunks(): { plugin: Plugin; groups: Rolldown.CodeSplittingGroup[] } {
  const chunks = new Map<string, string>();
  const pages = new Set<string>();
  const plugin: Plugin = {
    name: 'screen-chunks',
    apply: 'build',
    buildEnd() {
      const { first, reached, forVisitors, forUsers, isShared } = reachable(this);
      for (const id of forVisitors) if (forUsers.has(id)) chunks.set(id, 'shared');
      assign(chunks, first, reached);
      for (const id of this.getModuleIds())
        if (
          pageModule.test(id) &&
          !route.test(id) &&
          !documentation.test(id) &&
          !forVisitors.has(id) &&
          isShared(id)
        )
          pages.add(id);
    },
    generateBundle(_options, bundle) {
      refuseCycles(bundle);
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
  return {
    plugin,
    groups: [
      {
        name: (id) => chunks.get(id),
        debugName: 'screens',
        includeDependenciesRecursively: false,
        priority: 2,
      },
      { name: 'pages', test: (id) => pages.has(id), minShareCount: 2, priority: 1 },
    ],
  };
}

/** The modules of the entry, of each first screen, all that a page without a session may load, and all that pages of users may load. */
function reachable(context: Rolldown.PluginContext) {
  const ids = [...context.getModuleIds()];
  const imports = directImports((id) => context.getModuleInfo(id));
  const importsAndLazy: ImportsOf = (id) => [
    ...imports(id),
    ...(context.getModuleInfo(id)?.dynamicallyImportedIds ?? []).filter((lazy) => !route.test(lazy)),
  ];
  const reach = (start: RegExp, importsOf = imports) =>
    closure(
      ids.filter((id) => start.test(id)),
      importsOf,
    );
  const uses = new Map<string, number>();
  for (const lazy of ids.filter((id) => isLazy(context, id)))
    for (const id of closure([lazy], imports)) uses.set(id, (uses.get(id) ?? 0) + 1);
  return {
    isShared: (id: string) => (uses.get(id) ?? 0) > 1,
    first: reach(entry),
    reached: new Map(Object.entries(screens).map(([name, start]) => [name, reach(start)])),
    forUsers: reach(userRoute, importsAndLazy),
    forVisitors: new Set([...reach(entry, importsAndLazy), ...reach(publicRoute, importsAndLazy)]),
  };
}

const isLazy = (context: Rolldown.PluginContext, id: string): boolean =>
  !showcase.test(id) && (context.getModuleInfo(id)?.dynamicImporters.length ?? 0) > 0;

function assign(
  chunks: Map<string, string>,
  first: ReadonlySet<string>,
  reached: ReadonlyMap<string, ReadonlySet<string>>,
): void {
  for (const [name, ids] of reached) {
    for (const id of ids) {
      const isOwn = !first.has(id) && [...reached.values()].filter((other) => other.has(id)).length === 1;
      if (isOwn && chunks.get(id) === 'shared' && name === 'signed-in') chunks.set(id, 'popups');
      else chunks.set(id, isOwn ? name : 'core');
    }
  }
  for (const id of first) chunks.set(id, 'core');
}

const importsIn =
  (bundle: Rolldown.OutputBundle): ImportsOf =>
  (file) => {
    const chunk = bundle[file];
    return chunk?.type === 'chunk' ? chunk.imports : [];
  };

/** Throws when a chunk imports itself through others: its modules could run before those that they use. */
function refuseCycles(bundle: Rolldown.OutputBundle): void {
  const importsOf = importsIn(bundle);
  for (const file of Object.keys(bundle))
    if (closure(importsOf(file), importsOf).has(file))
      throw new Error(`The chunk ${file} imports itself through other chunks; see console/screen-chunks.ts.`);
}

/** The files that the modules matching `start` need, as URL paths, without those that index.html names. */
function filesOf(bundle: Rolldown.OutputBundle, start: RegExp): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const holding = (test: RegExp) => chunks.filter(({ moduleIds }) => moduleIds.some((id) => test.test(id)));
  const files = (test: RegExp) =>
    closure(
      holding(test).map(({ fileName }) => fileName),
      importsIn(bundle),
    );
  const named = files(entry);
  return [...files(start)].filter((file) => !named.has(file)).map((file) => `/${file}`);
}

function closure(starts: readonly string[], importsOf: ImportsOf): Set<string> {
  const seen = new Set<string>();
  const waiting = [...starts];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (seen.has(one)) continue;
    seen.add(one);
    waiting.push(...importsOf(one));
  }
  return seen;
}
