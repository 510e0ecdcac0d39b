import type { Id } from '@corral/contract';
import { useQueries } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { devicesCopy } from './copy.ts';
import { uiCopy } from '../../ui/copy.ts';
import { setCertificateStatus } from './mutations.ts';
import { deviceQuery } from './queries.ts';
import { useRun } from '../../data/action-mutation.ts';
import { Button } from '../../ui/action/Button.tsx';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { Dialog } from '../../ui/overlay/Dialog.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import { Meter } from '../../ui/picture/Meter.tsx';
import { CodeBlock } from '../../ui/text/CodeBlock.tsx';
import { Fingerprint } from './Fingerprint.tsx';
import { deviceLabel, type ListedDevice } from '../../parts/listed-device.ts';
import { messageOf } from '../../ui/form/message-of.ts';

type PendingCertificate = { certificateId: Id<'deviceCertificate'>; name: string; fingerprint: string };
/** `done`, or the error message. */
type Result = string;

/** All pending certificates of a project with their fingerprints; accepts the selected ones one after the other. */
export function ReviewPendingDialog(props: {
  devices: readonly ListedDevice[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return <>{props.open && <Review {...props} />}</>;
}

function Review({ devices, open, onOpenChange }: Parameters<typeof ReviewPendingDialog>[0]) {
  const { certificates, isLoading } = usePendingCertificates(devices);
  const run = useRun();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [results, setResults] = useState<ReadonlyMap<string, Result>>(new Map());
  const [running, setRunning] = useState<{ done: number; total: number }>();
  const toAccept = certificates.filter(({ certificateId }) => selected.has(certificateId));
  async function accept(): Promise<void> {
    const outcome = new Map<string, Result>();
    for (const [index, one] of toAccept.entries()) {
      setRunning({ done: index, total: toAccept.length });
      const { certificateId } = one;
      const result = await run(setCertificateStatus, { certificateId, status: 'Active' }).then(
        () => 'done',
        messageOf,
      );
      outcome.set(certificateId, result);
      setResults(new Map([...results, ...outcome]));
    }
    setRunning(undefined);
    setSelected(new Set());
    const done = [...outcome.values()].filter((result) => result === 'done').length;
    if (done > 0) showToast(devicesCopy.reviewResult(done), { tone: 'ok' });
    if (done === outcome.size && done === certificates.length) onOpenChange(false);
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={devicesCopy.reviewTitle}
      description={devicesCopy.reviewText}
      size="large"
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>{uiCopy.dialog.close}</Button>
          <Button
            variant="primary"
            isWrite
            loading={running !== undefined}
            disabled={toAccept.length === 0}
            onClick={() => void accept()}
          >
            {devicesCopy.reviewAccept(toAccept.length)}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="flex flex-col gap-1.5">
          <span className="text-small text-ink3">{devicesCopy.reviewCommand}</span>
          <CodeBlock
            code={devicesCopy.fingerprint.command}
            what={devicesCopy.fingerprint.commandWhat}
            prompt="$"
          />
        </div>
        {running !== undefined && (
          <Meter isProgress label={devicesCopy.reviewProgress} value={running.done} max={running.total} />
        )}
        {certificates.length === 0 && (
          <p className="text-body text-ink2">
            {isLoading ? devicesCopy.reviewLoading : devicesCopy.reviewNone}
          </p>
        )}
        <ul className="divide-y divide-line">
          {certificates.map((one) => (
            <CertificateItem
              key={one.certificateId}
              certificate={one}
              result={results.get(one.certificateId)}
              isSelected={selected.has(one.certificateId)}
              onToggle={() => setSelected(toggled(selected, one.certificateId))}
            />
          ))}
        </ul>
      </div>
    </Dialog>
  );
}

function CertificateItem({
  certificate,
  result,
  isSelected,
  onToggle,
}: {
  certificate: PendingCertificate;
  result: Result | undefined;
  isSelected: boolean;
  onToggle: () => void;
}) {
  return (
    <li className="flex flex-col gap-2 py-3 first:pt-0 last:pb-0">
      {result === 'done' ? (
        <p className="flex items-center gap-2 text-body font-head text-ok">
          <Check size={16} aria-hidden /> {certificate.name}: {devicesCopy.reviewDone}
        </p>
      ) : (
        <Checkbox
          checked={isSelected}
          onCheckedChange={onToggle}
          label={
            <span className="font-head wrap-anywhere">
              <span className="sr-only">{devicesCopy.reviewSelect('')}</span>
              {certificate.name}
            </span>
          }
        />
      )}
      <div className="ps-7">
        <Fingerprint value={certificate.fingerprint} />
      </div>
      {result !== undefined && result !== 'done' && (
        <p role="alert" className="ps-7 text-small text-danger">
          {result}
        </p>
      )}
    </li>
  );
}

function usePendingCertificates(devices: readonly ListedDevice[]) {
  const pendingDevices = devices.filter(({ pendingCertificatesCount }) => pendingCertificatesCount > 0);
  const answers = useQueries({ queries: pendingDevices.map(({ deviceId }) => deviceQuery(deviceId)) });
  const certificates = answers.flatMap(({ data }): PendingCertificate[] =>
    data === undefined
      ? []
      : data.certificates
          .filter(({ status }) => status === 'Pending')
          .map(({ certificateId, fingerprint }) => ({
            certificateId: certificateId as Id<'deviceCertificate'>,
            name: deviceLabel(data),
            fingerprint,
          })),
  );
  return { certificates, isLoading: answers.some(({ isPending }) => isPending) };
}

function toggled(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return next;
}
