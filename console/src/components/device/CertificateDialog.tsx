import { useMutation } from '@tanstack/react-query';
import type { Id } from '@corral/contract';
import { enDevice } from '../../copy/en-device.ts';
import { deleteCertificate, setCertificateStatus } from '../../data/mutations-devices.ts';
import { AlertDialog } from '../../ui/overlay/AlertDialog.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import { Fingerprint } from '../Fingerprint.tsx';
import { FingerprintCheck } from '../FingerprintCheck.tsx';
import type { Question } from '../use-question.ts';
import { type CertificateQuestion, deedWords, statusAfter } from './certificate-deeds.ts';

/** Asks before a certificate is accepted, rejected, revoked or deleted. */
export function CertificateDialog({
  projectId,
  deviceId,
  question,
}: {
  projectId: Id<'project'>;
  deviceId: Id<'device'>;
  question: Question<CertificateQuestion>;
}) {
  const setStatus = useMutation(setCertificateStatus);
  const remove = useMutation(deleteCertificate);
  if (question.subject === undefined) return null;
  const { certificate, deed } = question.subject;
  const words = deedWords[deed];
  async function confirm(): Promise<void> {
    const ref = { projectId, deviceId, certificateId: certificate.certificateId as Id<'deviceCertificate'> };
    if (deed === 'delete') await remove.mutateAsync(ref);
    else await setStatus.mutateAsync({ ...ref, status: statusAfter[deed] });
    showToast(words.done, { tone: 'ok' });
  }
  return (
    <AlertDialog
      open={question.isOpen}
      onOpenChange={question.close}
      title={words.title}
      verb={words.verb}
      tone={deed === 'accept' ? 'primary' : 'danger'}
      onConfirm={confirm}
    >
      <div className="flex flex-col gap-3">
        <p>{words.text}</p>
        {deed === 'accept' ? (
          <FingerprintCheck
            fingerprint={certificate.fingerprint}
            label={enDevice.certificates.acceptCommand}
          />
        ) : (
          <Fingerprint value={certificate.fingerprint} />
        )}
      </div>
    </AlertDialog>
  );
}
