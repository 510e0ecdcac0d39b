import { type DeviceCommand, type Id, isFileCommand } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { useRun } from '../../../../data/action-mutation.ts';
import { documentPath } from '../../../../parts/document-path.ts';
import { createAndStart, type LeftOperation } from '../../../../parts/operation/create-and-start.ts';
import {
  cancelDeviceOperation,
  deviceCommandsQuery,
  deviceOperationQuery,
} from '../../../../parts/operation/operations.ts';
import { equivalentCommand } from '../../../../parts/operation/equivalent-command.ts';
import { OperationStatus } from '../../../../parts/operation/OperationStatus.tsx';
import { OperationSteps } from '../../../../parts/operation/OperationSteps.tsx';
import { hasSecret, readInput, type TypedInput } from '../../../../parts/operation/schema-fields.ts';
import { SchemaForm } from '../../../../parts/operation/SchemaForm.tsx';
import { Button } from '../../../../ui/action/Button.tsx';
import { useOneRun } from '../../../../ui/action/use-one-run.ts';
import { Combobox } from '../../../../ui/form/Combobox.tsx';
import { useDraft, useDraftOnClosing } from '../../../../ui/form/drafts.ts';
import { useFailure } from '../../../../ui/form/use-failure.ts';
import { Card } from '../../../../ui/layout/Card.tsx';
import { CodeBlock } from '../../../../ui/text/CodeBlock.tsx';
import { TextLink } from '../../../../ui/text/TextLink.tsx';
import { createOperation, startOperation } from '../../mutations.ts';
import { deviceOperationsCopy } from './copy.ts';

const words = deviceOperationsCopy.run;

interface DraftRun {
  readonly command: string;
  readonly typed: TypedInput;
  /** A start that failed. */
  readonly left?: LeftOperation<Id<'deviceOperation'>> | undefined;
}

const nothing: DraftRun = { command: '', typed: {} };

/** Runs a command that the device offers; its result appears below, as the device tells it. */
export function RunCommandCard({
  projectId,
  deviceId,
  isConnected,
}: {
  projectId: Id<'project'>;
  deviceId: Id<'device'>;
  isConnected: boolean;
}) {
  const { data } = useQuery(deviceCommandsQuery(deviceId));
  const commands = data?.manifest.commands.filter(({ name }) => !isFileCommand(name));
  return (
    <Card title={words.title} isUnclipped>
      {commands === undefined ? (
        <p role="status" className="text-body text-ink3">
          {words.reading}
        </p>
      ) : commands.length === 0 ? (
        <p className="text-body text-ink2">
          {words.none}{' '}
          <TextLink render={<Link to={documentPath('acting-on-devices')} />}>{words.how}</TextLink>.
        </p>
      ) : (
        <RunCommand {...{ projectId, deviceId, isConnected, commands }} />
      )}
    </Card>
  );
}

function RunCommand({
  projectId,
  deviceId,
  isConnected,
  commands,
}: ComponentProps<typeof RunCommandCard> & { commands: readonly DeviceCommand[] }) {
  const run = useRun();
  const kept = useDraft<DraftRun>(`run ${deviceId}`);
  const [draft, setDraft] = useState(() => kept.read() ?? nothing);
  useDraftOnClosing(kept, true, () => (draft === nothing ? ({} as DraftRun) : draft));
  const [failure, attempt, forget] = useFailure();
  const { isRunning, start: once } = useOneRun();
  const [last, setLast] = useState<Id<'deviceOperation'>>();
  const chosen = commands.find(({ name }) => name === draft.command);
  const read = readInput(chosen?.input, draft.typed);
  const problem = chosen === undefined ? words.choose : [...(read.problems?.values() ?? [])][0];
  const steps =
    chosen === undefined || read.input === undefined
      ? undefined
      : [{ kind: 'DeviceCommand' as const, command: chosen.name, input: read.input }];
  const command =
    steps &&
    equivalentCommand({
      projectId,
      steps,
      selector: { deviceIds: [deviceId], predicates: [] },
      stages: [],
      isSecret: hasSecret(chosen?.input),
    });
  async function start(): Promise<void> {
    if (chosen === undefined || steps === undefined) return;
    const name = words.name(chosen.name).slice(0, 128);
    const started = await createAndStart(JSON.stringify(steps), draft.left, {
      create: async () => (await run(createOperation, { deviceId, name, steps })).deviceOperationId,
      start: (deviceOperationId) => run(startOperation, { deviceOperationId }),
      cancel: (deviceOperationId) => run(cancelDeviceOperation, { deviceOperationId }),
      keep: (left) => setDraft((before) => ({ ...before, left })),
    });
    setLast(started);
  }
  return (
    <div className="grid grid-cols-1 items-start gap-x-6 gap-y-5 xl:grid-cols-2">
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (problem === undefined) once(() => attempt(start));
        }}
      >
        <Combobox
          label={words.command}
          placeholder={words.placeholder}
          options={commands.map(({ name, category }) => ({ value: name, label: name, hint: category }))}
          value={chosen === undefined ? null : chosen.name}
          onValueChange={(next) => {
            forget();
            setDraft((before) => ({ ...before, command: next ?? '', typed: {} }));
          }}
        />
        {chosen !== undefined && (
          <>
            {chosen.description !== undefined && (
              <p className="-mt-2 text-body wrap-anywhere text-ink2">{chosen.description}</p>
            )}
            <SchemaForm
              key={chosen.name}
              schema={chosen.input}
              typed={draft.typed}
              read={read}
              onTyped={(typed) => setDraft((before) => ({ ...before, typed }))}
            />
          </>
        )}
        <div className="flex flex-wrap items-center gap-3">
          <Button
            type="submit"
            variant="primary"
            isWrite
            icon={<Play size={15} aria-hidden />}
            disabledReason={problem}
            loading={isRunning}
          >
            {words.verb}
          </Button>
          {!isConnected && <p className="min-w-0 flex-1 text-small text-ink2">{words.offline}</p>}
        </div>
        {command !== undefined && <CodeBlock code={command} what={words.equivalent} prompt="$" />}
        {failure !== undefined && (
          <p role="alert" className="text-body wrap-anywhere text-danger">
            {failure}
          </p>
        )}
      </form>
      <Result deviceOperationId={last} />
    </div>
  );
}

function Result({ deviceOperationId }: { deviceOperationId: Id<'deviceOperation'> | undefined }) {
  if (deviceOperationId !== undefined) return <ResultOf {...{ deviceOperationId }} />;
  return (
    <p className="rounded-card border border-dashed border-line px-4 py-3 text-body text-ink3 max-xl:hidden">
      {words.resultHere}
    </p>
  );
}

function ResultOf({ deviceOperationId }: { deviceOperationId: Id<'deviceOperation'> }) {
  const { data } = useQuery(deviceOperationQuery(deviceOperationId));
  if (data?.result !== 'Found') return null;
  const { summary, steps, stepStates } = data;
  return (
    <section aria-label={words.result} aria-live="polite" className="flex min-w-0 flex-col gap-2">
      <p className="flex items-center gap-3">
        <span className="text-label">{words.result}</span>
        <OperationStatus status={summary.status} />
      </p>
      {summary.status === 'Pending' ? (
        <p className="text-body text-ink2">{words.waits}</p>
      ) : (
        <OperationSteps steps={steps} states={stepStates} />
      )}
    </section>
  );
}
