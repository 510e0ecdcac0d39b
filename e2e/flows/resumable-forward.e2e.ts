import { startForward } from '../fixtures/command-line.ts';
import { connectDevice } from '../fixtures/connected-device.ts';
import { Conversation } from '../fixtures/conversation.ts';
import { echoes, expect, test } from '../fixtures/forwarded-port.ts';
import { newToken } from '../fixtures/operator.ts';
import { FailingNetwork } from '../fixtures/sockets.ts';

test('a connection goes on without a lost byte after the link of the command line was cut, and after that of the device', async ({
  hub,
  operator,
  project,
  devices,
  cliEnv,
  echoPort,
  network,
}) => {
  const ofDevice = new FailingNetwork(Number(new URL(hub.url).port));
  await ofDevice.restore();
  const url = (from: FailingNetwork): string => `http://127.0.0.1:${from.port}`;
  const { deviceId, agent } = await connectDevice({
    hub: { url: url(ofDevice) },
    operator,
    project,
    devices,
  });
  const program = startForward({ ...cliEnv, CORRAL_URL: url(network) }, deviceId, `0:${echoPort}`);
  const [, localPort] = await program.waitForLine(/^127\.0\.0\.1:(\d+) leads to port/);
  const conversation = await Conversation.start(Number(localPort));
  const goesOn = async (): Promise<void> => {
    const before = conversation.blocks;
    await expect.poll(() => conversation.blocks).toBeGreaterThan(before + 100);
  };
  await goesOn();
  await network.cut();
  await program.waitForLine(/^There is no link to the hub: the connection was lost\. Trying again in 1 s\.$/);
  await program.waitForLine(
    new RegExp(`^Connections to port ${echoPort} wait for a way to the device: the connection ended\\.$`),
  );
  // One that is opened meanwhile waits for the link.
  const waiting = echoes(Number(localPort), 'waiting');
  await network.restore();
  await program.waitForLine(/^The link to the hub is back\.$/);
  await program.waitForLine(new RegExp(`^Connections to port ${echoPort} go on\\.$`));
  await waiting;
  await goesOn();
  await ofDevice.cut();
  await program.waitForLine(/ wait for a way to the device: /, 2);
  await ofDevice.restore();
  await program.waitForLine(/ go on\.$/, 2);
  expect(agent.connectionCount()).toBe(2);
  await goesOn();
  expect(await conversation.stop()).toBeUndefined();
  expect(await program.stop()).toBe(0);
  expect(program.output()).not.toContain('broke off');
  await ofDevice.cut();
});

test('with a device that cannot resume, a cut link closes its connections, is restored, and accepts new ones', async ({
  hub,
  operator,
  project,
  devices,
  cliEnv,
  echoPort,
  network,
}) => {
  const { projectId } = project;
  const { token } = await newToken(operator, project);
  // Simulated devices forward, but do not say that they can resume.
  const fleet = (await devices.make(hub, token)).start('simulate', '--devices', '1');
  const connected = async () =>
    (await operator.invoke('projects_QueryProjectDevices', { projectId })).devices.find(
      ({ isConnected }) => isConnected,
    )?.deviceId;
  await expect.poll(connected).toBeDefined();
  const env = { ...cliEnv, CORRAL_URL: `http://127.0.0.1:${network.port}` };
  const program = startForward(env, (await connected()) ?? '', `0:${echoPort}`);
  const [, localPort] = await program.waitForLine(/^127\.0\.0\.1:(\d+) leads to port/);
  const conversation = await Conversation.start(Number(localPort));
  await expect.poll(() => conversation.blocks).toBeGreaterThan(0);
  await network.cut();
  expect(await conversation.broken()).toContain('ECONNRESET');
  await program.waitForLine(
    new RegExp(`^A connection to port ${echoPort} broke off: the connection ended\\.$`),
  );
  await program.waitForLine(
    /^There is no link to the hub: .* cannot be reached: nothing listens there\. Trying again in \d s\.$/,
  );
  await network.restore();
  await program.waitForLine(/^The link to the hub is back\.$/);
  await echoes(Number(localPort), 'as before');
  await program.stop();
  await fleet.stop();
});
