import { type EventName, ids, type Json } from '@corral/contract';
import type { Database } from '../../../platform/db/connect.ts';
import { isMuted } from '../sql/muted.ts';
import type { LookedRule } from '../sql/rules-to-look-at.ts';
import { type Message, tell } from '../sql/tell.ts';
import { readNamed, readUntold, recordReminded, recordTold, type Untold } from '../sql/untold.ts';
import { isQuiet, isTimeToTell } from './telling.ts';

interface Context {
  readonly tx: Database;
  /** The database outside of the transaction. */
  readonly db: Database;
  readonly now: Date;
  readonly origins: { readonly console: string };
  emit(name: EventName, data: Readonly<Record<string, Json>>): unknown;
}

/** Tells what of a rule was not told and is not muted, once it is time, and reminds of what still fires. Returns how many alerts it was about. */
export async function tellUntold(context: Context, rule: LookedRule): Promise<number> {
  const { tx, now } = context;
  const muted = await isMuted(tx, rule, context);
  const untold = await readUntold(tx, rule, muted, now);
  if (isQuiet(rule.quietHours, now)) return 0;
  if (isTimeToTell(untold, rule, now)) {
    const fired = await readNamed(tx, rule, 'Fired', muted);
    const resolved = await readNamed(tx, rule, 'Ended', muted);
    const { count } = untold;
    const hasReached = await send(context, rule, {
      type: typeOf(untold),
      data: { ...headOf(context, rule), ...countsOf(untold), fired, resolved },
    });
    await recordTold(tx, rule.ruleId, { isMuted: muted, count, hasReached, now });
    return count;
  }
  if (!untold.isReminderDue) return 0;
  const counts = { ...countsOf(untold), count: untold.toRemind, resolvedCount: 0, unstable: 0 };
  const fired = await readNamed(tx, rule, 'Reminded', muted);
  await send(context, rule, {
    type: 'alert.reminder',
    data: { ...headOf(context, rule), ...counts, fired, resolved: [] },
  });
  await recordReminded(tx, rule.ruleId, muted, now);
  return untold.toRemind;
}

function typeOf({ fired, ended }: Untold): Message['type'] {
  if (ended === 0) return 'alert.fired';
  return fired === 0 ? 'alert.resolved' : 'alert.changed';
}

function countsOf({ fired, ended, unstable, firing }: Untold) {
  return { count: fired, resolvedCount: ended, unstable, firing };
}

/** What each message of a rule begins with. */
export function headOf(
  { origins, now }: Pick<Context, 'origins' | 'now'>,
  rule: Pick<LookedRule, 'ruleId' | 'projectId' | 'projectName' | 'name' | 'severity' | 'condition'>,
): Record<string, Json> {
  const ruleId = ids.alertRule.of(rule.ruleId);
  const { projectId, projectName, name: ruleName, severity, condition } = rule;
  const path = projectId === null ? '/admin/alerts' : `/projects/${ids.project.of(projectId)}/alerts`;
  return {
    ...(projectId === null ? {} : { projectId: ids.project.of(projectId), projectName: projectName ?? '' }),
    ruleId,
    ruleName,
    severity,
    kind: condition.kind,
    at: now.toISOString(),
    url: `${origins.console}${path}?rule=${ruleId}`,
  };
}

/** What a hint says of a rule. */
export function changedEvent({
  projectId,
  ruleId,
}: Pick<LookedRule, 'projectId' | 'ruleId'>): Record<string, Json> {
  return {
    ...(projectId === null ? {} : { projectId: ids.project.of(projectId) }),
    ruleId: ids.alertRule.of(ruleId),
  };
}

/** Whether somebody was told. */
async function send({ tx, now, emit }: Context, rule: LookedRule, message: Message): Promise<boolean> {
  const { mails, messages } = await tell(tx, rule, message, now);
  if (mails > 0) emit('mail_Queued', {});
  if (mails + messages.length === 0) return false;
  const { count = 0, resolvedCount = 0 } = message.data;
  emit('alerts_Told', {
    ...changedEvent(rule),
    name: rule.name,
    count,
    resolvedCount,
    mails,
    messages: messages.length,
  });
  return true;
}
