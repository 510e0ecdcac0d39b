import { Check, Copy } from 'lucide-react';
import { uiCopy } from '../copy.ts';
import { Button } from '../action/Button.tsx';
import type { ButtonSize, ButtonVariant } from '../action/button-class.ts';
import { useCopy } from './use-copy.ts';

/** Copies `text` and confirms it. `what` names it, e.g. "command"; with `isIconOnly` only the icon shows. */
export function CopyButton({
  text,
  what,
  variant,
  size = 'small',
  isIconOnly = false,
}: {
  text: string;
  what: string;
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  isIconOnly?: boolean | undefined;
}) {
  const { isCopied, copy } = useCopy(text, what);
  const icon = isCopied ? (
    <Check size={15} aria-hidden className="text-ok" />
  ) : (
    <Copy size={15} aria-hidden />
  );
  return (
    <Button
      variant={variant}
      size={size}
      icon={icon}
      label={uiCopy.copy.copyWhat(what)}
      onClick={() => void copy()}
    >
      {isIconOnly ? undefined : isCopied ? uiCopy.copy.copied : uiCopy.copy.copy}
    </Button>
  );
}
