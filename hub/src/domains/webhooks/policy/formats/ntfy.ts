import type { Notice } from './notice.ts';
import { fitting } from '../../../../platform/messages/plain-text.ts';

/** A server of ntfy makes an attachment of what has more than 4,096 bytes. */
const maxBytes = 3_500;
const shown: Readonly<Record<Notice['tone'], { readonly priority: number; readonly tags: string[] }>> = {
  Info: { priority: 3, tags: ['information_source'] },
  Warning: { priority: 4, tags: ['warning'] },
  Critical: { priority: 5, tags: ['rotating_light'] },
  Resolved: { priority: 3, tags: ['white_check_mark'] },
};

/** The address of the server, and the topic, of the URL of a topic; undefined if it has no topic. The query, which may have an access token, stays. */
export function ntfyTopic(typed: string): { readonly url: string; readonly topic: string } | undefined {
  const url = new URL(typed);
  const topic = /\/([A-Za-z0-9_-]{1,64})\/?$/.exec(url.pathname)?.[1];
  if (topic === undefined) return undefined;
  url.pathname = url.pathname.replace(/[^/]+\/?$/, '');
  return { url: url.href, topic };
}

/** A message for a topic of ntfy, published as JSON. */
export function ntfyMessage({ title, lines, url, tone }: Notice, topic: string) {
  const message = lines.length === 0 ? title : fitting(lines, maxBytes).join('\n');
  return { topic, title, message, ...shown[tone], ...(url === undefined ? {} : { click: url }) };
}
