import { Link, type LinkProps } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ButtonLink } from '../ui/action/ButtonLink.tsx';
import { usePageAction } from './page-actions.ts';
import { PageActionButton } from './PageActionButton.tsx';
import type { DialogProps } from './use-lazy-dialog.ts';

/**
 * The button that creates a resource, also by the key `c`, and its dialog. `link` leads to the route of the dialog, see
 * `useDialogRoute`; write it with the router's `linkOptions`.
 */
export type CreateButton = { label: string } & (
  | { link: LinkProps }
  | { dialog: (props: DialogProps) => ReactNode }
  | { onCreate: () => void }
);

/** The button, for the header or the empty list, and the dialog that it opens, for the page. */
export function useCreateButton(create: CreateButton | undefined): { button: ReactNode; dialog: ReactNode } {
  const [open, onOpenChange] = useState(false);
  if (create === undefined) return { button: undefined, dialog: undefined };
  if ('link' in create) return { button: <CreateLink {...create} />, dialog: undefined };
  const onClick = 'onCreate' in create ? create.onCreate : () => onOpenChange(true);
  return {
    button: (
      <PageActionButton isCreate variant="primary" icon={plus} onClick={onClick}>
        {create.label}
      </PageActionButton>
    ),
    dialog: 'dialog' in create ? create.dialog({ open, onOpenChange }) : undefined,
  };
}

const plus = <Plus size={16} aria-hidden />;

function CreateLink({ label, link }: { label: string; link: LinkProps }) {
  const element = usePageAction<HTMLAnchorElement>(label, { isCreate: true });
  return (
    <ButtonLink
      ref={element}
      variant="primary"
      icon={plus}
      shortcut="c"
      render={<Link {...link} search resetScroll={false} state={{ isAbovePage: true }} />}
    >
      {label}
    </ButtonLink>
  );
}
