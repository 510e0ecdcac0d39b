import { useRouterState } from '@tanstack/react-router';
import { Check, Link2 } from 'lucide-react';
import { partsCopy } from './copy.ts';
import { Button } from '../ui/action/Button.tsx';
import { useCopy } from '../ui/text/use-copy.ts';

/** Copies the URL of the page, including filter and sort order. */
export function CopyLinkButton() {
  const href = useRouterState({ select: ({ location }) => location.href });
  const { isCopied, copy } = useCopy(window.location.origin + href, partsCopy.view.link);
  return (
    <Button
      label={partsCopy.view.copyLink}
      icon={isCopied ? <Check size={15} aria-hidden className="text-ok" /> : <Link2 size={15} aria-hidden />}
      onClick={() => void copy()}
    />
  );
}
