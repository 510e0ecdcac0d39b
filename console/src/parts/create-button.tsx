import { Link, type LinkProps } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { ButtonVariant } from '../ui/action/button-class.ts';
import { ButtonLink } from '../ui/action/ButtonLink.tsx';
import { usePageAction } from './page-actions.ts';
import { PageActionButton } from './PageActionButton.tsx';
import type { DialogProps } from './use-lazy-dialog.ts';

/**
 * The button that creates a resource, also by the key `c`, and its dialog. `link` leads to the route of the dialog, see
 * `useDialogRoute`, `page` to a page of its own; write them with the router's `linkOptions`.
 */
export type CreateButton = { label: string } & (
  | { link: LinkProps }
  | { page: LinkProps }
  | { dialog: (props: DialogProps) => ReactNode }
  | { onCreate: () => void }
);

/** The button, of which the page shows one: outlined in the header, or else primary in the empty list; and the dialog that it opens. */
export function useCreateButton(create: CreateButton | undefined): {
  button: ReactNode;
  firstButton: ReactNode;
  dialog: ReactNode;
} {
  const [open, onOpenChange] = useState(false);
  if (create === undefined) return { button: undefined, firstButton: undefined, dialog: undefined };
  if ('link' in create || 'page' in create) {
    const link =
      'page' in create
        ? create.page
        : ({ ...create.link, search: true, resetScroll: false, state: { isAbovePage: true } } as LinkProps);
    return {
      button: <CreateLink variant="outlined" label={create.label} link={link} />,
      firstButton: <CreateLink variant="primary" label={create.label} link={link} />,
      dialog: undefined,
    };
  }
  const onClick = 'onCreate' in create ? create.onCreate : () => onOpenChange(true);
  const props = { isCreate: true, icon: plus, onClick, children: create.label };
  return {
    button: <PageActionButton variant="outlined" {...props} />,
    firstButton: <PageActionButton variant="primary" {...props} />,
    dialog: 'dialog' in create ? create.dialog({ open, onOpenChange }) : undefined,
  };
}

const plus = <Plus size={16} aria-hidden />;

function CreateLink({ label, link, variant }: { label: string; link: LinkProps; variant: ButtonVariant }) {
  const element = usePageAction<HTMLAnchorElement>(label, { isCreate: true });
  return (
    <ButtonLink ref={element} variant={variant} icon={plus} shortcut="c" render={<Link {...link} />}>
      {label}
    </ButtonLink>
  );
}
