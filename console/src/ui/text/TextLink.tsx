import { useRender } from '@base-ui/react/use-render';
import type { ReactElement, ReactNode } from 'react';

/** A link in running text. `render` is the link element. */
export function TextLink({ render, children }: { render: ReactElement; children: ReactNode }) {
  return useRender({
    render,
    defaultTagName: 'a',
    props: {
      className:
        'own-direction rounded-control font-head text-denim underline-offset-2 hover:text-denim-hover hover:underline [p_&]:underline',
      children,
    },
  });
}
