import { expect, test } from 'vitest';
import { signLinkToken } from '../../auth/link-token.ts';
import { type Internal, systemCaller } from '../../calls/handler.ts';
import { instanceKey } from '../../domains/instance/index.ts';
import { httpHub } from '../../../test/http-hub.ts';

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
