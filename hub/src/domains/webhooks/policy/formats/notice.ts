import { alertMessage, type AlertMessage, type Json } from '@corral/contract';
import { linesOfAlert, titleOfAlert } from '../../../../platform/messages/alert-texts.ts';
import { plainText } from '../../../../platform/messages/plain-text.ts';

/** A message as people read it: texts without line ends, mentions and marks of direction. */
export interface Notice {
  readonly title: string;
  readonly lines: readonly string[];
  /** A page of the console. */
  readonly url?: string;
  /** How it should stand out: Resolved and Info do not. */
  readonly tone: 'Info' | 'Warning' | 'Critical' | 'Resolved';
}

/** What is sent; `origin` is that of the console. */
export interface Sent {
  readonly type: string;
  readonly data: Json;
  readonly timestamp: string;
  readonly origin: string;
}

const maxName = 80;
const maxValue = 120;
const maxFields = 8;

/** The data of a message of an alert rule; undefined for other messages. */
export function alertOf({ type, data }: Pick<Sent, 'type' | 'data'>): AlertMessage | undefined {
  if (!type.startsWith('alert.')) return undefined;
  return alertMessage.safeParse(data).data;
}

/** What a message says to people. */
export function noticeOf(sent: Sent): Notice {
  const alert = alertOf(sent);
  if (alert !== undefined) return noticeOfAlert(sent.type, alert);
  const fields = scalarsOf(sent.data);
  const { projectId } = fields;
  const url =
    projectId === undefined ? undefined : `${sent.origin}/projects/${encodeURIComponent(projectId)}`;
  if (sent.type === 'webhook.test')
    return {
      title: 'Test of a webhook of Corral',
      lines: ['Messages look like this.'],
      tone: 'Info',
      ...(url === undefined ? {} : { url }),
    };
  const told = Object.entries(fields).filter(([name]) => name !== 'projectId');
  const parts = told.slice(0, maxFields).map(([name, value]) => `${name} ${value}`);
  return {
    title: plainText(sent.type, maxName),
    lines: parts.length === 0 ? [] : [parts.join(', ')],
    tone: 'Info',
    ...(url === undefined ? {} : { url }),
  };
}

/** The texts, numbers and truths on the first level, each on one line. */
function scalarsOf(data: Json): Record<string, string> {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return {};
  return Object.fromEntries(
    Object.entries(data)
      .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
      .map(([name, value]) => [plainText(name, maxName), plainText(String(value), maxValue)]),
  );
}

function noticeOfAlert(type: string, alert: AlertMessage): Notice {
  const isOver = alert.count === 0 && alert.firing === 0;
  return {
    title: titleOfAlert(type, alert),
    lines: linesOfAlert(alert),
    url: alert.url,
    tone: isOver ? 'Resolved' : alert.severity,
  };
}
