import {
  ids,
  type Actor,
  type AlertChannels,
  type AlertCondition,
  type AlertSeverity,
  type MaintenanceWindow,
  type Output,
} from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { listOrder, nameKey, sortKey } from '../../../platform/db/paging/list-order.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';
import { mustSeePlace, type Place } from '../policy/access.ts';
import { countsOfRule } from '../sql/alerts.ts';
import { readActiveMutes, type ActiveMute } from '../sql/mutes.ts';
import { ofPlace } from '../sql/rules.ts';

type Shown = Output<'alerts_QueryRules'>['rules'][number];

interface Row {
  readonly rule_id: string;
  readonly name: string;
  readonly name_key: string;
  readonly condition: AlertCondition;
  readonly severity: AlertSeverity;
  readonly channels: AlertChannels;
  readonly remind_secs: number | null;
  readonly quiet_hours: MaintenanceWindow | null;
  readonly is_enabled: boolean;
  readonly created_by: Actor;
  readonly created_at: string;
  readonly counts: Shown['counts'];
  readonly told_at: string | null;
  readonly problem: string | null;
  readonly is_unsubscribed: boolean;
  /** Raw, as the next: those of the channels that are still there. */
  readonly webhook_ids: readonly string[];
  readonly user_ids: readonly string[];
}

const byName = listOrder<Row>('alerts_QueryRules', 'asc', [
  sortKey('name_key', 'text', nameKey(sql`r.name`)),
  sortKey('rule_id', 'text', sql`r.rule_id`),
]);

/** Lists alert rules by name. */
export const QueryRules: Handler<'alerts_QueryRules', Place> = {
  authorize: ({ tx, actor, input }) => mustSeePlace(tx, actor, input.projectId),

  async run({ tx, input, actor, now }, { projectId }) {
    const userId = 'userId' in actor ? ids.user.raw(actor.userId) : null;
    const mutes = await readActiveMutes(tx, projectId, now);
    const { items, more } = await readPage(byName, input, {
      scope: projectId ?? '',
      read: async (slice) => {
        const { rows } = await sql<Row>`
          select r.rule_id, r.name, ${nameKey(sql`r.name`)} as name_key, r.condition, r.severity, r.channels, r.remind_secs, r.quiet_hours, r.is_enabled,
            r.created_by, r.created_at, r.told_at, r.problem, ${countsOfRule} as counts,
            exists (select 1 from alert_unsubscriptions u where u.rule_id = r.rule_id and u.user_id = ${userId}) as is_unsubscribed,
            array(select w.webhook_id from webhooks w where w.project_id = r.project_id
              and r.channels -> 'webhookIds' ? (${`${ids.webhook.tag}_`} || w.webhook_id)) as webhook_ids,
            array(select m.user_id from project_members m where m.project_id = r.project_id
              and r.channels -> 'userIds' ? (${`${ids.user.tag}_`} || m.user_id)) as user_ids
          from alert_rules r where ${ofPlace(projectId)} and ${slice.follows} ${slice.orderAndLimit}`.execute(
          tx,
        );
        return rows;
      },
      toItem: (row) => toOutput(row, mutes),
    });
    return { rules: items, ...more };
  },
};

function toOutput(row: Row, mutes: readonly ActiveMute[]): Shown {
  const mutedUntil = mutedUntilOf(row, mutes);
  const problem = row.problem ?? problemOf(row);
  return {
    ruleId: ids.alertRule.of(row.rule_id),
    name: row.name,
    condition: row.condition,
    severity: row.severity,
    channels: channelsOf(row),
    ...(row.remind_secs === null ? {} : { remindSecs: row.remind_secs }),
    ...(row.quiet_hours === null ? {} : { quietHours: row.quiet_hours }),
    isEnabled: row.is_enabled,
    createdBy: row.created_by,
    createdAt: row.created_at,
    counts: row.counts,
    ...(mutedUntil === undefined ? {} : { mutedUntil: mutedUntil.toISOString() }),
    ...(row.told_at === null ? {} : { toldAt: row.told_at }),
    ...(problem === undefined ? {} : { problem }),
    isUnsubscribed: row.is_unsubscribed,
  };
}

/** What is left of the channels: webhooks that were deleted, and people who are no members any more, are told nothing. */
function channelsOf({ channels, webhook_ids: webhooks, user_ids: users }: Row): AlertChannels {
  const isLeft = (rawIds: readonly string[]) => {
    const left = new Set(rawIds);
    return (id: string) => left.has(id.slice(id.lastIndexOf('_') + 1));
  };
  const { mails, userIds, webhookIds } = channels;
  return {
    mails,
    ...(userIds === undefined ? {} : { userIds: userIds.filter(isLeft(users)) }),
    ...(webhookIds === undefined ? {} : { webhookIds: webhookIds.filter(isLeft(webhooks)) }),
  };
}

function problemOf({
  channels: { mails, userIds = [], webhookIds = [] },
  webhook_ids: webhooks,
  user_ids: users,
}: Row): string | undefined {
  if (webhooks.length < webhookIds.length) return 'A webhook that it told was deleted.';
  if (mails !== 'Some' || users.length === userIds.length) return undefined;
  return users.length === 0
    ? 'Nobody of those who got its e-mails is a member any more.'
    : 'Somebody who got its e-mails is no member any more.';
}

function mutedUntilOf({ rule_id: ruleId }: Row, mutes: readonly ActiveMute[]): Date | undefined {
  return mutes
    .filter((mute) => mute.deviceId === null && mute.filter === null && (mute.ruleId ?? ruleId) === ruleId)
    .map(({ endsAt }) => endsAt)
    .toSorted((one, other) => other.getTime() - one.getTime())[0];
}
