import { randomBytes } from 'node:crypto';
import { expect, test } from '../fixtures/command-line.ts';
import { uniqueName } from '../fixtures/operator.ts';

test('an unknown device name, and one that several devices have', async ({
  hub,
  corral,
  operator,
  devices,
  project,
  connected,
}) => {
  const name = uniqueName('twin');
  const { token } = await operator.invoke('projects_CreateDeploymentToken', {
    projectId: project.projectId,
    name: 'twin',
    flags: { autoAccept: true },
  });
  const other = await (await devices.make(hub, token)).run().connected();
  for (const { deviceId } of [connected, other])
    await operator.invoke('devices_SetDeviceName', { deviceId, name });
  const ambiguous = await corral('devices', 'events', name);
  expect(ambiguous.code).toBe(2);
  expect(ambiguous.stderr).toMatch(
    new RegExp(
      `^2 devices have the name "${name}" \\(d_\\w+ in ${project.name}, d_\\w+ in ${project.name}\\): give the id of the one that is meant\\.\n$`,
    ),
  );
  expect(await corral('forward', 'nobody at all', '0:80')).toMatchObject({
    code: 1,
    stderr:
      'There is no device "nobody at all" among those that you can access: see `corral devices list`.\n',
  });
});

test('a device is found by the host name that it reports, where it is the only one', async ({
  corral,
  corralJson,
  operator,
  project: { projectId, name: projectName },
}) => {
  const hostname = uniqueName('host "a\\b"');
  const reports = async () => {
    const fingerprint = `d_sk_${randomBytes(22).toString('hex').replaceAll('0', 'z')}` as const;
    const { deviceId } = await operator.invoke('devices_CreateDevice', { projectId, fingerprint });
    const name = 'dev.nexigon.system.info';
    await operator.invoke('devices_SetDeviceProperty', { deviceId, name, value: { hostname } });
    return deviceId;
  };
  const deviceId = await reports();
  expect(await corralJson('devices', 'show', hostname)).toMatchObject({ deviceId });
  expect(await corral('devices', 'show', hostname.slice(0, -1))).toMatchObject({ code: 1 });

  const second = await reports();
  const { code, stderr } = await corral('http-proxy', 'issue-url', hostname);
  expect([code, stderr]).toEqual([
    2,
    `2 devices have the host name "${hostname}" (${second} in ${projectName}, ${deviceId} in ${projectName}): give the id of the one that is meant.\n`,
  ]);
  // A name that people gave comes before what devices say of themselves.
  await operator.invoke('devices_SetDeviceName', { deviceId, name: hostname });
  expect(await corralJson('devices', 'show', hostname)).toMatchObject({ deviceId });
});
