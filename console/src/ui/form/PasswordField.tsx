import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type KeyboardEvent, useState } from 'react';
import { uiCopy } from '../copy.ts';
import { TextField } from './TextField.tsx';

/** A password with a show toggle and a Caps Lock hint. Set `autoComplete`, so that password managers know which password it is. */
export function PasswordField({
  description,
  ...props
}: Omit<ComponentProps<typeof TextField>, 'type' | 'trailing' | 'spellCheck'>) {
  const [isShown, setIsShown] = useState(false);
  const [isCapsLockOn, setIsCapsLockOn] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  function watchCapsLock(event: KeyboardEvent<HTMLInputElement>): void {
    // Autofill dispatches key events without getModifierState.
    if (typeof event.getModifierState === 'function') setIsCapsLockOn(event.getModifierState('CapsLock'));
  }
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      spellCheck={false}
      autoCapitalize="none"
      onKeyDown={watchCapsLock}
      onKeyUp={watchCapsLock}
      description={
        isCapsLockOn ? (
          <span role="status" className="text-warn">
            {uiCopy.field.capsLock}
          </span>
        ) : (
          description
        )
      }
      trailing={
        <button
          type="button"
          aria-pressed={isShown}
          aria-label={isShown ? uiCopy.field.hidePassword : uiCopy.field.showPassword}
          disabled={props.disabled}
          onClick={() => setIsShown(!isShown)}
          className="inline-flex size-8 items-center justify-center rounded-control text-ink3 hover:text-ink focus-visible:outline-offset-0 pointer-coarse:size-11"
        >
          <Icon size={16} aria-hidden />
        </button>
      }
    />
  );
}
