import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ids, type ActionName, type Actor } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { absentId, anonymous, system } from '../../../../test/fresh-executor.ts';
import {
  absentInvitation,
  newAddress,
  scopeKinds,
  createInviteScope,
  type InviteScope,
} from '../../../../test/invitation-scene.ts';
import { mailHub, type MailHub } from '../../../../test/mail-hub.ts';
import { byToken, seedUser, type Somebody } from '../../../../test/seed.ts';
import { auditedStatuses } from '../../../../test/test-users.ts';
import { outboxTransport } from '../../../platform/mail/outbox-transport.ts';
import { CleanupExpiredInvitations } from '../internal/CleanupExpiredInvitations.ts';

const daySecs = 86_400;
const notFound =
  'Invitation not found. It was accepted, declined or revoked already, has ended, or is for another e-mail address.';

let hub: MailHub;
/** Registration is closed, so that who registers here does so by an invitation. */
beforeAll(
  async () =>
    void (hub = await mailHub({
      registration: { isOpen: false, concealsExisting: false, isMailConfigured: true },
    })),
);
afterAll(() => hub[Symbol.asyncDispose]());

const eventNames = () => hub.emittedEvents.map(({ name }) => name).filter((name) => name !== 'mail_Queued');
const tokenOf = (url: string): string => new URL(url).searchParams.get('invitation') ?? '';
const resolve = (invitationToken: string, actor: Actor = anonymous) =>
  hub.as(actor, 'users_ResolveInvitation', { invitationToken });

/** The newest outcome that the audit log has of an action. */
const recorded = async (action: string) => (await auditedStatuses(hub, action as ActionName)).at(-1);

/** The e-mail to an address whose text has a pattern, as its match. */
async function mailed(address: string, pattern: RegExp): Promise<string> {
  const find = () =>
    hub.inbox.mails
      .filter(({ to }) => to[0] === address)
      .flatMap(({ text }) => pattern.exec(text)?.[1] ?? [])[0];
  await expect.poll(find).toBeDefined();
  return find() ?? '';
}

