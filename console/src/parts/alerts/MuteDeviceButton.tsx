import type { Id } from '@corral/contract';
import { BellOff } from 'lucide-react';
import { Button } from '../../ui/action/Button.tsx';
import { type DialogProps, useLazyDialog } from '../use-lazy-dialog.ts';
import { alertsCopy } from './copy.ts';
import type { MuteTarget } from './MuteDialog.tsx';

type Props = DialogProps & { place: { projectId: Id<'project'> }; target: MuteTarget };

const loadDialog = () =>
  import('./MuteDialog.tsx').then(({ MuteDialog }) => (props: Props) => <MuteDialog {...props} />);

/** Mutes the alerts of a device. */
export function MuteDeviceButton({
  projectId,
  deviceId,
  name,
}: {
  projectId: Id<'project'>;
  deviceId: Id<'device'>;
  name: string;
}) {
  const dialog = useLazyDialog<Props>(loadDialog);
  return (
    <>
      <Button
        isWrite
        label={alertsCopy.device.mute}
        icon={<BellOff size={16} aria-hidden />}
        onClick={dialog.open}
      />
      {dialog.render({ place: { projectId }, target: { deviceId, deviceName: name } })}
    </>
  );
}
