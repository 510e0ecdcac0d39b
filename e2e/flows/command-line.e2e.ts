import { hostname } from 'node:os';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cliLauncher, expect, test } from '../fixtures/command-line.ts';
import { newProject, newUser, signInByApi, uniqueName } from '../fixtures/operator.ts';
import { runProgram } from '../fixtures/program.ts';

const nobody = 'd_1111111111111111111111';

test('`corral whoami` prints the hub, the user, and the source of the settings', async ({
  hub,
  corral,
  corralJson,
  operator,
  cliEnv,
}) => {
  const { code, stdout } = await corral('whoami');
  expect(code).toBe(0);
  expect(stdout).toMatch(
    new RegExp(
      `^Hub {4}${hub.url}, Corral \\d+\\.\\d+\\.\\d+\nUser {3}admin@example\\.org[^,]*\nToken {2}good, u_pk_\\w{22}\nMay {4}read and change all projects and repositories of its user, without the rights of an administrator\nUntil {2}\\S+ \\S+Z\nFrom {3}CORRAL_TOKEN\n$`,
    ),
  );
  const me = (await corralJson('whoami')) as { tokenId: string };
  expect(me).toMatchObject({
    hubUrl: hub.url,
    userId: operator.userId,
    email: 'admin@example.org',
    isAdmin: true,
  });
  expect(stdout + JSON.stringify(me)).not.toContain(cliEnv['CORRAL_TOKEN']);
});

test('`corral whoami` says of a token what it may do, not what its user may', async ({
  cliEnv,
  operator,
}) => {
  const project = await newProject(operator);
  const whoAmI = async (bounds: object) => {
    const { token } = await operator.invoke('users_CreateUserToken', { userId: operator.userId, ...bounds });
    const env = { ...cliEnv, CORRAL_TOKEN: token };
    const { code, stdout } = await runProgram(process.execPath, [cliLauncher, 'whoami'], { env });
    return [code, /^May {4}(.*)$/m.exec(stdout)?.[1]];
  };
  expect(await whoAmI({})).toEqual([
    0,
    'read and change all projects and repositories of its user, without the rights of an administrator',
  ]);
  expect(await whoAmI({ administrator: true })).toEqual([
    0,
    'read and change all projects and repositories of its user, with the rights of an administrator',
  ]);
  expect(await whoAmI({ access: 'read', projects: [project.projectId], repositories: [] })).toEqual([
    0,
    'only read 1 project and 0 repositories, without the rights of an administrator',
  ]);
});

test('an invalid token: exit 3, and the token is not printed', async ({ cliEnv }) => {
  const token = `u_sk_${'z'.repeat(66)}`;
  for (const args of [['whoami'], ['projects', 'list'], ['forward', nobody, '0:80']]) {
    const refused = await runProgram(process.execPath, [cliLauncher, ...args], {
      env: { ...cliEnv, CORRAL_TOKEN: token },
    });
    expect(refused).toMatchObject({ code: 3, stdout: '' });
    expect(refused.stderr).toMatch(/^Forbidden: .+\.\n$/);
    expect(refused.stderr).not.toContain('zzz');
  }
});

test('`corral projects list`', async ({ corral, corralJson, project, connected: _connected }) => {
  expect((await corral('projects', 'list')).stdout).toMatch(
    new RegExp(`^NAME +DEVICES +CONNECTED +PROJECT\n(?:.*\n)*${project.name} +1 +1 +${project.projectId}\n`),
  );
  const { projects } = (await corralJson('projects', 'list')) as { projects: object[] };
  expect(projects).toContainEqual(expect.objectContaining({ ...project, deviceCount: 1 }));
});

test('`corral devices list`, for all projects and for one', async ({
  corral,
  corralJson,
  operator,
  project,
  connected,
}) => {
  const { deviceId } = connected;
  const listed = async () => (await corral('devices', 'list', '--project', project.name)).stdout;
  // A device without a name is shown by its hostname, once it has reported it.
  await expect.poll(listed).toContain(`\n${hostname()} `);
  await operator.invoke('devices_SetDeviceName', { deviceId, name: 'Press\u001B[2J 4' });
  expect(await listed()).toMatch(
    new RegExp(
      `^NAME +STATE +LAST CONNECTED +PROJECT +DEVICE\nPress�\\[2J 4 +● connected +\\S.* +${project.name} +${deviceId}\n$`,
    ),
  );
  const { devices } = (await corralJson('devices', 'list')) as { devices: object[] };
  expect(devices).toContainEqual(
    expect.objectContaining({ deviceId, isConnected: true, projectId: project.projectId }),
  );
  expect(await corral('devices', 'list', '--project', 'nonsense')).toMatchObject({
    code: 1,
    stderr: 'There is no project "nonsense" among those that you can access.\n',
  });
});

