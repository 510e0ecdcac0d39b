import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../free-ports.ts';
import { checkHub } from '../../upgrade/check-hub.ts';
import { differences } from '../../upgrade/compare-answers.ts';
import { connectedDevice, fillHub, type Filling } from '../../upgrade/fill-hub.ts';
import { readAgain, readHub, type Answer } from '../../upgrade/read-hub.ts';
import { signInOverHttp, type Credentials } from '../../upgrade/sign-in.ts';
import { isGreater } from '../prepare.ts';
import { removeTree, runTool } from '../run-tool.ts';
import { makeDebianServer, type DebianServer, type Release } from './debian-server.ts';
import type { RunningProgram } from './programs.ts';
import { waysOf, type Installed, type Way } from './ways.ts';

/** What was tried, and what was seen. */
type Row = readonly [tried: string, seen: string];

/** An older release with data of all kinds, on a server with Debian. */
interface Trial {
  readonly server: DebianServer;
  readonly older: Release;
  readonly newer: Release;
  readonly administrator: Credentials;
  readonly filling: Filling;
  /** What the older release answered. */
  readonly answers: readonly Answer[];
  /** Names what was tried, and prints it. */
  note(...row: Row): void;
}

const [settings, agentSettings] = ['etc/corral/corral.env', 'etc/corral/agent.toml'];
/** A space in its path, and a symbolic link to `/srv/disk 2`. */
const dataDir = '/srv/data of corral/hub';
const backup = '/srv/backup/corral';

/**
 * Upgrades an older release with data of all kinds: packages on a server with Debian, with full disks and the way back, and the ways that keep nothing but the data.
 * Prints a table; rejects with what failed first.
 */
export async function tryUpgrade(newer: Release, older: Release, only?: string): Promise<void> {
  const rows: Row[] = [];
  const note = (...row: Row): void => {
    rows.push(row);
    process.stderr.write(`${row.join(': ')}\n`);
  };
  const [ways, newerWays] = [older, newer].map(({ folder, version }) => waysOf(folder, version));
  for (const [index, way] of (ways ?? []).entries()) {
    const to = newerWays?.[index];
    if (to === undefined || (only !== undefined && only !== way.name)) continue;
    await inFolder((folder) =>
      way.name === 'deb' ? tryPackages(folder, newer, older, note) : tryWay(folder, way, to, note),
    );
  }
  const lines = rows.map(([tried, seen]) => `| ${tried} | ${seen} |\n`);
  process.stdout.write(`\n| ${older.version} to ${newer.version} | seen |\n| --- | --- |\n${lines.join('')}`);
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'corral-upgrade-'));
  runTool('chmod', ['755', folder], '/');
  try {
    await work(folder);
  } finally {
    removeTree(folder);
  }
}

/** Gives the data of an older release to a newer one that is installed in the same way, while the device stays as it is. */
async function tryWay(folder: string, from: Way, to: Way, note: Trial['note']): Promise<void> {
  const [older, newer] = [from, to].map((way, index) => {
    mkdirSync(join(folder, String(index)));
    return way.install(join(folder, String(index)));
  }) as [Installed, Installed];
  const port = await freePort();
  const running: RunningProgram[] = [older.startHub(port)];
  try {
    const [hub] = running as [RunningProgram];
    const url = await hub.find(/Corral is ready: (http\S+)/);
    const password = await hub.find(/^ +password +(\S+)/);
    const filling = await fillHub(url, { email: 'admin@localhost', password }, (token) => {
      running.push(older.startAgent(url, token));
    });
    const answers = await readHub(filling);
    await hub.stop();
    rmSync(newer.data, { recursive: true, force: true });
    runTool('mv', [older.data, newer.data], '/');
    running[0] = newer.startHub(port);
    await running[0].find(/Corral is ready: (http\S+)/);
    note(from.name, await nothingLost(url, filling, answers));
  } finally {
    for (const program of running.toReversed()) await program.stop();
    for (const installed of [newer, older]) installed.remove();
  }
}

async function tryPackages(
  folder: string,
  newer: Release,
  older: Release,
  note: Trial['note'],
): Promise<void> {
  const server = makeDebianServer(folder);
  try {
    const trial = await filledServer(server, older, newer, note);
    await fullDiskOfPrograms(trial);
    await fullDiskOfData(trial);
    await upgrade(trial);
    await hostileNote(trial);
    await goBack(trial);
  } catch (error) {
    const said = (['corral-hub', 'corral-agent'] as const).map((service) =>
      server.log(service).slice(-4_000),
    );
    throw new Error(`The programs wrote:\n${said.join('\n\n')}\n\n${String(error)}`, { cause: error });
  } finally {
    server.remove();
  }
}

