import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mailHub, type MailHub } from '../../../../test/mail-hub.ts';
import { seedMember, seedProject, type SeededProject } from '../../../../test/seed.ts';
import { UnsubscribeByLink } from '../internal/UnsubscribeByLink.ts';

let hub: MailHub;
let project: SeededProject;
let ruleId: string;
beforeEach(async () => {
  hub = await mailHub();
  project = await seedProject(hub);
  const given = {
    projectId: project.projectId,
    name: 'Away',
    condition: { kind: 'Offline', forSecs: 60 },
  } as const;
  const more = { severity: 'Critical', channels: { mails: 'Members' } } as const;
  ({ ruleId } = await hub.as(project.owner, 'alerts_CreateRule', { ...given, ...more }));
});
afterEach(() => hub[Symbol.asyncDispose]());

const rawUser = (actor: unknown) => ids.user.raw((actor as { userId: `u_${string}` }).userId);

/** Queues an e-mail of the rule, as the rule does. */
async function queue(mailId: string, actor: unknown, subject = 'north'): Promise<void> {
  const at = hub.now().toISOString();
  const message = {
    type: 'alert.fired',
    ruleId,
    ruleName: 'Away',
    severity: 'Critical',
    kind: 'Offline',
    count: 12,
    resolvedCount: 0,
  };
  const more = {
    firing: 12,
    fired: [{ alertId: 'a', subject, since: at }],
    resolved: [],
    unstable: 0,
    at,
    url: 'https://hub.example/alerts',
  };
  await sql`
    insert into queued_mails (mail_id, kind, user_id, rule_id, alert_message, created_at, next_attempt_at)
      values (${mailId}, 'Alert', ${rawUser(actor)}, ${ids.alertRule.raw(ruleId as never)}, ${JSON.stringify({ ...message, ...more })}::jsonb, ${hub.now()}, ${hub.now()})`.execute(
    hub.database.db,
  );
}

test('an e-mail of alerts has counts, names and the way out of it, and those of a rule are one thread', async () => {
  await queue('20261120-1200-aaaaaaaa', project.owner, 'barn\r\nBcc: all@example.com <b>');
  await queue('20261120-1200-bbbbbbbb', project.owner);
  await hub.mail.sendDue();
  expect(hub.inbox.mails).toHaveLength(2);
  const [first, second] = hub.inbox.mails;
  expect(first?.headers['subject']).toBe('Critical: Away: 12 firing');
  expect(first?.headers).not.toHaveProperty('bcc');
  expect(first?.text).toContain('barn Bcc');
  expect(first?.text).toContain('and 11 more');
  expect(first?.html).not.toContain('<b>');
  expect(first?.headers['references']).toBe(second?.headers['references']);
  expect(first?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
  const token =
    /\?token=([^>\s]+)>/.exec(first?.headers['list-unsubscribe']?.replace(/\s/g, '') ?? '')?.[1] ?? '';
  expect(await hub.run(UnsubscribeByLink, { token, isDone: false })).toBe(true);
  await queue('20261120-1200-cccccccc', project.owner);
  expect(await hub.run(UnsubscribeByLink, { token: `${token}x`, isDone: true })).toBe(false);
  expect(await hub.run(UnsubscribeByLink, { token, isDone: true })).toBe(true);
  await hub.mail.sendDue();
  expect(hub.inbox.mails).toHaveLength(2);
});

test('who is no member any more gets nothing that waits', async () => {
  const member = await seedMember(hub, project);
  await queue('20261120-1200-aaaaaaaa', member);
  const userId = ids.user.of(rawUser(member));
  await hub.as(project.owner, 'projects_RemoveProjectMember', { projectId: project.projectId, userId });
  await hub.mail.sendDue();
  expect(hub.inbox.mails).toEqual([]);
});
