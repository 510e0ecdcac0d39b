import type { AlertMessage } from '@corral/contract';
import { plainText } from './plain-text.ts';

const maxName = 80;

/** What an alert message is about, in one line. */
export function titleOfAlert(type: string, alert: AlertMessage): string {
  const { ruleName, count, resolvedCount, severity, projectName } = alert;
  const what = [
    ...(count > 0 ? [`${count} firing`] : []),
    ...(resolvedCount > 0 ? [`${resolvedCount} resolved`] : []),
  ].join(', ');
  const kind = type === 'alert.test' ? 'Test' : type === 'alert.reminder' ? 'Reminder' : severity;
  const where = projectName === undefined ? '' : ` in ${plainText(projectName, maxName)}`;
  return `${kind}: ${plainText(ruleName, maxName)}${where}${what === '' ? '' : `: ${what}`}`;
}

/** The names that an alert message has, and how many more there are. */
export function linesOfAlert({ fired, resolved, count, resolvedCount, unstable }: AlertMessage): string[] {
  const named = (label: string, some: AlertMessage['fired'], all: number) =>
    some.length === 0
      ? []
      : [
          `${label}:`,
          ...some.map(({ subject }) => `- ${plainText(subject, maxName)}`),
          ...(all > some.length ? [`and ${all - some.length} more`] : []),
        ];
  return [
    ...named('Firing', fired, count),
    ...named('Resolved', resolved, resolvedCount),
    ...(unstable > 0 ? [`Unstable, they come and go: ${unstable}`] : []),
  ];
}
