import { useEffect, useRef } from 'react';
import { useRun } from '../../data/action-mutation.ts';
import { useIsMailConfigured } from '../../parts/use-is-mail-configured.ts';
import { FieldsDialog } from '../../ui/form/FieldsDialog.tsx';
import { messageOf } from '../../ui/form/message-of.ts';
import { showToast } from '../../ui/overlay/toast.ts';
import { addressesIn, inviteSchema, pasteLines } from './addresses.ts';
import { membersCopy as words } from './copy.ts';
import type { Membership } from './membership.ts';

/**
 * Invites one address or several. Each is an invitation of its own: when some are refused, the dialog stays and says which and why, and
 * does not invite the others again. A list whose dialog was closed is there when it opens again, without those.
 */
export function InviteDialog({
  membership,
  open,
  onOpenChange,
}: {
  membership: Membership;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const run = useRun();
  const isMailConfigured = useIsMailConfigured();
  const done = useRef(new Set<string>());
  const unmailed = useRef(new Set<string>());
  useEffect(() => {
    if (!open) return;
    done.current = new Set();
    unmailed.current = new Set();
  }, [open]);
  const waitingIn = (typed: string): string[] =>
    addressesIn(typed).filter((email) => !done.current.has(email));
  async function invite(typed: string): Promise<void> {
    const reasons: string[] = [];
    for (const email of waitingIn(typed)) {
      try {
        const { isMailed = true } = await membership.invite(run, email);
        if (!isMailed) unmailed.current.add(email);
        done.current.add(email);
      } catch (error) {
        reasons.push(messageOf(error));
      }
    }
    if (reasons.length > 0)
      throw new Error(words.someFailed(done.current.size, [...new Set(reasons)].join(' ')));
    if (!isMailConfigured) showToast(words.invitedWithoutMail(done.current.size), { text: words.passOnLink });
    else if (unmailed.current.size > 0)
      showToast(words.notMailedToAll([...unmailed.current].join(', ')), { text: words.passOnLinks });
    else showToast(words.invited(done.current.size), { tone: 'ok' });
  }
  return (
    <FieldsDialog
      open={open}
      onOpenChange={onOpenChange}
      title={words.invite}
      description={(isMailConfigured ? words.inviteText : words.inviteTextWithoutMail)(membership.kind)}
      submitLabel={words.submit}
      fields={{
        email: {
          label: words.email,
          hint: words.emailHint,
          required: true,
          showsAtOnce: true,
          inputMode: 'email',
          autoCapitalize: 'none',
          spellCheck: false,
          onPaste: pasteLines,
        },
      }}
      schema={inviteSchema}
      onSubmit={({ email }) => invite(email)}
      draft={`invite ${membership.id}`}
      unsent={({ email }) => ({ email: done.current.size === 0 ? email : waitingIn(email).join(', ') })}
    />
  );
}
