import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { projectQuery } from '../../../data/queries-projects.ts';
import { useRun } from '../../../data/action-mutation.ts';
import { confirm } from '../../../parts/confirm.ts';
import { useDialogTarget } from '../../../parts/use-dialog-target.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { TextLink } from '../../../ui/text/TextLink.tsx';
import type { SelectedDevices } from '../changes/changes.ts';
import { rotationCopy as words } from './copy.ts';
import { RotateDialog } from './RotateDialog.tsx';
import { RotationBadge } from './RotationBadge.tsx';
import { RotationNext } from './RotationNext.tsx';
import { cancelRotation, newestRotationQuery, type Rotation } from './rotations.ts';

const runs = ({ endedAt }: Rotation): boolean => endedAt === undefined;

/** How the rotation of the certificate of a device stands, and the button that begins or cancels one. */
export function RotationNotice({
  projectId,
  deviceId,
}: {
  projectId: Id<'project'>;
  deviceId: Id<'device'>;
}) {
  const { data } = useQuery(newestRotationQuery(deviceId));
  const { data: project } = useQuery(projectQuery(projectId));
  const dialog = useDialogTarget<SelectedDevices>();
  const run = useRun();
  const rotation = data?.rotations[0];
  const isRunning = rotation !== undefined && runs(rotation);
  const disabledReason = project?.isOwner === false ? words.ownerOnly : undefined;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2.5 border-t border-line px-4.5 py-3">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-small text-ink2">
        {rotation === undefined ? (
          <span>{words.text}</span>
        ) : (
          <>
            <RotationBadge state={rotation.state} />
            <RotationNext {...{ rotation }} />
            <TextLink render={<Link to="/projects/$projectId/devices/rotations" params={{ projectId }} />}>
              {words.show}
            </TextLink>
          </>
        )}
      </div>
      <Button
        size="small"
        isWrite
        {...{ disabledReason }}
        icon={<KeyRound size={15} aria-hidden />}
        onClick={() =>
          isRunning
            ? void confirm({
                title: words.cancelTitle,
                text: words.cancelText,
                verb: words.cancel,
                done: words.cancelled,
                action: () => run(cancelRotation, { deviceId }),
              })
            : dialog.open({ deviceIds: [deviceId] })
        }
      >
        {isRunning ? words.cancel : words.rotate}
      </Button>
      <RotateDialog {...{ projectId, dialog }} />
    </div>
  );
}
