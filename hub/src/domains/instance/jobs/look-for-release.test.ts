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

const newest = (version: string, notes: readonly { version: string; text: string }[] = []): string =>
  JSON.stringify({ version, notes });

/** A hub whose node runs release 1.4.2, and a server that says which release is the newest. */
async function scene() {
  const hub = await freshExecutor();
  onTestFinished(() => hub[Symbol.asyncDispose]());
  await seedNode(hub, 'north');
  await hub.database.db.updateTable('cluster_nodes').set({ version: '1.4.2' }).execute();
  const answer = {
    status: 200,
    text: newest('1.5.0', [
      { version: '1.5.0', text: 'Before you upgrade: Make a backup.' },
      { version: '1.4.3', text: 'Security: A link opens once.' },
      { version: '1.4.2', text: 'Security: An older fault.' },
    ]),
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
    notes: '1.5.0 Before you upgrade: Make a backup.\n1.4.3 Security: A link opens once.',
  });
  answer.text = newest('1.4.2');
  await look();
  expect(await newer()).toBeUndefined();
  answer.text = newest('2.0.0');
  await look();
  expect(await newer()).toEqual({ version: '2.0.0', notes: '' });
  await forget();
  expect(await newer()).toBeUndefined();
  expect(asked).toHaveLength(3);
});

test('notes are so many lines of so many characters, without what terminals act on or what is not seen', async () => {
  const { answer, look, newer, doctor } = await scene();
  const hostile = '\u001b[2J\u202eevil\u0000 \ud800<b>\n\n'.repeat(100);
  answer.text = newest(
    '1.5.0',
    Array.from({ length: 200 }, () => ({ version: '999999.999999.999999', text: hostile })),
  );
  await look();
  const { notes = '' } = (await newer()) ?? {};
  expect(notes.split('\n')).toHaveLength(16);
  expect(notes.length).toBeLessThan(8_192);
  const [finding] = await doctor('1.4.2');
  for (const shown of [notes.replaceAll('\n', ''), finding?.text]) {
    expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
    expect(shown).toContain('evil');
  }
});

test('an answer that is no release, and a redirect, are failures of the job, and what was known stays', async () => {
  const { at, answer, look, newer } = await scene();
  await look();
  for (const text of ['<html>', newest('newest'), '{"version":"1.5.0"}']) {
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
      text: 'Release 1.5.0 is out, and this is 1.4.2. 1.5.0 Before you upgrade: Make a backup. 1.4.3 Security: A link opens once.',
    },
  ]);
  expect(await doctor('1.5.0')).toMatchObject([{ state: 'right', text: 'No release is newer than 1.5.0.' }]);
  answer.status = 503;
  expect(await doctor('1.5.0')).toMatchObject([{ state: 'unchecked' }]);
});
