import type { Id, Output } from '@corral/contract';
import { useNavigate } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { useRun } from '../../../data/action-mutation.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { FormActions } from '../../../parts/FormActions.tsx';
import { useFailure } from '../../../ui/form/use-failure.ts';
import { showToast } from '../../../ui/overlay/toast.ts';
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx';
import { createAndStart } from '../../../parts/operation/create-and-start.ts';
import { equivalentCommand } from '../../../parts/operation/equivalent-command.ts';
import { hasSecret } from '../../../parts/operation/schema-fields.ts';
import { cancelOperation, createOperation, startOperation } from '../fleet-operations.ts';
import { newOperationCopy } from './copy.ts';
import { type ChangeDraft, type DraftOperation, formOf, type OfferedForms } from './draft-operation.ts';
import type { ReadDraft } from './read-draft.ts';

const words = newOperationCopy.start;

type OperationId = Id<'fleetOperation'>;

/** Starts what the preview shows, or saves it as a draft; a start that is not possible has its reason beside it. */
export function StartActions({
  projectId,
  draft,
  change,
  end,
  read,
  offered,
  versionPath,
  preview,
  error,
}: {
  projectId: Id<'project'>;
  draft: DraftOperation;
  change: ChangeDraft;
  end: () => void;
  read: ReadDraft;
  offered: OfferedForms;
  /** Of the version that it installs, as the command line takes it. */
  versionPath: string;
  /** Of what is typed; undefined while it is read. */
  preview: Output<'fleet_PreviewOperation'> | undefined;
  error: Error | null;
}) {
  const run = useRun();
  const navigate = useNavigate();
  const [failure, attempt] = useFailure();
  const whyNot = whyNotStart(read, preview, error);
  const { definition } = read;
  const cancel = (fleetOperationId: OperationId) => run(cancelOperation, { fleetOperationId });
  async function start(): Promise<void> {
    if (definition === undefined || preview === undefined) return;
    const input = { ...definition, previewHash: preview.previewHash };
    const started = await createAndStart(JSON.stringify(input), draft.left, {
      create: async () => (await run(createOperation, input)).fleetOperationId,
      start: (fleetOperationId) => run(startOperation, { fleetOperationId }),
      cancel,
      keep: (left) => change({ left }),
    });
    await open(started);
  }
  /** Makes a draft of what is previewed, which others are asked to start. */
  async function ask(): Promise<void> {
    if (definition === undefined || preview === undefined) return;
    await forgetLeft();
    const { fleetOperationId } = await run(createOperation, {
      ...definition,
      previewHash: preview.previewHash,
    });
    await open(fleetOperationId);
  }
  async function save(): Promise<void> {
    if (definition === undefined) return;
    await forgetLeft();
    const { fleetOperationId } = await run(createOperation, definition);
    showToast(words.saved, { tone: 'ok' });
    await open(fleetOperationId);
  }
  async function discard(): Promise<void> {
    await forgetLeft();
    end();
    await navigate({ to: '/projects/$projectId/operations', params: { projectId } });
  }
  async function forgetLeft(): Promise<void> {
    if (draft.left === undefined) return;
    await cancel(draft.left.id);
    change({ left: undefined });
  }
  async function open(fleetOperationId: OperationId): Promise<void> {
    end();
    await navigate({
      to: '/projects/$projectId/operations/$operationId',
      params: { projectId, operationId: fleetOperationId },
    });
  }
  return (
    <div className="flex flex-col gap-4">
      <FormActions {...{ failure, whyNot }}>
        <Button
          variant="primary"
          isWrite
          icon={<Play size={15} aria-hidden />}
          disabledReason={whyNot}
          onClick={() => attempt(preview?.starters === undefined ? start : ask)}
        >
          {startText(preview)}
        </Button>
        <Button isWrite disabledReason={read.problem} onClick={() => attempt(save)}>
          {words.draft}
        </Button>
        <Button variant="quiet" onClick={() => attempt(discard)}>
          {words.discard}
        </Button>
      </FormActions>
      {definition !== undefined && <EquivalentCommand {...{ definition, draft, offered, versionPath }} />}
    </div>
  );
}

function startText(preview: Output<'fleet_PreviewOperation'> | undefined): string {
  if (preview === undefined || preview.eligible === 0) return words.start;
  return preview.starters === undefined ? words.startOn(preview.eligible) : words.askOn(preview.eligible);
}

function EquivalentCommand({
  definition,
  draft,
  offered,
  versionPath,
}: {
  definition: NonNullable<ReadDraft['definition']>;
  draft: DraftOperation;
  offered: OfferedForms;
  versionPath: string;
}) {
  const command = equivalentCommand({
    ...definition,
    install: definition.install && versionPath,
    isSecret: draft.steps.some((step) => step.kind === 'run' && hasSecret(formOf(step, offered).schema)),
  });
  if (command === undefined) return null;
  return (
    <div>
      <p className="mb-1.5 text-small text-ink3">{words.command}</p>
      <CodeBlock code={command} what={words.command} prompt="$" />
    </div>
  );
}

/** Why it cannot start as it is. */
function whyNotStart(
  { problem }: ReadDraft,
  preview: Output<'fleet_PreviewOperation'> | undefined,
  error: Error | null,
): string | undefined {
  const reasons = newOperationCopy.whyNot;
  if (problem !== undefined) return problem;
  if (error !== null) return reasons.failed;
  if (preview === undefined) return reasons.reading;
  if (preview.eligible === 0) return reasons.none;
  return undefined;
}
