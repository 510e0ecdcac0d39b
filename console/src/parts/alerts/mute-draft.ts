import type { CallInput, Id } from '@corral/contract';
import { type TypedWindow, usualWindow, windowOf } from '../WindowFields.tsx';
import { alertsCopy } from './copy.ts';

/** What is muted. */
export type WhatMuted = 'device' | 'rule' | 'filter' | 'all';

/** The ends that a mute can have. */
export const untilChoices = ['hour', 'tomorrow', 'week', 'date', 'daily'] as const;

/** A mute as it is typed. */
export interface MuteDraft extends TypedWindow {
  readonly what: WhatMuted;
  readonly ruleId: Id<'alertRule'> | undefined;
  readonly filter: string;
  readonly until: (typeof untilChoices)[number];
  readonly date: string;
  readonly reason: string;
}

/** A mute that nothing was typed of. */
export const newMute = (what: WhatMuted): MuteDraft => ({
  what,
  ruleId: undefined,
  filter: '',
  until: 'hour',
  date: '',
  reason: '',
  ...usualWindow(),
});

type Input = Omit<CallInput<'alerts_Mute'>, 'projectId'>;

/** What the hub is asked for, or why what was typed says nothing yet. */
export function mutedOf(
  draft: MuteDraft,
  target: { readonly deviceId?: Id<'device'> | undefined; readonly ruleId?: Id<'alertRule'> | undefined },
  now = new Date(),
): { input: Input; problem?: undefined } | { input?: undefined; problem: string } {
  const words = alertsCopy.muting;
  const what = whatOf(draft, target);
  if (typeof what === 'string') return { problem: what };
  const reason = draft.reason.trim();
  const rest = { ...what, ...(reason === '' ? {} : { reason }) };
  if (draft.until === 'daily') {
    const window = windowOf(draft);
    return window === undefined ? { problem: words.hoursMissing } : { input: { ...rest, window } };
  }
  const until = endOf(draft, now);
  if (!(until.getTime() > now.getTime())) return { problem: words.dateMissing };
  return { input: { ...rest, until: until.toISOString() } };
}

function whatOf(
  { what, ruleId, filter }: MuteDraft,
  target: { readonly deviceId?: Id<'device'> | undefined; readonly ruleId?: Id<'alertRule'> | undefined },
): Input | string {
  const words = alertsCopy.muting;
  const rule = target.ruleId ?? ruleId;
  switch (what) {
    case 'all':
      return {};
    case 'device':
      return target.deviceId === undefined ? words.filterMissing : { deviceId: target.deviceId };
    case 'rule':
      return rule === undefined ? words.ruleMissing : { ruleId: rule };
    case 'filter':
      return filter.trim() === '' ? words.filterMissing : { filter: filter.trim() };
  }
}

const hourMs = 3_600_000;
const morning = 8;
const weekDays = 7;

/** When a mute ends; an invalid date where none was typed. */
function endOf({ until, date }: MuteDraft, now: Date): Date {
  if (until === 'hour') return new Date(now.getTime() + hourMs);
  if (until === 'date') return new Date(date);
  const end = new Date(now);
  end.setDate(end.getDate() + (until === 'week' ? weekDays : 1));
  if (until === 'tomorrow') end.setHours(morning, 0, 0, 0);
  return end;
}
