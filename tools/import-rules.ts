// Which file may import what, as oxlint's no-restricted-imports per folder. A message names the way that is open instead.

interface Pattern {
  regex: string;
  message: string;
}

/** One entry of oxlint's `overrides`. */
export interface Override {
  files: string[];
  rules: Record<string, unknown>;
}

const rooms = [
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

/** Imports that nobody may write, tests included. */
const throughTheDoor: Pattern[] = [
  {
    regex: '^@corral/[^/]+/',
    message:
      "A room is entered through its index.ts alone: import from '@corral/<room>', and export there what is missing.",
  },
  {
    regex: `^(?:\\.\\./)+${oneOf(rooms)}/(?:src|bin)/`,
    message: "Another room is a package: import from '@corral/<room>', not by a path.",
  },
];

const rule = (patterns: Pattern[]): Override['rules'] => ({
  'no-restricted-imports': ['error', { patterns: [...throughTheDoor, ...patterns] }],
});

/** Forbids every room but those named. */
function onlyRooms(room: string, allowed: readonly string[]): Pattern {
  const forbidden = rooms.filter((name) => name !== room && !allowed.includes(name));
  const way = allowed.length === 0 ? 'no other room' : allowed.map((name) => `@corral/${name}`).join(', ');
  return {
    regex: `^@corral/${oneOf(forbidden)}$`,
    message: `${room}/ may import ${way}: move what is needed there, or take it as a parameter.`,
  };
}

const noNode: Pattern = {
  regex: '^node:',
  message:
    'This runs in browsers too: take what the platform gives as a parameter (clock, random bytes, transport).',
};

// oxlint's patterns know no negation, so "anything but zod" is spelled letter by letter.
const onlyZod: Pattern = {
  regex: '^(?:[^.z]|z[^o]|zo[^d]|zod[^/])',
  message: 'contract/ is words alone and imports zod and its own files, nothing else.',
};

const nothing: Pattern = {
  regex: '^[^.]',
  message: 'multiplex/ imports nothing: take clocks, sockets and schemas as parameters.',
};

const hubFolders = [
  'executor',
  'actions',
  'policy',
  'store',
  'db',
  'postgres',
  'auth',
  'events',
  'gateway',
  'proxy',
  'assets',
  'jobs',
  'mail',
  'cluster',
  'http',
  'config',
  'log',
  'demo',
  'composition',
];

/** Forbids every folder of the hub but the own and those named, and the files that build the hub. */
function onlyFolders(folder: string, allowed: readonly string[], way: string): Pattern[] {
  const forbidden = hubFolders.filter((name) => name !== folder && !allowed.includes(name));
  return [
    { regex: `^(?:\\.\\./)+${oneOf(forbidden)}/`, message: `hub/src/${folder}/: ${way}` },
    {
      regex: '^(?:\\.\\./)+(?:hub|main)(?:\\.ts)?$',
      message:
        'hub.ts builds everything and is imported by main.ts alone: take what you need as a parameter.',
    },
  ];
}

const hubRooms = onlyRooms('hub', ['contract', 'multiplex']);
const doorWay =
  'a door holds an Executor and reaches state by invoking an action; it sees no db, store, policy, action or other door (hub.ts connects them).';
const leafWay =
  'this is a leaf of the hub: take what you need as a parameter and leave the joining to hub.ts.';

const configurationIsPassedIn: Pattern = {
  regex: '^(?:\\.\\./)+config(?:/|(?:\\.ts)?$)',
  message: 'Configuration is read once and passed in: take the value as a parameter.',
};

const noFiles: Pattern = {
  regex: '^(?:node:)?(?:fs|fs/promises|net|http|https|child_process|process)$',
  message:
    'An action, a policy or a store reaches nothing by itself: use what the executor hands in (tx, actor, now, emit, enqueue, assets).',
};

const otherActions: Pattern[] = [
  {
    regex: '^(?:\\./|\\.\\./[^./])',
    message:
      'One action never imports another: what two share lives in hub/src/store/ (SQL) or hub/src/policy/ (who may).',
  },
];

const handlerPatterns = [hubRooms, configurationIsPassedIn, noFiles];

const doors: Record<string, string[]> = { http: [], gateway: [], proxy: [], jobs: [], cluster: [] };

/** The hub's folders that are not doors: what each may import, and what to do instead of anything else. */
const inner: { folder: string; allowed: string[]; way: string; more?: Pattern[] }[] = [
  {
    folder: 'executor',
    allowed: ['events', 'db', 'auth'],
    way: 'the executor knows events and db; handlers are handed to it by hub.ts.',
  },
  {
    folder: 'policy',
    allowed: ['store', 'db', 'auth'],
    way: 'a policy asks the store; it knows no action and no door.',
    more: handlerPatterns,
  },
  {
    folder: 'store',
    allowed: ['db', 'auth'],
    way: 'the store is SQL over db and knows nothing above it.',
    more: handlerPatterns,
  },
  { folder: 'db', allowed: [], way: leafWay },
  { folder: 'postgres', allowed: [], way: leafWay },
  { folder: 'auth', allowed: [], way: leafWay },
  { folder: 'mail', allowed: [], way: leafWay },
  { folder: 'log', allowed: [], way: leafWay },
  { folder: 'concurrency', allowed: [], way: leafWay },
  {
    folder: 'config',
    allowed: [],
    way: 'config/ imports no other folder: it reads and validates settings, and the others get their values as parameters.',
  },
  {
    folder: 'demo',
    allowed: ['executor', 'events'],
    way: 'the demo is a client of the executor; it sees no db, store, policy, action or door.',
  },
  {
    folder: 'events',
    allowed: ['db'],
    way: 'outbox and bus know db alone; what follows from an event is a listener in events/listeners/.',
  },
  {
    folder: 'assets',
    allowed: ['executor', 'auth'],
    way: 'assets hold bytes; state is reached by invoking an action.',
  },
];

function hubOverrides(): Override[] {
  const folderRules = inner.map(({ folder, allowed, way, more = [hubRooms] }) => ({
    files: [`hub/src/${folder}/**/*.ts`],
    rules: rule([...onlyFolders(folder, allowed, way), ...more]),
  }));
  const doorRules = Object.keys(doors).map((door) => ({
    files: [`hub/src/${door}/**/*.ts`],
    rules: rule([
      ...onlyFolders(door, ['executor', 'auth', 'events', 'assets', 'config', 'log'], doorWay),
      door === 'cluster' ? onlyRooms('hub', ['contract', 'multiplex', 'client']) : hubRooms,
    ]),
  }));
  return [
    { files: ['hub/**/*.ts'], rules: rule([hubRooms]) },
    ...folderRules,
    ...doorRules,
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
  return { files: ['hub/src/hub.ts', 'hub/src/composition/**/*.ts'], rules: rule([hubRooms, noSql]) };
}

function listenerRules(): Override {
  const allowed = ['executor', 'events', 'mail', 'auth'];
  return {
    files: ['hub/src/events/listeners/**/*.ts'],
    rules: rule([...onlyFolders('events', allowed, doorWay), hubRooms]),
  };
}

function actionRules(): Override[] {
  const way =
    'an action uses policy, store, auth, assets and the tx that it is handed; it knows no door and publishes by emit.';
  const folders = onlyFolders('actions', ['policy', 'store', 'db', 'auth', 'assets', 'executor'], way);
  return [
    { files: ['hub/src/actions/*.ts'], rules: rule([...folders, ...handlerPatterns]) },
    { files: ['hub/src/actions/*/**/*.ts'], rules: rule([...folders, ...otherActions, ...handlerPatterns]) },
  ];
}

const relativeInto = (folders: readonly string[]): string => `^(?:\\.{1,2}/)+${oneOf(folders)}(?:/|\\.tsx?$)`;

const askTheData: Pattern = {
  regex: '^@corral/client',
  message:
    'Pages and components ask through console/src/data/ (a query or a mutation there), which alone knows the client.',
};

const consoleRooms = onlyRooms('console', ['contract', 'client']);

/** A route file lies `depth` folders below routes/; what it reaches without leaving routes/ is another route. */
function routeRule(depth: number): Override {
  const leaving = depth === 0 ? '' : `|(?:\\.\\./){1,${depth}}[^.-]`;
  const otherRoute: Pattern = {
    regex: `^(?:\\./[^-]${leaving})`,
    message:
      'A route never imports a route: what two pages share lives in console/src/components/ or console/src/data/.',
  };
  return {
    files: [`console/src/routes/${'*/'.repeat(depth)}*.{ts,tsx}`],
    rules: rule([consoleRooms, noNode, askTheData, otherRoute]),
  };
}

const deepestRoute = 6;

function consoleOverrides(): Override[] {
  return [
    { files: ['console/src/**/*.{ts,tsx}'], rules: rule([consoleRooms, noNode]) },
    {
      files: ['console/src/ui/**/*.{ts,tsx}'],
      rules: rule([
        noNode,
        {
          regex: `^@tanstack/react-(?:router|query)|^@corral/|${relativeInto(['routes', 'components', 'data'])}`,
          message:
            'ui/ knows no router, no data and no contract: take values and callbacks as properties, or move the file to components/.',
        },
      ]),
    },
    {
      files: ['console/src/components/**/*.{ts,tsx}'],
      rules: rule([
        consoleRooms,
        noNode,
        askTheData,
        {
          regex: relativeInto(['routes']),
          message: 'A component knows no route: take what it shows as properties, and link by path.',
        },
      ]),
    },
    {
      files: ['console/src/data/**/*.{ts,tsx}'],
      rules: rule([
        consoleRooms,
        noNode,
        {
          regex: relativeInto(['routes', 'components', 'ui']),
          message: 'data/ fetches and knows nothing that is drawn.',
        },
      ]),
    },
    ...Array.from({ length: deepestRoute + 1 }, (_, depth) => routeRule(depth)),
  ];
}

/** The whole table, from the general to the particular; a later entry replaces an earlier one for the same file. */
export const importOverrides: Override[] = [
  { files: ['**/*.{ts,tsx}'], rules: rule([]) },
  { files: ['contract/**/*.ts'], rules: rule([onlyZod]) },
  { files: ['multiplex/**/*.ts'], rules: rule([nothing]) },
  { files: ['client/**/*.ts'], rules: rule([onlyRooms('client', ['contract', 'multiplex'])]) },
  { files: ['cli/**/*.ts'], rules: rule([onlyRooms('cli', ['contract', 'client', 'multiplex'])]) },
  { files: ['agent/**/*.ts'], rules: rule([onlyRooms('agent', ['contract', 'client', 'multiplex'])]) },
  ...hubOverrides(),
  ...consoleOverrides(),
  // Tests import what they need, yet no room by its inner paths.
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
