import { memo } from 'react';
import { deviceLabel } from '../../parts/listed-device.ts';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { formatDateTime } from '../../ui/time/format-time.ts';
import { devicesCopy } from './copy.ts';
import { ExpectedNote } from './ExpectedNote.tsx';
import { Fingerprint } from './Fingerprint.tsx';
import type { PendingCertificate } from './use-pending-certificates.ts';

// Skips the layout of rows outside the viewport: there may be thousands.
const rowClass =
  'flex flex-col gap-2 py-3 [contain-intrinsic-size:auto_6rem] [content-visibility:auto] first:pt-0 last:pb-0';

/** A pending certificate with its fingerprint, to be selected. */
export const PendingCertificateItem = memo(function PendingCertificateItem({
  certificate,
  isSelected,
  onToggle,
}: {
  certificate: PendingCertificate;
  isSelected: boolean;
  onToggle: (certificateId: string) => void;
}) {
  return (
    <li className={rowClass}>
      <Checkbox
        checked={isSelected}
        onCheckedChange={() => onToggle(certificate.certificateId)}
        label={<span className="font-head wrap-anywhere">{labelOf(certificate)}</span>}
      />
      <div className="flex flex-col gap-2 ps-7">
        <p className="flex flex-wrap items-center gap-x-1 text-small text-ink3">
          {devicesCopy.reviewSeen} {formatDateTime(Date.parse(certificate.createdAt))}
          {certificate.tokenName !== undefined && (
            <span className="wrap-anywhere">
              {devicesCopy.reviewToken} <span className="text-ink2">{certificate.tokenName}</span>
            </span>
          )}
          {certificate.address !== undefined && (
            <span className="wrap-anywhere">
              {devicesCopy.reviewAddress} <span className="font-mono text-ink2">{certificate.address}</span>
            </span>
          )}
        </p>
        {certificate.isExpected === true && <ExpectedNote />}
        <Fingerprint value={certificate.fingerprint} />
      </div>
    </li>
  );
});

/** A certificate that was selected and is no longer pending, with a sentence that says so. */
export function UnchangedCertificateItem({ certificate }: { certificate: PendingCertificate }) {
  return (
    <li className={rowClass}>
      <p className="text-body font-head wrap-anywhere">{labelOf(certificate)}</p>
      <Fingerprint value={certificate.fingerprint} />
      <p className="text-small text-danger">{devicesCopy.reviewUnchanged}</p>
    </li>
  );
}

function labelOf({ deviceName, hostname, deviceId }: PendingCertificate): string {
  return deviceLabel({ name: deviceName, hostname, deviceId });
}
