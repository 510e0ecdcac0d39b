import { useLast } from '../../../parts/use-last.ts';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx';
import { usersCopy as words } from './copy.ts';

/** A link that was issued for an address. */
export interface IssuedLinkOf {
  readonly email: string;
  readonly url: string;
}

/** Shows a link that an administrator passes on, once; closed while it is undefined. */
export function IssuedLink({ link, onStored }: { link: IssuedLinkOf | undefined; onStored: () => void }) {
  const { email = '', url = '' } = useLast(link) ?? {};
  return (
    <Dialog
      guarded
      open={link !== undefined}
      onOpenChange={onStored}
      title={words.issuedTitle(email)}
      description={words.issuedText}
    >
      <CodeBlock code={url} what={words.link} />
    </Dialog>
  );
}
