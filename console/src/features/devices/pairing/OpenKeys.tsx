import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useRun } from '../../../data/action-mutation.ts';
import { orToast } from '../../../parts/or-toast.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { useNow } from '../../../ui/time/use-now.ts';
import { pairingCopy as words } from './copy.ts';
import { clockText, keyState, type PairingKey, pairingKeysQuery, revokePairingKey } from './pairing-keys.ts';

/** The other keys of a project that a device may still use, each with a button that revokes it; nothing while they load. */
export function OpenKeys({
  projectId,
  except,
}: {
  projectId: Id<'project'>;
  except: Id<'pairingKey'> | undefined;
}) {
  const { data, error } = useQuery(pairingKeysQuery(projectId));
  const nowMs = useNow('second');
  if (error !== null && data === undefined)
    return (
      <p role="alert" className="text-body text-danger">
        {error.message}
      </p>
    );
  if (data === undefined) return null;
  const open = data.pairingKeys.filter(
    (key) => key.pairingKeyId !== except && keyState(key, nowMs) === 'open',
  );
  return (
    <section aria-label={words.openKeys} className="flex flex-col gap-2 border-t border-line pt-4">
      <h3 className="text-body font-head text-ink">{words.openKeys}</h3>
      {open.length === 0 && <p className="text-body text-ink2">{words.noOpenKeys}</p>}
      <ul className="flex flex-col">
        {open.map((key) => (
          <OpenKey key={key.pairingKeyId} pairingKey={key} nowMs={nowMs} />
        ))}
      </ul>
    </section>
  );
}

function OpenKey({ pairingKey, nowMs }: { pairingKey: PairingKey; nowMs: number }) {
  const run = useRun();
  const { pairingKeyId, selector, name, expiresAt } = pairingKey;
  return (
    <li className="flex items-center gap-3 py-1.5">
      <code className="font-mono text-mono text-ink">{selector}-····</code>
      <span
        className={`min-w-0 flex-1 text-body wrap-anywhere ${name === undefined ? 'text-ink3' : 'text-ink2'}`}
      >
        {name ?? words.unnamed}
      </span>
      <span className="tabular text-small whitespace-nowrap text-ink3">
        {words.left(clockText(Date.parse(expiresAt) - nowMs))}
      </span>
      <Button
        size="small"
        isWrite
        label={words.revokeOf(selector)}
        onClick={() => orToast(words.notRevoked, run(revokePairingKey, { pairingKeyId }))}
      >
        {words.revoke}
      </Button>
    </li>
  );
}
