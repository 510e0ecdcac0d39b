import { showToast } from '../ui/overlay/toast.ts';
import { Dialog } from '../ui/overlay/Dialog.tsx';
import { CodeBlock } from '../ui/text/CodeBlock.tsx';
import { copyText } from '../ui/text/copy-text.ts';
import { orToast } from './or-toast.ts';
import { useLast } from './use-last.ts';

/** A link that was issued for an address. */
export interface IssuedLinkOf {
  readonly email: string;
  readonly url: string;
}

/** Shows a link to pass on; closed while it is undefined. One that is shown `once` closes only by "I stored it". */
export function IssuedLink({
  link,
  once = false,
  title,
  text,
  what,
  onClose,
}: {
  link: IssuedLinkOf | undefined;
  once?: boolean;
  title: (email: string) => string;
  text: string;
  /** The link by name, e.g. "invitation link". */
  what: string;
  onClose: () => void;
}) {
  const { email = '', url = '' } = useLast(link) ?? {};
  return (
    <Dialog
      guarded={once}
      open={link !== undefined}
      onOpenChange={onClose}
      title={title(email)}
      description={text}
    >
      <CodeBlock code={url} what={what} />
    </Dialog>
  );
}

/** Copies a link that is issued for an address. `onRefused` gets it where the browser does not let the page copy. */
export function copyIssuedLink(
  email: string,
  issue: Promise<{ readonly url: string }>,
  words: { readonly copied: (email: string) => string; readonly failed: string },
  onRefused: (link: IssuedLinkOf) => void,
): Promise<void> {
  const copy = async ({ url }: { readonly url: string }) => {
    if (await copyText(url)) showToast(words.copied(email), { tone: 'ok' });
    else onRefused({ email, url });
  };
  return orToast(words.failed, issue.then(copy));
}
