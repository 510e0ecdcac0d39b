import { Notice } from '../../ui/layout/Notice.tsx';
import { signUpCopy } from './copy.ts';

/** Says that the link of an invitation is no longer valid, or why it could not be read. */
export function EndedInvitation({ message }: { message?: string | undefined }) {
  const { invitation: words } = signUpCopy;
  return (
    <div className="mt-10">
      <Notice tone="warn" title={words.ended}>
        {message ?? words.endedText}
      </Notice>
    </div>
  );
}