/** Installs the older release, changes its settings by hand, and fills it. */
async function filledServer(
  server: DebianServer,
  older: Release,
  newer: Release,
  note: Trial['note'],
): Promise<Trial> {
  const { root } = server;
  const port = await freePort();
  server.install(older, { CORRAL_PORT: String(port), TRIAL_OPTIONS: '--demo 12' });
  await server.ready();
  const password = /^ +password +(\S+)/m.exec(server.log('corral-hub'))?.[1] ?? '';
  server.systemctl('stop', 'corral-hub');
  root.run('sh', '-c', 'mkdir "/srv/disk 2" && ln -s "disk 2" "/srv/data of corral" && chmod 755 /srv/*');
  root.run('mv', '/var/lib/corral', dataDir);
  const changed = `CORRAL_PORT=${port}\nCORRAL_DATA_DIR='${dataDir}'\nCORRAL_PUBLIC_URL=http://localhost:${port}\n`;
  writeFileSync(join(root.path, settings), changed);
  server.systemctl('start', 'corral-hub');
  const url = await server.ready();
  const administrator = { email: 'admin@localhost', password };
  const filling = await fillHub(url, administrator, (token) => {
    writeFileSync(
      join(root.path, agentSettings),
      `hub-url = "http://127.0.0.1:${port}"\ntoken = "${token}"\n`,
    );
    server.systemctl('start', 'corral-agent');
  });
  const answers = await readHub(filling);
  const files = await checkHub(url, filling, answers);
  note(`deb: ${older.version} is filled`, `${answers.length} answers, ${files} files`);
  return { server, older, newer, administrator, filling, answers, note };
}

/** Waits for the device, and compares all answers with the first ones. */
async function nothingLost(url: string, filling: Filling, answers: readonly Answer[]): Promise<string> {
  await connectedDevice(filling.readers.administrator.invoke, filling.projectId);
  const lost = differences(answers, await readAgain(filling.readers, answers));
  if (lost.length > 0) throw new Error(`${lost.length} answers differ:\n${lost.slice(0, 40).join('\n')}`);
  const files = await checkHub(url, filling, answers);
  return `${answers.length} answers, ${files} files, audit log and second factor as before`;
}

const runsAsBefore = async ({ server, filling, answers }: Trial): Promise<string> =>
  nothingLost(await server.ready(), filling, answers);

async function upgrade(trial: Trial): Promise<void> {
  const { server, newer, older, note } = trial;
  const read = (): string[] =>
    [settings, agentSettings].map((path) => readFileSync(join(server.root.path, path), 'utf8'));
  server.root.run('install', '-d', '-o', 'corral', '-m', '0700', '/srv/backup');
  server.root.run('corral-hub', 'backup', backup);
  const [before, starts] = [read(), server.starts('corral-hub')];
  const startedAt = performance.now();
  server.install(newer);
  await server.ready();
  const secs = ((performance.now() - startedAt) / 1000).toFixed(1);
  mustBe('the installed package', server.installed(), `${newer.version} installed`);
  mustBe('starts of the hub', server.starts('corral-hub') - starts, 1);
  mustBe('the settings', read().join(''), before.join(''));
  note(
    `deb: ${older.version} to ${newer.version}`,
    `settings kept, one restart, ready after ${secs} s; ${await runsAsBefore(trial)}`,
  );
}

/** Whatever a hub that was taken over leaves for the next package, it is neither opened by root nor taken for a version. */
async function hostileNote(trial: Trial): Promise<void> {
  const { server, newer, note } = trial;
  const file = join(dataDir, 'oldest-release');
  const leave = (script: string): void =>
    void server.root.run('sh', '-c', `rm -f "$1" && ${script}`, 'sh', file);
  server.systemctl('stop', 'corral-hub');
  for (const script of ['mkfifo "$1"', 'ln -s /etc/shadow "$1"', 'echo "99.0.0 and more" >"$1"']) {
    leave(script);
    server.install(newer);
  }
  leave('echo 99.0.0 >"$1"');
  if (!refusalOf(() => server.install(newer)).includes(`as ${file} says`))
    throw new Error(`The package does not name ${file}.`);
  leave(':');
  server.systemctl('start', 'corral-hub');
  note(
    'deb: a FIFO, a link, nonsense in oldest-release',
    `neither read nor believed; ${await runsAsBefore(trial)}`,
  );
}

