import type { Id } from '@corral/contract';
import { useRun } from '../../data/action-mutation.ts';
import { confirm } from '../../parts/confirm.ts';
import { devicesCopy as words } from './copy.ts';
import { setCertificateStatus } from './mutations.ts';
import type { PendingCertificate } from './use-pending-certificates.ts';

/** A function that rejects certificates one by one after a confirmation; `onRejected` is called for each. */
export function useRejectCertificates(
  onRejected: (certificates: readonly PendingCertificate[]) => void,
): (certificates: readonly PendingCertificate[]) => void {
  const run = useRun();
  return (certificates) => {
    // Those that a failed try has rejected are not rejected again.
    const left = [...certificates];
    void confirm({
      title: words.reviewReject(certificates.length),
      text: words.reviewRejectText,
      verb: words.reviewReject(certificates.length),
      done: words.reviewRejected(certificates.length),
      action: async () => {
        for (let [next] = left; next !== undefined; [next] = left) {
          const certificateId = next.certificateId as Id<'deviceCertificate'>;
          await run(setCertificateStatus, { certificateId, status: 'Rejected' });
          onRejected([next]);
          left.shift();
        }
      },
    });
  };
}
