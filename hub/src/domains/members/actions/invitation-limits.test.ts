import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import {
  createInviteScope,
  newAddress,
  scopeKinds,
  type InviteScope,
} from '../../../../test/invitation-scene.ts';

let hub: FreshExecutor;
beforeAll(async () => void (hub = await freshExecutor()));
afterAll(() => hub[Symbol.asyncDispose]());

describe.each(scopeKinds)('an invitation to a %s', (kind) => {
  let scope: InviteScope;
  beforeEach(async () => void (scope = await createInviteScope(hub, kind)));

  test('may be pending 1,000 times at most', async () => {
    await sql`
      insert into invitations (invitation_id, ${sql.ref(`${kind}_id`)}, email, created_at, expires_at)
      select ${kind} || ${scope.id} || n, ${scope.id.replace(/^[a-z]+_/, '')}, n || '@example.org', ${hub.now()}, ${new Date(hub.now().getTime() + 1000)}
      from generate_series(1, 999) n`.execute(hub.database.db);
    await scope.invite(scope.owner, newAddress());
    expect((await scope.refusedInvite(scope.owner, newAddress())).message).toBe(
      `At most 1000 invitations to a ${kind} may be pending. Revoke some that are no longer needed first.`,
    );
  });

  test('is mailed 20 times a day to an address, and by a person 100 times an hour and 400 times a day', async () => {
    const invitationId = await scope.invite(scope.owner, newAddress());
    for (let sent = 1; sent < 20; sent += 1) await scope.on(scope.owner, 'Resend', invitationId);
    const refusal = await scope.refusedOn(scope.owner, 'Resend', invitationId);
    expect(refusal).toEqual({
      kind: 'Throttled',
      message: expect.stringMatching(
        /20 a day may be sent by one person.* Go on in 24 hours, or pass on the link/,
      ),
    });
    for (let sent = 20; sent < 100; sent += 1) await scope.invite(scope.owner, newAddress());
    hub.advance(1200);
    expect(await scope.refusedInvite(scope.owner, newAddress())).toEqual({
      kind: 'Throttled',
      message: expect.stringContaining('Go on in 40 minutes, or'),
    });
    hub.advance(2400);
    await scope.invite(scope.owner, newAddress());
    expect((await scope.refusedOn(scope.owner, 'Resend', invitationId)).kind).toBe('Throttled');
    for (let sent = 101; sent < 400; sent += 1) {
      if (sent % 100 === 0) hub.advance(3600);
      await scope.invite(scope.owner, newAddress());
    }
    hub.advance(3600);
    expect((await scope.refusedInvite(scope.owner, newAddress())).message).toContain('Go on in 20 hours');
    hub.advance(20 * 3600);
    await scope.invite(scope.owner, newAddress());
  });

  test('of somebody keeps nobody else from inviting the same address by mail, and has only a link beyond 20', async () => {
    const email = newAddress();
    const invitedBy = async () => {
      const by = await createInviteScope(hub, kind);
      const invitationId = await by.invite(by.owner, email);
      const [pending] = await by.pending(by.owner);
      return { by, invitationId, status: pending?.['mailStatus'] };
    };
    const first = await scope.invite(scope.owner, email);
    for (let sent = 1; sent < 20; sent += 1) await scope.on(scope.owner, 'Resend', first);
    await scope.on(scope.owner, 'Delete', first);
    const again = await scope.invite(scope.owner, email);
    expect(await scope.pending(scope.owner)).toMatchObject([{ mailStatus: 'NotMailed' }]);
    expect(await scope.link(scope.owner, again)).toContain('http');
    expect((await invitedBy()).status).toBe('Queued');
    for (let count = 22; count < 100; count += 1) await invitedBy();
    const { by, invitationId, status } = await invitedBy();
    expect(status).toBe('NotMailed');
    expect((await by.refusedOn(by.owner, 'Resend', invitationId)).message).toContain('100 by all');
  });
});
