import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { callUrl } from '../test/asset-scene.ts';
import { startHubProgram, type HubProgram } from '../test/hub-program.ts';
import { runHub } from '../test/run-hub.ts';
import { auditCommand } from './operator/audit-command.ts';
import { backupCommand } from './operator/backup-command.ts';
import { doctorCommand } from './operator/doctor/doctor-command.ts';
import type { FirstAdministrator } from './wiring/first-administrator.ts';
import { movePasskeysCommand } from './operator/move-passkeys.ts';
import { resetCommand } from './operator/reset-administrator.ts';
import { restoreCommand } from './operator/restore-command.ts';
import { runCommand, type HubCommand } from './operator/run-command.ts';
import { storageCommand } from './operator/storage-doctor/storage-command.ts';
import { version } from './wiring/version.ts';
import { loadConfig } from './config/config.ts';
import { startHub } from './hub.ts';
import { createLog } from './platform/log/log.ts';
import { copyDatabase } from './platform/postgres/fixtures/hub-under-test.ts';

const passwordIn = (text: string): string => /password +(\S+)\n/.exec(text)?.[1] ?? '';

async function emptyDataFolder(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'corral-main-'));
  // PostgreSQL's own user must be able to enter it.
  await chmod(dataDir, 0o755);
  await copyDatabase(dataDir);
  return dataDir;
}

