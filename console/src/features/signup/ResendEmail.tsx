import { useMutation } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { signUpCopy } from './copy.ts';
import { resendRegistrationEmail } from './registration.ts';
import { Button } from '../../ui/action/Button.tsx';
import { Notice } from '../../ui/layout/Notice.tsx';

/** Sends the activation link again and shows the result below. `children` are rendered beside the button. */
export function ResendEmail({
  email,
  invitationToken,
  children,
}: {
  email: string;
  invitationToken?: string | undefined;
  children: ReactNode;
}) {
  const { mutate, isPending, isSuccess, error } = useMutation(resendRegistrationEmail);
  return (
    <>
      <Button
        isWrite
        loading={isPending}
        onClick={() => mutate({ email, ...(invitationToken && { invitationToken }) })}
      >
        {signUpCopy.resend}
      </Button>
      {children}
      <div role="status" className="w-full text-body empty:hidden">
        {isSuccess && (
          <span className="flex items-start gap-2 text-ok">
            <Check size={16} aria-hidden className="mt-0.5 shrink-0" />
            <span className="min-w-0 wrap-anywhere">{signUpCopy.resent(email)}</span>
          </span>
        )}
      </div>
      {error !== null && (
        <div className="w-full">
          <Notice tone="danger" title={signUpCopy.notResent}>
            {error.message}
          </Notice>
        </div>
      )}
    </>
  );
}
