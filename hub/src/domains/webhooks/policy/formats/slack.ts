import type { Notice } from './notice.ts';
import { fitting } from '../../../../platform/messages/plain-text.ts';

/** Discord takes 2,000 characters, Slack and Mattermost more. */
const maxBytes = 1_900;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string): string => text.replace(/[&<>]/g, (found) => entities[found] ?? found);
const signs: Readonly<Record<Notice['tone'], string>> = {
  Info: '🔵',
  Warning: '🟠',
  Critical: '🔴',
  Resolved: '🟢',
};

/** A message of Slack's incoming webhooks, which Mattermost and Discord (with /slack behind the URL) take, too. */
export function slackMessage({ title, lines, url, tone }: Notice) {
  const link = url === undefined ? [] : [url];
  const texts = [`${signs[tone]} ${title}`, ...lines].map(escaped);
  const room = maxBytes - Buffer.byteLength(link.join(''));
  return { text: [...fitting(texts, room), ...link].join('\n') };
}
