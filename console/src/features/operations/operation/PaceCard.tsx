import { useState } from 'react';
import { object, pipe, regex, string, check } from 'valibot';
import { useRun } from '../../../data/action-mutation.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { FieldsDialog } from '../../../ui/form/FieldsDialog.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Properties } from '../../../ui/layout/Properties.tsx';
import { showToast } from '../../../ui/overlay/toast.ts';
import { formatDuration } from '../../../ui/time/format-duration.ts';
import { operationsCopy } from '../copy.ts';
import { type FoundOperation, setPace } from '../fleet-operations.ts';

const words = operationsCopy.pace;
const maxInFlightOfAll = 10_000;

/** How fast an operation goes, and when it pauses by itself; both can be changed while it runs. */
export function PaceCard({ operation: { summary, stages } }: { operation: FoundOperation }) {
  const [open, onOpenChange] = useState(false);
  const run = useRun();
  const {
    fleetOperationId,
    maxInFlight,
    pauseOnFailurePercent,
    deliverWithinSecs,
    enrollmentIntervalSecs,
    progress,
    status,
    window,
  } = summary;
  const hasEnded = status === 'Completed' || status === 'Failed' || status === 'Cancelled';
  return (
    <Card
      isFlush
      title={words.title}
      actions={
        !hasEnded && (
          <Button size="small" isWrite onClick={() => onOpenChange(true)}>
            {words.change}
          </Button>
        )
      }
    >
      <Properties
        items={[
          { name: words.stages, value: stages.map(({ name }) => name).join(' → ') },
          {
            name: words.inFlight,
            value:
              hasEnded || status === 'Draft'
                ? words.inFlightMost(maxInFlight)
                : words.inFlightValue(progress.running, maxInFlight),
          },
          { name: words.failures, value: words.failuresValue(pauseOnFailurePercent) },
          {
            name: words.deliver,
            value: deliverWithinSecs === undefined ? undefined : formatDuration(deliverWithinSecs),
          },
          {
            name: words.enrolment,
            value:
              enrollmentIntervalSecs === undefined
                ? words.once
                : words.every(formatDuration(enrollmentIntervalSecs)),
          },
          ...(window === undefined
            ? []
            : [{ name: words.window, value: words.windowValue(window.from, window.to, window.timeZone) }]),
        ]}
      />
      <FieldsDialog
        {...{ open, onOpenChange }}
        title={words.dialog}
        submitLabel={words.save}
        fields={{
          most: { label: words.most, inputMode: 'numeric', required: true, initial: String(maxInFlight) },
          percent: {
            label: words.percent,
            hint: words.percentHint,
            inputMode: 'numeric',
            required: true,
            initial: String(pauseOnFailurePercent),
          },
        }}
        schema={object({
          most: wholeNumber(1, maxInFlightOfAll, words.invalidMost),
          percent: wholeNumber(0, 100, words.invalidPercent),
        })}
        onSubmit={async ({ most, percent }) => {
          await run(setPace, {
            fleetOperationId,
            maxInFlight: Number(most),
            pauseOnFailurePercent: Number(percent),
          });
          showToast(words.changed, { tone: 'ok' });
        }}
      />
    </Card>
  );
}

function wholeNumber(least: number, most: number, message: string) {
  return pipe(
    string(),
    regex(/^\d{1,6}$/u, message),
    check((typed) => Number(typed) >= least && Number(typed) <= most, message),
  );
}
