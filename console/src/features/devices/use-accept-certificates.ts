import { maxCertificatesAtOnce, type Id } from '@corral/contract';
import { useState } from 'react';
import { type Run, useRun } from '../../data/action-mutation.ts';
import { messageOf } from '../../ui/form/message-of.ts';
import { useIsMounted } from '../../ui/form/use-is-mounted.ts';
import { showToast, type ToastProgress } from '../../ui/overlay/toast.ts';
import { devicesCopy } from './copy.ts';
import { acceptCertificates } from './mutations.ts';
import type { PendingCertificate } from './use-pending-certificates.ts';

/** Callbacks of `acceptAll`. */
interface Follower {
  readonly onProgress: (progress: ToastProgress) => void;
  /** After each call: its certificates, and those of them that it did not change. */
  readonly onPart: (part: readonly PendingCertificate[], unchanged: readonly PendingCertificate[]) => void;
}

/** Accepts any number of certificates, 500 in a call; rejects when a call fails, after which those of earlier calls stay accepted. */
async function acceptAll(
  run: Run,
  projectId: Id<'project'>,
  certificates: readonly PendingCertificate[],
  { onProgress, onPart }: Follower,
): Promise<void> {
  for (let done = 0; done < certificates.length; done += maxCertificatesAtOnce) {
    onProgress({ done, total: certificates.length });
    const part = certificates.slice(done, done + maxCertificatesAtOnce);
    const { unchangedIds } = await run(acceptCertificates, {
      projectId,
      certificateIds: part.map(({ certificateId }) => certificateId as Id<'deviceCertificate'>),
    });
    const unchanged = new Set<string>(unchangedIds);
    onPart(
      part,
      part.filter(({ certificateId }) => unchanged.has(certificateId)),
    );
  }
}

let runs = 0;

/** A function that accepts certificates, with its progress and result. A toast shows the same, also after the dialog was closed. */
export function useAcceptCertificates(
  projectId: Id<'project'>,
  onPart: (part: readonly PendingCertificate[]) => void,
) {
  const run = useRun();
  const isMounted = useIsMounted();
  const [progress, setProgress] = useState<ToastProgress>();
  const [unchanged, setUnchanged] = useState<readonly PendingCertificate[]>([]);
  const [failure, setFailure] = useState<string>();

  /** Resolves to whether all were accepted and the dialog is still open. */
  async function accept(certificates: readonly PendingCertificate[]): Promise<boolean> {
    const id = `accept-certificates-${(runs += 1)}`;
    const left: PendingCertificate[] = [];
    setFailure(undefined);
    setUnchanged([]);
    try {
      await acceptAll(run, projectId, certificates, {
        onProgress(next) {
          setProgress(next);
          const text = devicesCopy.reviewDoneOf(next.done, next.total);
          showToast(devicesCopy.reviewProgress, { id, text, progress: next });
        },
        onPart(part, unchangedOfPart) {
          left.push(...unchangedOfPart);
          setUnchanged([...left]);
          onPart(part);
        },
      });
      showResult(id, certificates.length - left.length, left.length);
      return isMounted.current && left.length === 0;
    } catch (error) {
      setFailure(messageOf(error));
      showToast(devicesCopy.reviewFailed, { id, tone: 'danger', text: messageOf(error) });
      return false;
    } finally {
      setProgress(undefined);
    }
  }
  return { accept, progress, unchanged, failure };
}

function showResult(id: string, accepted: number, unchanged: number): void {
  const text = unchanged === 0 ? undefined : devicesCopy.reviewNotAccepted(unchanged);
  showToast(devicesCopy.reviewResult(accepted), { id, tone: unchanged === 0 ? 'ok' : 'info', text });
}
