import type { Id } from '@corral/contract';
import { Plus } from 'lucide-react';
import { useRun } from '../../data/action-mutation.ts';
import type { AlertRule } from '../../parts/alerts/alerts.ts';
import { SeverityIcon } from '../../parts/alerts/SeverityIcon.tsx';
import { orToast } from '../../parts/or-toast.ts';
import { Button } from '../../ui/action/Button.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import { createRule } from './alert-mutations.ts';
import { conditionText, suggestedRuleName } from './condition-words.ts';
import { alertPageCopy } from './copy.ts';
import { readyRulesBeside } from './ready-rules.ts';
import { useCanChangeRules } from './use-can-change-rules.ts';

const words = alertPageCopy.ready;

/** Rules to begin with, each added by one click; nothing where the project has them. */
export function ReadyRules({ projectId, rules }: { projectId: Id<'project'>; rules: readonly AlertRule[] }) {
  const run = useRun();
  const canChange = useCanChangeRules({ projectId });
  const ready = readyRulesBeside(rules);
  if (ready.length === 0) return null;
  return (
    <ul className="divide-y divide-line rounded-card border border-line bg-surface text-start">
      {ready.map((input) => {
        const name = suggestedRuleName(input.condition);
        return (
          <li key={name} className="flex items-center gap-3 px-4 py-2.5">
            <SeverityIcon severity={input.severity} />
            <span className="min-w-0 flex-1">
              <span className="block text-body font-head">{name}</span>
              <span className="block text-small text-ink2">{conditionText(input.condition)}</span>
            </span>
            <Button
              size="small"
              isWrite
              label={words.addOf(name)}
              disabledReason={canChange ? undefined : alertPageCopy.rules.ownersOnly}
              icon={<Plus size={14} aria-hidden />}
              onClick={() =>
                orToast(
                  words.notAdded,
                  run(createRule, { projectId, name, ...input }).then(() =>
                    showToast(words.added(name), { tone: 'ok' }),
                  ),
                )
              }
            >
              {words.add}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
