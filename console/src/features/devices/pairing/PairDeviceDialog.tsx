import type { Id } from '@corral/contract';
import { useState } from 'react';
import { useRun } from '../../../data/action-mutation.ts';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';
import { pairingCopy as words } from './copy.ts';
import { NewKeyForm } from './NewKeyForm.tsx';
import { OpenKeys } from './OpenKeys.tsx';
import { createPairingKey, type NewPairingKey } from './pairing-keys.ts';
import { ShownKey } from './ShownKey.tsx';

/** Pairs a device by a key: makes one, shows it until a device has it, and lists the others that are open. */
export function PairDeviceDialog({
  projectId,
  open,
  onOpenChange,
}: {
  projectId: Id<'project'>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const run = useRun();
  const [made, setMade] = useState<NewPairingKey>();
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => {
        if (!isOpen) setMade(undefined);
        onOpenChange(isOpen);
      }}
      title={words.title}
      description={words.text}
      size="large"
    >
      <div className="flex flex-col gap-6">
        {made === undefined ? (
          <NewKeyForm
            onCreate={async (name) =>
              setMade(await run(createPairingKey, { projectId, ...(name === '' ? {} : { name }) }))
            }
          />
        ) : (
          <ShownKey
            key={made.pairingKeyId}
            projectId={projectId}
            made={made}
            onAnother={() => setMade(undefined)}
          />
        )}
        <OpenKeys projectId={projectId} except={made?.pairingKeyId} />
      </div>
    </Dialog>
  );
}
