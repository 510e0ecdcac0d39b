import { expect, test } from 'vitest';
import { signLinkToken } from '../../auth/link-token.ts';
import { type Internal, systemCaller } from '../../calls/handler.ts';
import { instanceKey } from '../../domains/instance/index.ts';
import { startMailDispatcher } from '../../domains/users/listeners/MailDispatcher.ts';
import { smtpTransport } from '../../platform/mail/smtp-transport.ts';
import { httpHub } from '../../../test/http-hub.ts';
import { smtpInbox } from '../../../test/smtp-inbox.ts';
import { validPassword } from '../../../test/test-users.ts';

test('the link of an e-mail shows a page with a button, and one POST without a session unsubscribes', async () => {
  await using hub = await httpHub();
  expect(await hub.call('/api/unsubscribe?token=x')).toMatchObject({ status: 404 });
  expect(await hub.call('/api/unsubscribe')).toMatchObject({ status: 404 });
  const signed: Internal<void, string> = {
    name: 'test_SignLink',
    async run({ tx, now, vault }) {
      const key = await instanceKey({ tx, now, vault }, 'unsubscription');
      const expiresAt = new Date(now.getTime() + 60_000);
      return signLinkToken(key, 'unsubscription', { id: 'rule user', issuedAt: now, expiresAt });
    },
  };
  const token = await hub.executor.run(systemCaller, signed);
  const path = `/api/unsubscribe?token=${token}`;
  expect(await hub.call(path)).toMatchObject({
    status: 200,
    text: expect.stringContaining('<button>Unsubscribe</button>'),
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const done = await hub.call(path, { method: 'POST', headers, body: 'List-Unsubscribe=One-Click' });
  expect(done).toMatchObject({ status: 200, text: expect.stringContaining('no more e-mails') });
});

test.each([
  ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
  [
    'multipart/form-data; boundary=x',
    '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
  ],
])(
  'a mail program unsubscribes its reader by %s: of that rule alone, until the reader wants e-mails again',
  async (type, body) => {
    await using hub = await httpHub();
    await using inbox = await smtpInbox();
    const mail = startMailDispatcher({
      executor: hub.executor,
      bus: hub.bus,
      transport: smtpTransport({
        url: inbox.url,
        from: 'Corral <no-reply@hub.example>',
      }),
      publicUrl: hub.url,
      log: hub.log,
      pollIntervalMs: 2 ** 30,
    });
    await hub.user('owner@example.org', { password: validPassword });
    const cookie = await hub.signIn('owner@example.org', validPassword);
    const invoke = async (name: string, input: unknown) => (await hub.invoke(name, input, { cookie })).json;
    const { projectId } = await invoke('projects_CreateProject', {
      name: 'Plant',
    });
    const more = {
      condition: { kind: 'Offline', forSecs: 60 },
      severity: 'Critical',
    };
    const channels = { mails: 'Owners' };
    const given = { projectId, ...more, channels };
    const { ruleId } = await invoke('alerts_CreateRule', {
      ...given,
      name: 'Away',
    });
    const { ruleId: otherId } = await invoke('alerts_CreateRule', {
      ...given,
      name: 'Other',
    });
    expect(await invoke('alerts_TestRule', { ruleId })).toMatchObject({
      mails: 1,
    });
    await mail.sendDue();
    const header = inbox.mails.at(-1)?.headers['list-unsubscribe']?.replace(/\s/g, '') ?? '';
    const link = new URL(header.slice(1, -1));
    expect(link.origin).toBe(hub.url);
    const headers = { 'content-type': type, 'sec-fetch-site': 'cross-site' };
    const path = link.pathname + link.search;
    expect(await hub.call(path, { method: 'POST', headers, body })).toMatchObject({ status: 200 });
    expect(await hub.call(path, { method: 'POST', headers, body })).toMatchObject({ status: 200 });
    expect(await invoke('alerts_TestRule', { ruleId })).toMatchObject({
      mails: 0,
    });
    expect(await invoke('alerts_TestRule', { ruleId: otherId })).toMatchObject({
      mails: 1,
    });
    await invoke('alerts_SetRuleMails', { ruleId, isOn: true });
    expect(await invoke('alerts_TestRule', { ruleId })).toMatchObject({
      mails: 1,
    });
    await mail.stop();
  },
);
