import { ActionError, windowProblem, type AlertCondition, type Input } from '@corral/contract';
import { mustBeName } from '../../../auth/names.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { readDeviceFilter } from '../../devices/index.ts';
import { areMembers, areWebhooks } from '../sql/channels.ts';
import type { RuleFields } from '../sql/rules.ts';

/** What is given of a rule. */
type Given = Pick<
  Input<'alerts_ChangeRule'>,
  'name' | 'condition' | 'severity' | 'channels' | 'remindSecs' | 'quietHours'
>;

/** Where a rule is, and when. */
interface Scope {
  /** The raw id of the project; null for the instance. */
  readonly projectId: string | null;
  readonly now: Date;
  /** The database outside of the transaction. */
  readonly db: Database;
}

/** The rule that is given, as it is stored. Throws an `ActionError` of kind Invalid for one that cannot be. */
export async function mustBeRule(tx: Database, given: Given, scope: Scope): Promise<RuleFields> {
  const name = mustBeName(given.name, 'name');
  await mustBeCondition(tx, given.condition, scope);
  mustBeQuiet(given);
  const { condition, severity, remindSecs, quietHours } = given;
  return { name, condition, severity, channels: await channelsOf(tx, given, scope), remindSecs, quietHours };
}

/** Throws an `ActionError` of kind Invalid for a condition that no rule of the place can have. */
export async function mustBeCondition(tx: Database, condition: AlertCondition, scope: Scope): Promise<void> {
  const { projectId } = scope;
  if ((projectId === null) !== (condition.kind === 'Hub'))
    throw invalid(
      projectId === null
        ? 'Rules of the instance look at the hub alone. Create others in a project.'
        : 'Only rules of the instance look at the hub.',
    );
  if (projectId === null || !('filter' in condition)) return;
  if (condition.kind === 'Matching' && condition.filter.trim() === '')
    throw invalid('Say which devices by a filter. For all devices of the project write "all".');
  await readDeviceFilter(tx, condition.filter, { ...scope, projectId });
}

function mustBeQuiet({ severity, quietHours }: Given): void {
  if (quietHours === undefined) return;
  if (severity === 'Critical')
    throw invalid('A critical rule has no quiet hours: what it finds is told at once.');
  const problem = windowProblem(quietHours);
  if (problem !== undefined) throw invalid(problem);
}

async function channelsOf(
  tx: Database,
  { channels: { mails, userIds = [], webhookIds = [] } }: Given,
  { projectId }: Scope,
): Promise<RuleFields['channels']> {
  if (projectId === null) {
    if (webhookIds.length > 0)
      throw invalid('Rules of the instance tell administrators by e-mail, and no webhooks.');
    if (mails === 'Some') throw invalid('Rules of the instance tell all administrators, or nobody.');
    return { mails };
  }
  if (mails === 'Some') {
    if (userIds.length === 0) throw invalid('Choose at least one member who gets the e-mails.');
    if (!(await areMembers(tx, projectId, userIds)))
      throw invalid('Only members of the project get e-mails, and somebody of these is none.');
  }
  if (!(await areWebhooks(tx, projectId, webhookIds))) throw invalid('Webhook not found.');
  return {
    mails,
    ...(mails === 'Some' ? { userIds: [...new Set(userIds)] } : {}),
    ...(webhookIds.length === 0 ? {} : { webhookIds: [...new Set(webhookIds)] }),
  };
}

function invalid(sentence: string): ActionError {
  return new ActionError('Invalid', sentence);
}
