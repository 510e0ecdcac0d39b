// The allowed imports per folder, as overrides of oxlint's no-restricted-imports. Each message suggests an alternative.

interface Pattern {
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

const packages = [
  'contract',
  'multiplex',
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

const oneOf = (names: readonly string[]): string => `(?:${names.join('|')})`;

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

const nodeEntryPoint: Pattern = {
  regex: '^@corral/client/node$',
  message: 'This entry point of the client needs Node.js: programs use it, the console does not.',
};

const rule = (patterns: Pattern[]): Override['rules'] => ({
  'no-restricted-imports': ['error', { patterns: [...deepImports, ...patterns] }],
});

/** Forbids all packages except the allowed ones. */
function onlyPackages(importer: string, allowed: readonly string[]): Pattern {
  const forbidden = packages.filter((name) => name !== importer && !allowed.includes(name));
  const hint =
    allowed.length === 0 ? 'no other package' : allowed.map((name) => `@corral/${name}`).join(', ');
  return {
    regex: `^@corral/${oneOf(forbidden)}(?:/|$)`,
    message: `${importer}/ may import ${hint}: move what is needed there, or take it as a parameter.`,
  };
}

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

const clientPackages = onlyPackages('client', ['contract', 'multiplex']);

const foldersNeedNode: Pattern = {
  regex: '/(transfer|node)/',
  message:
    'client/src/transfer/ and client/src/node/ need Node.js: export them from node.ts, not from index.ts.',
};

const hubFolders = [
  'executor',
  'actions',
  'internal',
  'policy',
  'store',
  'db',
  'postgres',
  'auth',
  'events',
  'gateway',
  'proxy',
  'transfers',
  'assets',
  'backup',
  'jobs',
  'mail',
  'cluster',
  'http',
  'config',
  'log',
  'demo',
  'composition',
];

/** Forbids all folders of the hub except its own and the allowed ones, and the files that build the hub. */
function onlyFolders(folder: string, allowed: readonly string[], hint: string): Pattern[] {
  const forbidden = hubFolders.filter((name) => name !== folder && !allowed.includes(name));
  return [
    { regex: `^(?:\\.\\./)+${oneOf(forbidden)}/`, message: `hub/src/${folder}/: ${hint}` },
    {
      regex: '^(?:\\.\\./)+(?:hub|main)(?:\\.ts)?$',
      message: 'hub.ts builds everything and only main.ts imports it: take what you need as a parameter.',
    },
  ];
}

const hubPackages = onlyPackages('hub', ['contract', 'multiplex']);
const serverHint =
  'a server folder accesses state only by invoking actions, or running functions of internal/, through an Executor; it imports no db, store, policy, action or other server folder (hub.ts connects them).';
const leafHint =
  'this folder imports no other folder of the hub: take what you need as a parameter, and let hub.ts connect them.';

const configurationIsPassedIn: Pattern = {
  regex: '^(?:\\.\\./)+config(?:/|(?:\\.ts)?$)',
  message: 'Configuration is read once and passed in: take the value as a parameter.',
};

const noFiles: Pattern = {
  regex: '^(?:node:)?(?:fs|fs/promises|net|http|https|child_process|process)$',
  message:
    'An action, a policy or a store does no I/O of its own: use what the executor passes in (tx, actor, now, emit, enqueue, assets).',
};

const otherActions: Pattern[] = [
  {
    regex: '^(?:\\./|\\.\\./[^./])',
    message:
      'One action never imports another: move shared code to hub/src/store/ (SQL) or hub/src/policy/ (permissions).',
  },
];

const handlerPatterns = [hubPackages, configurationIsPassedIn, noFiles];

/** Folders that receive requests or start work, and call actions for it. */
const serverFolders = ['http', 'gateway', 'proxy', 'transfers', 'jobs', 'cluster'];
const ofServers = ['executor', 'internal', 'auth', 'events', 'assets', 'log'];

/** The hub's other folders: what each may import, and the message for every other import. */
const innerFolders: { folder: string; allowed: string[]; hint: string; more?: Pattern[] }[] = [
  {
    folder: 'executor',
    allowed: ['events', 'db', 'auth', 'assets', 'log'],
    hint: 'the executor imports events, db, auth, assets and log; hub.ts passes it the handlers.',
  },
  {
    folder: 'policy',
    allowed: ['store', 'db', 'auth'],
    hint: 'a policy uses the store; it imports no action and no server folder.',
    more: handlerPatterns,
  },
  {
    folder: 'store',
    allowed: ['db', 'auth'],
    hint: 'the store is SQL on db; it imports no folder that uses it.',
    more: handlerPatterns,
  },
  { folder: 'db', allowed: [], hint: leafHint },
  { folder: 'postgres', allowed: [], hint: leafHint },
  { folder: 'auth', allowed: [], hint: leafHint },
  { folder: 'mail', allowed: [], hint: leafHint },
  { folder: 'log', allowed: [], hint: leafHint },
  { folder: 'concurrency', allowed: [], hint: leafHint },
  { folder: 'limits', allowed: [], hint: leafHint },
  { folder: 'files', allowed: [], hint: leafHint },
  {
    folder: 'config',
    allowed: [],
    hint: 'config/ imports no other folder: it reads and validates settings, and the others get their values as parameters.',
  },
  {
    folder: 'demo',
    allowed: ['executor', 'events'],
    hint: 'the demo is a client of the executor; it imports no db, store, policy, action or server folder.',
  },
  {
    folder: 'events',
    allowed: ['db', 'log'],
    hint: 'outbox and bus import only db and log; the consequences of an event belong in a listener in events/listeners/.',
  },
  {
    folder: 'assets',
    allowed: ['executor', 'auth', 'log', 'concurrency'],
    hint: 'assets store bytes; access state by invoking an action.',
  },
  {
    folder: 'backup',
    allowed: ['assets', 'db', 'files', 'store'],
    hint: 'a backup is database and bytes; it calls no action, and takes keys and storages as parameters.',
  },
  ...['assets/disk', 'assets/s3'].map((folder) => ({
    folder,
    allowed: ['assets', 'log', 'concurrency'],
    hint: 'a store of bytes knows no actions, users or tables: take what it needs as a parameter.',
  })),
];

function hubOverrides(): Override[] {
  const folderRules = innerFolders.map(({ folder, allowed, hint, more = [hubPackages] }) => ({
    files: [`hub/src/${folder}/**/*.ts`],
    rules: rule([...onlyFolders(folder, allowed, hint), ...more]),
  }));
  const serverRules = serverFolders.map((folder) => ({
    files: [`hub/src/${folder}/**/*.ts`],
    rules: rule([
      ...onlyFolders(folder, [...ofServers, 'config'], serverHint),
      folder === 'cluster' ? onlyPackages('hub', ['contract', 'multiplex', 'client']) : hubPackages,
    ]),
  }));
  return [
    { files: ['hub/**/*.ts'], rules: rule([hubPackages]) },
    ...folderRules,
    ...serverRules,
    listenerRules(),
    compositionRules(),
    ...actionRules(),
  ];
}

/** The composition root may import every folder, so it gets only the rule about SQL. */
function compositionRules(): Override {
  const noSql: Pattern = {
    regex: '^kysely$',
    message: 'The composition root has no SQL: put the statement into hub/src/db/ or hub/src/store/.',
  };
  return { files: ['hub/src/hub.ts', 'hub/src/composition/**/*.ts'], rules: rule([hubPackages, noSql]) };
}

function listenerRules(): Override {
  const allowed = ['executor', 'internal', 'events', 'mail', 'auth', 'log'];
  return {
    files: ['hub/src/events/listeners/**/*.ts'],
    rules: rule([...onlyFolders('events', allowed, serverHint), hubPackages]),
  };
}

function actionRules(): Override[] {
  const hint =
    'an action uses policy, store, auth, assets and the tx that it receives; it imports no server folder and publishes with emit.';
  const used = ['policy', 'store', 'db', 'auth', 'assets', 'executor'];
  const folders = onlyFolders('actions', used, hint);
  const internal = onlyFolders('internal', [...used, 'mail'], hint);
  return [
    { files: ['hub/src/actions/*.ts'], rules: rule([...folders, ...handlerPatterns]) },
    { files: ['hub/src/actions/*/**/*.ts'], rules: rule([...folders, ...otherActions, ...handlerPatterns]) },
    { files: ['hub/src/internal/**/*.ts'], rules: rule([...internal, ...otherActions, ...handlerPatterns]) },
  ];
}

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
  { files: ['client/**/*.ts'], rules: rule([clientPackages, noNode, foldersNeedNode]) },
  { files: ['client/src/{transfer,node}/**/*.ts', 'client/src/node.ts'], rules: rule([clientPackages]) },
  { files: ['cli/**/*.ts'], rules: rule([onlyPackages('cli', ['contract', 'client', 'multiplex'])]) },
  { files: ['agent/**/*.ts'], rules: rule([onlyPackages('agent', ['contract', 'client', 'multiplex'])]) },
  ...hubOverrides(),
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