test('`corral devices show`, by id and by name', async ({ corral, corralJson, operator, connected }) => {
  const { deviceId } = connected;
  const name = uniqueName('Press');
  await operator.invoke('devices_SetDeviceName', { deviceId, name });
  const { stdout } = await corral('devices', 'show', name);
  expect(stdout).toMatch(
    new RegExp(
      `^Name +${name}\nDevice +${deviceId}\nProject +.*\nFingerprint +d_pk_.*\nState +connected for .*\n`,
    ),
  );
  expect(stdout).toContain((await connected.device.call('certificate', 'fingerprint')).trim());
  expect(await corralJson('devices', 'show', deviceId)).toMatchObject({ deviceId, name, isConnected: true });
  expect(await corral('devices', 'show', nobody)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Invalid: /),
  });
});

test('`corral devices accept`, `reject` and `revoke`, each for one certificate that is compared', async ({
  hub,
  corral,
  corralJson,
  operator,
  devices,
  project,
}) => {
  const { token } = await operator.invoke('projects_CreateDeploymentToken', {
    projectId: project.projectId,
    name: 'pending',
  });
  const device = await devices.make(hub, token);
  const fingerprint = await device.call('certificate', 'fingerprint');
  const agent = device.run();
  await agent.waitForLine(/certificate pending/);
  const listed = (await corralJson('devices', 'list', '--project', project.projectId)) as {
    devices: { deviceId: string; pendingCertificatesCount: number }[];
  };
  const { deviceId } = listed.devices.find(({ pendingCertificatesCount }) => pendingCertificatesCount === 1)!;
  const wrong = fingerprint.replace(/^../, (first) => (first === '00' ? '01' : '00'));
  expect(await corral('devices', 'accept', deviceId, '--fingerprint', wrong)).toMatchObject({
    code: 1,
    stderr: `No pending certificate of the device ${deviceId} has this fingerprint, and nothing was changed; its is ${fingerprint}.\n`,
  });
  // Nobody to ask: nothing is accepted unseen.
  expect(await corral('devices', 'accept', deviceId)).toMatchObject({ code: 2, stdout: '' });
  const accepted = await corral('devices', 'accept', deviceId, '--fingerprint', fingerprint.toLowerCase());
  expect(accepted).toMatchObject({
    code: 0,
    stdout: `✓ The certificate ${fingerprint} of ${deviceId} is accepted.\n`,
  });
  expect((await agent.connected()).deviceId).toBe(deviceId);
  expect(await corral('devices', 'reject', deviceId, '--yes')).toMatchObject({
    code: 1,
    stderr: `The device ${deviceId} has no pending certificate: see \`corral devices show\`.\n`,
  });
  expect(await corralJson('devices', 'revoke', deviceId, '--yes')).toMatchObject({
    deviceId,
    status: 'Revoked',
  });
  await agent.waitForLine(/was revoked/);
});

test('`corral devices properties set, get and list`', async ({ corral, corralJson, connected, operator }) => {
  const { deviceId } = connected;
  const properties = (...args: string[]) => corral('devices', 'properties', ...args);
  expect(
    await properties('set', deviceId, 'com.example.mode', '{"night": true}', '--protected', 'true'),
  ).toMatchObject({
    code: 0,
    stdout: '✓ com.example.mode is set.\n',
    stderr: '',
  });
  expect(JSON.parse((await properties('get', deviceId, 'com.example.mode')).stdout)).toEqual({ night: true });
  expect(await corralJson('devices', 'properties', 'get', deviceId, 'com.example.mode')).toMatchObject({
    name: 'com.example.mode',
    value: { night: true },
    protected: true,
  });
  expect((await properties('list', deviceId)).stdout).toMatch(
    /^NAME +VERSION +PROTECTED +UPDATED +VALUE\n(?:.*\n)*com\.example\.mode +1 +yes +.* {2}\{"night":true\}\n/,
  );
  const { properties: all } = await operator.invoke('devices_QueryDeviceProperties', { deviceId });
  expect(await corralJson('devices', 'properties', 'list', deviceId)).toEqual({ properties: all });
  expect(await properties('get', deviceId, 'nonsense')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'The device has no property nonsense.\n',
  });
});

