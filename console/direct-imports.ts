import { dirname, join } from 'node:path';
import type { Rolldown } from 'vite';

type InfoOf = (id: string) => Rolldown.ModuleInfo | null;
/** The file of each name that a module exports. */
type Exports = ReadonlyMap<string, string>;

// Modules that only re-export a library or a room. The bundler keeps only what is imported by name, so only that counts.
const barrels: Readonly<Record<string, RegExp>> = {
  'lucide-react': /\/lucide-react\.mjs$/,
  '@tanstack/react-query': /\/react-query\/build\/modern\/index\.js$/,
  '@tanstack/query-core': /\/query-core\/build\/modern\/index\.js$/,
  '@tanstack/react-form': /\/react-form\/dist\/esm\/index\.js$/,
  '@tanstack/form-core': /\/form-core\/dist\/esm\/index\.js$/,
  '@corral/contract': /\/contract\/src\/index\.ts$/,
};

/** A function that lists the modules a module imports; in place of a library's barrel, those that define the imported names. */
export function directImports(infoOf: InfoOf): (id: string) => readonly string[] {
  const known = new Map<string, Exports>();
  const exportsOf = (barrel: string): Exports => {
    const exports = known.get(barrel) ?? readExports(barrel, infoOf, exportsOf);
    known.set(barrel, exports);
    return exports;
  };
  return (id) => {
    const { importedIds = [], code } = infoOf(id) ?? {};
    return importedIds.flatMap((imported) => {
      const library = Object.keys(barrels).find((name) => barrels[name]?.test(imported));
      if (library === undefined || !code) return [imported];
      const files = importedNames(code, library).map((name) => exportsOf(imported).get(name));
      return files.every((file) => file !== undefined) && files.length > 0 ? files : [imported];
    });
  };
}

const importFrom = /(?:im|ex)port\s*\{([^}]*)\}\s*from\s*["']([^"']+)["']/g;

function importedNames(code: string, library: string): string[] {
  return [...code.matchAll(importFrom)].flatMap(([, list = '', from]) =>
    from === library ? namesIn(list).map(({ outer }) => outer) : [],
  );
}

/** Reads `export { a } from './a.js'`, `import { a } from './a.js'; export { a }` and `export * from 'library'`. */
function readExports(barrel: string, infoOf: InfoOf, exportsOf: (id: string) => Exports): Exports {
  const { code = '', importedIds = [] } = infoOf(barrel) ?? {};
  const exports = new Map<string, string>();
  if (code === null) return exports;
  for (const [, library = ''] of code.matchAll(/export\s*\*\s*from\s*["']([^"'.][^"']*)["']/g)) {
    const other = importedIds.find((id) => barrels[library]?.test(id));
    for (const [name, file] of other === undefined ? [] : exportsOf(other)) exports.set(name, file);
  }
  const imported = new Map<string, string>();
  for (const [statement, list = '', from = ''] of code.matchAll(importFrom)) {
    const target = statement.startsWith('export') ? exports : imported;
    for (const { inner } of namesIn(list)) target.set(inner, join(dirname(barrel), from));
  }
  for (const [, list = ''] of code.matchAll(/export\s*\{([^}]*)\}\s*(?!\s*from)(?:;|$)/gm))
    for (const { outer, inner } of namesIn(list)) {
      const file = imported.get(outer);
      if (file !== undefined) exports.set(inner, file);
    }
  return exports;
}

/** `a as b` has the outer name `a`, that of its source, and the inner name `b`. */
function namesIn(list: string): { outer: string; inner: string }[] {
  return list.split(',').flatMap((part) => {
    const [outer = '', inner = outer] = part.trim().split(/\s+as\s+/);
    return outer === '' ? [] : [{ outer, inner }];
  });
}
