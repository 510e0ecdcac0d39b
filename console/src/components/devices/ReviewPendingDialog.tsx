import type { Id } from '@corral/contract';
import { useMutation, useQueries } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { enDevices, enFingerprint } from '../../copy/en-devices.ts';
import { en } from '../../copy/en.ts';
import { type CertificateRef, setCertificateStatus } from '../../data/mutations-devices.ts';
import { deviceQuery } from '../../data/queries-devices.ts';
import { Button } from '../../ui/action/Button.tsx';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { Dialog } from '../../ui/overlay/Dialog.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import { Progress } from '../../ui/picture/Progress.tsx';
import { CodeBlock } from '../../ui/text/CodeBlock.tsx';
import { Fingerprint } from '../Fingerprint.tsx';
import { deviceLabel, type ListedDevice } from './device-view.ts';

type Waiting = CertificateRef & { name: string; fingerprint: string };
/** `done`, or the sentence that refused it. */
type Result = string;

/** All pending certificates of a project with their fingerprints; those that are ticked are accepted, one after the other. */
export function ReviewPendingDialog(props: {
  projectId: Id<'project'>;
  devices: readonly ListedDevice[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return <>{props.open && <Review {...props} />}</>;
}

function Review({ projectId, devices, open, onOpenChange }: Parameters<typeof ReviewPendingDialog>[0]) {
  const { waiting, isLoading } = useWaiting(projectId, devices);
  const { mutateAsync } = useMutation(setCertificateStatus);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [results, setResults] = useState<ReadonlyMap<string, Result>>(new Map());
  const [running, setRunning] = useState<{ done: number; total: number }>();
  const ready = waiting.filter(({ certificateId }) => chosen.has(certificateId));
  async function accept(): Promise<void> {
    const outcome = new Map<string, Result>();
    for (const [index, one] of ready.entries()) {
      setRunning({ done: index, total: ready.length });
      const { projectId: project, deviceId, certificateId } = one;
      const result = await mutateAsync({
        projectId: project,
        deviceId,
        certificateId,
        status: 'Active',
      }).then(
        () => 'done',
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      outcome.set(certificateId, result);
      setResults(new Map([...results, ...outcome]));
    }
    setRunning(undefined);
    setChosen(new Set());
    const done = [...outcome.values()].filter((result) => result === 'done').length;
    if (done > 0) showToast(enDevices.reviewResult(done), { tone: 'ok' });
    if (done === outcome.size && done === waiting.length) onOpenChange(false);
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={enDevices.reviewTitle}
      description={enDevices.reviewText}
      size="large"
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>{en.dialog.close}</Button>
          <Button
            variant="primary"
            isWrite
            loading={running !== undefined}
            disabled={ready.length === 0}
            onClick={() => void accept()}
          >
            {enDevices.reviewAccept(ready.length)}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="flex flex-col gap-1.5">
          <span className="text-small text-ink3">{enDevices.reviewCommand}</span>
          <CodeBlock code={enFingerprint.command} what={enFingerprint.commandWhat} prompt="$" />
        </div>
        {running !== undefined && (
          <Progress label={enDevices.reviewProgress} value={running.done} max={running.total} />
        )}
        {waiting.length === 0 && (
          <p className="text-body text-ink2">{isLoading ? enDevices.reviewLoading : enDevices.reviewNone}</p>
        )}
        <ul className="divide-y divide-line">
          {waiting.map((one) => (
            <WaitingLine
              key={one.certificateId}
              waiting={one}
              result={results.get(one.certificateId)}
              isChosen={chosen.has(one.certificateId)}
              onChoose={() => setChosen(toggled(chosen, one.certificateId))}
            />
          ))}
        </ul>
      </div>
    </Dialog>
  );
}

function WaitingLine({
  waiting,
  result,
  isChosen,
  onChoose,
}: {
  waiting: Waiting;
  result: Result | undefined;
  isChosen: boolean;
  onChoose: () => void;
}) {
  return (
    <li className="flex flex-col gap-2 py-3 first:pt-0 last:pb-0">
      {result === 'done' ? (
        <p className="flex items-center gap-2 text-body font-head text-ok">
          <Check size={16} aria-hidden /> {waiting.name}: {enDevices.reviewDone}
        </p>
      ) : (
        <Checkbox
          checked={isChosen}
          onCheckedChange={onChoose}
          label={
            <span className="font-head wrap-anywhere">
              <span className="sr-only">{enDevices.reviewSelect('')}</span>
              {waiting.name}
            </span>
          }
        />
      )}
      <div className="ps-7">
        <Fingerprint value={waiting.fingerprint} />
      </div>
      {result !== undefined && result !== 'done' && (
        <p role="alert" className="ps-7 text-small text-danger">
          {result}
        </p>
      )}
    </li>
  );
}

function useWaiting(projectId: Id<'project'>, devices: readonly ListedDevice[]) {
  const asking = devices.filter(({ pendingCertificatesCount }) => pendingCertificatesCount > 0);
  const answers = useQueries({ queries: asking.map(({ deviceId }) => deviceQuery(deviceId)) });
  const waiting = answers.flatMap(({ data }): Waiting[] =>
    data === undefined
      ? []
      : data.certificates
          .filter(({ status }) => status === 'Pending')
          .map(({ certificateId, fingerprint }) => ({
            projectId,
            deviceId: data.deviceId as Id<'device'>,
            certificateId: certificateId as Id<'deviceCertificate'>,
            name: deviceLabel(data),
            fingerprint,
          })),
  );
  return { waiting, isLoading: answers.some(({ isPending }) => isPending) };
}

function toggled(chosen: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(chosen);
  if (!next.delete(id)) next.add(id);
  return next;
}
