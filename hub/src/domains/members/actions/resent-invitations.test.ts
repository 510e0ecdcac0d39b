import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInviteScope, newAddress, scopeKinds } from '../../../../test/invitation-scene.ts';
import { mailHub, type MailHub } from '../../../../test/mail-hub.ts';

let hub: MailHub;
beforeAll(async () => void (hub = await mailHub()));
afterAll(() => hub[Symbol.asyncDispose]());

test.each(scopeKinds)(
  'an invitation to a %s waits in one e-mail, however often it is sent again while the mail server is down',
  async (kind) => {
    const scope = await createInviteScope(hub, kind);
    await hub.inbox.stopListening();
    const guest = newAddress();
    const invitationId = await scope.invite(scope.owner, guest);
    for (let sent = 0; sent < 5; sent += 1) await scope.on(scope.owner, 'Resend', invitationId);
    await hub.mail.sendDue();
    await hub.inbox.restart();
    hub.advance(24 * 3600);
    await hub.mail.sendDue();
    await expect
      .poll(async () => (await scope.pending(scope.owner))[0])
      .toMatchObject({ mailStatus: 'Sent' });
    await hub.mail.sendDue();
    expect(hub.inbox.mails.filter(({ headers }) => headers['to'] === guest)).toHaveLength(1);
  },
);
