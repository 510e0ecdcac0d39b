import type { Id, Output } from '@corral/contract';
import { Cloud, MapPin, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useRun } from '../../../data/action-mutation.ts';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { confirm } from '../../../parts/confirm.ts';
import { makePasskey } from '../../../parts/passkey/webauthn.ts';
import { usePasskeysHere } from '../../../parts/passkey/use-passkeys-here.ts';
import { factorCopy } from '../../../parts/second-factor/copy.ts';
import { secondFactorsQuery } from '../../../parts/second-factor/queries.ts';
import { RecoveryCodes } from '../../../parts/second-factor/RecoveryCodes.tsx';
import { Button } from '../../../ui/action/Button.tsx';
import { Badge } from '../../../ui/badge/Badge.tsx';
import { messageOf } from '../../../ui/form/message-of.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';
import { MenuItem } from '../../../ui/overlay/MenuItem.tsx';
import { MenuSeparator } from '../../../ui/overlay/MenuSeparator.tsx';
import { showToast } from '../../../ui/overlay/toast.ts';
import { RowMenu } from '../../../ui/table/RowMenu.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { nameUserAgent } from '../../../parts/sign-ins/user-agent.ts';
import { securityCopy } from './copy.ts';
import { addPasskey, beginPasskey, deletePasskey } from './mutations.ts';
import { type NamedPasskey, PasskeyNameDialog } from './PasskeyNameDialog.tsx';
import { PasskeysElsewhere } from './PasskeysElsewhere.tsx';

const words = securityCopy.passkeys;

type Passkey = Output<'users_GetSecondFactors'>['passkeys'][number];

/** The passkeys of the user: added, renamed and removed here. */
export function PasskeysCard({ userId }: { userId: Id<'user'> }) {
  const { passkeys, authenticator, isRequired } = useLoadedQuery(secondFactorsQuery(userId)).data;
  const isHere = usePasskeysHere();
  const [named, setNamed] = useState<NamedPasskey>();
  const [codes, setCodes] = useState<readonly string[]>();
  const run = useRun();
  const working = passkeys.filter(({ worksOnlyAt }) => worksOnlyAt === undefined);
  const isLast = (passkey: Passkey) =>
    isRequired && authenticator === undefined && working.length === 1 && working[0] === passkey;
  async function add(): Promise<void> {
    try {
      const credential = await makePasskey(await run(beginPasskey, {}));
      const name = nameUserAgent(navigator.userAgent);
      const { recoveryCodes } = await run(addPasskey, { name, credential });
      setNamed({ credentialId: credential.credentialId, name, isNew: true });
      setCodes(recoveryCodes);
    } catch (error) {
      showToast(words.notAdded, { tone: 'danger', text: messageOf(error) });
    }
  }
  const remove = ({ credentialId, name }: Passkey) =>
    void confirm({
      title: words.removeTitle(name),
      text: words.removeText,
      verb: words.remove,
      action: () => run(deletePasskey, { credentialId }),
      done: words.removed,
    });
  return (
    <Card title={words.title} className="max-w-[36rem]" isFlush>
      {passkeys.length > 0 && (
        <ul aria-label={words.title} className="divide-y divide-line border-b border-line">
          {passkeys.map((passkey) => (
            <li key={passkey.credentialId} className="flex items-start gap-3 py-3 ps-4.5 pe-3">
              <PasskeyFacts {...passkey} />
              <RowMenu name={passkey.name}>
                {() => (
                  <>
                    <MenuItem
                      icon={<Pencil size={15} />}
                      onSelect={() => setNamed({ ...passkey, isNew: false })}
                    >
                      {words.rename}
                    </MenuItem>
                    <MenuSeparator />
                    <MenuItem
                      icon={<Trash2 size={15} />}
                      tone="danger"
                      disabledReason={isLast(passkey) ? words.lastStays : undefined}
                      onSelect={() => remove(passkey)}
                    >
                      {words.remove}
                    </MenuItem>
                  </>
                )}
              </RowMenu>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-col items-start gap-4 p-4.5">
        {passkeys.length === 0 && <p className="text-body text-ink2">{words.text}</p>}
        {isHere ? (
          <Button isWrite onClick={add}>
            {words.add}
          </Button>
        ) : (
          <PasskeysElsewhere />
        )}
      </div>
      <PasskeyNameDialog passkey={named} onClose={() => setNamed(undefined)} />
      <Dialog
        open={codes !== undefined && named === undefined}
        onOpenChange={() => setCodes(undefined)}
        title={factorCopy.codesTitle}
        guarded
      >
        <RecoveryCodes codes={codes ?? []} />
      </Dialog>
    </Card>
  );
}

function PasskeyFacts({ name, addedAt, lastUsedAt, isBackedUp, worksOnlyAt }: Passkey) {
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1">
      <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <span className="text-body font-medium wrap-anywhere text-ink">{name}</span>
        {isBackedUp && (
          <Badge tone="mute" icon={<Cloud size={13} aria-hidden />}>
            {words.synced}
          </Badge>
        )}
        {worksOnlyAt !== undefined && (
          <Badge tone="warn" icon={<MapPin size={13} aria-hidden />}>
            {words.worksOnlyAt(worksOnlyAt)}
          </Badge>
        )}
      </span>
      <span className="text-small text-ink3">
        {words.added} <RelativeTime at={addedAt} />
        {' · '}
        {lastUsedAt === undefined ? (
          words.neverUsed
        ) : (
          <>
            {words.used} <RelativeTime at={lastUsedAt} />
          </>
        )}
      </span>
    </div>
  );
}
