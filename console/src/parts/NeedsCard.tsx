import type { Id } from '@corral/contract';
import { CircleCheck } from 'lucide-react';
import type { AlertRule } from './alerts/alerts.ts';
import { AlertNeeds } from './alerts/AlertNeeds.tsx';
import { needsCopy } from './needs-copy.ts';
import { type Need, NeedsList } from './NeedsList.tsx';
import { type OpenOperation, OperationNeeds } from './operation/OperationNeeds.tsx';

/** What needs a person; nothing is one line and not a card. */
export function NeedsCard({
  projectId,
  needs,
  operations,
  firing,
}: {
  projectId: Id<'project'>;
  needs: readonly Need[];
  /** Those that run or are paused. */
  operations: readonly OpenOperation[];
  /** The rules of which alerts fire; they come before all others. */
  firing: readonly AlertRule[];
}) {
  const count = firing.length + operations.length + needs.length;
  if (count === 0)
    return (
      <p className="flex items-center gap-2 text-body text-ok">
        <CircleCheck size={16} aria-hidden />
        {needsCopy.nothing}
      </p>
    );
  return (
    <section className="min-w-0 overflow-clip rounded-card border border-line bg-surface">
      <div className="flex min-h-12 items-center justify-between gap-3 border-b border-line px-4.5">
        <h2 className="text-section">{needsCopy.title}</h2>
        <span className="tabular text-small text-ink2">{count}</span>
      </div>
      {firing.length > 0 && <AlertNeeds {...{ projectId }} rules={firing} />}
      {operations.length > 0 && <OperationNeeds {...{ projectId, operations }} />}
      <NeedsList {...{ projectId, needs }} />
    </section>
  );
}
