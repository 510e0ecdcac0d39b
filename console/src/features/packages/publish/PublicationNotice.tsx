import type { Output } from '@corral/contract';
import { Button } from '../../../ui/action/Button.tsx';
import { Notice } from '../../../ui/layout/Notice.tsx';
import type { Uploads } from '../files/uploads/uploads.ts';
import { publishCopy } from './copy.ts';
import type { PublicationState } from './publication.ts';
import { usePublication } from './publications.ts';
import { versionName } from '../version-name.ts';

const words = publishCopy.notice;

/** Says that tags of a version wait for its files, or that somebody has to set them; nothing for a version that is published. */
export function PublicationNotice({
  version,
  uploads: { items, unfinished },
}: {
  version: Output<'repositories_GetPackageVersionDetails'>;
  uploads: Pick<Uploads, 'items' | 'unfinished'>;
}) {
  const found = usePublication({ versionId: version.versionId, name: versionName(version) });
  if (found === undefined) return null;
  const { publication, state } = found;
  const missing = publication.tags.filter(
    (one) => !version.tags.some(({ tag, locked }) => tag === one.tag && (locked || !one.locked)),
  );
  if (missing.length === 0) return null;
  const names = missing.map(({ tag }) => tag);
  const isOpen = items.some(({ state: { step } }) => step !== 'Done');
  const whyNot = isOpen ? words.complete : unfinished.length > 0 ? words.chooseAgain : undefined;
  const isWaiting = state.step === 'Waiting' && state.byItself && !items.some(isFailed);
  return (
    <div className="border-b border-line p-3">
      <Notice
        tone={state.step === 'Failed' ? 'danger' : isWaiting || state.step === 'Setting' ? 'info' : 'warn'}
        title={titleOf(state, names, isWaiting)}
        actions={
          !isWaiting &&
          state.step !== 'Setting' && (
            <span className="flex flex-wrap justify-end gap-2">
              <Button size="small" variant="quiet" isWrite onClick={() => publication.end()}>
                {words.giveUp}
              </Button>
              <Button size="small" isWrite disabledReason={whyNot} onClick={() => publication.setTags()}>
                {state.step === 'Failed' ? words.retry : words.set(names.length)}
              </Button>
            </span>
          )
        }
      >
        {state.step === 'Failed' ? state.message : isWaiting ? words.stays : (whyNot ?? words.ready)}
      </Notice>
    </div>
  );
}

const isFailed = ({ state: { step } }: Uploads['items'][number]): boolean => step === 'Failed';

function titleOf({ step }: PublicationState, names: readonly string[], isWaiting: boolean): string {
  if (step === 'Setting') return words.setting(names);
  return isWaiting ? words.waiting(names) : words.stopped(names);
}
