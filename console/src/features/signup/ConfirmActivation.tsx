import { MailCheck } from 'lucide-react';
import { NewPasswordForm } from '../../parts/NewPasswordForm.tsx';
import { Button } from '../../ui/action/Button.tsx';
import { Notice } from '../../ui/layout/Notice.tsx';
import { signUpCopy } from './copy.ts';
import { OutcomeScreen } from './OutcomeScreen.tsx';

const { verify: text } = signUpCopy;

/** Asks whether to activate an account. In another browser than that of the registration the password is chosen here: anyone can register any address. */
export function ConfirmActivation({
  account: { email, displayName },
  isOwn,
  refusal,
  onActivate,
}: {
  account: { email: string; displayName?: string | undefined };
  /** Whether the registration was made in this browser. */
  isOwn: boolean;
  /** Why the hub refused the password. */
  refusal?: string | undefined;
  onActivate: (password?: string) => void;
}) {
  return (
    <OutcomeScreen
      tone="info"
      icon={<MailCheck size={24} aria-hidden />}
      title={text.confirm}
      actions={
        isOwn && (
          <Button isWrite variant="primary" onClick={() => onActivate()}>
            {text.activate}
          </Button>
        )
      }
    >
      <p className="wrap-anywhere">
        {displayName !== undefined && (
          <>
            <span className="font-head text-ink">{displayName}</span>
            <br />
          </>
        )}
        <bdi className="font-head text-ink" dir="ltr">
          {email}
        </bdi>
      </p>
      <p>{isOwn ? text.confirmText : text.choosePassword}</p>
      {refusal !== undefined && (
        <Notice tone="danger" title={text.errorTitle}>
          {refusal}
        </Notice>
      )}
      {!isOwn && (
        <NewPasswordForm
          email={email}
          words={{
            password: signUpCopy.form.password,
            confirmation: signUpCopy.form.confirmation,
            submit: text.activate,
          }}
          onSubmit={async (password) => onActivate(password)}
        />
      )}
    </OutcomeScreen>
  );
}
