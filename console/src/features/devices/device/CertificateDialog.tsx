import { useMutation } from '@tanstack/react-query';
import type { Id } from '@corral/contract';
import { deviceCopy } from './copy.ts';
import { deleteCertificate, setCertificateStatus } from '../mutations.ts';
import { AlertDialog } from '../../../ui/overlay/AlertDialog.tsx';
import { showToast } from '../../../ui/overlay/toast.ts';
import { Fingerprint } from '../Fingerprint.tsx';
import { FingerprintCheck } from '../FingerprintCheck.tsx';
import type { DialogTarget } from '../../../parts/use-dialog-target.ts';
import { type CertificateTarget, actionWords, statusAfter } from './certificate-actions.ts';

/** Confirms that a certificate is accepted, rejected, revoked or deleted. */
export function CertificateDialog({
  projectId,
  deviceId,
  dialog,
}: {
  projectId: Id<'project'>;
  deviceId: Id<'device'>;
  dialog: DialogTarget<CertificateTarget>;
}) {
  const setStatus = useMutation(setCertificateStatus);
  const remove = useMutation(deleteCertificate);
  if (dialog.target === undefined) return null;
  const { certificate, action } = dialog.target;
  const words = actionWords(action);
  async function confirm(): Promise<void> {
    const ref = { projectId, deviceId, certificateId: certificate.certificateId as Id<'deviceCertificate'> };
    if (action === 'delete') await remove.mutateAsync(ref);
    else await setStatus.mutateAsync({ ...ref, status: statusAfter[action] });
    showToast(words.done, { tone: 'ok' });
  }
  return (
    <AlertDialog
      open={dialog.isOpen}
      onOpenChange={dialog.close}
      title={words.title}
      verb={words.verb}
      tone={action === 'accept' ? 'primary' : 'danger'}
      onConfirm={confirm}
    >
      <div className="flex flex-col gap-3">
        <p>{words.text}</p>
        {action === 'accept' ? (
          <FingerprintCheck
            fingerprint={certificate.fingerprint}
            label={deviceCopy.certificates.acceptCommand}
          />
        ) : (
          <Fingerprint value={certificate.fingerprint} />
        )}
      </div>
    </AlertDialog>
  );
}
