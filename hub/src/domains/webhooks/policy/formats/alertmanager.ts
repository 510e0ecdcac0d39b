import { alertOf, noticeOf, type Sent } from './notice.ts';
import { fitting, plainText } from '../../../../platform/messages/plain-text.ts';

const path = '/api/v2/alerts';
const maxBytes = 4_000;
const maxLabel = 200;
/** An alert that nobody ends would else end after five minutes, and one that goes on is told again by its reminders. */
const longestMs = 30 * 86_400_000;
/** What is no state shows for so long. */
const eventMs = 5 * 60_000;

/** Where an Alertmanager takes alerts; the URL may be that of its pages. */
export function alertmanagerUrl(typed: string): string {
  const url = new URL(typed);
  const given = url.pathname.replace(/\/+$/, '');
  url.pathname = given.endsWith(path) ? given : given + path;
  return url.href;
}

/** The alert of a rule for Alertmanager: one, however many fire, since a message names only the first of them. It ends when none fires any more. */
export function alertmanagerAlerts(sent: Sent) {
  const alert = alertOf(sent);
  const { title, lines, url } = noticeOf(sent);
  const from = Date.parse(sent.timestamp);
  const annotations = { summary: title, description: fitting(lines, maxBytes).join('\n') };
  const generatorURL = url === undefined ? {} : { generatorURL: url };
  const until = (ms: number) => ({
    startsAt: new Date(from).toISOString(),
    endsAt: new Date(from + ms).toISOString(),
  });
  if (alert === undefined || sent.type === 'alert.test') {
    const labels = { alertname: plainText(sent.type, maxLabel), severity: 'info', ...placeOf(sent, alert) };
    return [{ labels, annotations, ...until(eventMs), ...generatorURL }];
  }
  const labels = {
    alertname: plainText(alert.ruleName, maxLabel),
    severity: alert.severity.toLowerCase(),
    rule_id: alert.ruleId,
    ...placeOf(sent, alert),
  };
  const isOver = alert.firing === 0 && alert.count === 0;
  return [{ labels, annotations, ...until(isOver ? 0 : longestMs), ...generatorURL }];
}

function placeOf({ data }: Sent, alert: ReturnType<typeof alertOf>): Record<string, string> {
  const given =
    typeof data === 'object' && data !== null && !Array.isArray(data) ? data['projectId'] : undefined;
  const projectId = typeof given === 'string' ? { project_id: plainText(given, maxLabel) } : {};
  const { projectName } = alert ?? {};
  return {
    ...projectId,
    ...(projectName === undefined ? {} : { project: plainText(projectName, maxLabel) }),
  };
}
