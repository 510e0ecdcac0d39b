import { Button } from '../../ui/action/Button.tsx';
import { uiCopy } from '../../ui/copy.ts';
import { Notice } from '../../ui/layout/Notice.tsx';
import { signUpCopy } from './copy.ts';

/** Why the link of an invitation could not be read, and how it is tried again. */
export interface UnreadInvitation {
  readonly message: string;
  readonly retry: () => void;
}

/** Says that the link of an invitation is incomplete or no longer valid, or why it could not be read. */
export function EndedInvitation({
  unread,
  isWhole,
}: {
  unread?: UnreadInvitation | undefined;
  isWhole: boolean;
}) {
  const { invitation: words } = signUpCopy;
  if (!isWhole)
    return (
      <div className="mt-10">
        <Notice tone="warn" title={words.incomplete}>
          {words.incompleteText}
        </Notice>
      </div>
    );
  return (
    <div className="mt-10">
      <Notice
        tone="warn"
        title={unread === undefined ? words.ended : words.unread}
        actions={unread && <Button onClick={unread.retry}>{uiCopy.error.retry}</Button>}
      >
        {unread?.message ?? words.endedText}
      </Notice>
    </div>
  );
}
