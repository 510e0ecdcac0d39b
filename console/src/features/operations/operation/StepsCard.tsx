import { equivalentCommand } from '../../../parts/operation/equivalent-command.ts';
import { stepText } from '../../../parts/operation/step-text.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx';
import { operationsCopy } from '../copy.ts';
import type { FoundOperation } from '../fleet-operations.ts';

const words = operationsCopy.steps;

/** What is done on each device, in order, and the command of the command line that would do the same. */
export function StepsCard({
  operation: { summary, steps, selector, stages },
}: {
  operation: FoundOperation;
}) {
  const command = equivalentCommand({
    projectId: summary.projectId,
    steps,
    selector,
    stages,
    maxInFlight: summary.maxInFlight,
    pauseOnFailurePercent: summary.pauseOnFailurePercent,
    deliverWithinSecs: summary.deliverWithinSecs,
    enrollmentIntervalSecs: summary.enrollmentIntervalSecs,
    install: summary.install?.versionId,
    window: summary.window,
  });
  return (
    <Card isFlush title={words.title} meta={words.meta(steps.length)}>
      <ol className="divide-y divide-line">
        {steps.map((step, index) => (
          <li key={index} className="flex gap-3 px-4.5 py-2.5 text-body">
            <span aria-hidden className="tabular text-ink3">
              {index + 1}
            </span>
            <span className="min-w-0 wrap-anywhere">{stepText(step)}</span>
          </li>
        ))}
      </ol>
      {command !== undefined && (
        <div className="border-t border-line px-4.5 py-3.5">
          <p className="mb-1.5 text-small text-ink3">{words.command}</p>
          <CodeBlock code={command} what={words.command} prompt="$" />
        </div>
      )}
    </Card>
  );
}
