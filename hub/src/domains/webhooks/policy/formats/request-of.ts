import type { WebhookFormat } from '@corral/contract';
import { alertmanagerAlerts, alertmanagerUrl } from './alertmanager.ts';
import { noticeOf, type Sent } from './notice.ts';
import { ntfyMessage, ntfyTopic } from './ntfy.ts';
import { slackMessage } from './slack.ts';
import { teamsMessage } from './teams.ts';

/** Where a message goes, and what is posted there. */
export interface RequestOf {
  readonly url: string;
  readonly body: string;
}

/** A message as the receiver wants it. */
export function requestOf(format: WebhookFormat, url: string, sent: Sent): RequestOf {
  const { type, timestamp, data } = sent;
  switch (format) {
    case 'Standard':
      return { url, body: JSON.stringify({ type, timestamp, data }) };
    case 'Slack':
      return { url, body: JSON.stringify(slackMessage(noticeOf(sent))) };
    case 'Teams':
      return { url, body: JSON.stringify(teamsMessage(noticeOf(sent))) };
    case 'Ntfy': {
      const { url: server, topic } = ntfyTopic(url) ?? { url, topic: '' };
      return { url: server, body: JSON.stringify(ntfyMessage(noticeOf(sent), topic)) };
    }
    case 'Alertmanager':
      return { url: alertmanagerUrl(url), body: JSON.stringify(alertmanagerAlerts(sent)) };
  }
}
