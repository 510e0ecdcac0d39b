import type { Id } from '@corral/contract';
import { useState } from 'react';
import type { AlertPlace, AlertRule, AlertSeverity } from '../../../parts/alerts/alerts.ts';
import { type TypedWindow, usualWindow } from '../../../parts/WindowFields.tsx';
import { useDraft, useDraftOnClosing } from '../../../ui/form/drafts.ts';
import type { AlertCondition } from '../condition-words.ts';

type EventSeverity = Extract<AlertCondition, { kind: 'Events' }>['severity'];

/** The severities of events that a rule can begin at, the worst first. */
export const eventSeverities = [
  'Critical',
  'Error',
  'Warning',
  'Info',
] as const satisfies readonly EventSeverity[];

/** A rule as it is typed; what is typed for one kind stays while another is chosen. */
export interface DraftRule extends TypedWindow {
  /** Empty for the name that follows from what it looks for. */
  readonly name: string;
  readonly kind: AlertCondition['kind'];
  readonly filter: string;
  readonly forSecs: Readonly<Record<'Offline' | 'Missing' | 'Matching', string>>;
  readonly percent: Readonly<Record<'Missing' | 'Operations' | 'Quota' | 'Hub', string>>;
  readonly eventSeverity: EventSeverity;
  readonly severity: AlertSeverity;
  readonly mails: AlertRule['channels']['mails'];
  readonly userIds: readonly Id<'user'>[];
  readonly webhookIds: readonly Id<'webhook'>[];
  /** Or `never`. */
  readonly remindSecs: string;
  readonly isQuiet: boolean;
}

/** Changes parts of a rule that is composed. */
export type ChangeRuleDraft = (parts: Partial<DraftRule>) => void;

/** A rule that nothing was typed of. */
export function emptyRule({ projectId }: AlertPlace): DraftRule {
  return {
    name: '',
    kind: projectId === undefined ? 'Hub' : 'Offline',
    filter: '',
    forSecs: { Offline: '600', Missing: '300', Matching: '600' },
    percent: { Missing: '10', Operations: '10', Quota: '80', Hub: '85' },
    eventSeverity: 'Error',
    severity: 'Warning',
    mails: 'Owners',
    userIds: [],
    webhookIds: [],
    remindSecs: 'never',
    isQuiet: false,
    ...usualWindow(),
  };
}

/** A rule as it is, to be changed. */
export function draftOf(place: AlertPlace, rule: AlertRule): DraftRule {
  const { name, condition, severity, channels, remindSecs, quietHours } = rule;
  const empty = emptyRule(place);
  const { kind } = condition;
  return {
    ...empty,
    name,
    kind,
    filter: 'filter' in condition ? (condition.filter ?? '') : '',
    forSecs: 'forSecs' in condition ? { ...empty.forSecs, [kind]: String(condition.forSecs) } : empty.forSecs,
    percent: 'percent' in condition ? { ...empty.percent, [kind]: String(condition.percent) } : empty.percent,
    eventSeverity: condition.kind === 'Events' ? condition.severity : empty.eventSeverity,
    severity,
    mails: channels.mails,
    userIds: channels.userIds ?? [],
    webhookIds: channels.webhookIds ?? [],
    remindSecs: remindSecs === undefined ? 'never' : String(remindSecs),
    isQuiet: quietHours !== undefined,
    ...(quietHours === undefined
      ? {}
      : { windowFrom: quietHours.from, windowTo: quietHours.to, timeZone: quietHours.timeZone }),
  };
}

/** A rule that the user composes, from what it is at first; what was typed stays when the page is left, until `end`. */
export function useDraftRule(
  name: string,
  first: DraftRule,
  handedOver: Partial<DraftRule> = {},
): { draft: DraftRule; isChanged: boolean; change: ChangeRuleDraft; end: () => void } {
  const kept = useDraft<Partial<DraftRule>>(name);
  const [typed, setTyped] = useState<Partial<DraftRule>>(() => ({ ...kept.read(), ...handedOver }));
  useDraftOnClosing(kept, true, () => typed);
  return {
    draft: { ...first, ...typed },
    isChanged: Object.keys(typed).length > 0,
    change: (parts) => setTyped((before) => ({ ...before, ...parts })),
    end: () => {
      setTyped({});
      kept.end();
    },
  };
}
