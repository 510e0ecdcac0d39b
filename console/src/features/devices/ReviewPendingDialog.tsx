import type { Id } from '@corral/contract';
import { NextPage } from '../../parts/NextPage.tsx';
import type { MoreRows } from '../../parts/row-source.ts';
import { Button } from '../../ui/action/Button.tsx';
import { uiCopy } from '../../ui/copy.ts';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { Dialog } from '../../ui/overlay/Dialog.tsx';
import { Meter } from '../../ui/picture/Meter.tsx';
import { CodeBlock } from '../../ui/text/CodeBlock.tsx';
import { devicesCopy } from './copy.ts';
import { PendingCertificateItem, UnchangedCertificateItem } from './PendingCertificateItem.tsx';
import { useAcceptCertificates } from './use-accept-certificates.ts';
import { useRejectCertificates } from './use-reject-certificates.ts';
import {
  type PendingCertificate,
  usePendingCertificates,
  useSelectedCertificates,
} from './use-pending-certificates.ts';

/** The pending certificates of a project, or of some of its devices, with their fingerprints, oldest first; accepts or rejects the selected ones together. */
export function ReviewPendingDialog(props: {
  projectId: Id<'project'>;
  deviceIds?: readonly Id<'device'>[] | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return <>{props.open && <Review {...props} />}</>;
}

function Review({ projectId, deviceIds, open, onOpenChange }: Parameters<typeof ReviewPendingDialog>[0]) {
  const {
    certificates,
    isLoading,
    failure: readFailure,
    more,
  } = usePendingCertificates(projectId, deviceIds);
  const selection = useSelectedCertificates();
  const { accept, progress, unchanged, failure } = useAcceptCertificates(projectId, selection.deselect);
  const reject = useRejectCertificates(selection.deselect);
  const toAccept = certificates.filter(({ certificateId }) => selection.selected.has(certificateId));
  const isWhole = toAccept.length === certificates.length && more?.load === undefined;
  const alert = failure ?? readFailure;
  const isEmpty = certificates.length === 0 && alert === undefined;
  async function submit(): Promise<void> {
    if ((await accept(toAccept)) && isWhole) onOpenChange(false);
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
            isWrite
            disabled={toAccept.length === 0 || progress !== undefined}
            onClick={() => reject(toAccept)}
          >
            {devicesCopy.reviewReject(toAccept.length)}
          </Button>
          <Button
            variant="primary"
            isWrite
            loading={progress !== undefined}
            disabled={toAccept.length === 0}
            onClick={submit}
          >
            {devicesCopy.reviewAccept(toAccept.length)}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <FingerprintCommand />
        {progress !== undefined && (
          <Meter isProgress label={devicesCopy.reviewProgress} value={progress.done} max={progress.total} />
        )}
        {alert !== undefined && (
          <p role="alert" className="text-body text-danger">
            {alert}
          </p>
        )}
        <Unchanged certificates={unchanged} />
        {isEmpty && (
          <p className="text-body text-ink2">
            {isLoading ? devicesCopy.reviewLoading : devicesCopy.reviewNone}
          </p>
        )}
        <CertificateList
          {...{ certificates, more }}
          {...selection}
          isAllSelected={toAccept.length === certificates.length}
        />
      </div>
    </Dialog>
  );
}

function CertificateList({
  certificates,
  more,
  isAllSelected,
  selected,
  toggle,
  select,
  deselect,
}: {
  certificates: readonly PendingCertificate[];
  more: MoreRows | undefined;
  isAllSelected: boolean;
} & ReturnType<typeof useSelectedCertificates>) {
  const expected = certificates.filter(({ isExpected }) => isExpected === true);
  return (
    <>
      {expected.length > 0 && expected.length < certificates.length && (
        <Checkbox
          label={devicesCopy.reviewSelectExpected(expected.length)}
          checked={expected.every(({ certificateId }) => selected.has(certificateId))}
          onCheckedChange={(isChecked) => (isChecked ? select : deselect)(expected)}
        />
      )}
      {certificates.length > 1 && (
        <Checkbox
          label={devicesCopy.reviewSelectAll(certificates.length)}
          checked={isAllSelected}
          onCheckedChange={(isChecked) => (isChecked ? select : deselect)(certificates)}
        />
      )}
      <ul className="divide-y divide-line">
        {certificates.map((one) => (
          <PendingCertificateItem
            key={one.certificateId}
            certificate={one}
            isSelected={selected.has(one.certificateId)}
            onToggle={toggle}
          />
        ))}
      </ul>
      {more !== undefined && <NextPage more={more} />}
    </>
  );
}

function FingerprintCommand() {
  return (
    <div className="flex flex-col gap-1.5">
      <span className="text-small text-ink3">{devicesCopy.reviewCommand}</span>
      <CodeBlock
        code={devicesCopy.fingerprint.command}
        what={devicesCopy.fingerprint.commandWhat}
        prompt="$"
      />
    </div>
  );
}

/** Listed apart, because the list has only pending certificates. */
function Unchanged({ certificates }: { certificates: readonly PendingCertificate[] }) {
  return (
    <div role="status">
      {certificates.length > 0 && (
        <ul className="divide-y divide-line">
          {certificates.map((one) => (
            <UnchangedCertificateItem key={one.certificateId} certificate={one} />
          ))}
        </ul>
      )}
    </div>
  );
}
