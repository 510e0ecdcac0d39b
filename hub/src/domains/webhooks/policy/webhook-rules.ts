import { ActionError, events, type WebhookFormat } from '@corral/contract';
import { ntfyTopic } from './formats/ntfy.ts';

/** The events that webhooks of a project can send. */
const types = Object.entries(events)
  .filter(
    ([, { persistence, entities }]) => persistence === 'log' && entities.some((kind) => kind === 'project'),
  )
  .map(([name]) => name);

/** Requires that each pattern fits an event. Throws an `ActionError` of kind Invalid. */
export function mustBeEventTypes(patterns: readonly string[]): void {
  const unknown = patterns.find(
    (pattern) =>
      !types.some(
        (type) => type === pattern || (pattern.endsWith('*') && type.startsWith(pattern.slice(0, -1))),
      ),
  );
  if (unknown === undefined) return;
  throw new ActionError(
    'Invalid',
    `No event of a project is called "${unknown}". Name events, such as devices_Created, or beginnings of names with a star, such as devices_*.`,
  );
}

/** The URL of a receiver in its normal form. Throws an `ActionError` of kind Invalid. Whether the hub may connect to it is found out when it does. */
export function mustBeReceiver(typed: string, format: WebhookFormat): string {
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  if (
    url === undefined ||
    !['https:', 'http:'].includes(url.protocol) ||
    url.username !== '' ||
    url.password !== ''
  )
    throw new ActionError(
      'Invalid',
      'The URL must begin with https:// and must not contain a user name or a password.',
    );
  if (format === 'Ntfy' && ntfyTopic(url.href) === undefined)
    throw new ActionError(
      'Invalid',
      'The URL of a topic of ntfy ends with its name, as https://ntfy.sh/barns does.',
    );
  return url.href;
}

/** What logs say of a URL, whose path may be a secret. */
export const hostOf = (url: string): string => new URL(url).host;

const minuteSecs = 60;
const hourSecs = 3_600;
/** Seconds from one attempt to the next; after the last one, 75 hours after the first, a message has failed. */
const retrySecs = [
  5,
  minuteSecs,
  5 * minuteSecs,
  30 * minuteSecs,
  2 * hourSecs,
  5 * hourSecs,
  10 * hourSecs,
  14 * hourSecs,
  20 * hourSecs,
  24 * hourSecs,
];
const mostJitter = 0.1;
const longestRetryAfterSecs = 24 * hourSecs;

/** When to try again after so many attempts; undefined if not. The receiver may ask for later. */
export function nextAttempt(
  attempts: number,
  {
    now,
    retryAfterSecs,
    random,
  }: { readonly now: Date; readonly retryAfterSecs: number | undefined; readonly random: number },
): Date | undefined {
  const secs = retrySecs[attempts - 1];
  if (secs === undefined) return undefined;
  const asked = Math.min(retryAfterSecs ?? 0, longestRetryAfterSecs);
  return new Date(now.getTime() + Math.max(secs * (1 + random * mostJitter), asked) * 1000);
}

/** For so long a webhook may fail before it is disabled. */
export const longestFailureMs = 5 * 24 * hourSecs * 1000;

/** For so long messages are signed with the former secret, too. */
export const formerSecretMs = 24 * hourSecs * 1000;
