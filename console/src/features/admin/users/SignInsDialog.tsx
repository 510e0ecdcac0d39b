import { signInsCopy } from '../../../parts/sign-ins/copy.ts';
import { SignInList } from '../../../parts/sign-ins/SignInList.tsx';
import { useLast } from '../../../parts/use-last.ts';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';
import { idOf, type ListedUser } from './users-view.ts';

/** The sign-ins of a user, for an administrator. Closed without a user. */
export function SignInsDialog({ user, onClose }: { user: ListedUser | undefined; onClose: () => void }) {
  // Kept while the dialog disappears.
  const shown = useLast(user);
  return (
    <Dialog
      open={user !== undefined}
      onOpenChange={onClose}
      title={signInsCopy.title}
      description={shown?.email}
      size="large"
    >
      {shown !== undefined && <SignInList key={shown.userId} {...idOf(shown)} />}
    </Dialog>
  );
}
