// The allowed imports inside the hub: doors → calls → domains → platform, never back.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { onlyPackages, oneOf, rule, type Override, type Pattern } from './import-pattern.ts';
import { repositoryRoot } from './source-files.ts';

const domains = readdirSync(join(repositoryRoot, 'hub/src/domains'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const hubPackages = onlyPackages('hub', ['contract', 'expressions', 'multiplex']);

/** Imports of folders of hub/src, from any depth. */
const into = (folders: string, message: string): Pattern => ({
  regex: `^(?:\\.\\./)+(?:${folders})(?:/|\\.ts$)`,
  message,
});

const root: Pattern = {
  regex: '^(?:\\.\\./)+(?:hub|main)(?:\\.ts)?$',
  message: 'hub.ts builds everything and only main.ts imports it: take what you need as a parameter.',
};
const configuration = into(
  'config',
  'Configuration is read once and passed in: take the value as a parameter.',
);
const builders = into('wiring|operator', 'hub.ts connects the rooms: take what you need as a parameter.');

const insideOtherDomains: Pattern = {
  regex: `^(?:\\.\\./)+(?:domains/)?${oneOf(domains)}/(?:actions|policy|sql|jobs|listeners)/`,
  message:
    'A domain is entered by its index.ts, or by a function of its internal/: export there what is missing. An action is never imported.',
};
const noFiles: Pattern = {
  regex: '^(?:node:)?(?:fs|fs/promises|net|http|https|child_process|process)$',
  message:
    'An action, a policy or SQL does no I/O of its own: use what the executor passes in (tx, actor, now, emit, enqueue, assets).',
};

const doorHint =
  'a door accesses state only by calling actions, or running functions of internal/: it imports no database, policy, SQL or other door (hub.ts connects them).';
const door = (name: string, more: Pattern[]): Override => ({
  files: [`hub/src/entry/${name}/**/*.ts`],
  rules: rule([
    into(`domains/${oneOf(domains)}/(?:index|actions|policy|sql|jobs|listeners)`, doorHint),
    into('platform/(?:db|postgres|mail|jobs)', doorHint),
    into(
      `(?:entry/)?${oneOf(['http', 'gateway', 'proxy', 'peers', 'transfers'].filter((other) => other !== name))}`,
      doorHint,
    ),
    builders,
    root,
    ...more,
  ]),
});

const doors: Override[] = [
  ...['http', 'gateway', 'proxy', 'transfers'].map((name) => door(name, [hubPackages])),
  // A peer node is a client.
  door('peers', [onlyPackages('hub', ['contract', 'expressions', 'multiplex', 'client'])]),
];

const platformHint = 'platform/ knows no domain and no action: take what you need as a parameter.';
const leafHint =
  'this folder imports no other room of the hub but the limits: take what you need as a parameter.';
const leaves: Override[] = [
  {
    files: ['hub/src/platform/**/*.ts'],
    rules: rule([into('domains|calls|entry|auth', platformHint), configuration, builders, root, hubPackages]),
  },
  {
    files: ['hub/src/{limits,auth,config}/**/*.ts'],
    rules: rule([into('domains|calls|entry|platform|wiring|operator', leafHint), root, hubPackages]),
  },
];

const callsHint = 'the stages of a call know no action: hub.ts passes them the handlers.';
const sqlHint = 'SQL imports nothing that uses it: take what you need as a parameter.';
const policyHint = 'a policy uses SQL; it imports no action, call or door.';
const actionHint =
  'an action uses policies, SQL, storage and the tx that it receives; it imports no door or job, and publishes with emit.';
const laterHint =
  'what runs later accesses state only by calling actions, or running functions of internal/.';
const storageHint = 'a store of bytes knows no actions, users or tables: take what it needs as a parameter.';

const inDomain = (part: string, patterns: Pattern[]): Override => ({
  files: [`hub/src/domains/*/${part}/**/*.ts`],
  rules: rule([...patterns, configuration, builders, root, hubPackages]),
});

const otherActions: Pattern = {
  regex: '^(?:\\./|\\.\\./(?:actions|internal)/)',
  message: 'One action never imports another: move shared code to the sql/ or policy/ of the domain.',
};

const stages: Override[] = [
  {
    files: ['hub/src/calls/**/*.ts'],
    rules: rule([
      into(
        `domains/(?:index\\.ts|handlers|${oneOf(domains)}/(?:index|actions|policy|sql|internal|jobs))`,
        callsHint,
      ),
      into('entry', callsHint),
      configuration,
      builders,
      root,
      hubPackages,
    ]),
  },
  inDomain('sql', [
    into('actions|policy|internal|jobs|listeners|storage|calls|entry', sqlHint),
    insideOtherDomains,
    noFiles,
  ]),
  inDomain('policy', [
    into('actions|internal|jobs|listeners|storage|calls|entry', policyHint),
    insideOtherDomains,
    noFiles,
  ]),
  ...['actions', 'internal'].map((part) =>
    inDomain(part, [
      into('jobs|listeners|entry', actionHint),
      into(`platform/(?:postgres|events|jobs|log|files${part === 'actions' ? '|mail' : ''})`, actionHint),
      insideOtherDomains,
      noFiles,
      otherActions,
    ]),
  ),
  ...['jobs', 'listeners'].map((part) =>
    inDomain(part, [into('actions|policy|sql|entry|platform/db', laterHint), insideOtherDomains]),
  ),
  inDomain('storage', [
    into('actions|policy|sql|internal|jobs|calls|entry|auth|platform/db', storageHint),
    insideOtherDomains,
  ]),
];

/** The table of a domain's actions is the one file that imports them. */
const actionTables: Override = { files: ['hub/src/domains/*/actions/index.ts'], rules: rule([hubPackages]) };

const noSql: Pattern = {
  regex: '^kysely$',
  message: 'No SQL here: put the statement into hub/src/platform/db/ or the sql/ of its domain.',
};

/** The rules of the hub, from general to specific. */
export const hubOverrides: Override[] = [
  { files: ['hub/**/*.ts'], rules: rule([hubPackages]) },
  ...leaves,
  ...doors,
  ...stages,
  actionTables,
  { files: ['hub/src/hub.ts', 'hub/src/wiring/**/*.ts'], rules: rule([hubPackages, noSql]) },
  {
    files: ['hub/src/operator/**/*.ts'],
    rules: rule([
      hubPackages,
      into(`domains/${oneOf(domains)}/(?:actions|policy|sql)`, insideOtherDomains.message),
    ]),
  },
  {
    files: ['hub/src/operator/demo/**/*.ts'],
    rules: rule([into('domains|entry|platform/db', 'the demo is a client: it calls actions.'), hubPackages]),
  },
];