describe.each(scopeKinds)('an invitation to a %s', (kind) => {
  const noun = kind === 'project' ? 'Project' : 'Repository';
  const domain = kind === 'project' ? 'projects' : 'repositories';
  let scope: InviteScope;
  let address: string;
  let invitee: Somebody;
  beforeEach(async () => {
    scope = await createInviteScope(hub, kind);
    address = newAddress();
    invitee = await seedUser(hub, address);
    hub.emittedEvents.length = 0;
  });

  test('is accepted by the account of that address, which then is a Member', async () => {
    const invitationId = await scope.invite(scope.owner, `  ${address.toUpperCase()} `);
    expect(await scope.pending(scope.owner)).toMatchObject([
      {
        invitationId,
        email: address,
        invitingUserId: scope.owner.userId,
        invitedBy: { email: scope.ownerEmail },
      },
    ]);
    expect(await scope.received(invitee)).toMatchObject([
      { invitationId, [kind]: { [`${kind}Id`]: scope.id } },
    ]);
    await scope.on(invitee, 'Accept', invitationId);
    expect(await scope.members()).toMatchObject([
      { userId: scope.owner.userId, isOwner: true },
      { userId: invitee.userId, isOwner: false },
    ]);
    expect([await scope.pending(scope.owner), await scope.received(invitee)]).toEqual([[], []]);
    expect(eventNames().filter((name) => !name.endsWith('Mailed'))).toEqual([
      `${domain}_InvitationCreated`,
      'users_InvitationsChanged',
      `${domain}_InvitationAccepted`,
      `${domain}_MemberAdded`,
    ]);
    expect((await scope.refusedOn(invitee, 'Accept', invitationId)).message).toBe(notFound);
  });

  test('tells those who invite nothing about whether the address has an account', async () => {
    await scope.invite(scope.owner, newAddress());
    await scope.invite(scope.owner, address);
    const told = hub.emittedEvents.filter(({ name }) => name.endsWith('InvitationCreated'));
    expect(told.map(({ data }) => Object.keys(data).toSorted())).toEqual(
      Array(2).fill([`${kind}Id`, 'email', 'invitationId'].toSorted()),
    );
    const [one, other] = (await scope.pending(scope.owner)).map((pending) => Object.keys(pending).toSorted());
    const fields = (keys: string[] | undefined) => keys?.filter((key) => key !== 'mailedAt');
    expect(fields(one)).toEqual(fields(other));
  });

  test('is for no other account, and a foreign one looks like one that does not exist', async () => {
    const invitationId = await scope.invite(scope.owner, address);
    const other = await seedUser(hub, newAddress());
    const administrator = await seedUser(hub, newAddress(), true);
    for (const actor of [other, administrator, scope.owner])
      for (const verb of ['Accept', 'Decline'] as const) {
        const refusal = await scope.refusedOn(actor, verb, invitationId);
        expect(refusal).toEqual({ kind: 'Invalid', message: notFound });
        expect(await scope.refusedOn(actor, verb, absentInvitation(kind))).toEqual(refusal);
        expect(await recorded(`users_${verb}${noun}Invitation`)).toBe('Failed');
      }
    expect((await scope.refusedOn(await byToken(hub, invitee), 'Accept', invitationId)).kind).toBe(
      'Forbidden',
    );
    for (const verb of ['Resend', 'Delete', 'Link'] as const)
      expect(await scope.refusedOn(other, verb, invitationId)).toEqual(
        await scope.refusedOn(other, verb, absentInvitation(kind)),
      );
    expect(await scope.received(invitee)).toHaveLength(1);
  });

  test('is refused to oneself, to a member and twice, with a sentence that says so', async () => {
    const member = newAddress();
    await scope.addMember((await seedUser(hub, member)).userId);
    await scope.invite(scope.owner, address);
    const sentences = [
      [scope.ownerEmail, 'You cannot invite yourself. Enter the address of somebody else.'],
      [member, `${member} is a member of this ${kind} already.`],
      [address, `${address} is invited to this ${kind} already. Resend that invitation, or revoke it first.`],
      ['nobody', 'Please enter a valid email address.'],
    ] as const;
    for (const [email, message] of sentences) {
      expect(await scope.refusedInvite(scope.owner, email)).toEqual({ kind: 'Invalid', message });
      expect(await recorded(`${domain}_Invite${noun}Member`)).toBe('Failed');
    }
    expect(await scope.pending(scope.owner)).toHaveLength(1);
  });

  test('is sent, resent, revoked and linked by owners only, and seen by members', async () => {
    const member = await seedUser(hub, newAddress());
    await scope.addMember(member.userId);
    const invitationId = await scope.invite(scope.owner, address);
    expect((await scope.refusedInvite(member, newAddress())).message).toBe(
      `Only an owner of the ${kind} may do this.`,
    );
    for (const verb of ['Resend', 'Delete', 'Link'] as const)
      expect((await scope.refusedOn(member, verb, invitationId)).kind).toBe('Forbidden');
    expect(await scope.pending(member)).toHaveLength(1);
    await scope.on(scope.owner, 'Delete', invitationId);
    expect(await scope.pending(member)).toEqual([]);
    expect((await scope.refusedOn(invitee, 'Accept', invitationId)).message).toBe(notFound);
  });

  test('is declined by the invited person', async () => {
    const invitationId = await scope.invite(scope.owner, address);
    await scope.on(invitee, 'Decline', invitationId);
    expect([await scope.pending(scope.owner), await scope.received(invitee)]).toEqual([[], []]);
    expect(await scope.members()).toHaveLength(1);
    expect(eventNames()).toContain(`${domain}_InvitationDeclined`);
  });

  test('ends after 14 days, renewed by sending it again, and is swept', async () => {
    const invitationId = await scope.invite(scope.owner, address);
    hub.advance(13 * daySecs);
    await scope.on(scope.owner, 'Resend', invitationId);
    hub.advance(13 * daySecs);
    expect(await scope.received(invitee)).toHaveLength(1);
    hub.advance(daySecs + 1);
    expect([await scope.pending(scope.owner), await scope.received(invitee)]).toEqual([[], []]);
    expect((await scope.refusedOn(invitee, 'Accept', invitationId)).message).toBe(notFound);
    expect((await scope.refusedOn(scope.owner, 'Resend', invitationId)).message).toBe(
      'Invitation not found.',
    );
    // An address whose invitation has ended may be invited before the sweep.
    const again = await scope.invite(scope.owner, address);
    hub.advance(14 * daySecs + 1);
    hub.emittedEvents.length = 0;
    while ((await hub.run(CleanupExpiredInvitations)).deleted > 0);
    expect(hub.emittedEvents.find(({ data }) => data['invitationId'] === again)?.name).toBe(
      `${domain}_InvitationExpired`,
    );
  });

  test.each(['alone', 'with its owner'])(
    'ends when the address becomes a member otherwise, and with what it is to, deleted %s',
    async (how) => {
      await scope.invite(scope.owner, address);
      await scope.addMember(invitee.userId);
      expect(await scope.received(invitee)).toEqual([]);
      const late = await seedUser(hub, newAddress());
      const { email } = await hub.as(late, 'users_GetUserDetails', { userId: late.userId });
      await scope.invite(scope.owner, email);
      hub.emittedEvents.length = 0;
      // The deletion of the only owner deletes it, too, once there is no other member.
      await scope.remove(scope.owner, invitee.userId);
      if (how === 'with its owner')
        await hub.as(scope.owner, 'users_DeleteUser', { userId: scope.owner.userId });
      else await scope.destroy();
      expect(await scope.received(late)).toEqual([]);
      expect(hub.emittedEvents.filter(({ name }) => name === 'users_InvitationsChanged')).toMatchObject([
        { data: { userId: late.userId } },
      ]);
    },
  );

  test('lets who has no account sign up with exactly that address, also where registration is closed', async () => {
    const guest = newAddress();
    const invitationId = await scope.invite(scope.owner, guest);
    const invitationToken = await mailed(guest, /signup\?invitation=(\S+)/);
    expect(await resolve(invitationToken)).toMatchObject({
      result: 'Found',
      kind: noun,
      email: guest,
      invitedBy: { email: scope.ownerEmail },
    });
    await expect(hub.register(guest)).rejects.toThrow('This hub takes no registrations.');
    await expect(hub.register(newAddress(), { invitationToken })).rejects.toThrow('another e-mail address');
    expect(await hub.register(guest.toUpperCase(), { invitationToken })).toMatchObject({ result: 'Created' });
    const activation = await mailed(guest, /jwt=(\S+)/);
    expect(await hub.complete(activation)).toEqual({ result: 'Completed', hasInvitations: true });
    const { users } = await hub.as(system, 'users_QueryUsers', {});
    const userId = users.find(({ email }) => email === guest)?.userId ?? ids.user.of('');
    await scope.on({ actor: 'User', kind: 'User', userId }, 'Accept', invitationId);
    expect(await resolve(invitationToken)).toEqual({ result: 'NotFound' });
  });

  test('has a link that owners may copy, and that leads nowhere once it is revoked', async () => {
    const guest = newAddress();
    const invitationId = await scope.invite(scope.owner, guest);
    const invitationToken = tokenOf(await scope.link(scope.owner, invitationId));
    expect(await resolve(invitationToken)).toMatchObject({ result: 'Found', email: guest });
    expect(await resolve(`${invitationToken}x`)).toEqual({ result: 'NotFound' });
    await scope.on(scope.owner, 'Delete', invitationId);
    expect(await resolve(invitationToken)).toEqual({ result: 'NotFound' });
    await expect(hub.register(guest, { invitationToken })).rejects.toThrow('Ask for a new invitation.');
  });

  test('shows whether its e-mail was sent or refused', async () => {
    const status = async () => (await scope.pending(scope.owner))[0]?.['mailStatus'];
    hub.inbox.refuseRecipients(550);
    const invitationId = await scope.invite(scope.owner, newAddress());
    await expect.poll(status).toBe('Refused');
    hub.inbox.refuseRecipients(undefined);
    await scope.on(scope.owner, 'Resend', invitationId);
    await expect.poll(status).toBe('Sent');
    expect((await scope.pending(scope.owner))[0]).toHaveProperty('mailedAt');
  });

  test('says that its e-mail was not mailed where no mail server is set', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'corral-outbox-'));
    await using without = await mailHub({
      transport: (log) => outboxTransport({ folder, from: 'corral@localhost', log }),
    });
    const its = await createInviteScope(without, kind);
    await its.invite(its.owner, newAddress());
    await expect
      .poll(async () => (await its.pending(its.owner))[0])
      .toMatchObject({ mailStatus: 'NotMailed' });
    expect((await its.pending(its.owner))[0]).not.toHaveProperty('mailedAt');
    await rm(folder, { recursive: true });
  });
});

