import { type CallInput, deviceFields } from '@corral/contract';
import { mistakeIn } from '../../../parts/filter-mistake.ts';
import { windowOf } from '../../../parts/WindowFields.tsx';
import { type AlertCondition, suggestedRuleName } from '../condition-words.ts';
import { ruleCopy } from './copy.ts';
import type { DraftRule } from './draft-rule.ts';

/** The parts of a rule that its form has. */
export type RuleInput = Omit<CallInput<'alerts_CreateRule'>, 'projectId'>;

/** What was typed as the hub takes it, or why it says nothing yet. The condition is read alone, too: the preview needs no channels. */
export interface ReadRule {
  readonly condition?: AlertCondition;
  readonly input?: RuleInput;
  readonly problem?: string;
}

class Unfinished extends Error {}

/** Reads a rule that is composed. */
export function readRule(draft: DraftRule): ReadRule {
  let condition: AlertCondition | undefined;
  try {
    condition = conditionOf(draft);
    return { condition, input: inputOf(draft, condition) };
  } catch (error) {
    if (error instanceof Unfinished)
      return { problem: error.message, ...(condition === undefined ? {} : { condition }) };
    throw error;
  }
}

function inputOf(draft: DraftRule, condition: AlertCondition): RuleInput {
  const { name, severity, mails, userIds, webhookIds, remindSecs, isQuiet } = draft;
  const words = ruleCopy.whyNot;
  if (mails === 'Some' && userIds.length === 0) throw new Unfinished(words.people);
  const quietHours = isQuiet && severity !== 'Critical' ? windowOf(draft) : undefined;
  if (isQuiet && severity !== 'Critical' && quietHours === undefined) throw new Unfinished(words.hours);
  return {
    name: name.trim() || suggestedRuleName(condition).slice(0, 128),
    condition,
    severity,
    channels: {
      mails,
      ...(mails === 'Some' ? { userIds: [...userIds] } : {}),
      ...(webhookIds.length === 0 ? {} : { webhookIds: [...webhookIds] }),
    },
    ...(remindSecs === 'never' ? {} : { remindSecs: Number(remindSecs) }),
    ...(quietHours === undefined ? {} : { quietHours }),
  };
}

function conditionOf(draft: DraftRule): AlertCondition {
  const { kind, forSecs, eventSeverity } = draft;
  switch (kind) {
    case 'Offline':
      return { kind, ...filterOf(draft), forSecs: Number(forSecs.Offline) };
    case 'Missing':
      return {
        kind,
        ...filterOf(draft),
        percent: percentOf(draft.percent.Missing),
        forSecs: Number(forSecs.Missing),
      };
    case 'Matching': {
      const { filter } = filterOf(draft);
      if (filter === undefined) throw new Unfinished(ruleCopy.whyNot.filterMissing);
      return { kind, filter, forSecs: Number(forSecs.Matching) };
    }
    case 'Events':
      return { kind, severity: eventSeverity, ...filterOf(draft) };
    case 'Operations':
    case 'Quota':
    case 'Hub':
      return { kind, percent: percentOf(draft.percent[kind]) };
  }
}

function filterOf({ filter }: DraftRule): { filter?: string } {
  const text = filter.trim();
  if (text === '' || text === 'all') return {};
  const mistake = mistakeIn(text, deviceFields, 0);
  if (mistake !== undefined) throw new Unfinished(ruleCopy.whyNot.filter(mistake.sentence));
  return { filter: text };
}

/** Whether a typed percentage is one. */
export const isPercent = (typed: string): boolean =>
  /^\d{1,3}$/u.test(typed.trim()) && Number(typed) >= 1 && Number(typed) <= 100;

function percentOf(typed: string): number {
  if (!isPercent(typed)) throw new Unfinished(ruleCopy.whyNot.percent);
  return Number(typed);
}
