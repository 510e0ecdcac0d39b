import { characterCount, type Id, nameProblem } from '@corral/contract';
import { useState } from 'react';
import { problemCopy } from '../../../copy/problems.ts';
import { useRun } from '../../../data/action-mutation.ts';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';
import { NameForm } from '../NameForm.tsx';
import { pairingCopy as words } from './copy.ts';
import { OpenKeys } from './OpenKeys.tsx';
import { createPairingKey, type NewPairingKey } from './pairing-keys.ts';
import { ShownKey } from './ShownKey.tsx';

const maxCharacters = 128;

/** Of the name of a device, which may stay empty. */
function problemOf(name: string): string | undefined {
  if (characterCount(name.trim()) > maxCharacters) return words.nameTooLong;
  const problem = nameProblem(name, 'deviceName');
  return problem && problemCopy[problem];
}

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
          <NameForm
            label={words.name}
            description={words.nameHint}
            problemOf={problemOf}
            verb={words.make}
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
