import { Link } from '@tanstack/react-router';
import { BellOff, Play, Power, Trash2 } from 'lucide-react';
import type { Run } from '../../data/action-mutation.ts';
import type { AlertPlace, AlertRule } from '../../parts/alerts/alerts.ts';
import { alertsCopy } from '../../parts/alerts/copy.ts';
import { severityCopy } from '../../parts/alerts/severity-copy.ts';
import { askFirst } from '../../parts/ask-first.ts';
import { orToast } from '../../parts/or-toast.ts';
import { omitUndefined } from '../../parts/search-values.ts';
import { SeverityBadge } from '../../ui/badge/SeverityBadge.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import {
  badgeColumn,
  countColumn,
  menuColumn,
  nameColumn,
  type RowAction,
  timeColumn,
} from '../../ui/table/columns.tsx';
import type { DataColumn } from '../../ui/table/data-table.ts';
import { Zero } from '../../ui/text/Zero.tsx';
import { alertsLink } from './alert-links.ts';
import { changeRule, deleteRule } from './alert-mutations.ts';
import { channelsText, conditionText } from './condition-words.ts';
import { alertPageCopy } from './copy.ts';
import { RuleState, ruleStateOf } from './RuleState.tsx';

const words = alertPageCopy.rules;

/** What can be done with a rule of a list. */
interface RuleActions {
  readonly run: Run;
  readonly canChange: boolean;
  readonly mute: (rule: AlertRule) => void;
  /** Called before a rule is deleted, and after it. */
  readonly onDelete?: () => void;
  readonly onDeleted?: () => Promise<void>;
}

/** The columns of the rules of a place. */
export const ruleColumns = (place: AlertPlace, does: RuleActions): DataColumn<AlertRule>[] => [
  nameColumn<AlertRule>({ of: ({ name }) => name, width: '14rem' }),
  {
    id: 'what',
    header: words.what,
    isFilling: true,
    value: ({ condition }) => conditionText(condition),
    cell: ({ condition }) => (
      <span className="wrap-anywhere text-ink2 in-[td]:block in-[td]:min-w-48">
        {conditionText(condition)}
      </span>
    ),
    onPhone: 'meta',
  },
  badgeColumn<AlertRule>({
    id: 'severity',
    header: words.severity,
    width: '7.5rem',
    of: ({ severity }) => severityCopy[severity],
    badge: ({ severity }) => <SeverityBadge {...{ severity }} isHanging={false} />,
  }),
  countColumn<AlertRule>({
    id: 'now',
    header: words.now,
    width: '6rem',
    of: ({ counts }) => counts.firing,
    cell: ({ ruleId, name, counts: { firing } }) =>
      firing === 0 ? (
        <Zero />
      ) : (
        <Link
          {...alertsLink(place, { rule: ruleId, state: 'Firing' })}
          aria-label={`${name}: ${alertPageCopy.upTo(firing)}`}
          onClick={(event) => event.stopPropagation()}
          className="number-link tabular"
        >
          {alertPageCopy.upTo(firing)}
        </Link>
      ),
  }),
  {
    id: 'tells',
    header: words.tells,
    width: '10rem',
    isExtra: true,
    value: ({ channels }) => channelsText(channels, place.projectId === undefined),
  },
  timeColumn<AlertRule>({
    id: 'told',
    header: words.told,
    width: '8rem',
    isExtra: true,
    of: ({ toldAt }) => toldAt,
  }),
  {
    id: 'state',
    header: words.state,
    width: '7rem',
    value: (rule) => words.states[ruleStateOf(rule)],
    cell: (rule) => <RuleState {...{ rule }} />,
  },
  menuColumn<AlertRule>({
    idOf: ({ ruleId }) => ruleId,
    nameOf: ({ name }) => name,
    what: words.id,
    of: (rule) => ruleActions(rule, does),
  }),
];

/** What can be done with a rule, in a menu. */
export function ruleActions(
  rule: AlertRule,
  { run, canChange, mute, onDelete, onDeleted }: RuleActions,
): RowAction[] {
  const { ruleId, name, isEnabled } = rule;
  const disabledReason = canChange ? undefined : words.ownersOnly;
  return [
    {
      label: isEnabled ? words.disable : words.enable,
      icon: isEnabled ? <Power aria-hidden /> : <Play aria-hidden />,
      disabledReason,
      onSelect: () =>
        orToast(
          words.notChanged,
          run(changeRule, { ...ruleInput(rule), isEnabled: !isEnabled }).then(() =>
            showToast((isEnabled ? words.disabled : words.enabled)(name), { tone: 'ok' }),
          ),
        ),
    },
    {
      label: alertsCopy.mute,
      icon: <BellOff aria-hidden />,
      disabledReason,
      onSelect: () => mute(rule),
    },
    askFirst({
      label: words.remove,
      icon: <Trash2 aria-hidden />,
      isDangerous: true,
      disabledReason,
      title: words.removeTitle(name),
      text: words.removeText,
      action: async () => {
        onDelete?.();
        await run(deleteRule, { ruleId });
        await onDeleted?.();
      },
      done: words.removed(name),
    }),
  ];
}

/** A rule as the hub is told it. */
function ruleInput({
  ruleId,
  name,
  condition,
  severity,
  channels,
  remindSecs,
  quietHours,
  isEnabled,
}: AlertRule) {
  return {
    ruleId,
    name,
    condition,
    severity,
    channels,
    isEnabled,
    ...omitUndefined({ remindSecs, quietHours }),
  };
}
