import type { AlertMessage, Json, WebhookFormat } from '@corral/contract';
import { expect, test } from 'vitest';
import { requestOf } from './request-of.ts';

const origin = 'https://hub.example';
const timestamp = '2026-11-29T18:00:00.000Z';
const mebibyte = 'x'.repeat(1_048_576);

const alert: AlertMessage = {
  projectId: 'p_1',
  projectName: 'Barns',
  ruleId: 'alert_rule_1',
  ruleName: 'Away for long',
  severity: 'Critical',
  kind: 'Offline',
  count: 12,
  resolvedCount: 1,
  firing: 12,
  fired: [{ alertId: 'alert_1', subject: 'north', deviceId: 'd_1', since: timestamp }],
  resolved: [{ alertId: 'alert_2', subject: 'south', since: timestamp }],
  unstable: 0,
  at: timestamp,
  url: 'https://hub.example/projects/p_1/alerts',
};

const urls: Readonly<Record<WebhookFormat, string>> = {
  Standard: 'https://hooks.example/x',
  Slack: 'https://hooks.slack.example/services/T/B/x',
  Teams: 'https://x.logic.azure.example/workflows/1?sig=2',
  Ntfy: 'https://ntfy.example/sub/barns?auth=abc',
  Alertmanager: 'https://alerts.example/prefix/',
};

const sentAs = (format: WebhookFormat, type: string, data: object) => {
  const { url, body } = requestOf(format, urls[format], { type, data: data as Json, timestamp, origin });
  return { url, body, json: JSON.parse(body) as Json };
};

const hostile = [
  'a\r\nX-Injected: 1\r\n\r\nb',
  '@everyone @here @channel @all ＠everyone',
  '<!channel> <!here> <@U12345> <#C1> <!subteam^S1> <@&123>',
  '[click](https://evil.example) ![i](https://evil.example/x.png) [a]: https://evil.example',
  '<b onclick=x>bold</b><script>alert(1)</script><at>Ann</at>',
  '\u202egnp.exe\u202c \u2066x\u2069 \u200fy \u061cz \u200ba',
  '{{DATE(2026-01-01T00:00:00Z)}} ```code``` *b* _i_',
  mebibyte,
  '🐎'.repeat(500_000),
  '',
];

/** Every text of a message, at any depth. */
function textsOf(value: Json): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap((one) => textsOf(one as Json))
    : [];
}

const formats = [
  ['Slack', 2_000],
  ['Teams', 28_000],
  ['Ntfy', 4_096 * 2],
  ['Alertmanager', 20_000],
] as const;

test.each(formats)(
  'no name makes %s mention anybody, link elsewhere, or grow beyond its limit',
  (format, maxBytes) => {
    for (const name of hostile) {
      const named = (count: number) =>
        Array.from({ length: count }, () => ({ alertId: 'a', subject: name, since: timestamp }));
      const bad = { ...alert, ruleName: name, projectName: name, fired: named(10), resolved: named(10) };
      for (const [type, data] of [
        ['alert.fired', bad],
        ['devices_Renamed', { projectId: 'p_1', name, [name.slice(0, 50)]: name, nested: { name } }],
        ['webhook.test', { projectId: 'p_1' }],
      ] as const) {
        const { body, json } = sentAs(format, type, data);
        expect(Buffer.byteLength(body)).toBeLessThan(maxBytes);
        for (const text of textsOf(json)) {
          expect(text).not.toMatch(/[@＠](?!\u200b)/u);
          expect(text).not.toMatch(/\](?=[([:])/u);
          expect(text).not.toMatch(/\{\{/u);
          // eslint-disable-next-line no-control-regex
          expect(text).not.toMatch(/[\r\u0000-\u0009\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/u);
          if (format === 'Slack') expect(text).not.toMatch(/[<>]/u);
        }
      }
    }
  },
);

test('Slack, Mattermost and Discord get one text with a link to the console at its end', () => {
  expect(sentAs('Slack', 'alert.fired', alert)).toMatchObject({
    url: urls.Slack,
    json: {
      text: [
        '🔴 Critical: Away for long in Barns: 12 firing, 1 resolved',
        'Firing:',
        '- north',
        'and 11 more',
        'Resolved:',
        '- south',
        'https://hub.example/projects/p_1/alerts',
      ].join('\n'),
    },
  });
  expect(
    sentAs('Slack', 'devices_Renamed', { projectId: 'p_1', deviceId: 'd_1', name: 'A & B' }).json,
  ).toEqual({
    text: '🔵 devices_Renamed\ndeviceId d_1, name A &amp; B\nhttps://hub.example/projects/p_1',
  });
});

test('Teams gets an adaptive card without Markdown', () => {
  expect(sentAs('Teams', 'alert.fired', { ...alert, resolved: [], resolvedCount: 0 }).json).toEqual({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            [{ text: 'Critical: Away for long in Barns: 12 firing', weight: 'bolder', color: 'attention' }],
            [{ text: 'Firing:' }],
            [{ text: '- north' }],
            [{ text: 'and 11 more' }],
          ].map((runs) => ({
            type: 'RichTextBlock',
            inlines: runs.map((run) => ({ type: 'TextRun', ...run })),
          })),
          actions: [{ type: 'Action.OpenUrl', title: 'Open in Corral', url: alert.url }],
        },
      },
    ],
  });
});

test('ntfy gets JSON at the address of its server, with the topic, and what follows the question mark stays', () => {
  expect(sentAs('Ntfy', 'alert.fired', alert)).toMatchObject({
    url: 'https://ntfy.example/sub/?auth=abc',
    json: {
      topic: 'barns',
      priority: 5,
      tags: ['rotating_light'],
      click: alert.url,
      message: expect.stringContaining('- north'),
    },
  });
});

test('Alertmanager gets one alert of a rule, which ends when none fires any more', () => {
  const { url, json } = sentAs('Alertmanager', 'alert.fired', alert);
  expect(url).toBe('https://alerts.example/prefix/api/v2/alerts');
  const labels = {
    alertname: 'Away for long',
    severity: 'critical',
    rule_id: 'alert_rule_1',
    project_id: 'p_1',
    project: 'Barns',
  };
  expect(json).toMatchObject([
    { labels, startsAt: timestamp, endsAt: '2026-12-29T18:00:00.000Z', generatorURL: alert.url },
  ]);
  const over = { ...alert, count: 0, firing: 0, fired: [] };
  expect(sentAs('Alertmanager', 'alert.resolved', over).json).toMatchObject([{ labels, endsAt: timestamp }]);
  // Two others fire still.
  const some = { ...alert, count: 0, firing: 2, fired: [] };
  expect(sentAs('Alertmanager', 'alert.resolved', some).json).toMatchObject([
    { labels, endsAt: '2026-12-29T18:00:00.000Z' },
  ]);
});
