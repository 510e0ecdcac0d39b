import { type ReactNode, useState } from 'react';
import { useLazyModule } from './use-lazy-module.ts';

/** The props by which a dialog is opened and closed. */
export interface DialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/**
 * A dialog whose code is loaded when it is first opened. `load` resolves to a function that renders it; define it outside of the
 * component. `render` takes the props besides `open` and `onOpenChange`.
 */
export function useLazyDialog<Props extends DialogProps>(
  load: () => Promise<(props: Props) => ReactNode>,
): { open: () => void; render: (props: Omit<Props, keyof DialogProps>) => ReactNode } {
  const [isOpen, setIsOpen] = useState(false);
  const [isWanted, setIsWanted] = useState(false);
  const dialog = useLazyModule(load, isWanted, { reportsFailure: true });
  return {
    open: () => {
      setIsWanted(true);
      setIsOpen(true);
    },
    render: (props) => dialog?.({ ...props, open: isOpen, onOpenChange: setIsOpen } as Props),
  };
}
