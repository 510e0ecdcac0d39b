import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { outboxTransport } from './outbox-transport.ts';
import { sendTestMail } from './send-test-mail.ts';

test('a test e-mail that is only written to a file is not said to be sent', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'corral-outbox-'));
  const transport = outboxTransport({ folder, from: 'corral@localhost', log: { info: () => {} } });
  const now = new Date('2026-11-20T12:00:00Z');
  expect(await sendTestMail(transport, 'ann@example.org', 'https://hub.example', now)).toEqual({
    isSent: false,
    message:
      'No mail server is set: the e-mail to ann@example.org was written to the folder outbox of the data folder.',
  });
  expect(await readdir(folder)).toHaveLength(1);
  await rm(folder, { recursive: true });
});
