import type { Id } from '@corral/contract';
import { useActorNames } from '../../../parts/use-actor-names.ts';
import { Notice } from '../../../ui/layout/Notice.tsx';
import { operationsCopy } from '../copy.ts';
import type { FoundOperation } from '../fleet-operations.ts';
import { whoOf } from '../operation-columns.tsx';

const words = operationsCopy.state;

/** Who asks to start a draft, why that takes somebody else, and who that is. */
export function AskedNotice({
  projectId,
  operation: { summary, starters },
}: {
  projectId: Id<'project'>;
  operation: FoundOperation;
}) {
  const names = useActorNames(projectId);
  return (
    <div className="mb-5">
      <Notice tone="warn" title={words.asked(whoOf(summary.createdBy, names))}>
        {summary.waitsFor === 'SecondPerson' ? words.askedSecond : words.askedOwner}
        {starters !== undefined && ` ${words.starters(starters)}`}
      </Notice>
    </div>
  );
}