async function signIn(url: string, email: string, password: string): Promise<number | undefined> {
  const { status } = await callUrl(`${url}/api/private/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: Buffer.from(JSON.stringify({ email, password })),
  });
  return status;
}

test.each([[[]], [['restore']]])('%j: --version prints the version', async (command) => {
  expect(await runHub([...command, '--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test.each([
  auditCommand,
  backupCommand,
  doctorCommand,
  movePasskeysCommand,
  resetCommand,
  restoreCommand,
  storageCommand,
] as HubCommand[])('%# prints the version', async (command) => {
  let printed = '';
  const output = { write: (text: string) => (printed += text) } as unknown as NodeJS.WritableStream;
  expect([await runCommand(command, ['--version'], output), printed]).toEqual([0, `${version}\n`]);
});

test('a data folder where none can be made ends the start with one sentence that names the setting', async () => {
  const { code, stdout, stderr } = await runHub(['--data-dir', '/proc/none', '--port', '0']);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toBe(
    'CORRAL_DATA_DIR: the folder /proc/none cannot be used: no folder can be made there.\n',
  );
});

/** A port of loopback that another program listens on, until it is closed. */
async function takenPort(
  onTestFinished: (then: () => void) => void,
): Promise<{ port: number; other: Server }> {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  return { port: (other.address() as AddressInfo).port, other };
}

const takenMessage = (port: number) =>
  `CORRAL_PORT: port ${port} on 127.0.0.1 is taken by another program; choose another port.`;

test('a port that is taken is found out before a database is created', async ({ onTestFinished }) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'corral-main-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const { port } = await takenPort(onTestFinished);
  expect(await runHub(['--data-dir', dataDir, '--port', String(port)])).toEqual({
    code: 1,
    stdout: '',
    stderr: `${takenMessage(port)}\n`,
  });
  expect(existsSync(join(dataDir, 'postgres'))).toBe(true);
  expect(existsSync(join(dataDir, 'postgres', 'cluster'))).toBe(false);
});

test('a first start that fails still tells of the administrator that it created', async ({
  onTestFinished,
}) => {
  const dataDir = await emptyDataFolder();
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const { port, other } = await takenPort(onTestFinished);
  other.close();
  await once(other, 'close');
  const config = loadConfig({ argv: ['--data-dir', dataDir, '--port', String(port)], env: {} });
  const told: FirstAdministrator[] = [];
  const starting = startHub(config, createLog({ level: 'silent', format: 'json' }), (administrator) => {
    told.push(administrator);
    other.listen(port, '127.0.0.1');
  });
  await expect(starting).rejects.toThrow(takenMessage(port));
  const { email, chosenPassword = '' } = told[0]!;
  const program = await startHubProgram({ dataDir });
  onTestFinished(() => program.stop());
  expect(await signIn(program.url, email, chosenPassword)).toBe(200);
});

describe('a hub with data', () => {
  const email = 'admin@example.org';
  let dataDir: string;
  let program: HubProgram | undefined;
  beforeAll(async () => {
    dataDir = await emptyDataFolder();
    program = await startHubProgram({ dataDir });
  });
  afterAll(async () => {
    await program?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const reset = (...more: string[]) => runHub(['reset-administrator', '--data-dir', dataDir, ...more]);

  test('gives its administrator a new password while it runs: sessions end, and the log has it', async () => {
    const { invoke, url } = program!;
    const { users } = (await invoke('users_QueryUsers', {})) as { users: { userId: string }[] };
    // A locked account is unlocked, too.
    for (let tries = 0; tries < 6; tries += 1) await signIn(url, email, 'a wrong password 5');
    expect(await signIn(url, email, 'gate-latch-and-rail')).toBe(429);
    const done = await reset('--email', email.toUpperCase());
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toContain(`e-mail    ${email}\n`);
    // Each node keeps a session for a few seconds before it asks the database again.
    await vi.waitFor(() => expect(invoke('users_QueryUsers', {})).rejects.toThrow('401'), {
      timeout: 30_000,
      interval: 500,
    });
    expect(await signIn(url, email, 'gate-latch-and-rail')).not.toBe(200);
    expect(await signIn(url, email, passwordIn(done.stdout))).toBe(200);
    await program!.stop();
    program = await startHubProgram({ dataDir, password: passwordIn(done.stdout) });
    const { actions } = (await program.invoke('audit_QueryAuditLogActions', {})) as {
      actions: { action: string; actor: { actor: string }; data: { userId?: string } }[];
    };
    const rows = actions.filter(({ action }) => action === 'users_SetUserPassword');
    expect(rows).toEqual([expect.objectContaining({ actor: { actor: 'System', kind: 'System' } })]);
    expect(JSON.stringify(rows)).toContain(users[0]!.userId);
    expect(JSON.stringify(actions)).not.toContain(passwordIn(done.stdout));
  });

  const doctor = (env: Record<string, string> = {}) =>
    runHub(['doctor', '--json', '--data-dir', dataDir], env);

  test('is found healthy by the doctor while it runs', async () => {
    const { code, stdout, stderr } = await doctor({ CORRAL_PORT: new URL(program!.url).port });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      isRight: true,
      findings: expect.arrayContaining([{ check: 'Schema', state: 'right', text: expect.any(String) }]),
    });
    const wrong = await runHub(['doctor', '--data-dir', dataDir], { CORRAL_PORT: 'many' });
    expect(wrong).toEqual({
      code: 1,
      stdout: expect.stringMatching(/^wrong {6}Configuration {2}CORRAL_PORT must be .*\n\n1 wrong\.\n$/),
      stderr: '',
    });
  });

  test('is not called stopped by the doctor when its database runs and refuses', async () => {
    const file = join(dataDir, 'postgres', 'password');
    const password = await readFile(file, 'utf8');
    await writeFile(file, 'another');
    const { code, stdout } = await doctor();
    await writeFile(file, password);
    expect(code).toBe(1);
    expect(stdout).toContain(
      '"wrong","text":"The database of the data folder runs, but cannot be used: password authentication failed for',
    );
    expect(stdout).not.toContain('since the hub is stopped');
  });

  test('names the administrators when the address has no account', async () => {
    expect(await reset()).toEqual({
      code: 2,
      stdout: '',
      stderr: `There is no account with the address admin@localhost: name one with --email, such as that of an administrator: ${email}.\n`,
    });
  });

  test('without its secret key does not start, and writes no new one', async () => {
    await program?.stop();
    program = undefined;
    const file = join(dataDir, 'secret.key');
    await rename(file, `${file}.away`);
    const refusal = `CORRAL_SECRET_KEY: the file ${file} is missing, and the database holds secrets`;
    for (const args of [[], ['reset-administrator', '--email', email]]) {
      const { code, stderr } = await runHub([...args, '--data-dir', dataDir], { CORRAL_PORT: '0' });
      const expected = { code: args.length === 0 ? 1 : 2, stderr: refusal };
      expect({ code, stderr: stderr.slice(0, refusal.length) }).toEqual(expected);
    }
    const left = await readdir(dataDir, { recursive: true });
    const { code, stdout } = await doctor();
    expect(code).toBe(2);
    for (const line of ['The database of the data folder does not run', `${file} does not exist; if the hub`])
      expect(stdout).toContain(`"unchecked","text":"${line}`);
    expect(await readdir(dataDir, { recursive: true })).toEqual(left);
    expect(existsSync(file)).toBe(false);
    await rename(`${file}.away`, file);
    expect((await readFile(file, 'utf8')).length).toBeGreaterThan(40);
  });

  test('gives its administrator a new password while it is stopped, and needs an older secret key for one start only', async () => {
    const done = await reset('--email', email);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    const older = (await readFile(join(dataDir, 'secret.key'), 'utf8')).trim();
    const newer = randomBytes(32).toString('base64');
    const start = (key: string) =>
      runHub(['--data-dir', dataDir], { CORRAL_PORT: '0', CORRAL_SECRET_KEY: key });
    const { code, stderr } = await start(newer);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^CORRAL_SECRET_KEY: the database/),
    });
    for (const keys of [`${newer},${older}`, newer]) {
      const env = { CORRAL_SECRET_KEY: keys };
      program = await startHubProgram({ dataDir, password: passwordIn(done.stdout), env });
      await program.invoke('users_QueryUsers', {});
      await program.stop();
    }
  });
});