test('--if-version: exit 4 when the property has changed meanwhile; a removed property is gone', async ({
  corral,
  connected,
}) => {
  const properties = (verb: string, ...args: string[]) =>
    corral('devices', 'properties', verb, connected.deviceId, 'mode', ...args);
  await properties('set', '1');
  await properties('set', '2');
  expect(await properties('set', '3', '--if-version', '1')).toEqual({
    code: 4,
    stdout: '',
    stderr: 'mode has version 2 by now.\n',
  });
  expect((await properties('set', '3', '--if-version', '2')).code).toBe(0);
  expect((await properties('get')).stdout).toBe('3\n');
  expect(await properties('remove')).toEqual({ code: 0, stdout: '✓ mode is removed.\n', stderr: '' });
  expect(await properties('remove')).toMatchObject({ code: 1, stderr: 'The device has no property mode.\n' });
  expect(await properties('set', '4', '--if-version', '3')).toMatchObject({
    code: 4,
    stderr: 'mode is not there.\n',
  });
});

test('`corral devices events`', async ({ corral, connected }) => {
  const { deviceId, device } = connected;
  expect((await corral('devices', 'events', deviceId)).stdout).toBe('The device has reported no events.\n');
  await device.call(
    'events',
    'emit',
    'It\nbegan',
    '--severity',
    'Warning',
    '--category',
    'mill',
    '--attribute',
    'rpm=12',
  );
  await device.call('events', 'emit', 'It ended');
  expect((await corral('devices', 'events', deviceId)).stdout).toMatch(
    /^EMITTED +SEVERITY +CATEGORY +EVENT\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ +Info +It ended\n\S+ \S+Z +Warning +mill +It began rpm=12\n$/,
  );
  const { stdout, stderr } = await corral('--json', 'devices', 'events', deviceId, '--limit', '1');
  expect(JSON.parse(stdout)).toEqual({
    events: [expect.objectContaining({ body: 'It ended', severity: 'Info' })],
  });
  expect(stderr).toBe('These are the newest 1; the device has reported more: --limit takes up to 100000.\n');
});

test('`corral http-proxy issue-url` prints an address that opens a page of the device', async ({
  corral,
  corralJson,
  connected,
}) => {
  const { deviceId } = connected;
  const { code, stdout, stderr } = await corral(
    'http-proxy',
    'issue-url',
    deviceId,
    '--port',
    '8080',
    '--valid-for',
    '60',
  );
  expect([code, stderr]).toEqual([0, '']);
  expect(URL.canParse(stdout.trim())).toBe(true);
  const issued = (await corralJson('http-proxy', 'issue-url', deviceId)) as { jwt: string; url: string };
  expect(issued.url).toContain(issued.jwt);
});

test('`corral actions execute` prints the output of an action as JSON', async ({ corral, project }) => {
  const { projectId, name } = project;
  const { code, stdout } = await corral('actions', 'execute', 'projects_QueryProjects');
  expect(code).toBe(0);
  expect(JSON.parse(stdout).projects).toContainEqual({ projectId, name });
  const details = await corral(
    'actions',
    'execute',
    'projects_GetProjectDetails',
    JSON.stringify({ projectId }),
  );
  expect(JSON.parse(details.stdout)).toMatchObject({ name, deviceCount: 0 });
});

test('a refusal of the hub is one line, `Kind: message`, and an exit code', async ({
  corral,
  cliEnv,
  operator,
}) => {
  const malformed = await corral('actions', 'execute', 'projects_GetProjectDetails', '{"projectId":"p_1"}');
  expect(malformed.code).toBe(1);
  expect(malformed.stderr).toMatch(/^Invalid: .+\n$/);
  expect(await corral('actions', 'execute', 'projects_Dance')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Invalid: .+\n$/),
  });
  const member = await newUser(operator);
  const session = await signInByApi({ url: cliEnv['CORRAL_URL'] ?? '' }, member);
  const { token } = await session.invoke('users_CreateUserToken', { userId: member.userId, name: 'cli' });
  const env = { ...cliEnv, CORRAL_TOKEN: token };
  const forbidden = await runProgram(
    process.execPath,
    [cliLauncher, 'actions', 'execute', 'users_QueryUsers'],
    { env },
  );
  expect(forbidden).toMatchObject({
    code: 3,
    stdout: '',
    stderr: expect.stringMatching(/^Forbidden: .+\n$/),
  });
});

