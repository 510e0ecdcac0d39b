// How a forbidden import is described: an override of oxlint's no-restricted-imports, whose message suggests the alternative.

/** Forbidden imports. */
export interface Pattern {
  regex: string;
  message: string;
  /** Only these names; all by default. */
  importNames?: string[];
  /** All names but these. */
  allowImportNames?: string[];
}

/** One entry of oxlint's `overrides`. */
export interface Override {
  files: string[];
  rules: Record<string, unknown>;
}

/** The packages of the repository. */
export const packages = [
  'contract',
  'multiplex',
  'expressions',
  'client',
  'hub',
  'console',
  'cli',
  'agent',
  'e2e',
  'bench',
  'fuzz',
  'tools',
];

/** A group that matches one of the names. */
export const oneOf = (names: readonly string[]): string => `(?:${names.join('|')})`;

/** Imports that are forbidden everywhere, including tests. */
const deepImports: Pattern[] = [
  {
    // The client has a second entry point, `@corral/client/node`, for programs on Node.js.
    regex: `^@corral/(?:${oneOf(packages.filter((name) => name !== 'client'))}/|client/[^n])`,
    message:
      "A package is imported only through its index.ts: import from '@corral/<package>', and export there what is missing.",
  },
  {
    regex: `^(?:\\.\\./)+${oneOf(packages)}/(?:src|bin)/`,
    message: "This is another package: import from '@corral/<package>', not by a path.",
  },
];

/** The rule that forbids these imports, and those that are forbidden everywhere. */
export const rule = (patterns: Pattern[]): Override['rules'] => ({
  'no-restricted-imports': ['error', { patterns: [...deepImports, ...patterns] }],
});

/** Forbids all packages except the allowed ones. */
export function onlyPackages(importer: string, allowed: readonly string[]): Pattern {
  const forbidden = packages.filter((name) => name !== importer && !allowed.includes(name));
  const hint =
    allowed.length === 0 ? 'no other package' : allowed.map((name) => `@corral/${name}`).join(', ');
  return {
    regex: `^@corral/${oneOf(forbidden)}(?:/|$)`,
    message: `${importer}/ may import ${hint}: move what is needed there, or take it as a parameter.`,
  };
}
