import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lint } from './lint.ts';
import type { Finding } from './file-rules.ts';
import { repositoryRoot } from './source-files.ts';

const functionOfLines = (name: string, lines: number): string =>
  [`export function ${name}() {`, ...Array.from({ length: lines - 2 }, () => '  String(1);'), '}'].join('\n');

/** A forbidden line, the file it is written to, and a part of the message, which must suggest the alternative. */
const forbidden: [path: string, line: string, message: RegExp][] = [
  ['contract/src/a.ts', "import 'node:fs';", /only schemas/],
  ['contract/src/b.ts', "import '@corral/client';", /only schemas/],
  ['multiplex/src/a.ts', "import 'node:crypto';", /imports nothing/],
  ['multiplex/src/b.ts', "import '@corral/contract';", /imports nothing/],
  ['expressions/src/a.ts', "import '@corral/contract';", /imports semver and its own files/],
  ['expressions/src/b.ts', "import 'node:util';", /imports semver and its own files/],
  ['client/src/a.ts', "import '@corral/hub';", /client\/ may import @corral\/contract, @corral\/multiplex/],
  ['client/src/b.ts', "import 'node:fs';", /runs in browsers too/],
  ['client/src/c.ts', "import './transfer/upload.ts';", /export them from node\.ts/],
  ['console/src/data/c.ts', "import '@corral/client/node';", /This entry point of the client needs Node/],
  ['cli/src/b.ts', "import '@corral/client/link';", /imported only through its index\.ts/],
  ['agent/src/a.ts', "import '@corral/cli';", /agent\/ may import/],
  ['cli/src/a.ts', "import '@corral/tools';", /cli\/ may import/],
  [
    'hub/src/entry/gateway/a.ts',
    "import '@corral/client';",
    /hub\/ may import @corral\/contract, @corral\/expressions, @corral\/multiplex:/,
  ],
  ['hub/src/entry/http/a.ts', "import '../../platform/db/connect.ts';", /a door accesses state only/],
  [
    'hub/src/entry/http/b.ts',
    "import type { A } from '../../domains/devices/index.ts';",
    /a door accesses state only/,
  ],
  ['hub/src/entry/gateway/c.ts', "import '../../domains/assets/policy/a.ts';", /a door accesses state only/],
  ['hub/src/entry/gateway/d.ts', "import '../http/server.ts';", /a door accesses state only/],
  [
    'hub/src/domains/users/jobs/a.ts',
    "import '../actions/DeleteUser.ts';",
    /what runs later accesses state only/,
  ],
  ['hub/src/domains/users/listeners/a.ts', "import '../../../platform/db/connect.ts';", /what runs later/],
  ['hub/src/calls/a.ts', "import '../domains/handlers.ts';", /hub\.ts passes them the handlers/],
  ['hub/src/calls/b.ts', "import '../hub.ts';", /take what you need as a parameter/],
  ['hub/src/domains/users/policy/a.ts', "import '../../../calls/executor.ts';", /a policy uses SQL/],
  ['hub/src/domains/users/sql/a.ts', "import '../policy/actors.ts';", /SQL imports nothing that uses it/],
  ['hub/src/domains/users/sql/b.ts', "import '../../devices/sql/presence.ts';", /entered by its index\.ts/],
  ['hub/src/platform/db/a.ts', "import '../../domains/devices/index.ts';", /platform\/ knows no domain/],
  ['hub/src/auth/a.ts', "import '../platform/db/connect.ts';", /this folder imports no other room/],
  ['hub/src/domains/devices/actions/A.ts', "import './B.ts';", /One action never imports another/],
  [
    'hub/src/domains/devices/actions/C.ts',
    "import '../../users/actions/B.ts';",
    /An action is never imported/,
  ],
  ['hub/src/domains/devices/actions/D.ts', "import '../../../entry/gateway/presence.ts';", /imports no door/],
  [
    'hub/src/domains/devices/actions/E.ts',
    "await import('../../../config.ts');",
    /Configuration is read once/,
  ],
  ['hub/src/domains/devices/actions/F.ts', "import 'node:fs';", /does no I\/O of its own/],
  [
    'hub/src/entry/gateway/e.ts',
    "import '@corral/contract/src/ids.ts';",
    /imported only through its index\.ts/,
  ],
  [
    'hub/src/entry/gateway/f.test.ts',
    "import '@corral/contract/src/ids.ts';",
    /imported only through its index\.ts/,
  ],
  ['hub/src/entry/gateway/g.ts', "import '../../../../contract/src/ids.ts';", /This is another package/],
  [
    'console/src/data/a.ts',
    "import '@corral/multiplex';",
    /console\/ may import @corral\/contract, @corral\/client/,
  ],
  ['console/src/data/b.ts', "import '../ui/action/Button.tsx';", /imports nothing that renders/],
  ['console/src/routes/login.tsx', "import './projects.tsx';", /A route never imports a route/],
  ['console/src/routes/projects/a.tsx', "import '../login.tsx';", /A route never imports a route/],
  [
    'console/src/routes/projects/b.tsx',
    "import '@corral/client';",
    /the only folder that imports the client/,
  ],
  ['console/src/features/tokens/a.tsx', "import '../devices/queries.ts';", /several features use belongs in/],
  ['console/src/features/tokens/b.tsx', "import '../../shell/AppShell.tsx';", /A feature imports parts, ui/],
  ['console/src/features/tokens/c.tsx', "import '../../routes/login.tsx';", /A feature imports parts, ui/],
  ['console/src/features/tokens/d.ts', "import '@corral/client';", /the only folder that imports the client/],
  [
    'console/src/features/devices/device/a.tsx',
    "import '../../log/copy.ts';",
    /several features use belongs in/,
  ],
  [
    'console/src/features/tokens/e.ts',
    "import { useSuspenseQuery } from '@tanstack/react-query';",
    /Take useLoadedQuery/,
  ],
  ['console/src/parts/a.tsx', "import '../features/tokens/copy.ts';", /Several features use a part/],
  ['console/src/parts/b.tsx', "import '../shell/sections.ts';", /Several features use a part/],
  ['console/src/shell/a.tsx', "import '../features/tokens/copy.ts';", /The shell surrounds every page/],
  ['console/src/shell/palette/b.tsx', "import '../../features/tokens/copy.ts';", /The shell surrounds/],
  ['console/src/copy/a.ts', "import '../ui/copy.ts';", /copy\/ holds words/],
  ['console/src/ui/a.tsx', "import '@tanstack/react-router';", /ui\/ imports no router/],
  [
    'console/src/ui/text/d.tsx',
    "import { ids } from '@corral/contract';",
    /ui\/ imports of the contract only/,
  ],
  ['console/src/ui/text/b.tsx', "import '../../data/devices.ts';", /ui\/ imports no router/],
  ['console/src/ui/text/c.tsx', "import '../../parts/CopyLinkButton.tsx';", /ui\/ imports no router/],
  ['hub/src/operator/demo/a.ts', "import '../../platform/db/connect.ts';", /the demo is a client/],
  ['hub/src/config/a.ts', "import '../calls/executor.ts';", /this folder imports no other room/],
  ['hub/src/entry/gateway/k.ts', "import '../../wiring/core.ts';", /hub\.ts connects the rooms/],
  ['hub/src/wiring/a.ts', "import { sql } from 'kysely';", /No SQL here/],
  ['hub/src/entry/gateway/h.ts', 'export const now = Date.now();', /Take the clock/],
  [
    'hub/src/domains/devices/sql/all.ts',
    'export const all = (q: { selectAll(): 1 }) => q.selectAll();',
    /Name the columns/,
  ],
  [
    'hub/src/all.ts',
    'export const all = (q: { returningAll(): 1 }) => q.returningAll();',
    /Name the columns/,
  ],
  ['hub/src/entry/gateway/i.ts', "export const home = process.env['HOME'];", /Only hub\/src\/config\//],
  ['multiplex/src/c.ts', 'export const now = Date.now();', /Take the clock/],
  ['agent/src/b.ts', "console.log('x');", /console/],
  ['agent/src/c.ts', 'export default 1;', /named export/],
  ['hub/src/entry/gateway/j.ts', 'async function send() {}\nsend();', /Promises must be awaited/],
  ['agent/src/d.ts', 'export const same = (a: string, b: string) => a == b;', /===/],
  ['agent/src/e.ts', functionOfLines('a', 51), /too many lines \(51\)/],
  ['console/src/ui/d.tsx', functionOfLines('A', 101), /too many lines \(101\)/],
  ['console/src/ui/c.tsx', 'export const A = () => <img src="/a.png" />;', /alt/],
];

const allowed: [path: string, line: string][] = [
  ['contract/src/ok.ts', "import 'zod'; import './ids.ts';"],
  ['multiplex/src/transports/ok.ts', "import '../frame.ts';"],
  ['expressions/src/ok.ts', "import 'semver'; import './paths.ts';"],
  ['client/src/ok.ts', "import '@corral/contract'; import '@corral/multiplex';"],
  ['hub/src/entry/peers/ok.ts', "import '@corral/client'; import '../../calls/executor.ts';"],
  [
    'hub/src/entry/http/ok.ts',
    "import 'fastify'; import '../../calls/executor.ts'; import '../../platform/events/bus.ts';",
  ],
  [
    'hub/src/domains/devices/actions/Ok.ts',
    "import '../policy/projects.ts'; import '../sql/devices.ts'; import '../../users/index.ts';",
  ],
  [
    'hub/src/domains/devices/actions/Ok.test.ts',
    "import './Ok.ts'; import '../../users/sql/accounts.ts'; Date.now();",
  ],
  ['hub/src/domains/devices/actions/index.ts', "import './A.ts'; import './C.ts';"],
  ['hub/src/hub.ts', "import './platform/db/connect.ts'; import './domains/handlers.ts';"],
  ['hub/src/config/keys.ts', "export const home = process.env['HOME'];"],
  ['hub/src/config/config.ts', "import 'node:fs'; export const home = process.env['HOME'];"],
  [
    'console/src/routes/projects/$projectId/ok.tsx',
    "import '../../../features/tokens/A.tsx'; import '../../../shell/AppShell.tsx'; import '../../../data/a.ts';",
  ],
  [
    'console/src/features/tokens/ok.tsx',
    "import './copy.ts'; import '../../parts/A.tsx'; import '../../ui/B.tsx';",
  ],
  [
    'console/src/features/devices/device/ok.tsx',
    "import '../copy.ts'; import './copy.ts'; import '../onboarding/A.tsx'; import '../../../data/a.ts';",
  ],
  [
    'console/src/parts/ok.tsx',
    "import '../ui/A.tsx'; import '../data/a.ts'; import '@tanstack/react-router';",
  ],
  ['console/src/features/tokens/ok.ts', "export { useQuery } from '@tanstack/react-query';"],
  ['console/src/shell/palette/ok.tsx', "import '../sections.ts'; import '../../parts/A.tsx';"],
  ['console/src/data/ok.ts', "import '@corral/client'; import '@tanstack/react-query';"],
  ['agent/src/ok.ts', functionOfLines('a', 50)],
  ['agent/src/ok.test.ts', functionOfLines('a', 200)],
  ['console/src/ui/Ok.tsx', functionOfLines('A', 100)],
  ['tools/ok.ts', "import '@corral/hub'; console.log(process.env['HOME'], Date.now());"],
  ['vitest.config.ts', 'export default {};'],
];

let folder: string;
let found: Finding[];

function write(path: string, text: string): void {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, `${text}\n`);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'corral-lint-'));
  write('oxlint.config.ts', `export { default } from '${repositoryRoot}/oxlint.config.ts';`);
  for (const [path, line] of [...forbidden, ...allowed]) write(path, line);
  found = await lint(folder);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const messagesFor = (path: string): string[] =>
  found
    .filter(({ place, severity }) => severity === 'error' && place.startsWith(`${path}:`))
    .map(({ message }) => message);

describe('the linter reports forbidden imports and suggests the alternative', () => {
  test.each(forbidden)('%s: %s', (path, _line, message) => {
    expect(messagesFor(path).join('\n')).toMatch(message);
  });
});

describe('the linter accepts allowed imports', () => {
  test.each(allowed)('%s: %s', (path) => {
    expect(messagesFor(path)).toEqual([]);
  });
});
