import type { CallInput } from '@corral/contract';
import type { AlertRule } from '../../parts/alerts/alerts.ts';
import type { AlertCondition } from './condition-words.ts';

type Input = Omit<CallInput<'alerts_CreateRule'>, 'projectId' | 'name'>;

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const channels = { mails: 'Owners' } as const;

/** Rules to begin with: they are what most projects want. */
export const readyRules: readonly Input[] = [
  { condition: { kind: 'Offline', forSecs: 10 * minute }, severity: 'Warning', channels },
  { condition: { kind: 'Missing', percent: 10, forSecs: 5 * minute }, severity: 'Critical', channels },
  {
    condition: { kind: 'Matching', filter: 'cert:pending', forSecs: hour },
    severity: 'Info',
    channels,
    remindSecs: day,
  },
];

/** Those of them that no rule of a project is like. */
export function readyRulesBeside(rules: readonly AlertRule[]): readonly Input[] {
  const keyOf = (condition: AlertCondition) =>
    `${condition.kind} ${'filter' in condition ? (condition.filter ?? '') : ''}`;
  const there = new Set(rules.map(({ condition }) => keyOf(condition)));
  return readyRules.filter(({ condition }) => !there.has(keyOf(condition)));
}
