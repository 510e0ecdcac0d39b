import { BellOff, Check, Power, TriangleAlert } from 'lucide-react';
import type { AlertRule } from '../../parts/alerts/alerts.ts';
import { Badge } from '../../ui/badge/Badge.tsx';
import { alertPageCopy } from './copy.ts';

const looks = {
  on: ['mute', Check],
  off: ['mute', Power],
  muted: ['mute', BellOff],
  problem: ['warn', TriangleAlert],
} as const;

/** How a rule stands. */
export function ruleStateOf({ isEnabled, problem, mutedUntil }: AlertRule): keyof typeof looks {
  if (!isEnabled) return 'off';
  if (problem !== undefined) return 'problem';
  return mutedUntil === undefined ? 'on' : 'muted';
}

/** How a rule stands, as a badge. */
export function RuleState({ rule }: { rule: AlertRule }) {
  const state = ruleStateOf(rule);
  const [tone, Icon] = looks[state];
  return (
    <Badge {...{ tone }} icon={<Icon size={13} aria-hidden />} look={tone === 'warn' ? 'hanging' : 'plain'}>
      {alertPageCopy.rules.states[state]}
    </Badge>
  );
}
