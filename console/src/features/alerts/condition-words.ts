import type { AlertRule } from '../../parts/alerts/alerts.ts';
import { formatDuration } from '../../ui/time/format-duration.ts';
import { conditionCopy as words } from './condition-copy.ts';

/** What an alert rule looks for. */
export type AlertCondition = AlertRule['condition'];

/** When a rule fires, as a sentence without its end. */
export function conditionText(condition: AlertCondition): string {
  switch (condition.kind) {
    case 'Offline':
      return words.offline(condition.filter, lasting(condition.forSecs));
    case 'Missing':
      return words.missing(condition.percent, condition.filter, lasting(condition.forSecs));
    case 'Matching':
      return words.matching(condition.filter, lasting(condition.forSecs));
    case 'Events':
      return words.events(condition.severity, condition.filter);
    case 'Operations':
      return words.operations(condition.percent);
    case 'Quota':
      return words.quota(condition.percent);
    case 'Hub':
      return words.hub(condition.percent);
  }
}

const lasting = (seconds: number): string => (seconds === 0 ? '' : words.lasting(formatDuration(seconds)));

/** Whom a rule tells, in a few words. */
export function channelsText(
  { mails, userIds = [], webhookIds = [] }: AlertRule['channels'],
  isInstance: boolean,
): string {
  const parts = [
    mails === 'None'
      ? ''
      : isInstance
        ? words.administrators
        : mails === 'Some'
          ? words.people(userIds.length)
          : words.mails[mails],
    webhookIds.length === 0 ? '' : words.webhooks(webhookIds.length),
  ].filter((part) => part !== '');
  return parts.length === 0 ? words.nobody : parts.join(', ');
}

/** The name of a rule that was given none. */
export function suggestedRuleName(condition: AlertCondition): string {
  const { names } = words;
  switch (condition.kind) {
    case 'Offline':
      return condition.forSecs === 0 ? names.offlineNow : names.offline(formatDuration(condition.forSecs));
    case 'Missing':
      return names.missing(condition.percent);
    case 'Matching':
      return known(condition.filter) ?? names.matching(condition.filter);
    case 'Events':
      return names.events(condition.severity);
    case 'Operations':
      return names.operations;
    case 'Quota':
      return names.quota(condition.percent);
    case 'Hub':
      return names.hub;
  }
}

function known(filter: string): string | undefined {
  return (words.names.filters as Readonly<Record<string, string>>)[filter.trim()];
}
