// The allowed imports per folder, as overrides of oxlint's no-restricted-imports. Each message suggests an alternative.

import { hubOverrides } from './hub-import-rules.ts';
import { oneOf, onlyPackages, packages, rule, type Override, type Pattern } from './import-pattern.ts';

const nodeEntryPoint: Pattern = {
  regex: '^@corral/client/node$',
  message: 'This entry point of the client needs Node.js: programs use it, the console does not.',
};

const noNode: Pattern = {
  regex: '^node:',
  message:
    'This code runs in browsers too: take platform functions as parameters (clock, random bytes, transport).',
};

// oxlint's patterns have no negation, so "anything except zod" is written letter by letter.
const onlyZod: Pattern = {
  regex: '^(?:[^.z]|z[^o]|zo[^d]|zod[^/])',
  message: 'contract/ contains only schemas: it imports zod and its own files.',
};

const nothing: Pattern = {
  regex: '^[^.]',
  message: 'multiplex/ imports nothing: take clocks, sockets and schemas as parameters.',
};

const onlySemver: Pattern = {
  regex: '^(?:[^.s]|s[^e]|se[^m]|sem[^v]|semv[^e]|semve[^r]|semver.)',
  message: 'expressions/ imports semver and its own files: take values, and what reads them, as parameters.',
};

const clientPackages = onlyPackages('client', ['contract', 'multiplex']);

const foldersNeedNode: Pattern = {
  regex: '/(transfer|node)/',
  message:
    'client/src/transfer/ and client/src/node/ need Node.js: export them from node.ts, not from index.ts.',
};

const relativeInto = (folders: readonly string[]): string => `^(?:\\.{1,2}/)+${oneOf(folders)}(?:/|\\.tsx?$)`;

const useDataFolder: Pattern = {
  regex: '^@corral/client',
  message:
    'console/src/data/ is the only folder that imports the client: make a query or a mutation with its functions.',
};

const consolePackages = onlyPackages('console', ['contract', 'client']);
const loadedQueries: Pattern = {
  regex: '^@tanstack/react-query$',
  importNames: ['useSuspenseQuery'],
  message:
    'Take useLoadedQuery from console/src/data/: it throws in development when no loader has read the query.',
};

const consolePatterns = [consolePackages, noNode, nodeEntryPoint, useDataFolder, loadedQueries];

/** Rules for route files `depth` folders below routes/. A relative import that stays inside routes/ is another route. */
function routeRule(depth: number): Override {
  const leaving = depth === 0 ? '' : `|(?:\\.\\./){1,${depth}}[^.-]`;
  const otherRoute: Pattern = {
    regex: `^(?:\\./[^-]${leaving})`,
    message:
      'A route never imports a route: move the page to console/src/features/, and what several features use to console/src/parts/.',
  };
  return {
    files: [`console/src/routes/${'*/'.repeat(depth)}*.{ts,tsx}`],
    rules: rule([...consolePatterns, otherRoute]),
  };
}

const featureAdvice =
  'A feature imports parts, ui, data and copy: what several features use belongs in console/src/parts/.';

/** Rules for files `depth` folders below their feature. A relative import that stays inside features/ but leaves the own one is another feature. */
function featureRule(depth: number): Override {
  return {
    files: [`console/src/features/*/${'*/'.repeat(depth)}*.{ts,tsx}`],
    rules: rule([
      ...consolePatterns,
      { regex: `^(?:\\.\\./){${depth + 1}}[^.]`, message: featureAdvice },
      { regex: relativeInto(['routes', 'shell', 'features']), message: featureAdvice },
    ]),
  };
}

const deepestFolder = 6;
const depths = Array.from({ length: deepestFolder + 1 }, (_, depth) => depth);

/** The console's other folders: which they may not import, and the message for it. */
const consoleLayers: { folder: string; forbidden: string[]; advice: string; patterns: Pattern[] }[] = [
  {
    folder: 'shell',
    forbidden: ['routes', 'features'],
    advice: 'The shell surrounds every page: it imports parts, ui, data and copy, and no page.',
    patterns: consolePatterns,
  },
  {
    folder: 'parts',
    forbidden: ['routes', 'features', 'shell'],
    advice: 'Several features use a part: it imports ui, data and copy, and takes the rest as properties.',
    patterns: consolePatterns,
  },
  {
    folder: 'data',
    forbidden: ['routes', 'features', 'parts', 'shell', 'ui', 'copy'],
    advice: 'data/ fetches; it imports nothing that renders.',
    patterns: [consolePackages, noNode, nodeEntryPoint],
  },
  {
    folder: 'copy',
    forbidden: ['routes', 'features', 'parts', 'shell', 'ui', 'data'],
    advice: 'copy/ holds words and imports nothing; the texts of one feature belong in its folder.',
    patterns: consolePatterns,
  },
];

/** How names are sorted and searched is one rule for hub and console. */
const uiImportsNameOrder: Pattern = {
  regex: '^@corral/contract$',
  allowImportNames: ['foldText', 'orderKey'],
  message: 'ui/ imports of the contract only how names are sorted and searched.',
};

const uiImportsNoData: Pattern = {
  regex: `^@tanstack/react-(?:router|query)|^@corral/${oneOf(packages.filter((name) => name !== 'contract'))}(?:/|$)|${relativeInto(['routes', 'features', 'parts', 'shell', 'data'])}`,
  message:
    'ui/ imports no router, no data and no contract: take values and callbacks as properties, or move the file to parts/.',
};

function consoleOverrides(): Override[] {
  return [
    { files: ['console/src/**/*.{ts,tsx}'], rules: rule(consolePatterns) },
    { files: ['console/src/ui/**/*.{ts,tsx}'], rules: rule([noNode, uiImportsNoData, uiImportsNameOrder]) },
    ...consoleLayers.map(({ folder, forbidden, advice, patterns }) => ({
      files: [`console/src/${folder}/**/*.{ts,tsx}`],
      rules: rule([...patterns, { regex: relativeInto(forbidden), message: advice }]),
    })),
    ...depths.map(featureRule),
    ...depths.map(routeRule),
  ];
}

/** All overrides, from general to specific; for a file, a later entry replaces an earlier one. */
export const importOverrides: Override[] = [
  { files: ['**/*.{ts,tsx}'], rules: rule([]) },
  { files: ['contract/**/*.ts'], rules: rule([onlyZod]) },
  { files: ['multiplex/**/*.ts'], rules: rule([nothing]) },
  { files: ['expressions/**/*.ts'], rules: rule([onlySemver]) },
  { files: ['client/**/*.ts'], rules: rule([clientPackages, noNode, foldersNeedNode]) },
  { files: ['client/src/{transfer,node}/**/*.ts', 'client/src/node.ts'], rules: rule([clientPackages]) },
  { files: ['cli/**/*.ts'], rules: rule([onlyPackages('cli', ['contract', 'client', 'multiplex'])]) },
  { files: ['agent/**/*.ts'], rules: rule([onlyPackages('agent', ['contract', 'client', 'multiplex'])]) },
  ...hubOverrides,
  ...consoleOverrides(),
  // Tests may import everything except the inner paths of packages.
  {
    files: [
      '**/*.{test,e2e}.{ts,tsx}',
      '**/test/**',
      '**/fixtures/**',
      '**/vitest.config.ts',
      'console/*.ts',
    ],
    rules: rule([]),
  },
];
