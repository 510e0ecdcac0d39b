import type { Id, Output } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { terms } from '../../../copy/terms.ts';
import { useRun } from '../../../data/action-mutation.ts';
import { projectQuery } from '../../../data/queries-projects.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { useFailure } from '../../../ui/form/use-failure.ts';
import { Notice } from '../../../ui/layout/Notice.tsx';
import { showToast } from '../../../ui/overlay/toast.ts';
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx';
import { equivalentCommand } from '../../../parts/operation/equivalent-command.ts';
import { createOperation, startOperation } from '../fleet-operations.ts';
import { newOperationCopy } from './copy.ts';
import type { ReadDraft } from './read-draft.ts';

const words = newOperationCopy.start;

/** Starts what the preview shows, or saves it as a draft; a start that is not possible has its reason beside it. */
export function StartActions({
  projectId,
  end,
  read,
  versionPath,
  preview,
  error,
}: {
  projectId: Id<'project'>;
  end: () => void;
  read: ReadDraft;
  /** Of the version that it installs, as the command line takes it. */
  versionPath: string;
  /** Of what is typed; undefined while it is read. */
  preview: Output<'fleet_PreviewOperation'> | undefined;
  error: Error | null;
}) {
  const run = useRun();
  const navigate = useNavigate();
  const [failure, attempt] = useFailure();
  const { data: project } = useQuery(projectQuery(projectId));
  const whyNot = whyNotStart(read, preview, error, project?.isOwner === true);
  const { definition } = read;
  async function create(isStarted: boolean): Promise<void> {
    if (definition === undefined) return;
    const input = isStarted && preview !== undefined ? { previewHash: preview.previewHash } : {};
    const { fleetOperationId } = await run(createOperation, { ...definition, ...input });
    end();
    if (isStarted) await run(startOperation, { fleetOperationId });
    else showToast(words.saved, { tone: 'ok' });
    await navigate({
      to: '/projects/$projectId/operations/$operationId',
      params: { projectId, operationId: fleetOperationId },
    });
  }
  const command =
    definition && equivalentCommand({ ...definition, install: definition.install && versionPath });
  return (
    <div className="flex flex-col gap-4">
      {failure !== undefined && (
        <Notice tone="danger" title={terms.errorTitle}>
          {failure}
        </Notice>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button
          variant="primary"
          isWrite
          icon={<Play size={15} aria-hidden />}
          disabledReason={whyNot}
          onClick={() => attempt(() => create(true))}
        >
          {preview === undefined || preview.eligible === 0 ? words.start : words.startOn(preview.eligible)}
        </Button>
        <Button isWrite disabledReason={read.problem} onClick={() => attempt(() => create(false))}>
          {words.draft}
        </Button>
        <Button
          variant="quiet"
          onClick={() => {
            end();
            void navigate({ to: '/projects/$projectId/operations', params: { projectId } });
          }}
        >
          {words.discard}
        </Button>
        {whyNot !== undefined && <p className="basis-full text-small text-ink2">{whyNot}</p>}
      </div>
      {command !== undefined && (
        <div>
          <p className="mb-1.5 text-small text-ink3">{words.command}</p>
          <CodeBlock code={command} what={words.command} prompt="$" />
        </div>
      )}
    </div>
  );
}

/** Why it cannot start as it is. */
function whyNotStart(
  { problem }: ReadDraft,
  preview: Output<'fleet_PreviewOperation'> | undefined,
  error: Error | null,
  isOwner: boolean,
): string | undefined {
  const reasons = newOperationCopy.whyNot;
  if (problem !== undefined) return problem;
  if (error !== null) return reasons.failed;
  if (preview === undefined) return reasons.reading;
  if (preview.eligible === 0) return reasons.none;
  return preview.needsOwner && !isOwner ? reasons.owner : undefined;
}