test('`corral configure` checks its input, saves it readable only by its owner, and saves nothing when it is invalid', async ({
  hub,
  cliEnv,
  folder,
}) => {
  const cwd = join(folder, 'work');
  await mkdir(cwd);
  const env = { HOME: folder };
  const configure = async (input: string, ...args: string[]) => {
    const child = spawn(process.execPath, [cliLauncher, 'configure', ...args], {
      cwd,
      env: { PATH: process.env['PATH'], ...env },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stdin.end(input);
    await once(child, 'close');
    return { code: child.exitCode, output };
  };
  const token = cliEnv['CORRAL_TOKEN'] ?? '';
  const path = join(folder, '.config', 'corral', 'cli.toml');
  const wrong = [
    [`${hub.url}\nnonsense\n`, 2, 'The token must be a user token'],
    [`${hub.url}\nu_sk_${'z'.repeat(66)}\n`, 3, 'Forbidden: '],
    [`${hub.url}\n`, 2, 'There was no answer'],
    [`http://127.0.0.1:1\n${token}\n`, 1, 'nothing listens there'],
  ] as const;
  for (const [input, code, sentence] of wrong) {
    const refused = await configure(input);
    expect(refused).toMatchObject({ code, output: expect.stringContaining(sentence) });
    expect(refused.output).not.toContain('zzz');
    await expect(stat(path)).rejects.toThrow();
  }
  expect(await configure(`${hub.url}/\n${token}\n`)).toEqual({
    code: 0,
    output: `✓ Saved in ${path}. You are admin@example.org.\n`,
  });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readFile(path, 'utf8')).toContain(`hub-url = "${hub.url}"`);
  const login = () => runProgram(process.execPath, [cliLauncher, 'whoami'], { env, cwd });
  expect((await login()).stdout).toContain(`From   ${path}`);
  const local = join(cwd, '.corral.toml');
  expect((await configure(`${hub.url}\n${token}\n`, '--local')).code).toBe(0);
  expect((await stat(local)).mode & 0o777).toBe(0o600);
  expect((await login()).stdout).toContain(`From   ${local}`);
  await writeFile(local, 'hub-url = ');
  expect(await login()).toMatchObject({ code: 1, stderr: `${local} is not valid TOML (line 1).\n` });
});

test('the command line is downloaded from the hub as one file that runs by itself', async ({
  hub,
  cliEnv,
  connected,
  folder,
}) => {
  const answer = await fetch(`${hub.url}/download/corral.mjs`);
  expect(answer.status).toBe(200);
  const file = join(folder, 'corral.mjs');
  await writeFile(file, Buffer.from(await answer.arrayBuffer()));
  const run = (...args: string[]) =>
    runProgram(process.execPath, [file, ...args], { env: cliEnv, cwd: folder });
  expect((await run('devices', 'show', connected.deviceId)).stdout).toContain(connected.deviceId);
  expect(await run('projects', 'list')).toMatchObject({ code: 0, stderr: '' });
});

test('a device without access gives the same answer as one that does not exist', async ({
  hub,
  operator,
  corral,
  connected,
}) => {
  const stranger = await newUser(operator);
  const session = await signInByApi(hub, stranger);
  const { token } = await session.invoke('users_CreateUserToken', { userId: stranger.userId, name: 'cli' });
  await newProject(operator);
  const env = { CORRAL_URL: hub.url, CORRAL_TOKEN: token };
  const show = (deviceId: string) =>
    runProgram(process.execPath, [cliLauncher, 'devices', 'show', deviceId], { env });
  const hidden = await show(connected.deviceId);
  expect(hidden).toEqual(await show(nobody));
  expect(hidden.code).toBe(1);
  expect((await corral('devices', 'show', connected.deviceId)).code).toBe(0);
});
