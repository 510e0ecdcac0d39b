import { useCallback } from 'react';
import { useRun } from '../../../data/action-mutation.ts';
import { confirm } from '../../../parts/confirm.ts';
import { ExpectedNote } from '../ExpectedNote.tsx';
import { Fingerprint } from '../Fingerprint.tsx';
import { FingerprintCheck } from '../FingerprintCheck.tsx';
import { deleteCertificate, setCertificateStatus } from '../mutations.ts';
import { actionWords, type CertificateAction, statusAfter } from './certificate-actions.ts';
import { deviceCopy } from './copy.ts';
import type { DeviceCertificate } from './device-details.ts';

/** A function that accepts, rejects, revokes or deletes a certificate after a confirmation. */
export function useCertificateAction(): (certificate: DeviceCertificate, action: CertificateAction) => void {
  const run = useRun();
  return useCallback(
    ({ certificateId, fingerprint, isExpected = false }, action) => {
      const { text, ...words } = actionWords(action);
      void confirm({
        ...words,
        text: (
          <Question
            text={text}
            fingerprint={fingerprint}
            isCompared={action === 'accept'}
            {...{ isExpected }}
          />
        ),
        tone: action === 'accept' || action === 'prolong' ? 'primary' : 'danger',
        action: () =>
          action === 'delete'
            ? run(deleteCertificate, { certificateId })
            : run(setCertificateStatus, { certificateId, status: statusAfter[action] }),
      });
    },
    [run],
  );
}

function Question({
  text,
  fingerprint,
  isCompared,
  isExpected,
}: {
  text: string;
  fingerprint: string;
  isCompared: boolean;
  isExpected: boolean;
}) {
  return (
    <div className="flex flex-col gap-3">
      {isCompared && isExpected && <ExpectedNote />}
      <p>{text}</p>
      {isCompared ? (
        <FingerprintCheck fingerprint={fingerprint} label={deviceCopy.certificates.acceptCommand} />
      ) : (
        <Fingerprint value={fingerprint} />
      )}
    </div>
  );
}
