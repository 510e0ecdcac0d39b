import type { Notice } from './notice.ts';
import { fitting } from '../../../../platform/messages/plain-text.ts';

/** Teams takes 28 kB with all around the texts. */
const maxBytes = 8_000;
const colors: Readonly<Record<Notice['tone'], string>> = {
  Info: 'default',
  Warning: 'warning',
  Critical: 'attention',
  Resolved: 'good',
};

/** A message with an adaptive card for a workflow of Teams. Its texts are runs, which know no Markdown and no mentions. */
export function teamsMessage({ title, lines, url, tone }: Notice) {
  const block = (run: object) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', ...run }] });
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      block({ text: title, weight: 'bolder', color: colors[tone] }),
      ...fitting(lines, maxBytes).map((text) => block({ text })),
    ],
    ...(url === undefined ? {} : { actions: [{ type: 'Action.OpenUrl', title: 'Open in Corral', url }] }),
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] };
}