/** Goes back where the database allows it, and forward again; otherwise the older package is refused before a file is changed. */
async function goBack(trial: Trial): Promise<void> {
  const { server, older, newer, note } = trial;
  const oldest = readFileSync(join(server.root.path, dataDir, 'oldest-release'), 'utf8').trim();
  const tried = `deb: back to ${older.version}, where the database needs ${oldest}`;
  if (!isGreater(oldest, older.version)) {
    server.install(older);
    note(tried, await runsAsBefore(trial));
    server.install(newer);
    note(`deb: again to ${newer.version}`, await runsAsBefore(trial));
    return;
  }
  const [digest, starts] = [server.digest(), server.starts('corral-hub')];
  const said = refusalOf(() => server.install(older));
  mustBe('the files of the hub', server.digest(), digest);
  mustBe('the installed package', server.installed(), `${newer.version} installed`);
  mustBe('starts of the hub', server.starts('corral-hub'), starts);
  const [sentence] = /The database was upgraded.*/.exec(said) ?? [];
  if (sentence === undefined) throw new Error(`dpkg said: ${said}`);
  note(tried, `refused before a file is changed: "${sentence}" ${await runsAsBefore(trial)}`);
  await goBackByBackup(trial);
}

/** Takes the steps of that sentence in its order. Sessions end, so people sign in again. */
async function goBackByBackup({
  server,
  older,
  administrator,
  filling,
  answers,
  note,
}: Trial): Promise<void> {
  const { root } = server;
  server.systemctl('stop', 'corral-hub');
  root.run('mv', dataDir, '/srv/newer');
  server.install(older);
  root.run('install', '-d', '-o', 'corral', '-g', 'corral', '-m', '0700', dataDir);
  root.run('install', '-o', 'corral', '-g', 'corral', '-m', '0600', '/srv/newer/secret.key', dataDir);
  root.run('corral-hub', 'restore', backup, '--replaces-original');
  server.systemctl('start', 'corral-hub');
  const url = await server.ready();
  const readers = { ...filling.readers, administrator: await signInOverHttp(url, administrator) };
  await connectedDevice(readers.administrator.invoke, filling.projectId);
  const files = await checkHub(url, { ...filling, readers }, answers);
  note(
    `deb: back to ${older.version} by the backup`,
    `${files} files, audit log, token and second factor as before; the device came back`,
  );
}

/** The disk of the programs is full in the middle of the upgrade: dpkg puts the older ones back, and they run. */
async function fullDiskOfPrograms(trial: Trial): Promise<void> {
  const { server, older, newer, note } = trial;
  const digest = server.digest();
  const disk = server.giveDisk('usr/lib/corral-hub', 24);
  const said = refusalOf(() => server.install(newer));
  if (!said.includes('No space left on device')) throw new Error(`dpkg said: ${said}`);
  mustBe('the files of the hub', server.digest(), digest);
  mustBe('the installed package', server.installed(), `${older.version} installed`);
  note(
    'deb: no space for the programs',
    `dpkg gives up, ${older.version} runs: ${await runsAsBefore(trial)}`,
  );
  disk.grow();
}

/** The disk of the data is full when the newer hub starts: the older one can be installed again, and runs once there is space. */
async function fullDiskOfData(trial: Trial): Promise<void> {
  const { server, older, newer, note } = trial;
  const disk = server.giveDisk('srv', 64);
  server.root.run('sh', '-c', 'cat /dev/zero >/srv/filler 2>/dev/null || :');
  server.install(newer);
  const said = await server.refusal();
  server.install(older);
  server.root.run('rm', '/srv/filler');
  server.systemctl('restart', 'corral-hub');
  const seen = `${newer.version} says "${said}"; ${older.version} again: ${await runsAsBefore(trial)}`;
  note('deb: no space for the data', seen);
  disk.grow();
}

/** What a call that has to fail says. */
function refusalOf(call: () => void): string {
  try {
    call();
  } catch (error) {
    return String(error);
  }
  throw new Error('What should have been refused was done.');
}

function mustBe<Value>(what: string, found: Value, wanted: Value): void {
  if (found !== wanted) throw new Error(`Not as before: ${what}: ${String(found)}, not ${String(wanted)}.`);
}