describe.each(scopeKinds)('the members of a %s', (kind) => {
  let scope: InviteScope;
  let member: Somebody;
  beforeEach(async () => {
    scope = await createInviteScope(hub, kind);
    member = await seedUser(hub, newAddress());
    await scope.addMember(member.userId);
  });
  const owners = async () => (await scope.members()).filter(({ isOwner }) => isOwner).length;

  test('"Members have role Owner or Member", which owners change', async () => {
    await expect(scope.setOwner(member, member.userId, true)).rejects.toThrow('Only an owner');
    await scope.setOwner(scope.owner, member.userId, true);
    expect(await owners()).toBe(2);
    await scope.setOwner(member, scope.owner.userId, false);
    expect(await owners()).toBe(1);
    await expect(scope.setOwner(member, (await seedUser(hub, newAddress())).userId, true)).rejects.toThrow(
      'Member not found.',
    );
  });

  test('keep their last owner, who cannot be removed, demoted or leave before another is named', async () => {
    const administrator = await seedUser(hub, newAddress(), true);
    const { owner } = scope;
    await expect(scope.remove(owner, owner.userId)).rejects.toThrow(
      `You are the last owner of this ${kind}. Make another member an owner before you leave.`,
    );
    await expect(scope.remove(administrator, owner.userId)).rejects.toThrow(
      `The last owner of a ${kind} cannot be removed. Make another member an owner first.`,
    );
    await expect(scope.setOwner(owner, owner.userId, false)).rejects.toThrow(
      `The last owner of a ${kind} stays an owner. Make another member an owner first.`,
    );
    await scope.setOwner(owner, member.userId, true);
    await scope.remove(owner, owner.userId);
  });

  test('give the place of their last owner to the one whom an administrator or that owner names, in one step', async () => {
    const administrator = await seedUser(hub, newAddress(), true);
    const stranger = await seedUser(hub, newAddress());
    const { owner } = scope;
    const roles = async () => {
      const { rows } = await sql<{ id: string; owns: boolean }>`
        select 'u_' || user_id as id, is_owner as owns from ${sql.table(`${kind}_members`)}
        where ${sql.ref(`${kind}_id`)} = ${scope.id.replace(/^[a-z]+_/, '')} order by is_owner desc`.execute(
        hub.database.db,
      );
      return rows.map(({ id, owns }) => [id, owns]);
    };
    await expect(scope.remove(member, member.userId, member.userId)).rejects.toThrow('Only an owner');
    await expect(scope.remove(administrator, owner.userId, owner.userId)).rejects.toThrow('The last owner');
    await expect(scope.remove(administrator, owner.userId, absentId('user'))).rejects.toThrow(
      'User not found.',
    );
    await expect(scope.remove(owner, owner.userId, stranger.userId)).rejects.toThrow(
      `The new owner is no member of the ${kind}. Invite this user first.`,
    );
    expect(await owners()).toBe(1);
    hub.emittedEvents.splice(0);
    await scope.remove(administrator, owner.userId, administrator.userId);
    expect(await roles()).toEqual([
      [administrator.userId, true],
      [member.userId, false],
    ]);
    // Mails of earlier invitations may be sent meanwhile.
    const changes = hub.emittedEvents.filter(({ name }) => name.includes('Member'));
    const logged = changes.map(({ name, data }) => [name.split('_')[1], data['userId'], data['isOwner']]);
    expect(logged).toEqual([
      ['MemberAdded', administrator.userId, true],
      ['MemberRemoved', owner.userId, undefined],
    ]);
    await scope.remove(administrator, administrator.userId, member.userId);
    expect(await roles()).toEqual([[member.userId, true]]);
  });

  test('keep one owner also when two demote and leave at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      await scope.setOwner(scope.owner, member.userId, true);
      const outcomes = await Promise.allSettled([
        scope.setOwner(member, scope.owner.userId, false),
        round % 2 === 0
          ? scope.setOwner(scope.owner, member.userId, false)
          : scope
              .setOwner(scope.owner, scope.owner.userId, false)
              .then(() => scope.setOwner(member, member.userId, false)),
      ]);
      expect(await owners()).toBeGreaterThan(0);
      expect(outcomes.map(({ status }) => status)).toContain('rejected');
      const isOwner = (await scope.members()).find(({ userId }) => userId === scope.owner.userId)?.isOwner;
      if (isOwner !== true) await scope.setOwner(member, scope.owner.userId, true);
    }
  });

  test('are changed by an administrator in a session, on the record', async () => {
    const administrator = await seedUser(hub, newAddress(), true);
    await expect(scope.setOwner(await byToken(hub, administrator), member.userId, true)).rejects.toThrow(
      'not found.',
    );
    await scope.setOwner(administrator, member.userId, true);
    await scope.remove(administrator, scope.owner.userId);
    const { actions } = await hub.as(system, 'audit_QueryAuditLogActions', {});
    const done = actions.filter(
      ({ actor, action }) =>
        actor.actor === 'User' && actor.userId === administrator.userId && action !== 'users_CreateUserToken',
    );
    expect(done.map(({ status }) => status)).toEqual(['Succeeded', 'Succeeded']);
  });
});
