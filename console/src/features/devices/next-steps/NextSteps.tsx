import type { Id } from '@corral/contract';
import { useQueryClient } from '@tanstack/react-query';
import { ChevronRight, Circle, CircleCheck, X } from 'lucide-react';
import { cloneElement, useState } from 'react';
import { signedInUserId } from '../../../data/session.ts';
import type { ListedDevice } from '../../../parts/listed-device.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { nextStepsCopy as words } from './copy.ts';
import { areStepsDismissed, dismissSteps } from './dismissed-steps.ts';
import { type Step, useSteps } from './use-steps.tsx';

/** With more devices, people know their way. */
const maxDevices = 10;

/** What is worth doing after the first devices of a project; nothing when all of it is done or hidden, or the project has many devices. */
export function NextSteps({
  projectId,
  devices,
}: {
  projectId: Id<'project'>;
  devices: readonly ListedDevice[];
}) {
  const userId = signedInUserId(useQueryClient());
  const [isHidden, setIsHidden] = useState(() => areStepsDismissed(userId, projectId));
  const steps = useSteps(projectId, devices, !isHidden && devices.length <= maxDevices);
  const done = steps?.filter(({ isDone }) => isDone).length ?? 0;
  if (isHidden || devices.length > maxDevices || steps === undefined || done === steps.length) return null;
  function hide(): void {
    dismissSteps(userId, projectId);
    setIsHidden(true);
  }
  return (
    <Card
      isFlush
      className="mt-6 print:hidden"
      title={words.title}
      meta={<span className="tabular">{words.done(done, steps.length)}</span>}
      actions={
        <Button
          size="small"
          variant="quiet"
          label={words.hide}
          icon={<X size={15} aria-hidden />}
          onClick={hide}
        />
      }
    >
      <ul className="grid grid-cols-1 gap-x-4 p-2 lg:auto-rows-fr lg:grid-cols-2">
        {steps.map((step) => (
          <li key={step.name}>
            <StepRow {...step} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function StepRow({ name, isDone, link }: Step) {
  const [label, why] = words.steps[name];
  if (isDone)
    return (
      <p className="flex h-full min-h-11 items-center gap-3 px-2.5 text-body text-ink3">
        <CircleCheck size={18} aria-hidden className="shrink-0 text-ok" />
        <span className="sr-only">{words.isDone}</span>
        {label}
      </p>
    );
  return cloneElement(
    link,
    {
      className:
        'flex h-full min-h-11 items-center gap-3 rounded-control px-2.5 py-1.5 text-body text-ink transition-colors hover:bg-denim-wash/60',
    },
    <>
      <Circle size={18} aria-hidden className="shrink-0 text-line-strong" />
      <span className="min-w-0 flex-1">
        <span className="font-head">{label}</span>
        <span className="block text-small text-ink2">{why}</span>
      </span>
      <ChevronRight size={16} aria-hidden className="shrink-0 text-ink3 rtl:-scale-x-100" />
    </>,
  );
}
