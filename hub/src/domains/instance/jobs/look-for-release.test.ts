import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { freshExecutor, system } from '../../../../test/fresh-executor.ts';
import { seedNode } from '../../../../test/seed.ts';
import { outgoingRule } from '../../../config/outgoing-addresses.ts';
import { checkRelease } from '../../../operator/doctor/check-release.ts';
import { openOutgoing } from '../../../platform/outgoing/open-outgoing.ts';
import { lookForRelease } from './look-for-release.ts';

/** A hub whose node runs release 1.4.2, and a server that says which release is the newest. */
async function scene() {
  const hub = await freshExecutor();
  onTestFinished(() => hub[Symbol.asyncDispose]());
  await seedNode(hub, 'north');
  await hub.database.db.updateTable('cluster_nodes').set({ version: '1.4.2' }).execute();
  const answer = {
    status: 200,
    text: '{"version":"1.5.0","notes":"Before you upgrade: Make a backup.\\nSecurity: A link opens once."}',
  };
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(answer.status, { location: '/elsewhere' }).end(answer.text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const privateTargets = [{ place: '127.0.0.1', port }];
  const outgoing = openOutgoing({ rule: outgoingRule(privateTargets) });
  onTestFinished(async () => {
    await outgoing.close();
    server.closeAllConnections();
    server.close();
  });
  const at = `127.0.0.1:${port}`;
  const releasesUrl = `http://${at}/newest.json`;
  const { executor } = hub;
  const look = (url = releasesUrl) => lookForRelease({ executor, outgoing, url });
  const forget = () => lookForRelease({ executor, outgoing, url: undefined });
  const newer = async () => (await hub.as(system, 'instance_GetInstanceStatistics', {})).newerRelease;
  const doctor = (release: string) => checkRelease({ releasesUrl, privateTargets }, release);
  return { at, answer, asked, look, forget, newer, doctor };
}

test('administrators see a release that is newer than that of a node, until nobody is asked any more', async () => {
  const { answer, asked, look, forget, newer } = await scene();
  expect(await newer()).toBeUndefined();
  await look();
  expect(asked).toEqual(['/newest.json']);
  expect(await newer()).toEqual({
    version: '1.5.0',
    notes: 'Before you upgrade: Make a backup.\nSecurity: A link opens once.',
  });
  answer.text = '{"version":"1.4.2","notes":""}';
  await look();
  expect(await newer()).toBeUndefined();
  answer.text = '{"version":"2.0.0","notes":""}';
  await look();
  expect(await newer()).toEqual({ version: '2.0.0', notes: '' });
  await forget();
  expect(await newer()).toBeUndefined();
  expect(asked).toHaveLength(3);
});

test('an answer that is no release, and a redirect, are failures of the job, and what was known stays', async () => {
  const { at, answer, look, newer } = await scene();
  await look();
  for (const text of ['<html>', '{"version":"newest","notes":""}', '{"version":"1.5.0"}']) {
    answer.text = text;
    await expect(look()).rejects.toThrow(`What ${at} answers is not the newest.json of a release.`);
  }
  answer.status = 404;
  await expect(look()).rejects.toThrow(
    `${at} was asked for the newest release, and answered with the status 404.`,
  );
  answer.status = 302;
  await expect(look()).rejects.toThrow('answers with a redirect');
  await expect(look('http://10.0.0.1/newest.json')).rejects.toThrow(/^10\.0\.0\.1 is not on the internet/);
  expect(await newer()).toMatchObject({ version: '1.5.0' });
});

test('the doctor asks at once, if it is told where, and calls a newer release nothing wrong', async () => {
  const { answer, doctor } = await scene();
  expect(await checkRelease({ releasesUrl: undefined, privateTargets: [] }, '1.4.2')).toEqual([]);
  expect(await doctor('1.4.2')).toEqual([
    {
      check: 'Releases',
      state: 'right',
      text: 'Release 1.5.0 is out, and this is 1.4.2. Before you upgrade: Make a backup. Security: A link opens once.',
    },
  ]);
  expect(await doctor('1.5.0')).toMatchObject([{ state: 'right', text: 'No release is newer than 1.5.0.' }]);
  answer.status = 503;
  expect(await doctor('1.5.0')).toMatchObject([{ state: 'unchecked' }]);
});
