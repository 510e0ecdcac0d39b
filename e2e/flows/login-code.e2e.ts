import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cliLauncher, expect, test } from '../fixtures/command-line.ts';
import { runProgram, startProgram } from '../fixtures/program.ts';

test('`corral login` gets a token by a code that is approved in the browser, and `corral logout` deletes it', async ({
  signedIn: page,
  hub,
  folder,
  operator,
}) => {
  const env = { HOME: folder };
  const corral = (...args: string[]) => runProgram(process.execPath, [cliLauncher, ...args], { env });
  const login = startProgram(process.execPath, [cliLauncher, 'login', '--url', hub.url, '--read-only'], {
    env,
  });
  await login.waitForLine(new RegExp(`Open ${hub.url}/login/device in a browser`));
  const [, code = ''] = await login.waitForLine(/^ {4}([A-Z]{4}-[A-Z]{4})$/);
  await page.goto('/login/device');
  await page.getByRole('textbox', { name: 'Code' }).fill(code.toLowerCase());
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText(code)).toBeVisible();
  await expect(page.getByText(/^corral on /)).toBeVisible();
  await expect(page.getByText('127.0.0.1', { exact: true })).toBeVisible();
  await expect(page.getByText('Only reads')).toBeVisible();
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('The command line continues automatically.')).toBeVisible();
  await login.waitForLine(/Signed in as admin@example\.org/);
  const path = join(folder, '.config', 'corral', 'cli.toml');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(login.output()).not.toContain('u_sk_');
  expect((await corral('whoami')).stdout).toContain('admin@example.org');
  const refused = await corral('actions', 'execute', 'projects_CreateProject', '{"name":"Harbour"}');
  expect(refused.stderr).toMatch(/This token may only read\./);
  const { userId } = operator;
  const listed = async () =>
    (await operator.invoke('users_QueryUserTokens', { userId })).tokens.filter(
      ({ access, name }) => access === 'read' && name?.startsWith('corral on ') === true,
    );
  expect(await listed()).toHaveLength(1);
  expect(await corral('logout')).toMatchObject({ code: 0 });
  expect(await listed()).toEqual([]);
  expect(await readFile(path, 'utf8')).not.toContain('token');
});

test('`corral login --verb` gets a token that does no more than its verbs, in the repository that was named', async ({
  hub,
  folder,
  operator,
}) => {
  const env = { HOME: folder };
  const corral = (...args: string[]) => runProgram(process.execPath, [cliLauncher, ...args], { env });
  const created = await operator.invoke('repositories_CreateRepository', { name: `press-${Date.now()}` });
  const { repositoryId } = created as { repositoryId: string };
  const asked = ['login', '--url', hub.url, '--verb', 'publish', '--repository', repositoryId];
  const login = startProgram(process.execPath, [cliLauncher, ...asked], { env });
  const [, userCode = ''] = await login.waitForLine(/^ {4}([A-Z]{4}-[A-Z]{4})$/);
  const found = await operator.invoke('users_FindLogin', { userCode });
  expect(found).toMatchObject({ verbs: ['publish'], repositories: [repositoryId] });
  await operator.invoke('users_DecideLogin', { userCode, isApproved: true });
  await login.waitForLine(/Signed in as admin@example\.org/);
  const execute = (name: string, input: unknown) => corral('actions', 'execute', name, JSON.stringify(input));
  const made = await execute('repositories_CreatePackage', { repositoryId, name: 'firmware' });
  expect(made).toMatchObject({ code: 0 });
  for (const refused of [
    await execute('repositories_DeleteRepository', { repositoryId }),
    await execute('projects_CreateProject', { name: 'Harbour' }),
    await execute('users_CreateUserToken', { userId: operator.userId }),
  ])
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringMatching(/^Forbidden: /)]);
  const other = await operator.invoke('repositories_CreateRepository', { name: `other-${Date.now()}` });
  const elsewhere = await execute('repositories_CreatePackage', { ...(other as object), name: 'firmware' });
  expect(elsewhere.code).not.toBe(0);
});
