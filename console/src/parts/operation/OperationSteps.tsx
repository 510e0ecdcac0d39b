import type { ReactNode } from 'react';
import { JsonView } from '../../ui/text/JsonView.tsx';
import { Duration } from '../../ui/time/Duration.tsx';
import { formatDuration } from '../../ui/time/format-duration.ts';
import { toMs } from '../../ui/time/format-time.ts';
import { operationCopy } from './copy.ts';
import { OperationStatus } from './OperationStatus.tsx';
import { type OperationStep, type StepState, stepText } from './step-text.ts';

const words = operationCopy.steps;

/** The steps of an operation on one device, each with how it stands, how it reached the device, and what came of it. */
export function OperationSteps({
  steps,
  states,
}: {
  steps: readonly OperationStep[];
  states: readonly StepState[];
}) {
  return (
    <ol className="flex flex-col gap-3">
      {steps.map((step, index) => (
        <Step key={index} {...{ step, index }} state={states.find(({ stepIndex }) => stepIndex === index)} />
      ))}
    </ol>
  );
}

function Step({ step, index, state }: { step: OperationStep; index: number; state: StepState | undefined }) {
  return (
    <li
      aria-label={`${words.number(index)}: ${stepText(step)}`}
      className="min-w-0 rounded-card border border-line"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3.5 py-2.5">
        <span aria-hidden className="tabular text-label text-ink3">
          {index + 1}
        </span>
        <span className="min-w-0 flex-1 text-body font-head wrap-anywhere">{stepText(step)}</span>
        {state === undefined ? (
          <span className="text-small text-ink3">{words.notReached}</span>
        ) : (
          <OperationStatus status={state.status} />
        )}
      </div>
      <div className="flex flex-col gap-2 border-t border-line px-3.5 py-2.5 empty:hidden">
        <Facts {...{ step, state }} />
        <Input step={step} />
        {state?.error !== undefined && (
          <p className="text-body wrap-anywhere whitespace-pre-wrap text-danger">{state.error}</p>
        )}
        {state?.output !== undefined && (
          <Labelled label={words.output}>
            <JsonView value={state.output} />
          </Labelled>
        )}
        {state?.checkpoint !== undefined && (
          <Labelled label={words.checkpoint}>
            <JsonView value={state.checkpoint} />
          </Labelled>
        )}
        {state?.log !== undefined && state.log.length > 0 && (
          <Labelled label={words.log}>
            <pre
              dir="ltr"
              tabIndex={0}
              aria-label={words.log}
              role="group"
              className="max-h-64 overflow-auto rounded-control bg-sunken px-3 py-2 font-mono text-small wrap-anywhere whitespace-pre-wrap"
            >
              {state.log.join('\n')}
            </pre>
          </Labelled>
        )}
      </div>
    </li>
  );
}

/** How long it took or takes, and how it reached the device. */
function Facts({ step, state }: { step: OperationStep; state: StepState | undefined }) {
  if (state === undefined) return null;
  const { startedAt, completedAt, carrier } = state;
  const timeout = 'timeoutSecs' in step ? step.timeoutSecs : undefined;
  const running =
    startedAt !== undefined && completedAt === undefined ? (
      <Duration seconds={0} measuredAt={toMs(startedAt)} />
    ) : undefined;
  const parts: ReactNode[] = [
    startedAt !== undefined &&
      completedAt !== undefined &&
      words.took(formatDuration((toMs(completedAt) - toMs(startedAt)) / 1000)),
    running,
    timeout !== undefined && completedAt === undefined && words.timeout(formatDuration(timeout)),
    carrier !== undefined && operationCopy.carriers[carrier],
  ].filter((part) => part !== false && part !== undefined);
  if (parts.length === 0) return null;
  return (
    <p className="text-small text-ink2">
      {parts.map((part, index) => (
        <span key={index}>
          {index > 0 && ' · '}
          {part}
        </span>
      ))}
    </p>
  );
}

function Input({ step }: { step: OperationStep }) {
  switch (step.kind) {
    case 'DeviceCommand':
    case 'DeviceTask':
      return isEmpty(step.input) ? null : (
        <Labelled label={words.input}>
          <JsonView value={step.input} />
        </Labelled>
      );
    case 'SetDeviceProperty':
      return (
        <Labelled label={words.value}>
          <JsonView value={step.value} />
        </Labelled>
      );
    case 'WaitForDeviceProperty':
      return (
        <Labelled label={words.predicate}>
          <JsonView value={step.predicate} />
        </Labelled>
      );
    default:
      return null;
  }
}

const isEmpty = (input: unknown): boolean =>
  input === null || (typeof input === 'object' && Object.keys(input as object).length === 0);

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <p className="mb-0.5 text-small text-ink3">{label}</p>
      <div className="text-body">{children}</div>
    </div>
  );
}
